#include "engine/multibody/rigid_solver.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "engine/model/require.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/island.h"
#include "engine/multibody/joint_laws.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/sap_solver.h"

namespace slipstick::multibody {

namespace {

/// J A⁻¹ Jᵀ of a one-row constraint.
double delassusOfRow(const Constraint& c, const MatX& inverseA) {
  double w = 0;
  for (std::size_t i = 0; i < c.dofs.size(); ++i) {
    for (std::size_t k = 0; k < c.dofs.size(); ++k) {
      w += c.J(0, static_cast<int>(i)) * inverseA(c.dofs[i], c.dofs[k]) * c.J(0, static_cast<int>(k));
    }
  }
  return w;
}

}  // namespace

struct RigidSolver::Workspace {
  struct Island {
    SapProblem problem;
    SapSolver solver;
    VecX v, previous, rhs, candidate;
    Eigen::LLT<MatX> choleskyA;
    MatX inverseA;
  };
  Islands topology;
  std::vector<Island> islands;
  std::vector<int> targetOfJoint;  ///< index into RigidStepInput::targets, or −1
  int warmStartSize = 0;

  std::vector<Pose> X_WB;
  std::vector<Wrench> wrench;
  MatX M, jacobianA, jacobianB;
  VecX damping, force, zeroAcceleration;

  explicit Workspace(const Model& model);
  void addConstraint(Constraint::Kind kind, int index, const std::vector<std::pair<int, double>>& row);
  void addJointConstraints(const Tree& tree, int index);
  void addWeld(const Model& model, int index);

  void assemble(const Model& model, const RigidStepInput& input);
  void updateIsland(std::size_t island, const Model& model, const RigidStepInput& input);
  const PdTarget* targetOf(int joint, const RigidStepInput& input) const;
  void updateJointConstraint(const Island& island, Constraint& c, const Model& model,
                             const RigidStepInput& input) const;
  void updateWeld(const Island& island, Constraint& c, const Model& model, double dt);
  void chooseStart(Island& island, const VecX& warmStart) const;
  void collect(std::size_t island, const RigidStepInput& input, VecX& warmStart,
               RigidStepOutput& output) const;
};

RigidSolver::Workspace::Workspace(const Model& model) : topology(findIslands(model.tree, model.loops)) {
  const Tree& tree = model.tree;
  islands.resize(topology.dofs.size());
  damping = VecX::Zero(tree.nv);
  zeroAcceleration = VecX::Zero(tree.nv);
  targetOfJoint.assign(tree.joints.size(), -1);
  wrench.resize(tree.bodies.size());
  for (std::size_t i = 0; i < tree.joints.size(); ++i) {
    const Joint& joint = tree.joints[i];
    damping.segment(joint.vStart, velocityCount(joint.type)).setConstant(joint.damping);
    addJointConstraints(tree, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < model.loops.size(); ++i) addWeld(model, static_cast<int>(i));
}

/// A one-row constraint on few velocities: pairs (index into v, coefficient).
void RigidSolver::Workspace::addConstraint(Constraint::Kind kind, int index,
                                           const std::vector<std::pair<int, double>>& row) {
  Constraint c;
  c.kind = kind;
  c.index = index;
  c.slot = warmStartSize++;
  c.J.resize(1, static_cast<int>(row.size()));
  for (std::size_t k = 0; k < row.size(); ++k) {
    c.dofs.push_back(topology.positionInIsland[static_cast<std::size_t>(row[k].first)]);
    c.J(0, static_cast<int>(k)) = row[k].second;
  }
  const int island = topology.ofDof[static_cast<std::size_t>(row.front().first)];
  islands[static_cast<std::size_t>(island)].problem.constraints.push_back(std::move(c));
}

void RigidSolver::Workspace::addJointConstraints(const Tree& tree, int index) {
  using Kind = Constraint::Kind;
  const Joint& joint = tree.joints[static_cast<std::size_t>(index)];
  const int n = velocityCount(joint.type);
  if (joint.dryFriction > 0) {
    for (int k = 0; k < n; ++k) addConstraint(Kind::DryFriction, index, {{joint.vStart + k, 1}});
  }
  if (n != 1) return;
  if (joint.type != JointType::Continuous) {
    if (std::isfinite(joint.lower)) addConstraint(Kind::LowerLimit, index, {{joint.vStart, 1}});
    if (std::isfinite(joint.upper)) addConstraint(Kind::UpperLimit, index, {{joint.vStart, 1}});
  }
  if (joint.mimic >= 0) {
    const Joint& leader = tree.joints[static_cast<std::size_t>(joint.mimic)];
    SIM_REQUIRE(velocityCount(leader.type) == 1 && joint.mimic != index, joint.name, leader.name);
    addConstraint(Kind::Mimic, index, {{joint.vStart, 1}, {leader.vStart, -joint.mimicRatio}});
  }
  addConstraint(Kind::Pd, index, {{joint.vStart, 1}});
}

void RigidSolver::Workspace::addWeld(const Model& model, int index) {
  const Loop& weld = model.loops[static_cast<std::size_t>(index)];
  const int island = std::max(topology.ofBody[static_cast<std::size_t>(weld.bodyA)],
                              topology.ofBody[static_cast<std::size_t>(weld.bodyB)]);
  if (island < 0) return;  // both are fixed to the world
  Constraint c;
  c.kind = Constraint::Kind::Weld;
  c.index = index;
  c.slot = warmStartSize;
  warmStartSize += 6;
  const std::size_t n = topology.dofs[static_cast<std::size_t>(island)].size();
  for (std::size_t k = 0; k < n; ++k) c.dofs.push_back(static_cast<int>(k));
  c.J.setZero(6, static_cast<int>(n));
  islands[static_cast<std::size_t>(island)].problem.constraints.push_back(std::move(c));
}

/// Mass matrix and generalized forces of the whole world at t_n.
void RigidSolver::Workspace::assemble(const Model& model, const RigidStepInput& input) {
  const Tree& tree = model.tree;
  computePoses(tree, *input.q, X_WB);
  computeMassMatrix(tree, X_WB, M);
  for (std::size_t b = 0; b < wrench.size(); ++b) {
    wrench[b] = {};
    if (!input.wrenchImpulse.empty()) wrench[b] += input.wrenchImpulse[b] * (1 / input.dt);
    if (!input.externalWrench.empty()) wrench[b] += input.externalWrench[b];
  }
  force = -inverseDynamics(tree, *input.q, *input.v, zeroAcceleration, input.gravity, wrench);
  if (input.effort.size() > 0) force += input.effort;

  std::fill(targetOfJoint.begin(), targetOfJoint.end(), -1);
  for (std::size_t k = 0; k < input.targets.size(); ++k) {
    const int joint = input.targets[k].joint;
    SIM_REQUIRE(velocityCount(tree.joints[static_cast<std::size_t>(joint)].type) == 1, joint);
    int& target = targetOfJoint[static_cast<std::size_t>(joint)];
    SIM_REQUIRE(target < 0, joint);  // two controllers on one joint
    target = static_cast<int>(k);
  }
}

/// The PD target of a joint in this step, or null.
const PdTarget* RigidSolver::Workspace::targetOf(int joint, const RigidStepInput& input) const {
  const int target = targetOfJoint[static_cast<std::size_t>(joint)];
  return target < 0 ? nullptr : &input.targets[static_cast<std::size_t>(target)];
}

/// A = M + Δt D, free motion A (v* − v) = Δt (force − D v), and the laws of all constraints.
void RigidSolver::Workspace::updateIsland(std::size_t index, const Model& model,
                                          const RigidStepInput& input) {
  Island& island = islands[index];
  const std::vector<int>& dofs = topology.dofs[index];
  const int n = static_cast<int>(dofs.size());
  island.problem.A.resize(n, n);
  island.rhs.resize(n);
  island.previous.resize(n);
  for (int i = 0; i < n; ++i) {
    const int d = dofs[static_cast<std::size_t>(i)];
    for (int k = 0; k < n; ++k) island.problem.A(k, i) = M(dofs[static_cast<std::size_t>(k)], d);
    island.problem.A(i, i) += input.dt * damping[d];
    island.previous[i] = (*input.v)[d];
    island.rhs[i] = input.dt * (force[d] - damping[d] * (*input.v)[d]);
  }
  island.choleskyA.compute(island.problem.A);
  island.choleskyA.solveInPlace(island.rhs);
  island.problem.vStar = island.previous + island.rhs;
  island.inverseA.setIdentity(n, n);
  island.choleskyA.solveInPlace(island.inverseA);

  for (Constraint& c : island.problem.constraints) {
    if (c.kind == Constraint::Kind::Weld) {
      updateWeld(island, c, model, input.dt);
    } else {
      updateJointConstraint(island, c, model, input);
    }
  }
}

void RigidSolver::Workspace::updateJointConstraint(const Island& island, Constraint& c, const Model& model,
                                                   const RigidStepInput& input) const {
  using Kind = Constraint::Kind;
  const Joint& joint = model.tree.joints[static_cast<std::size_t>(c.index)];
  const auto positionOf = [&](const Joint& j) { return (*input.q)[j.qStart]; };
  const double w = delassusOfRow(c, island.inverseA);
  const double dt = input.dt;
  switch (c.kind) {
    case Kind::LowerLimit:
      c.laws[0] = lowerLimitLaw(positionOf(joint) - joint.lower, w, dt);
      break;
    case Kind::UpperLimit:
      c.laws[0] = upperLimitLaw(joint.upper - positionOf(joint), w, dt);
      break;
    case Kind::DryFriction:
      c.laws[0] = dryFrictionLaw(joint.dryFriction, w, dt);
      break;
    case Kind::Mimic: {
      const double leader = positionOf(model.tree.joints[static_cast<std::size_t>(joint.mimic)]);
      c.laws[0] = couplerLaw(positionOf(joint) - joint.mimicRatio * leader - joint.mimicOffset, w, dt);
      break;
    }
    case Kind::Pd: {
      const PdTarget* pd = targetOf(c.index, input);
      c.active = pd && dt * pd->kp + pd->kd > 0;
      if (c.active) c.laws[0] = pdLaw(pd->q - positionOf(joint), *pd, dt);
      break;
    }
    case Kind::Weld:
      break;
  }
}

/// Rows: angular, then linear velocity of frame B relative to frame A, both taken at the point midway between
/// the frames, so that the two bodies get opposite forces on one line and no angular momentum arises from a
/// small gap.
void RigidSolver::Workspace::updateWeld(const Island& island, Constraint& c, const Model& model, double dt) {
  const Loop& weld = model.loops[static_cast<std::size_t>(c.index)];
  const Pose X_WA = X_WB[static_cast<std::size_t>(weld.bodyA)] * weld.X_AaA;
  const Pose X_WBb = X_WB[static_cast<std::size_t>(weld.bodyB)] * weld.X_BbB;
  const Vec3 middle = 0.5 * (X_WA.p + X_WBb.p);
  pointJacobian(model.tree, X_WB, weld.bodyA, middle, jacobianA);
  pointJacobian(model.tree, X_WB, weld.bodyB, middle, jacobianB);
  const int someBody = topology.ofBody[static_cast<std::size_t>(weld.bodyA)] >= 0 ? weld.bodyA : weld.bodyB;
  const std::vector<int>& dofs =
      topology.dofs[static_cast<std::size_t>(topology.ofBody[static_cast<std::size_t>(someBody)])];
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    c.J.col(static_cast<int>(k)) = jacobianB.col(dofs[k]) - jacobianA.col(dofs[k]);
  }

  const Eigen::AngleAxisd turn(X_WBb.R * X_WA.R.transpose());
  RowVec error(6);
  error << turn.angle() * turn.axis(), X_WBb.p - X_WA.p;
  for (int half = 0; half < 2; ++half) {
    double w = 0;  // one estimate for the three rows of a kind, so that the weld is isotropic
    for (int r = 3 * half; r < 3 * half + 3; ++r) w += (c.J.row(r) * island.inverseA).dot(c.J.row(r)) / 3;
    for (int r = 3 * half; r < 3 * half + 3; ++r) {
      // Where nothing can turn (or move), no impulse is needed.
      c.laws[static_cast<std::size_t>(r)] = w > 0 ? couplerLaw(error[r], w, dt) : BoxLaw{0, 1, 0, 0};
    }
  }
}

/// The cheapest of free motion, the last velocity, and free motion with the last step's impulses.
void RigidSolver::Workspace::chooseStart(Island& island, const VecX& warmStart) const {
  const SapProblem& problem = island.problem;
  island.v = problem.vStar;
  double best = SapSolver::cost(problem, island.v);
  const auto consider = [&](const VecX& v) {
    const double cost = SapSolver::cost(problem, v);
    if (!(cost < best)) return;
    best = cost;
    island.v = v;
  };
  consider(island.previous);
  if (warmStart.size() != warmStartSize) return;
  island.candidate.setZero(island.v.size());
  for (const Constraint& c : problem.constraints) {
    if (c.active) c.addGeneralized(warmStart.segment(c.slot, c.rows()), island.candidate);
  }
  island.candidate = problem.vStar + island.inverseA * island.candidate;
  consider(island.candidate);
}

/// Velocities, actuator forces and impulses of a solved island.
void RigidSolver::Workspace::collect(std::size_t index, const RigidStepInput& input, VecX& warmStart,
                                     RigidStepOutput& output) const {
  const Island& island = islands[index];
  const std::vector<int>& dofs = topology.dofs[index];
  for (std::size_t k = 0; k < dofs.size(); ++k) output.v[dofs[k]] = island.v[static_cast<int>(k)];
  for (const Constraint& c : island.problem.constraints) {
    if (!c.active) continue;
    const RowVec gamma = c.impulse(c.velocity(island.v));
    warmStart.segment(c.slot, c.rows()) = gamma;
    if (c.kind != Constraint::Kind::Pd) continue;
    const bool atLimit = gamma[0] <= c.laws[0].lower || gamma[0] >= c.laws[0].upper;
    output.saturated |= atLimit;
    const int dof = dofs[static_cast<std::size_t>(c.dofs.front())];
    output.tau[dof] +=
        atLimit ? std::copysign(targetOf(c.index, input)->effortLimit, gamma[0]) : gamma[0] / input.dt;
  }
}

RigidSolver::RigidSolver(std::shared_ptr<const Model> model)
    : model_(std::move(model)), work_(std::make_unique<Workspace>(*model_)) {}

RigidSolver::~RigidSolver() = default;
RigidSolver::RigidSolver(RigidSolver&&) noexcept = default;

void RigidSolver::step(const RigidStepInput& input, VecX& warmStart, RigidStepOutput& output) {
  const Tree& tree = model_->tree;
  SIM_REQUIRE(input.q && input.v && input.dt > 0, input.dt);
  SIM_REQUIRE(input.effort.size() == 0 || input.effort.size() == tree.nv, input.effort.size());
  SIM_REQUIRE(input.wrenchImpulse.empty() || input.wrenchImpulse.size() == tree.bodies.size());
  SIM_REQUIRE(input.externalWrench.empty() || input.externalWrench.size() == tree.bodies.size());
  work_->assemble(*model_, input);

  output.v = *input.v;
  output.tau = input.effort.size() > 0 ? input.effort : work_->zeroAcceleration;
  output.iterations = 0;
  output.converged = true;
  output.saturated = false;
  output.residual = 0;
  const VecX previousImpulses = warmStart;
  warmStart.setZero(work_->warmStartSize);
  for (std::size_t i = 0; i < work_->islands.size(); ++i) {
    Workspace::Island& island = work_->islands[i];
    work_->updateIsland(i, *model_, input);
    if (island.choleskyA.info() != Eigen::Success) {  // a body that can move has no inertia
      output.converged = false;
      output.residual = std::numeric_limits<double>::infinity();
      continue;
    }
    work_->chooseStart(island, previousImpulses);
    const SapReport report = island.solver.solve(island.problem, island.v);
    output.iterations = std::max(output.iterations, report.iterations);
    output.converged &= report.converged;
    output.residual = std::max(output.residual, report.residual);
    work_->collect(i, input, warmStart, output);
  }
}

}  // namespace slipstick::multibody
