#include "engine/rigid/rigid_workspace.h"

#include <cmath>
#include <limits>

#include "engine/foundation/require.h"
#include "engine/foundation/scope_timer.h"
#include "engine/multibody/tree_algebra.h"

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

Vec3 normalOf(const ContactPointLaw& point) {
  return {point.law.normal.x, point.law.normal.y, point.law.normal.z};
}

void requireSizes(const Model& model, const RigidStepInput& input) {
  const Tree& tree = model.tree;
  SIM_REQUIRE(input.q && input.v && input.dt > 0, input.dt);
  SIM_REQUIRE(input.effort.size() == 0 || input.effort.size() == tree.nv, input.effort.size());
  SIM_REQUIRE(input.wrenchImpulse.empty() || input.wrenchImpulse.size() == tree.bodies.size());
  SIM_REQUIRE(input.externalWrench.empty() || input.externalWrench.size() == tree.bodies.size());
  SIM_REQUIRE(input.prescribed.empty() || input.prescribed.size() == model.prescribed.size());
}

/// What is known before the solve: explicit efforts, prescribed velocities.
void prepare(const Model& model, const RigidStepInput& input, RigidStepOutput& output) {
  output.v = *input.v;
  output.iterations = output.lagSolves = output.islands = 0;
  output.converged = output.factored = true;
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

RigidWorkspace::RigidWorkspace(const std::shared_ptr<const Model>& model)
    : problem(model),
      solver({.relativeTolerance = model->rigidSolver.relativeTolerance,
              .maxIterations = model->rigidSolver.maxIterations}),
      lagIterations(model->rigidSolver.potential == ContactPotentialName::Lagged
                        ? model->rigidSolver.lagIterations
                        : 0),
      model_(model) {}

bool RigidWorkspace::begin(const RigidStepInput& input, const VecX& warmStart, RigidStepOutput& output) {
  requireSizes(*model_, input);
  prepare(*model_, input, output);
  if (!problem.build(input, output.contacts, output.times)) {
    output.contacts.clear();
    output.results.clear();
    output.converged = output.factored = false;
    output.residual = std::numeric_limits<double>::infinity();
    return false;
  }
  output.X_WB = problem.poses();
  warm = warmStart;
  v = problem.previous;
  candidate.resize(v.size());
  solver.reset(problem.sap);
  output.islands = islands.find(problem.sap);
  return true;
}

/// Free motion with the last step's impulses of joints and loops, as a candidate. @return false: there are
/// none
bool RigidWorkspace::impulseStart(const SapIsland& island) {
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

void RigidWorkspace::copyIsland(const SapIsland& island, const VecX& from) {
  for (const int t : island.trees) {
    const SapTree& tree = problem.sap.trees[at(t)];
    v.segment(tree.start, tree.size) = from.segment(tree.start, tree.size);
  }
}

/// The cheapest of the last velocity, free motion, and free motion with the last step's impulses.
void RigidWorkspace::chooseStart(const SapIsland& island) {
  const contact::SapProblem& sap = problem.sap;
  double best = solver.objective().value(sap, island, v);
  const auto consider = [&](const VecX& other) {
    const double cost = solver.objective().value(sap, island, other);
    if (!(cost < best)) return;
    best = cost;
    copyIsland(island, other);
  };
  consider(sap.vStar);
  if (warm.size() == problem.warmStartSize && impulseStart(island)) consider(candidate);
}

/// Sets the lagged friction bounds to the normal impulses just found. @return by how much they were wrong,
/// relative to their sum
double RigidWorkspace::correctFrictionBounds(const SapIsland& island) {
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
      point.law.epsilon =
          contact::frictionEpsilon(problem.tolerances().stictionSpeed, point.law.frictionBound, point.w,
                                   problem.tolerances().stictionSoftness);
    }
  }
  return wrong / total;
}

/// Evaluates the objective where the solve begins. Nearly always free motion is the answer where nothing touches, and the last
/// velocity where all is at rest.
void RigidWorkspace::findStart(const SapIsland& island) {
  if (island.pairs.empty()) copyIsland(island, problem.sap.vStar);
  solver.objective().evaluate(problem.sap, island, v, start_);
  if (solver.test(problem.sap, island, start_).residual < kGoodStart) return;
  chooseStart(island);
  solver.objective().evaluate(problem.sap, island, v, start_);
}

void RigidWorkspace::solveIsland(int index, RigidStepOutput& output) {
  const SapIsland& island = islands.island(index);
  solver.trace().clear();
  findStart(island);
  SapReport report = solver.solve(problem.sap, island, index, start_);
  copyIsland(island, start_.v);
  int iterations = report.iterations;
  bool descended = report.descended;
  output.factored &= report.factored;
  // A bound from the step before fails where contact begins or chatters: solve again with the bounds that
  // this step's normal impulses give.
  for (int i = 0; i < lagIterations && !island.pairs.empty(); ++i) {
    if (!(correctFrictionBounds(island) > 0)) break;
    solver.objective().updateFriction(problem.sap, island);
    report = solver.solve(problem.sap, island, index, v);
    iterations += report.iterations;
    descended &= report.descended;
    output.factored &= report.factored;
    ++output.lagSolves;
  }
  output.iterations = std::max(output.iterations, iterations);
  output.converged &= report.converged && report.searched && descended;
  output.residual = std::max(output.residual, report.residual);
  solver.trace().setIndex(index);
  output.keepTrace(solver.trace());
}

void RigidWorkspace::collectActuators(const SapIsland& island, const RigidStepInput& input,
                                      RigidStepOutput& output) const {
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.sap.scalars[at(k)];
    if (!c.active || c.kind != ScalarConstraint::Kind::Pd) continue;
    const bool atLower = c.gamma <= c.law.lower, atUpper = c.gamma >= c.law.upper;
    const PdTarget& target = *problem.targetOf(c.index, input);
    // Who exerts nothing, as a cable that is pushed, does not run at a limit.
    if ((atLower && c.gamma != 0 && !target.lowerIsMeant) ||
        (atUpper && c.gamma != 0 && !target.upperIsMeant))
      output.saturated.push_back(target.joint);
    const int dof = problem.layout().modelIndex[at(c.dof[0])];
    output.tau[dof] += atLower   ? target.effortLimit.lower
                       : atUpper ? target.effortLimit.upper
                                 : c.gamma / input.dt;
  }
}

void RigidWorkspace::collectIsland(int index, const RigidStepInput& input, VecX& warmStart,
                                   RigidStepOutput& output) const {
  const contact::SapProblem& sap = problem.sap;
  const SapIsland& island = islands.island(index);
  if (warmStart.size() != problem.warmStartSize) warmStart.setZero(problem.warmStartSize);
  for (const int t : island.trees)
    for (int i = sap.trees[at(t)].start; i < sap.trees[at(t)].start + sap.trees[at(t)].size; ++i)
      output.v[problem.layout().modelIndex[at(i)]] = v[i];
  for (const int k : island.scalars)
    warmStart[sap.scalars[at(k)].slot] = sap.scalars[at(k)].active ? sap.scalars[at(k)].gamma : 0;
  for (const int k : island.pairs) {
    const BodyPair& pair = sap.pairs[at(k)];
    if (pair.loop >= 0) warmStart.segment<6>(pair.slot).head(pair.rowCount) = pair.gamma.head(pair.rowCount);
  }
  collectActuators(island, input, output);
}

void RigidWorkspace::collectContacts(RigidStepOutput& output) const {
  const contact::SapProblem& sap = problem.sap;
  output.results.resize(sap.points.size());
  for (const BodyPair& pair : sap.pairs) {
    if (pair.loop >= 0) continue;
    const Vec6 before = problem.velocityBefore(pair);
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      const ContactPointLaw& point = sap.points[at(p)];
      output.results[at(p)] = resultOf(point, moveMotion(before, point.r).tail<3>());
    }
  }
}

/// @param before  v_B − v_A at t_n [m/s]
RigidContactResult RigidWorkspace::resultOf(const ContactPointLaw& point, const Vec3& before) const {
  const bool lagged = problem.sap.potential == ContactPotentialName::Lagged;
  const double normalImpulse = point.gamma.dot(normalOf(point));
  RigidContactResult result;
  result.impulse = point.gamma;
  result.velocity = point.velocity;
  result.friction = point.mu;
  result.frictionBound = lagged ? point.law.frictionBound : point.mu * std::max(0.0, normalImpulse);
  const double last = point.gamma.dot(point.velocity);
  result.work = std::min(last, 0.5 * (last + point.gamma.dot(before)));
  result.energy = springEnergy(point);
  return result;
}

/// SAP is no stiffer than its regularisation: γ_n = (v̂ − u_n)/R_n = Δt k (depth − τ u_n), both of the step's end, with
/// k = 1/(R_n Δt (Δt + τ)).
double RigidWorkspace::springEnergy(const ContactPointLaw& point) const {
  const contact::LaggedContact<double>& law = point.law;
  const double depth = law.f0 / law.stiffness;
  double stiffness = law.stiffness;
  if (problem.sap.potential == ContactPotentialName::Sap)
    stiffness = 1 / (point.sap.Rn * law.dt * (law.dt + model_->rigidSolver.relaxationTime));
  return 0.5 * stiffness * depth * depth;
}

}  // namespace slipstick
