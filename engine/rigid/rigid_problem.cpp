#include "engine/rigid/rigid_problem.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"
#include "engine/foundation/scope_timer.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/tree_algebra.h"
#include "engine/rigid/joint_laws.h"

namespace slipstick {

using namespace multibody;  // NOLINT(google-build-using-namespace): trees, joints, spatial algebra

using contact::BodyPair;
using contact::Mat6;
using contact::SapBody;
using contact::SapTree;
using contact::ScalarConstraint;

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

contact::V3<double> lane(const Vec3& a) {
  return {a.x(), a.y(), a.z()};
}

}  // namespace

RigidProblem::RigidProblem(std::shared_ptr<const Model> model)
    : model_(std::move(model)),
      layout_(makeTreeLayout(model_->tree, model_->prescribed)),
      collision_(makeCollision(*model_)) {
  const Tree& tree = model_->tree;
  std::size_t block = 0;
  for (const TreeLayout::Part& part : layout_.trees) {
    sap.trees.push_back({part.start, part.size, block});
    block += at(part.size) * at(part.size);
  }
  sap.A.assign(block, 0);
  sap.choleskyA.assign(block, 0);
  freeMobility_.resize(sap.trees.size());
  sap.potential = model_->rigidSolver.potential;
  zeroAcceleration_ = VecX::Zero(tree.nv);
  targetOfJoint_.assign(tree.joints.size(), -1);
  wrench_.resize(tree.bodies.size());
  sapBodyOf_.resize(tree.bodies.size());
  for (std::size_t i = 0; i < tree.joints.size(); ++i) addJointConstraints(static_cast<int>(i));
  warmStartSize += 6 * static_cast<int>(model_->loops.size());
}

void RigidProblem::addScalar(ScalarConstraint::Kind kind, int joint, int dof, double coefficient, int dof2,
                             double coefficient2) {
  ScalarConstraint c;
  c.kind = kind;
  c.index = joint;
  c.slot = warmStartSize++;
  c.dof = {layout_.solverIndex[at(dof)], dof2 < 0 ? -1 : layout_.solverIndex[at(dof2)]};
  c.tree = {layout_.treeOfVelocity[at(dof)], dof2 < 0 ? -1 : layout_.treeOfVelocity[at(dof2)]};
  c.coefficient = {coefficient, coefficient2};
  sap.scalars.push_back(c);
}

void RigidProblem::addJointConstraints(int index) {
  using Kind = ScalarConstraint::Kind;
  const Joint& joint = model_->tree.joints[at(index)];
  const int n = velocityCount(joint.type);
  if (n > 0 && layout_.treeOfVelocity[at(joint.vStart)] < 0) return;  // prescribed
  if (joint.dryFriction > 0) {
    for (int k = 0; k < n; ++k) addScalar(Kind::DryFriction, index, joint.vStart + k, 1);
  }
  if (n != 1) return;
  if (joint.type != JointType::Continuous) {
    if (std::isfinite(joint.lower)) addScalar(Kind::LowerLimit, index, joint.vStart, 1);
    if (std::isfinite(joint.upper)) addScalar(Kind::UpperLimit, index, joint.vStart, 1);
  }
  if (joint.mimic >= 0) {
    const Joint& leader = model_->tree.joints[at(joint.mimic)];
    SIM_REQUIRE(velocityCount(leader.type) == 1 && joint.mimic != index, joint.name, leader.name);
    addScalar(Kind::Mimic, index, joint.vStart, 1, leader.vStart, -joint.mimicRatio);
  }
  addScalar(Kind::Pd, index, joint.vStart, 1);
}

const PdTarget* RigidProblem::targetOf(int joint, const RigidStepInput& input) const {
  const int target = targetOfJoint_[at(joint)];
  return target < 0 ? nullptr : &input.targets[at(target)];
}

void RigidProblem::readTargets(const RigidStepInput& input) {
  std::fill(targetOfJoint_.begin(), targetOfJoint_.end(), -1);
  for (std::size_t k = 0; k < input.targets.size(); ++k) {
    const int joint = input.targets[k].joint;
    SIM_REQUIRE(velocityCount(model_->tree.joints[at(joint)].type) == 1, joint);
    int& target = targetOfJoint_[at(joint)];
    SIM_REQUIRE(target < 0, joint);  // two controllers on one joint
    target = static_cast<int>(k);
  }
}

bool RigidProblem::build(const RigidStepInput& input, RigidContactSet& contacts, RigidTimes& times) {
  {
    const ScopeTimer timer(times.dynamics);
    sap.stop = input.stop;
    readTargets(input);
    computePoses(model_->tree, *input.q, X_WB_);
    computeVelocities(model_->tree, *input.q, *input.v, X_WB_, V_WB_);
    prepareDynamics(model_->tree, X_WB_, dynamics_);
    computeForces(input);
    computeMass(input);
    if (!computeFreeMotion(input)) return false;
  }
  {
    const ScopeTimer timer(times.collision);
    findBodies(input);
    collision_.find(X_WB_, contacts, bodies_);
  }
  const ScopeTimer timer(times.assembly);
  updateScalars(input);
  std::fill(sapBodyOf_.begin(), sapBodyOf_.end(), -1);
  sap.bodies.assign(1, SapBody{});
  mobility_.assign(1, Mat6::Zero());
  sap.jacobians.clear();
  sap.pairs.clear();
  for (std::size_t i = 0; i < model_->loops.size(); ++i) {
    const Loop& loop = model_->loops[i];
    if (bodies_.empty() || (bodies_[at(loop.bodyA)] && bodies_[at(loop.bodyB)]))
      addLoop(static_cast<int>(i), input);
  }
  addContacts(input, contacts);
  return true;
}

/// Those whose trees take part, and those that the solver cannot move.
void RigidProblem::findBodies(const RigidStepInput& input) {
  bodies_.clear();
  if (input.trees.empty()) return;
  for (const int tree : layout_.treeOfBody) bodies_.push_back(tree < 0 || input.trees[at(tree)]);
}

/// Generalized forces of the whole world at t_n, with damping and springs; a spring as it is at the step's end: q + Δt v.
void RigidProblem::computeForces(const RigidStepInput& input) {
  const Tree& tree = model_->tree;
  for (std::size_t b = 0; b < wrench_.size(); ++b) {
    wrench_[b] = {};
    if (!input.wrenchImpulse.empty()) wrench_[b] += input.wrenchImpulse[b] * (1 / input.dt);
    if (!input.externalWrench.empty()) wrench_[b] += input.externalWrench[b];
  }
  inverseDynamics(tree, X_WB_, V_WB_, *input.v, zeroAcceleration_, input.gravity, wrench_, dynamics_, force_);
  force_ = -force_;
  if (input.effort.size() > 0) force_ += input.effort;
  for (const Joint& joint : tree.joints) {
    const int n = velocityCount(joint.type);
    force_.segment(joint.vStart, n) -= joint.damping * input.v->segment(joint.vStart, n);
    if (joint.stiffness > 0)
      force_[joint.vStart] -= joint.stiffness * ((*input.q)[joint.qStart] - joint.springReference +
                                                 input.dt * (*input.v)[joint.vStart]);
  }
}

/// A = M + Δt D + Δt² K per tree, and Δt force − (the part of M that prescribed accelerations pull on).
void RigidProblem::computeMass(const RigidStepInput& input) {
  std::fill(sap.A.begin(), sap.A.end(), 0.0);
  rhs_.resize(static_cast<Eigen::Index>(layout_.modelIndex.size()));
  for (std::size_t i = 0; i < layout_.modelIndex.size(); ++i)
    rhs_[static_cast<Eigen::Index>(i)] = input.dt * force_[layout_.modelIndex[i]];
  const auto prescribedChange = [&](const Joint& joint) -> Vec6 {
    for (std::size_t k = 0; k < model_->prescribed.size(); ++k) {
      if (&model_->tree.joints[at(model_->prescribed[k].joint)] != &joint) continue;
      const Velocity V = input.prescribed.empty() ? Velocity{} : input.prescribed[k];
      return stack(V.w, V.v) - input.v->segment<6>(joint.vStart);
    }
    return Vec6::Zero();
  };
  visitMassBlocks(model_->tree, X_WB_, dynamics_,
                  [&](const Joint& row, const Joint& column, const MassBlock& block) {
                    const int t = layout_.treeOfVelocity[at(column.vStart)];
                    if (t < 0) return;
                    if (layout_.treeOfVelocity[at(row.vStart)] < 0) {
                      const Vec6 change = prescribedChange(row);
                      for (int c = 0; c < block.cols(); ++c)
                        rhs_[layout_.solverIndex[at(column.vStart + c)]] -= block.col(c).dot(change);
                      return;
                    }
                    const SapTree& tree = sap.trees[at(t)];
                    contact::SapProblem::Block A(sap.A.data() + tree.block, tree.size, tree.size);
                    for (int c = 0; c < block.cols(); ++c) {
                      const int j = layout_.solverIndex[at(column.vStart + c)] - tree.start;
                      for (int r = 0; r < block.rows(); ++r) {
                        const int i = layout_.solverIndex[at(row.vStart + r)] - tree.start;
                        A(i, j) = block(r, c);
                        A(j, i) = block(r, c);
                      }
                      if (&row == &column)
                        A(j, j) += input.dt * (column.damping + input.dt * column.stiffness);
                    }
                  });
}

/// A (v* − v) = Δt force.
bool RigidProblem::computeFreeMotion(const RigidStepInput& input) {
  previous.resize(rhs_.size());
  for (Eigen::Index i = 0; i < previous.size(); ++i)
    previous[i] = (*input.v)[layout_.modelIndex[static_cast<std::size_t>(i)]];
  for (std::size_t t = 0; t < sap.trees.size(); ++t) {
    const SapTree& tree = sap.trees[t];
    if (!takesPart(t, input)) {
      rhs_.segment(tree.start, tree.size).setZero();
      continue;
    }
    const std::size_t count = at(tree.size) * at(tree.size);
    std::copy_n(sap.A.data() + tree.block, count, sap.choleskyA.data() + tree.block);
    if (layout_.trees[t].free) {
      Mat6& inverse = freeMobility_[t];
      if (!invertFree(sap.choleskyA.data() + tree.block, inverse)) return false;
      rhs_.segment<6>(tree.start) = inverse.lazyProduct(Vec6(rhs_.segment<6>(tree.start)));
      continue;
    }
    if (!factorizeDense(sap.choleskyA.data() + tree.block, tree.size)) return false;
    solveDense(sap.choleskyA.data() + tree.block, tree.size, rhs_.data() + tree.start);
  }
  sap.vStar = previous + rhs_;
  return true;
}

/// (A⁻¹)_dd of a velocity; known for the rest of the step once it was asked for.
double RigidProblem::inverseDiagonal(int dof, int treeIndex) {
  double& known = inverseDiagonal_[dof];
  if (known >= 0) return known;
  const SapTree& tree = sap.trees[at(treeIndex)];
  const int n = tree.size, first = dof - tree.start;
  const double* L = sap.choleskyA.data() + tree.block;
  // L⁻¹ e_d is zero above d.
  scratch_.assign(at(n), 0);
  scratch_[at(first)] = 1;
  solveLower(L + first * (n + 1), n, n - first, scratch_.data() + first);
  known = 0;
  for (int i = first; i < n; ++i) known += scratch_[at(i)] * scratch_[at(i)];
  return known;
}

/// J A⁻¹ Jᵀ of a scalar constraint.
double RigidProblem::delassus(const ScalarConstraint& c) {
  if (c.dof[1] < 0) return c.coefficient[0] * c.coefficient[0] * inverseDiagonal(c.dof[0], c.tree[0]);
  double w = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    if (c.dof[i] < 0 || (i == 1 && c.tree[1] == c.tree[0])) continue;
    const SapTree& tree = sap.trees[at(c.tree[i])];
    scratch_.assign(at(tree.size), 0);
    for (std::size_t k = 0; k < 2; ++k)
      if (c.dof[k] >= 0 && c.tree[k] == c.tree[i]) scratch_[at(c.dof[k] - tree.start)] += c.coefficient[k];
    solveLower(sap.choleskyA.data() + tree.block, tree.size, scratch_.data());
    for (const double x : scratch_) w += x * x;
  }
  return w;
}

void RigidProblem::updateScalars(const RigidStepInput& input) {
  using Kind = ScalarConstraint::Kind;
  const double dt = input.dt;
  inverseDiagonal_.setConstant(previous.size(), -1);
  const auto positionOf = [&](const Joint& j) { return (*input.q)[j.qStart]; };
  for (ScalarConstraint& c : sap.scalars) {
    if (!takesPart(at(c.tree[0]), input)) continue;
    const Joint& joint = model_->tree.joints[at(c.index)];
    switch (c.kind) {
      case Kind::LowerLimit:
        c.law = lowerLimitLaw(positionOf(joint) - joint.lower, delassus(c), dt);
        break;
      case Kind::UpperLimit:
        c.law = upperLimitLaw(joint.upper - positionOf(joint), delassus(c), dt);
        break;
      case Kind::DryFriction:
        c.law = dryFrictionLaw(joint.dryFriction, delassus(c), dt, model_->rigidSolver);
        break;
      case Kind::Mimic: {
        const double leader = positionOf(model_->tree.joints[at(joint.mimic)]);
        const double error = positionOf(joint) - joint.mimicRatio * leader - joint.mimicOffset;
        c.law = couplerLaw(error, std::abs(error), delassus(c), dt);
        break;
      }
      case Kind::Pd: {
        const PdTarget* pd = targetOf(c.index, input);
        c.active = pd && dt * pd->kp + pd->kd > 0;
        if (c.active) c.law = pdLaw(pd->q - positionOf(joint), *pd, dt);
        break;
      }
    }
  }
}

int RigidProblem::sapBody(int body, const RigidStepInput& input) {
  const int tree = layout_.treeOfBody[at(body)], carrier = layout_.carrier[at(body)];
  if (tree < 0 && carrier < 0) return 0;
  int& index = sapBodyOf_[at(body)];
  if (index >= 0) return index;
  index = static_cast<int>(sap.bodies.size());
  SapBody entry;
  entry.tree = tree;
  entry.p = X_WB_[at(body)].p;
  if (carrier >= 0 && !input.prescribed.empty()) {
    for (std::size_t k = 0; k < model_->prescribed.size(); ++k) {
      if (model_->prescribed[k].joint != carrier) continue;
      const int root = model_->tree.joints[at(carrier)].child;
      entry.prescribed =
          moveMotion(stack(input.prescribed[k].w, input.prescribed[k].v), entry.p - X_WB_[at(root)].p);
    }
  }
  mobility_.push_back(Mat6::Zero());
  if (tree >= 0) computeJacobian(body, entry);
  sap.bodies.push_back(entry);
  return index;
}

/// J of the body's origin in its tree's velocities, and its mobility J A⁻¹ Jᵀ.
void RigidProblem::computeJacobian(int body, SapBody& target) {
  const SapTree& tree = sap.trees[at(target.tree)];
  target.jacobian = sap.jacobians.size();
  sap.jacobians.resize(sap.jacobians.size() + 6 * at(tree.size), 0);
  Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> J(sap.jacobians.data() + target.jacobian, 6,
                                                         tree.size);
  // A body welded to a free one has another origin.
  target.free = layout_.trees[at(target.tree)].free && isFree(model_->tree.joints[at(body - 1)]);
  if (target.free) {
    J.setIdentity();
    mobility_.back() = freeMobility_[at(target.tree)];
    return;
  }
  for (int b = body; b > 0; b = model_->tree.parentOf(b)) {
    const Joint& joint = model_->tree.joints[at(b - 1)];
    const int n = velocityCount(joint.type);
    if (n == 0 || layout_.treeOfVelocity[at(joint.vStart)] < 0) continue;
    const Subspace& S = dynamics_.subspace[at(b)];
    for (int k = 0; k < n; ++k)
      J.col(layout_.solverIndex[at(joint.vStart + k)] - tree.start) =
          moveMotion(S.col(k), target.p - X_WB_[at(b)].p);
  }
  mobility_.back() = mobilityOf(sap.choleskyA.data() + tree.block, tree.size, J.data(), scratch_);
}

/// ΔV per impulse of a pair, about its origin: (J_B − J_A) A⁻¹ (J_B − J_A)ᵀ.
Mat6 RigidProblem::mobility(const BodyPair& pair) {
  const SapBody &A = sap.bodies[at(pair.bodyA)], &B = sap.bodies[at(pair.bodyB)];
  if (A.tree >= 0 && A.tree == B.tree) {
    const SapTree& tree = sap.trees[at(A.tree)];
    relative_.resize(std::max(relative_.size(), 6 * at(tree.size)));
    Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> J(relative_.data(), 6, tree.size);
    for (int c = 0; c < tree.size; ++c)
      J.col(c) = moveMotion(sap.jacobian(B).col(c), pair.origin - B.p) -
                 moveMotion(sap.jacobian(A).col(c), pair.origin - A.p);
    return mobilityOf(sap.choleskyA.data() + tree.block, tree.size, J.data(), scratch_);
  }
  return moveMobility(mobility_[at(pair.bodyA)], pair.origin - A.p) +
         moveMobility(mobility_[at(pair.bodyB)], pair.origin - B.p);
}

/// Mean of the linear part of a pair's mobility [1/kg].
double RigidProblem::linearMobility(const BodyPair& pair) {
  const SapBody &A = sap.bodies[at(pair.bodyA)], &B = sap.bodies[at(pair.bodyB)];
  if (A.tree >= 0 && A.tree == B.tree) return mobility(pair).bottomRightCorner<3, 3>().trace() / 3;
  return (linearTrace(mobility_[at(pair.bodyA)], pair.origin - A.p) +
          linearTrace(mobility_[at(pair.bodyB)], pair.origin - B.p)) /
         3;
}

void RigidProblem::addLoop(int index, const RigidStepInput& input) {
  const Loop& loop = model_->loops[at(index)];
  BodyPair pair;
  pair.bodyA = sapBody(loop.bodyA, input);
  pair.bodyB = sapBody(loop.bodyB, input);
  if (sap.bodies[at(pair.bodyA)].tree < 0 && sap.bodies[at(pair.bodyB)].tree < 0) return;
  pair.loop = index;
  pair.slot = warmStartSize - 6 * static_cast<int>(model_->loops.size()) + 6 * index;
  setLoopRows(loop, input, pair);
  sap.pairs.push_back(pair);
}

/// Rows of a loop, taken midway between its frames, so that the two bodies get opposite forces on one line
/// and no angular momentum arises from a small gap.
void RigidProblem::setLoopRows(const Loop& loop, const RigidStepInput& input, BodyPair& pair) {
  const Pose X_WA = X_WB_[at(loop.bodyA)] * loop.X_AaA, X_WBb = X_WB_[at(loop.bodyB)] * loop.X_BbB;
  pair.origin = 0.5 * (X_WA.p + X_WBb.p);
  const Vec3 apart = X_WBb.p - X_WA.p;
  const Mat6 W = mobility(pair);
  const auto addRow = [&](const Vec6& row, double error, double whole, double w) {
    // Where nothing can turn (or move), no impulse is needed.
    pair.laws[at(pair.rowCount)] =
        w > 0 ? couplerLaw(error, whole, w, input.dt) : contact::BoxLaw{0, 1, 0, 0};
    pair.rows[at(pair.rowCount)] = row;
    ++pair.rowCount;
  };
  if (loop.kind == LoopKind::Distance) {
    const Vec6 row = stack(Vec3::Zero(), apart.normalized());
    const double error = apart.norm() - loop.distance;
    addRow(row, error, std::abs(error), row.dot(W * row));
    return;
  }
  double energy = 0;
  Vec6 unit = Vec6::Zero();
  const auto addRows = [&](int first, const Vec3& error, double whole) {
    // One estimate for the three rows of a kind, so that the loop is isotropic.
    const double w = W.block<3, 3>(first, first).trace() / 3;
    for (int r = 0; r < 3; ++r) addRow(Vec6::Unit(first + r), error[r], whole, w);
    if (!(w > 0)) return;
    unit.segment<3>(first).setConstant(std::sqrt(w));
    energy += kCorrectionBraking * whole / w;
  };
  if (loop.kind == LoopKind::Weld) {
    const Eigen::AngleAxisd turn(X_WBb.R * X_WA.R.transpose());
    addRows(0, turn.angle() * turn.axis(), turn.angle());
  }
  addRows(3, apart, apart.norm());
  slowWeakDirections(W, unit, energy, pair);
}

/// Near a singular posture joints hardly move the loop in some direction, and a small gap along it is closed by large turns.
/// There the closing speed is so low that its energy, ½ v̂²/w, is no more than where bodies move freely
/// (fastestCorrection()).
/// @param unit    per row of W: √ of its mean mobility; 0 where the loop has no row, or nothing moves
/// @param energy  Σ g |error| / w of the rows [J]
void RigidProblem::slowWeakDirections(const Mat6& W, const Vec6& unit, double energy, BodyPair& pair) {
  // In directions of less mobility than this share of the mean nothing moves at all.
  constexpr double kUnmoved = 1e-6;
  const int first = 6 - pair.rowCount;
  Mat6 mobility = Mat6::Identity();
  Vec6 speed = Vec6::Zero();
  for (int r = first; r < 6; ++r) {
    if (!(unit[r] > 0)) continue;
    speed[r] = pair.laws[at(r - first)].vHat / unit[r];
    for (int c = first; c < 6; ++c)
      if (unit[c] > 0) mobility(r, c) = W(r, c) / (unit[r] * unit[c]);
    mobility(r, r) += kUnmoved;
  }
  if (0.5 * speed.dot(mobility.ldlt().solve(speed)) <= energy) return;
  const Eigen::SelfAdjointEigenSolver<Mat6> directions(mobility);
  Vec6 along = directions.eigenvectors().transpose() * speed;
  for (int i = 0; i < 6; ++i) {
    const double fastest = std::sqrt(2 * energy * std::max(0.0, directions.eigenvalues()[i] - kUnmoved));
    along[i] = std::clamp(along[i], -fastest, fastest);
  }
  speed = directions.eigenvectors() * along;
  for (int r = first; r < 6; ++r) pair.laws[at(r - first)].vHat = speed[r] * unit[r];
}

void RigidProblem::addContacts(const RigidStepInput& input, const RigidContactSet& contacts) {
  sap.points.resize(contacts.points.size());
  for (const RigidContactSet::Pair& found : contacts.pairs) {
    BodyPair& pair = sap.pairs.emplace_back();
    pair.bodyA = sapBody(model_->geometries[at(found.geometryA)].body, input);
    pair.bodyB = sapBody(model_->geometries[at(found.geometryB)].body, input);
    pair.pointBegin = found.pointBegin;
    pair.pointEnd = found.pointEnd;
    for (int p = found.pointBegin; p < found.pointEnd; ++p) pair.origin += contacts.points[at(p)].p_W;
    pair.origin /= found.pointEnd - found.pointBegin;
    const double w = linearMobility(pair);
    const double mu = model_->rigidPairLaw(found.geometryA, found.geometryB).friction;
    const Vec6 before = velocityBefore(pair);
    for (int p = found.pointBegin; p < found.pointEnd; ++p) {
      const RigidContactPoint& point = contacts.points[at(p)];
      const Vec3 velocity = moveMotion(before, point.p_W - pair.origin).tail<3>();
      setPoint(p, point, contacts.laws[at(p)], point.normal_W.dot(velocity), {pair.origin, w, mu, input.dt});
    }
  }
}

Vec6 RigidProblem::velocityBefore(const BodyPair& pair) const {
  return previousVelocity(pair.bodyB, pair.origin) - previousVelocity(pair.bodyA, pair.origin);
}

/// Velocity at t_n of a body, at a point fixed in it.
Vec6 RigidProblem::previousVelocity(int body, const Vec3& p_W) const {
  const SapBody& b = sap.bodies[at(body)];
  if (b.free) return moveMotion(previous.segment<6>(sap.trees[at(b.tree)].start), p_W - b.p);
  Vec6 V = b.prescribed;
  if (b.tree >= 0) {
    const SapTree& tree = sap.trees[at(b.tree)];
    V.noalias() += sap.jacobian(b).lazyProduct(previous.segment(tree.start, tree.size));
  }
  return moveMotion(V, p_W - b.p);
}

/// @param vn0  normal velocity before the step [m/s]
void RigidProblem::setPoint(int index, const RigidContactPoint& point, const RigidContactLaw& own, double vn0,
                            const PairFacts& pair) {
  const RigidSolverSpec& settings = model_->rigidSolver;
  contact::ContactPointLaw& law = sap.points[at(index)];
  law.gamma = law.velocity = Vec3::Zero();
  law.r = point.p_W - pair.origin;
  law.mu = pair.mu;
  law.w = pair.w;
  const double bound = pair.mu * contact::laggedNormalImpulse(own.force, own.dissipation, vn0, pair.dt);
  law.law = {
      .normal = lane(point.normal_W),
      .f0 = own.force,
      .stiffness = own.stiffness,
      .dissipation = own.dissipation,
      .frictionBound = bound,
      .epsilon = contact::frictionEpsilon(settings.stictionSpeed, bound, pair.w, settings.stictionSoftness),
      .dt = pair.dt};
  if (settings.potential == ContactPotentialName::Sap)
    law.sap = contact::sapContact(lane(point.normal_W), pair.mu, -own.force / own.stiffness, own.stiffness,
                                  settings.relaxationTime, pair.dt, pair.w, settings.stictionSoftness);
}

}  // namespace slipstick
