#include "engine/rigid/rigid_solver.h"

#include <cmath>
#include <limits>

#include "engine/contact/sap_islands.h"
#include "engine/contact/sap_solver.h"
#include "engine/foundation/require.h"
#include "engine/foundation/scope_timer.h"
#include "engine/multibody/tree_algebra.h"
#include "engine/rigid/rigid_problem.h"

namespace slipstick {

using namespace multibody;  // NOLINT(google-build-using-namespace): trees, joints, spatial algebra

using contact::BodyPair;
using contact::ContactPointLaw;
using contact::SapIsland;
using contact::SapReport;
using contact::SapTree;
using contact::ScalarConstraint;

namespace {

/// Friction bounds that are wrong by more than this share of the island's are worth another solve.
constexpr double kLagTolerance = 2e-3;

/// Residual below which the last velocity needs no better start.
constexpr double kGoodStart = 0.1;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

struct RigidSolver::Workspace {
  RigidProblem problem;
  contact::SapIslands islands;
  contact::SapSolver solver;
  int lagIterations;
  VecX v, candidate, warm;

  explicit Workspace(const std::shared_ptr<const Model>& model)
      : problem(model),
        solver({.relativeTolerance = model->rigidSolver.relativeTolerance,
                .maxIterations = model->rigidSolver.maxIterations}),
        lagIterations(model->rigidSolver.potential == ContactPotentialName::Lagged
                          ? model->rigidSolver.lagIterations
                          : 0) {}

  void solveIsland(int index, bool hasWarmStart, RigidStepOutput& output);
  void chooseStart(const SapIsland& island, bool hasWarmStart);
  void copyIsland(const SapIsland& island, const VecX& from);
  bool impulseStart(const SapIsland& island);
  double correctFrictionBounds(const SapIsland& island);
  void keepTrace(int index, RigidStepOutput& output);
  void collect(const RigidStepInput& input, VecX& warmStart, RigidStepOutput& output) const;
  void collectActuators(const RigidStepInput& input, RigidStepOutput& output) const;
};

/// Free motion with the last step's impulses of joints and loops, as a candidate. @return false: there are
/// none
bool RigidSolver::Workspace::impulseStart(const SapIsland& island) {
  const contact::SapProblem& sap = problem.sap;
  bool any = false;
  for (const int t : island.trees) candidate.segment(sap.trees[at(t)].start, sap.trees[at(t)].size).setZero();
  for (const int k : island.scalars) {
    const ScalarConstraint& c = sap.scalars[at(k)];
    const double gamma = warm[c.slot];
    if (!c.active || gamma == 0) continue;
    any = true;
    for (std::size_t i = 0; i < 2; ++i)
      if (c.dof[i] >= 0) candidate[c.dof[i]] += c.coefficient[i] * gamma;
  }
  for (const int k : island.pairs) {
    const BodyPair& pair = sap.pairs[at(k)];
    if (pair.loop < 0) continue;
    any = true;
    Vec6 wrench = Vec6::Zero();
    for (int r = 0; r < pair.rowCount; ++r) wrench += warm[pair.slot + r] * pair.rows[at(r)];
    for (const auto& [index, sign] : {std::pair(pair.bodyB, 1.0), std::pair(pair.bodyA, -1.0)}) {
      const contact::SapBody& body = sap.bodies[at(index)];
      if (body.tree < 0) continue;
      const SapTree& tree = sap.trees[at(body.tree)];
      candidate.segment(tree.start, tree.size).noalias() +=
          sign * sap.jacobian(body).transpose().lazyProduct(moveForceBack(wrench, pair.origin - body.p));
    }
  }
  if (!any) return false;
  for (const int t : island.trees) {
    const SapTree& tree = sap.trees[at(t)];
    solveDense(sap.choleskyA.data() + tree.block, tree.size, candidate.data() + tree.start);
    candidate.segment(tree.start, tree.size) += sap.vStar.segment(tree.start, tree.size);
  }
  return true;
}

void RigidSolver::Workspace::copyIsland(const SapIsland& island, const VecX& from) {
  for (const int t : island.trees) {
    const SapTree& tree = problem.sap.trees[at(t)];
    v.segment(tree.start, tree.size) = from.segment(tree.start, tree.size);
  }
}

/// The cheapest of the last velocity, free motion, and free motion with the last step's impulses.
void RigidSolver::Workspace::chooseStart(const SapIsland& island, bool hasWarmStart) {
  const contact::SapProblem& sap = problem.sap;
  double best = solver.cost(sap, island, v);
  const auto consider = [&](const VecX& other) {
    const double cost = solver.cost(sap, island, other);
    if (!(cost < best)) return;
    best = cost;
    copyIsland(island, other);
  };
  consider(sap.vStar);
  if (hasWarmStart && impulseStart(island)) consider(candidate);
}

/// Sets the lagged friction bounds to the normal impulses just found. @return by how much they were wrong,
/// relative to their sum
double RigidSolver::Workspace::correctFrictionBounds(const SapIsland& island) {
  double wrong = 0, total = 0;
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.sap.pairs[at(k)];
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      const ContactPointLaw& point = problem.sap.points[at(p)];
      const contact::V3<double>& n = point.law.normal;
      const double bound = point.mu * point.gamma.dot(Vec3(n.x, n.y, n.z));
      wrong += std::abs(bound - point.law.frictionBound);
      total += std::max(bound, point.law.frictionBound);
    }
  }
  if (!(wrong > kLagTolerance * total)) return 0;
  // The friction impulses of the solve belong to its bounds: contacts that stick do not mind, others do.
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.sap.pairs[at(k)];
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      ContactPointLaw& point = problem.sap.points[at(p)];
      const contact::V3<double>& n = point.law.normal;
      point.law.frictionBound = point.mu * std::max(0.0, point.gamma.dot(Vec3(n.x, n.y, n.z)));
      point.law.epsilon = contact::frictionEpsilon(problem.stictionSpeed(), point.law.frictionBound, point.w);
    }
  }
  return wrong / total;
}

void RigidSolver::Workspace::solveIsland(int index, bool hasWarmStart, RigidStepOutput& output) {
  const SapIsland& island = islands.island(index);
  // Nearly always free motion is the answer where nothing touches, and the last velocity where all is at
  // rest.
  if (island.pairs.empty()) copyIsland(island, problem.sap.vStar);
  solver.trace().clear();
  SapReport report = solver.evaluate(problem.sap, island, v);
  const bool goodStart = report.residual < kGoodStart;
  if (!goodStart) chooseStart(island, hasWarmStart);
  report = solver.solve(problem.sap, island, index, v, goodStart ? &report : nullptr);
  int iterations = report.iterations;
  // A bound from the step before fails where contact begins or chatters: solve again with the bounds that
  // this step's normal impulses give.
  for (int i = 0; i < lagIterations && !island.pairs.empty(); ++i) {
    if (!(correctFrictionBounds(island) > 0)) break;
    solver.updateFriction(problem.sap, island);
    report = solver.solve(problem.sap, island, index, v);
    iterations += report.iterations;
    ++output.lagSolves;
  }
  output.iterations = std::max(output.iterations, iterations);
  output.converged &= report.converged;
  output.residual = std::max(output.residual, report.residual);
  keepTrace(index, output);
}

/// A failure before what converged, then what took longer.
void RigidSolver::Workspace::keepTrace(int index, RigidStepOutput& output) {
  const contact::SolveTrace &now = solver.trace(), &kept = output.trace;
  const bool longer = kept.isEmpty() || now.iterations() > kept.iterations();
  if (now.converged() == kept.converged() ? !longer : now.converged()) return;
  output.trace = now;
  output.trace.setIndex(index);
}

void RigidSolver::Workspace::collectActuators(const RigidStepInput& input, RigidStepOutput& output) const {
  for (const ScalarConstraint& c : problem.sap.scalars) {
    if (!c.active || c.kind != ScalarConstraint::Kind::Pd) continue;
    const bool atLimit = c.gamma <= c.law.lower || c.gamma >= c.law.upper;
    const PdTarget& target = *problem.targetOf(c.index, input);
    if (atLimit && !target.limitIsMeant) output.saturated.push_back(target.joint);
    const int dof = problem.layout().modelIndex[at(c.dof[0])];
    output.tau[dof] += atLimit ? std::copysign(target.effortLimit, c.gamma) : c.gamma / input.dt;
  }
}

/// Velocities, actuator forces, impulses and contacts of the solved step.
void RigidSolver::Workspace::collect(const RigidStepInput& input, VecX& warmStart,
                                     RigidStepOutput& output) const {
  const contact::SapProblem& sap = problem.sap;
  for (std::size_t i = 0; i < problem.layout().modelIndex.size(); ++i)
    output.v[problem.layout().modelIndex[i]] = v[static_cast<Eigen::Index>(i)];
  warmStart.setZero(problem.warmStartSize);
  for (const ScalarConstraint& c : sap.scalars)
    if (c.active) warmStart[c.slot] = c.gamma;
  for (const BodyPair& pair : sap.pairs)
    if (pair.loop >= 0) warmStart.segment<6>(pair.slot).head(pair.rowCount) = pair.gamma.head(pair.rowCount);
  collectActuators(input, output);
  output.results.resize(sap.points.size());
  for (std::size_t p = 0; p < sap.points.size(); ++p) {
    const ContactPointLaw& point = sap.points[p];
    const contact::V3<double>& n = point.law.normal;
    const double bound = sap.potential == ContactPotentialName::Lagged
                             ? point.law.frictionBound
                             : point.mu * std::max(0.0, point.gamma.dot(Vec3(n.x, n.y, n.z)));
    output.results[p] = {point.gamma, point.velocity, point.mu, bound};
  }
}

RigidSolver::RigidSolver(std::shared_ptr<const Model> model)
    : model_(std::move(model)), work_(std::make_unique<Workspace>(model_)) {}

RigidSolver::~RigidSolver() = default;
RigidSolver::RigidSolver(RigidSolver&&) noexcept = default;

namespace {

void requireSizes(const Model& model, const RigidStepInput& input) {
  const Tree& tree = model.tree;
  SIM_REQUIRE(input.q && input.v && input.dt > 0, input.dt);
  SIM_REQUIRE(input.effort.size() == 0 || input.effort.size() == tree.nv, input.effort.size());
  SIM_REQUIRE(input.wrenchImpulse.empty() || input.wrenchImpulse.size() == tree.bodies.size());
  SIM_REQUIRE(input.externalWrench.empty() || input.externalWrench.size() == tree.bodies.size());
  SIM_REQUIRE(input.prescribed.empty() || input.prescribed.size() == model.prescribed.size());
}

/// What is known before the solve: explicit efforts, prescribed velocities.
void begin(const Model& model, const RigidStepInput& input, RigidStepOutput& output) {
  output.v = *input.v;
  output.iterations = output.lagSolves = output.islands = 0;
  output.converged = true;
  output.saturated.clear();
  output.trace.clear();
  output.residual = 0;
  output.times = {};
  if (input.effort.size() > 0) {
    output.tau = input.effort;
  } else {
    output.tau.setZero(model.tree.nv);
  }
  for (std::size_t k = 0; k < model.prescribed.size(); ++k) {
    const Velocity V = input.prescribed.empty() ? Velocity{} : input.prescribed[k];
    output.v.segment<6>(model.tree.joints[at(model.prescribed[k].joint)].vStart) = stack(V.w, V.v);
  }
}

}  // namespace

void RigidSolver::step(const RigidStepInput& input, VecX& warmStart, RigidStepOutput& output) {
  requireSizes(*model_, input);
  begin(*model_, input, output);
  if (!work_->problem.build(input, output.contacts, output.times)) {  // a body that can move has no inertia
    output.contacts.clear();
    output.results.clear();
    output.converged = false;
    output.residual = std::numeric_limits<double>::infinity();
    warmStart.setZero(work_->problem.warmStartSize);
    return;
  }
  const ScopeTimer timer(output.times.solve);
  output.X_WB = work_->problem.poses();
  const bool hasWarmStart = warmStart.size() == work_->problem.warmStartSize;
  if (hasWarmStart) work_->warm = warmStart;
  work_->v = work_->problem.previous;
  work_->candidate.resize(work_->v.size());
  work_->solver.reset(work_->problem.sap);
  output.islands = work_->islands.find(work_->problem.sap);
  for (int i = 0; i < output.islands; ++i) work_->solveIsland(i, hasWarmStart, output);
  work_->collect(input, warmStart, output);
}

}  // namespace slipstick
