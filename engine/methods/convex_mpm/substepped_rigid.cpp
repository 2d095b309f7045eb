#include "engine/methods/convex_mpm/substepped_rigid.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/rigid_kernel_choice.h"
#include "engine/foundation/require.h"
#include "engine/foundation/scope_timer.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/tree_algebra.h"

namespace slipstick::convex_mpm {

using contact::SapBody;
using contact::SapIsland;
using contact::SapProblem;
using contact::SapReport;
using contact::SapTree;
using multibody::Mat6;
using multibody::Vec6;

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// A x of one tree.
void multiply(const SapProblem& problem, const SapTree& tree, const VecX& x, VecX& y) {
  y.segment(tree.start, tree.size).noalias() =
      problem.blockA(tree).lazyProduct(x.segment(tree.start, tree.size));
}

/// Σ 1/A_ii x_i² over one tree.
double squaredNorm(const SapProblem& problem, const SapTree& tree, const VecX& x) {
  double sum = 0;
  for (int i = 0; i < tree.size; ++i)
    sum += x[tree.start + i] * x[tree.start + i] / problem.A[tree.block + at(i) * at(tree.size + 1)];
  return sum;
}

double workOf(const Wrench& impulse, const Velocity& V) {
  return impulse.force.dot(V.v) + impulse.torque.dot(V.w);
}

}  // namespace

SubsteppedRigid::SubsteppedRigid(const std::shared_ptr<const Model>& model)
    : model_(model), slow_(model), fast_(model), sum_(model), hessian_(contact::chooseRigidKernels()) {}

void SubsteppedRigid::beginStep(const RigidStepInput& input, const std::vector<char>& mayTouch,
                                const VecX& warmStart) {
  input_ = &input;
  elapsed_ = seconds_ = 0;
  warm_ = warmStart;
  q_ = *input.q;
  restingImpulse_.assign(model_->tree.bodies.size(), {});
  particleWork_.assign(model_->tree.bodies.size(), 0);
  fastOutput_.contacts.clear();
  {
    const ScopeTimer timer(seconds_);
    solvable_ = slow_.begin(input, warm_, slowOutput_);
    v_ = slowOutput_.v;  // with what is prescribed
    chooseMoving(mayTouch);
    fastInput_ = input;
    fastInput_.q = &q_;
    fastInput_.v = &v_;
    fastInput_.trees = movingTree_;
    updateBodies();
    X_WB0_ = X_WB_;
  }
  sum_.begin(X_WB0_);
}

/// Islands at t_n with a body that particles may touch.
void SubsteppedRigid::chooseMoving(const std::vector<char>& mayTouch) {
  const TreeLayout& layout = slow_.problem.layout();
  movingTree_.assign(layout.trees.size(), 0);
  anyMoves_ = false;
  if (!solvable_) return;
  for (std::size_t body = 0; body < mayTouch.size(); ++body)
    if (mayTouch[body] && layout.treeOfBody[body] >= 0) movingTree_[at(layout.treeOfBody[body])] = 1;
  for (int i = 0; i < slowOutput_.islands; ++i) {
    const std::vector<int>& trees = slow_.islands.island(i).trees;
    const bool moves =
        std::any_of(trees.begin(), trees.end(), [&](int t) { return movingTree_[at(t)] != 0; });
    for (const int t : trees) movingTree_[at(t)] = moves;
    anyMoves_ |= moves;
  }
}

void SubsteppedRigid::updateBodies() {
  multibody::computePoses(model_->tree, q_, X_WB_);
  multibody::computeVelocities(model_->tree, q_, v_, X_WB_, V_WB_);
  bodies_.resize(X_WB_.size());
  for (std::size_t b = 0; b < X_WB_.size(); ++b) bodies_[b] = {X_WB_[b], V_WB_[b]};
}

bool SubsteppedRigid::moves(int body) const {
  const int tree = slow_.problem.layout().treeOfBody[at(body)];
  return tree >= 0 && movingTree_[at(tree)];
}

template <class F>
void SubsteppedRigid::forMovingIslands(F&& f) {
  for (int i = 0; i < fastOutput_.islands; ++i) {
    const SapIsland& island = fast_.islands.island(i);
    if (movingTree_[at(island.trees.front())]) f(island, i);
  }
}

void SubsteppedRigid::begin(double dt) {
  dt_ = dt;
  if (!anyMoves_) return;
  const ScopeTimer timer(seconds_);
  fastInput_.dt = dt;
  setTargets(dt);
  std::swap(fastOutput_.contacts, previous_);
  // Inertia does not come and go, but velocities may have grown beyond numbers within the step.
  if (fast_.begin(fastInput_, warm_, fastOutput_)) return sum_.keepWhatLetGo(previous_, fastOutput_.contacts);
  sum_.total().factored = sum_.total().converged = false;
  anyMoves_ = false;
  std::fill(movingTree_.begin(), movingTree_.end(), 0);
}

/// Where joints shall be at the end of the substep. Their goals move with constant velocity within a step.
void SubsteppedRigid::setTargets(double dt) {
  const double left = input_->dt - elapsed_ - dt;
  for (std::size_t k = 0; k < input_->targets.size(); ++k)
    fastInput_.targets[k].q = input_->targets[k].q - left * input_->targets[k].v;
}

void SubsteppedRigid::touch(std::span<const int> bodies) {
  enter(bodies);
  const SapProblem& sap = fast_.problem.sap;
  fast_.solver.reset(sap);  // there are more bodies now
  hessian_.reset(sap);
  shifted_ = sap;
  majorized_ = sap;
}

void SubsteppedRigid::enter(std::span<const int> bodies) {
  const SapProblem& sap = fast_.problem.sap;
  touched_.clear();
  loadedTree_.assign(sap.trees.size(), 0);
  for (const int body : bodies) {
    touched_.push_back(fast_.problem.sapBody(body, fastInput_));
    loadedTree_[at(sap.bodies[at(touched_.back())].tree)] = 1;
  }
  for (VecX* x : {&impulse_, &offset_, &gradient_}) x->setZero(sap.vStar.size());
}

void SubsteppedRigid::addJacobianTransposed(std::size_t touched, const Wrench& impulse, VecX& sum) const {
  const SapProblem& sap = fast_.problem.sap;
  const SapBody& body = sap.bodies[at(touched_[touched])];
  const SapTree& tree = sap.trees[at(body.tree)];
  const Vec6 wrench = multibody::stack(impulse.torque, impulse.force);
  if (body.free) {
    sum.segment<6>(tree.start) += wrench;
  } else {
    sum.segment(tree.start, tree.size).noalias() += sap.jacobian(body).transpose().lazyProduct(wrench);
  }
}

/// v* of the loaded trees, with impulses on the touched bodies; leaves Jᵀ of these in impulse_.
void SubsteppedRigid::shift(std::span<const Wrench> impulses, SapProblem& shifted) {
  const SapProblem& sap = fast_.problem.sap;
  impulse_.setZero();
  for (std::size_t b = 0; b < touched_.size(); ++b) addJacobianTransposed(b, impulses[b], impulse_);
  for (std::size_t t = 0; t < sap.trees.size(); ++t) {
    if (!loadedTree_[t]) continue;
    const SapTree& tree = sap.trees[t];
    offset_.segment(tree.start, tree.size) = impulse_.segment(tree.start, tree.size);
    multibody::solveDense(sap.choleskyA.data() + tree.block, tree.size, offset_.data() + tree.start);
    shifted.vStar.segment(tree.start, tree.size) =
        sap.vStar.segment(tree.start, tree.size) + offset_.segment(tree.start, tree.size);
  }
}

/// Whether nothing constrains an island: its minimiser is v*.
bool SubsteppedRigid::isFreeMotion(const SapIsland& island) const {
  return island.pairs.empty() && std::none_of(island.scalars.begin(), island.scalars.end(),
                                              [&](int k) { return fast_.problem.sap.scalars[at(k)].active; });
}

/// The minimiser of a variant of the substep's rigid problem, from v on.
void SubsteppedRigid::solveIslands(SapProblem& problem, VecX& v) {
  forMovingIslands([&](const SapIsland& island, int index) {
    if (!isFreeMotion(island)) {
      fast_.solver.trace().clear();
      // Whether the substep's solve converges is told by the solve that contains this one.
      sum_.total().factored &= fast_.solver.solve(problem, island, index, v).factored;
      return;
    }
    for (const int t : island.trees) {
      const SapTree& tree = problem.trees[at(t)];
      v.segment(tree.start, tree.size) = problem.vStar.segment(tree.start, tree.size);
    }
  });
}

void SubsteppedRigid::start(Iterate& at) {
  at.v = fast_.problem.previous;
  evaluate(at);
}

void SubsteppedRigid::settle(std::span<const Wrench> impulses, Iterate& at) {
  const ScopeTimer timer(seconds_);
  shift(impulses, shifted_);
  if (at.v.size() == 0) at.v = shifted_.vStar;
  solveIslands(shifted_, at.v);
  evaluate(at);
}

void SubsteppedRigid::evaluate(Iterate& iterate) {
  const SapProblem& sap = fast_.problem.sap;
  iterate.energy = 0;
  forMovingIslands([&](const SapIsland& island, int) {
    iterate.energy += fast_.solver.objective().value(sap, island, iterate.v);
  });
  velocitiesOf(iterate.v, false, iterate.V);
}

/// Of the touched bodies. @param change  v is a change of velocities: without what is prescribed
void SubsteppedRigid::velocitiesOf(const VecX& v, bool change, std::vector<Velocity>& V) const {
  const SapProblem& sap = fast_.problem.sap;
  V.resize(touched_.size());
  for (std::size_t b = 0; b < touched_.size(); ++b) {
    const SapBody& body = sap.bodies[at(touched_[b])];
    const SapTree& tree = sap.trees[at(body.tree)];
    Vec6 spatial = change ? Vec6::Zero() : body.prescribed;
    if (body.free) {
      spatial = v.segment<6>(tree.start);
    } else {
      spatial.noalias() += sap.jacobian(body).lazyProduct(v.segment(tree.start, tree.size));
    }
    V[b] = {spatial.head<3>(), spatial.tail<3>()};
  }
}

void SubsteppedRigid::shiftByLoads(std::span<const Load> loads) {
  wrenches_.resize(loads.size());
  for (std::size_t b = 0; b < loads.size(); ++b) wrenches_[b] = loads[b].impulse;
  shift(wrenches_, shifted_);
}

/// majorized_.A = A + Σ JᵀKJ of the loaded trees.
void SubsteppedRigid::addCurvature(std::span<const Load> loads) {
  const SapProblem& sap = fast_.problem.sap;
  for (std::size_t t = 0; t < sap.trees.size(); ++t) {
    if (!loadedTree_[t]) continue;
    const SapTree& tree = sap.trees[t];
    SapProblem::Block H(majorized_.A.data() + tree.block, tree.size, tree.size);
    H = sap.blockA(tree);
    for (std::size_t b = 0; b < touched_.size(); ++b) {
      const SapBody& body = sap.bodies[at(touched_[b])];
      if (body.tree != static_cast<int>(t)) continue;
      const auto J = sap.jacobian(body);
      if (body.free) {
        H += loads[b].curvature;
      } else {
        curvedJacobian_.resize(at(6 * tree.size));
        Eigen::Map<MatX, Eigen::Aligned16> KJ(curvedJacobian_.data(), 6, tree.size);
        KJ = loads[b].curvature.lazyProduct(J);
        H.noalias() += J.transpose().lazyProduct(KJ);
      }
    }
  }
}

mpm::RigidSide::Residual SubsteppedRigid::residual(const Iterate& iterate, std::span<const Load> loads) {
  const ScopeTimer timer(seconds_);
  shiftByLoads(loads);
  Residual residual;
  double error2 = 0, impulse2 = 0, rounding2 = 0;
  forMovingIslands([&](const SapIsland& island, int) {
    fast_.solver.objective().evaluate(shifted_, island, iterate.v, point_);
    const SapReport report = fast_.solver.test(shifted_, island, point_);
    error2 += report.error * report.error;
    const double rounding = report.residual > 0 ? report.tolerance * report.error / report.residual : 0;
    rounding2 += rounding * rounding;
    for (const int t : island.trees) impulse2 += squaredNorm(shifted_, shifted_.trees[at(t)], impulse_);
  });
  residual.error = std::sqrt(error2);
  residual.impulse = std::sqrt(impulse2);
  residual.rounding = std::sqrt(rounding2);
  return residual;
}

/// With H = A + JᵀKJ and the gradient g of everything but the constraints, ½‖v − (v_at − H⁻¹g)‖²_H + ℓ_r(v).
void SubsteppedRigid::step(const Iterate& iterate, std::span<const Load> loads, Iterate& next) {
  const ScopeTimer timer(seconds_);
  const SapProblem& sap = fast_.problem.sap;
  impulse_.setZero();
  for (std::size_t b = 0; b < touched_.size(); ++b) addJacobianTransposed(b, loads[b].impulse, impulse_);
  offset_ = iterate.v - sap.vStar;
  addCurvature(loads);
  for (std::size_t t = 0; t < sap.trees.size(); ++t) {
    if (!loadedTree_[t]) continue;
    const SapTree& tree = sap.trees[t];
    multiply(sap, tree, offset_, gradient_);
    gradient_.segment(tree.start, tree.size) -= impulse_.segment(tree.start, tree.size);
    const double* H = majorized_.A.data() + tree.block;
    factor_.assign(H, H + tree.size * tree.size);
    if (!multibody::factorizeDense(factor_.data(), tree.size)) {
      sum_.total().factored = false;  // without a model to minimise, the tree stays as it is
      majorized_.vStar.segment(tree.start, tree.size) = iterate.v.segment(tree.start, tree.size);
      continue;
    }
    multibody::solveDense(factor_.data(), tree.size, gradient_.data() + tree.start);
    majorized_.vStar.segment(tree.start, tree.size) =
        iterate.v.segment(tree.start, tree.size) - gradient_.segment(tree.start, tree.size);
  }
  next.v = iterate.v;
  solveIslands(majorized_, next.v);
  evaluate(next);
}

void SubsteppedRigid::linearize(const Iterate& iterate, std::span<const Load> loads) {
  const ScopeTimer timer(seconds_);
  shiftByLoads(loads);
  addCurvature(loads);
  gradient_.setZero();
  isFactored_.assign(at(fastOutput_.islands), 0);
  forMovingIslands([&](const SapIsland& island, int index) {
    fast_.solver.objective().evaluate(shifted_, island, iterate.v, point_);
    for (const int t : island.trees) {
      const SapTree& tree = shifted_.trees[at(t)];
      gradient_.segment(tree.start, tree.size) = point_.gradient.segment(tree.start, tree.size);
    }
    hessian_.analyze(majorized_, island, index);
    isFactored_[at(index)] = hessian_.factorize(majorized_, island, index, fast_.solver.objective(), point_);
    sum_.total().factored &= isFactored_[at(index)] != 0;
  });
}

void SubsteppedRigid::respond(std::span<const Wrench> wrenches, bool withGradient, VecX& s,
                              std::vector<Velocity>& V) {
  const ScopeTimer timer(seconds_);
  s.setZero(gradient_.size());
  for (std::size_t b = 0; b < touched_.size(); ++b) addJacobianTransposed(b, wrenches[b], s);
  if (withGradient) s -= gradient_;
  forMovingIslands([&](const SapIsland& island, int index) {
    if (isFactored_[at(index)]) return hessian_.solveInPlace(majorized_, island, index, s);
    // The factor at hand is that of another matrix: bodies that cannot be asked do not give way.
    for (const int t : island.trees)
      s.segment(majorized_.trees[at(t)].start, majorized_.trees[at(t)].size).setZero();
  });
  velocitiesOf(s, true, V);
}

mpm::RigidSide::Slope SubsteppedRigid::slope(const Iterate& iterate, const VecX& s, double alpha) {
  const ScopeTimer timer(seconds_);
  Slope sum;
  trial_ = iterate.v + alpha * s;
  contact::SapObjective& objective = fast_.solver.objective();
  forMovingIslands([&](const SapIsland& island, int) {
    objective.evaluate(fast_.problem.sap, island, trial_, point_);
    objective.prepare(fast_.problem.sap, island, s, ray_);
    const Slope part = objective.slope(fast_.problem.sap, island, point_, ray_, 0);
    sum.first += part.first;
    sum.second += part.second;
  });
  return sum;
}

void SubsteppedRigid::momentum(const VecX& x, VecX& Ax) const {
  Ax.setZero(x.size());
  for (const SapTree& tree : fast_.problem.sap.trees) multiply(fast_.problem.sap, tree, x, Ax);
}

void SubsteppedRigid::end(std::span<const Wrench> impulses) {
  const ScopeTimer timer(seconds_);
  touchedBodies_.clear();
  wrenches_.clear();
  for (std::size_t b = 0; b < impulses.size(); ++b) {
    const Wrench& w = impulses[b];
    if (!moves(static_cast<int>(b))) {
      restingImpulse_[b] += {w.force, w.torque + (X_WB_[b].p - X_WB0_[b].p).cross(w.force)};
    } else if (!w.force.isZero(0) || !w.torque.isZero(0)) {
      touchedBodies_.push_back(static_cast<int>(b));
      wrenches_.push_back(w);
    }
  }
  if (anyMoves_) {
    enter(touchedBodies_);
    shift(wrenches_, fast_.problem.sap);
    forMovingIslands([&](const SapIsland&, int index) {
      fast_.solveIsland(index, fastOutput_);
      fast_.collectIsland(index, fastInput_, warm_, fastOutput_);
    });
    fast_.collectContacts(fastOutput_);
    sum_.add(fastOutput_, dt_);
    v_ = fastOutput_.v;
  }
  multibody::integrate(model_->tree, v_, dt_, q_);
  elapsed_ += dt_;
  startV_WB_ = V_WB_;
  updateBodies();
  for (std::size_t b = 0; b < impulses.size(); ++b) {
    const double last = workOf(impulses[b], V_WB_[b]);
    particleWork_[b] += std::min(last, 0.5 * (last + workOf(impulses[b], startV_WB_[b])));
  }
}

void SubsteppedRigid::endStep(RigidStepOutput& output, VecX& warmStart, VecX& q) {
  const ScopeTimer timer(seconds_);
  solveResting();
  addMoving(q);
  std::swap(output, slowOutput_);
  warmStart = warm_;
}

/// One step of Δt for the mechanisms that have not moved yet.
void SubsteppedRigid::solveResting() {
  if (!solvable_) return warm_.setZero(slow_.problem.warmStartSize), void();
  const bool pushed = std::any_of(restingImpulse_.begin(), restingImpulse_.end(),
                                  [](const Wrench& w) { return !w.force.isZero(0) || !w.torque.isZero(0); });
  if (pushed) {
    restingInput_ = *input_;
    restingInput_.wrenchImpulse = restingImpulse_;
    if (!slow_.begin(restingInput_, warm_, slowOutput_)) return;
  }
  for (int i = 0; i < slowOutput_.islands; ++i) {
    if (movingTree_[at(slow_.islands.island(i).trees.front())]) continue;
    slow_.solveIsland(i, slowOutput_);
    slow_.collectIsland(i, *input_, warm_, slowOutput_);
  }
  slow_.collectContacts(slowOutput_);
}

/// Puts what the substeps did beside the step of the others.
void SubsteppedRigid::addMoving(VecX& q) {
  RigidStepOutput& output = slowOutput_;
  const multibody::Tree& tree = model_->tree;
  const TreeLayout& layout = slow_.problem.layout();
  q = *input_->q;
  vEnd_ = output.v;
  multibody::integrate(tree, vEnd_, input_->dt, q);
  output.contactImpulse.clear();
  output.factored &= sum_.total().factored;
  if (!anyMoves_) return;
  for (const multibody::Joint& joint : tree.joints) {
    const int n = multibody::velocityCount(joint.type);
    const int owner = n > 0 ? layout.treeOfVelocity[at(joint.vStart)] : -1;
    if (owner < 0 || !movingTree_[at(owner)]) continue;
    q.segment(joint.qStart, multibody::positionCount(joint.type)) =
        q_.segment(joint.qStart, multibody::positionCount(joint.type));
    output.v.segment(joint.vStart, n) = v_.segment(joint.vStart, n);
    output.tau.segment(joint.vStart, n) = sum_.total().tau.segment(joint.vStart, n) / input_->dt;
  }
  sum_.addTo(output, fastOutput_.contacts, [this](int body) { return moves(body); });
}

}  // namespace slipstick::convex_mpm
