// Newton steps of the contact solver: the part of ContactSolver's workspace that solves linear systems, included where
// that is.
#pragma once

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/contact/contact_workspace.h"

namespace slipstick::mpm {

/// The minimiser of the quadratic model gᵀs + ½ sᵀ(M + JᵀGJ)s, where the active bounds hold: with Q their
/// fixed directions, d the shift that takes v to them, z = M⁻¹(1 − Q) g and Y of ContactSpaceNewton for
/// J (z − d),
///   s = d − z + M⁻¹ (1 − Q) JᵀY.
/// Bodies that give way do so by what they would have done without Y, and by J_rᵀY.
/// @return false where the system has no factor: there is no step then
template <class Real>
bool ContactSolver<Real>::Workspace::solveNewton() {
  for (std::size_t i = 0; i < nodes; ++i) step[i].x = gradient[i].x / problem->mass[i];
  bounded.restrict(step);
  newton.fix(layout, problem->mass, bounded.nodes(), bounded.fixed());
  gather(step, stepU, false);
  if (problem->rigid != nullptr) coupleBodies();
  if (!newton.reduce(layout, problem->mass, stepU, contactQuads)) return false;
  scatter(contactQuads, nodeQuads);
  for (std::size_t i = 0; i < nodes; ++i) step[i].x = nodeQuads[i].x / problem->mass[i] - step[i].x;
  bounded.removeFixed(nodeQuads, step);
  if (problem->rigid == nullptr) return true;
  wrenches.assign(loads.size(), {});
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout.contacts); ++i) {
    if (layout.body[i] < 0) continue;
    const Vec3 force = -toEigen(xyz(contactQuads[i]));
    wrenches[static_cast<std::size_t>(layout.body[i])] += Wrench{force, toEigen(layout.arm[i]).cross(force)};
  }
  problem->rigid->respond(wrenches, true, rigidStep, bodySteps);
  return true;
}

/// G u of a contact where it was linearised last.
template <class Real>
V3<Real> ContactSolver<Real>::Workspace::curved(std::size_t i, const V3<Real>& u) const {
  const V3<Real> n = layout.normal.at(i), t = slip.at(i);
  const Real along = dot(n, u);
  return tangential[i] * (u - along * n - dot(t, u) * t) + (normal[i] * along) * n;
}

/// nodeQuads = JᵀG J v; where there is a rigid side, it gives way as its Hessian says, and stepU is J_d v − J_r s.
/// @param withRigidGradient  it also goes where its own gradient leads
template <class Real>
void ContactSolver<Real>::Workspace::curve(const Quads<Real>& v, bool withRigidGradient) {
  const bool strong = problem->rigid != nullptr;
  if (strong) {
    gather(v, stepU, false);
    respondRigid(withRigidGradient);
  }
  forEach(layout.chunks.size(), [&](std::size_t index) {
    const ContactChunk& chunk = layout.chunks[index];
    strong ? subtractBodySteps(index) : gatherChunk(chunk, v, nullptr, stepU, false);
    for (auto i = static_cast<std::size_t>(chunk.begin); i < static_cast<std::size_t>(chunk.end); ++i)
      contactQuads[i] = quad(curved(i, stepU.at(i)));
  });
  scatter(contactQuads, nodeQuads);
}

template <class Real>
void ContactSolver<Real>::Workspace::invertBlocks() {
  inverseBlocks.resize(layout.paddedNodes);
  shareOut(team, layout.paddedNodes, kNodeChunk,
           [&](std::size_t i) { inverseBlocks[i] = inverseCurvature(layout.mass[i].x[0], blockOf(i)); });
}

/// The same as solveNewton(), nearly, by conjugate gradients in the directions that no active bound fixes.
template <class Real>
void ContactSolver<Real>::Workspace::solveNewtonByGradients() {
  for (auto& s : step) s = Quad<Real>{};
  bounded.restrict(step);
  for (auto& s : step) s.x = -s.x;  // the shift to the active bounds
  bool affine = true;               // of the start, with where the rigid side's own gradient leads
  const auto apply = [&](const Quads<Real>& p, Quads<Real>& Hp) {
    curve(p, affine);
    for (std::size_t i = 0; i < layout.paddedNodes; ++i) Hp[i].x = layout.mass[i].x * p[i].x + nodeQuads[i].x;
    bounded.keepFree(Hp);
  };
  remainder.resize(layout.paddedNodes);
  apply(step, remainder);
  affine = false;
  for (std::size_t i = 0; i < layout.paddedNodes; ++i) remainder[i].x = -gradient[i].x - remainder[i].x;
  bounded.keepFree(remainder);
  const int room = std::min(gradientRoom, gradientsLeft);
  const int taken = gradients.solve(
      step, remainder, apply,
      [&](const Quads<Real>& r, Quads<Real>& z) {
        shareOut(team, r.size(), kNodeChunk, [&](std::size_t i) {
          z[i] = quad(toLanes<Real>(Vec3(inverseBlocks[i] * toEigen(xyz(r[i])))));
        });
        bounded.keepFree(z);
      },
      kNewtonTolerance, room);
  gradientsLeft -= taken;
  if (taken == gradientRoom) gradientRoom *= 2;
  curve(step, true);
  for (auto& q : nodeQuads) q.x = -q.x;
}

/// step = −(M + JᵀGJ)⁻¹ ∇ℓ; under bounds the minimiser of the quadratic model over the allowed velocities, by
/// the primal–dual active set method (Hintermüller, Ito & Kunisch 2003), which may end a little short of it.
/// @return false where there is none, as its system has no factor
template <class Real>
bool ContactSolver<Real>::Workspace::newtonStep() {
  const bool dense = layout.contacts <= kMaxNewtonContacts;
  if (problem->rigid != nullptr) {
    // In contact space the contacts' curvature stands beside the rigid side's, on the grid it has been eliminated.
    for (RigidSide::Load& load : loads)
      if (dense) load.curvature.setZero();
    problem->rigid->linearize(now.rigid, loads);
    if (dense) findMobility(*problem->rigid, loads.size(), mobility);
  }
  const auto wide = [](const V3<Real>& a) { return V3<double>{double(a.x), double(a.y), double(a.z)}; };
  for (int p = 0; dense && p < layout.contacts; ++p) {
    const auto i = static_cast<std::size_t>(p);
    contact::LaggedPotential<double> at{};
    at.slip = wide(slip.at(i));
    at.tangential = double(tangential[i]);
    at.normal = double(normal[i]);
    at.stickFraction = double(stickFraction[i]);
    newton.setHessian(p, at, wide(layout.normal.at(i)));
  }
  if (!dense) invertBlocks();
  for (int pass = 0; pass < kActiveSetPasses; ++pass) {
    if (!bounded.chooseActive(now.v, gradient, pass == 0 ? nullptr : &nodeQuads)) break;
    if (dense && !solveNewton()) return false;
    if (!dense) solveNewtonByGradients();
    if (!bounded.oneSided()) break;
  }
  return true;
}

}  // namespace slipstick::mpm
