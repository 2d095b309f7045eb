// What the contact solver does for rigid bodies whose velocities are unknowns: the rigid part of ContactSolver's workspace,
// included where that is.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/contact/contact_workspace.h"

namespace slipstick::mpm {

/// The rigid bodies start as they would move without these contacts.
template <class Real>
void ContactSolver<Real>::Workspace::beginRigid() {
  if (problem->rigid == nullptr) return;
  const std::size_t bodies = problem->bodies.size();
  loads.resize(bodies);
  chunkLoads.resize(bodies * layout.chunks.size());
  curvatureWanted = false;
  wrenches.assign(bodies, {});
  problem->rigid->touch(problem->bodies);
  now.rigid.v.resize(0);
  problem->rigid->settle(wrenches, now.rigid);
  placeBodies(now);
}

/// To `plain`: how the rigid bodies move under the guessed impulses.
template <class Real>
void ContactSolver<Real>::Workspace::guessRigid() {
  if (problem->rigid == nullptr) return;
  for (const ContactPoint<Real>& c : problem->contacts) {
    if (c.body < 0) continue;
    const Vec3 onBody = -toEigen(c.guess);
    wrenches[static_cast<std::size_t>(c.body)] += Wrench{onBody, toEigen(c.arm).cross(onBody)};
  }
  plain.rigid.v = now.rigid.v;
  problem->rigid->settle(wrenches, plain.rigid);
  placeBodies(plain);
}

/// Gathers subtract the bodies' velocities of this iterate from now on.
template <class Real>
void ContactSolver<Real>::Workspace::placeBodies(const Iterate<Real>& at) {
  if (problem->rigid == nullptr) return;
  forEach(layout.chunks.size(), [&](std::size_t index) {
    const ContactChunk& chunk = layout.chunks[index];
    for (auto i = static_cast<std::size_t>(chunk.begin); i < static_cast<std::size_t>(chunk.end); ++i) {
      if (layout.body[i] < 0) continue;
      const Velocity& V = at.rigid.V[static_cast<std::size_t>(layout.body[i])];
      layout.vBody.set(i, toLanes<Real>(V.at(toEigen(layout.arm[i]))));
    }
  });
}

/// −Jᵀγ of one contact, J = (−[arm]×, 1): number by number, as it is called for every contact in every iteration.
template <class Real>
void addImpulse(const V3<Real>& arm, const Real* gamma, Wrench& impulse) {
  const double r[3] = {double(arm.x), double(arm.y), double(arm.z)};
  const double f[3] = {-double(gamma[0]), -double(gamma[1]), -double(gamma[2])};
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    impulse.force[k] += f[k];
    impulse.torque[k] += r[a] * f[b] - r[b] * f[a];
  }
}

/// The upper triangle of JᵀGJ of one contact. @param G  xx yy zz xy xz yz
template <class Real>
void addCurvature(const V3<Real>& arm, const Real* G, multibody::Mat6& curvature) {
  const double r[3] = {double(arm.x), double(arm.y), double(arm.z)};
  const double g[3][3] = {{double(G[0]), double(G[3]), double(G[4])},
                          {double(G[3]), double(G[1]), double(G[5])},
                          {double(G[4]), double(G[5]), double(G[2])}};
  double turned[3][3];  // [r]× G
  for (int c = 0; c < 3; ++c) {
    turned[0][c] = r[1] * g[2][c] - r[2] * g[1][c];
    turned[1][c] = r[2] * g[0][c] - r[0] * g[2][c];
    turned[2][c] = r[0] * g[1][c] - r[1] * g[0][c];
  }
  for (int k = 0; k < 3; ++k) {
    for (int c = 0; c < 3; ++c) curvature(k, 3 + c) += turned[k][c];
    for (int c = k; c < 3; ++c) {  // [r]× G [r]×ᵀ, column c of [r]×ᵀ: the cross product's row
      const int d = (c + 1) % 3, e = (c + 2) % 3;
      curvature(k, c) += turned[k][e] * r[d] - turned[k][d] * r[e];
      curvature(3 + k, 3 + c) += g[k][c];
    }
  }
}

/// What a chunk's contacts, just linearised, do to the bodies: their curvature only where it is wanted.
/// @param out  per body
template <class Real>
void ContactSolver<Real>::Workspace::loadBodies(const ContactChunk& chunk, RigidSide::Load* out) {
  std::fill_n(out, loads.size(), RigidSide::Load{});
  for (auto i = static_cast<std::size_t>(chunk.begin); i < static_cast<std::size_t>(chunk.end); ++i) {
    if (layout.body[i] < 0) continue;
    const Real* const row = rows.data() + RowField::Count * i;
    RigidSide::Load& load = out[static_cast<std::size_t>(layout.body[i])];
    addImpulse(layout.arm[i], row + RowField::Impulse, load.impulse);
    if (curvatureWanted) addCurvature(layout.arm[i], row + RowField::Block, load.curvature);
  }
}

template <class Real>
void ContactSolver<Real>::Workspace::sumLoads() {
  for (std::size_t b = 0; b < loads.size(); ++b) {
    loads[b] = {};
    for (std::size_t chunk = 0; chunk < layout.chunks.size(); ++chunk) {
      const RigidSide::Load& part = chunkLoads[chunk * loads.size() + b];
      loads[b].impulse += part.impulse;
      loads[b].curvature += part.curvature;
    }
    loads[b].curvature.template triangularView<Eigen::StrictlyLower>() = loads[b].curvature.transpose();
  }
}

/// The rigid part of what stepNodes() finds out.
template <class Real>
void ContactSolver<Real>::Workspace::findRigidResidual() {
  if (problem->rigid == nullptr) return;
  sumLoads();
  rigidResidual = problem->rigid->residual(now.rigid, loads);
}

/// After the nodes' majorised step to plain.v: the rigid side's, with the nodes where they are now. One after the other,
/// each minimises a majorant of ℓ, so that ℓ never rises. plain.u becomes that of both.
template <class Real>
void ContactSolver<Real>::Workspace::followNodes() {
  placeBodies(now);
  curvatureWanted = true;
  forEach(layout.chunks.size(), [&](std::size_t i) {
    gatherChunk(layout.chunks[i], plain.v, nullptr, plain.u, true);
    linearizeChunk(i, plain.u, RowKind::Lumped);
  });
  curvatureWanted = false;
  linearized.reset();
  sumLoads();
  problem->rigid->step(now.rigid, loads, plain.rigid);
  forEach(layout.chunks.size(), [&](std::size_t index) {
    const ContactChunk& chunk = layout.chunks[index];
    for (auto i = static_cast<std::size_t>(chunk.begin); i < static_cast<std::size_t>(chunk.end); ++i) {
      if (layout.body[i] < 0) continue;
      const auto body = static_cast<std::size_t>(layout.body[i]);
      const Velocity change = {plain.rigid.V[body].w - now.rigid.V[body].w,
                               plain.rigid.V[body].v - now.rigid.V[body].v};
      plain.u.set(i, plain.u.at(i) - toLanes<Real>(change.at(toEigen(layout.arm[i]))));
    }
  });
}

/// The rigid part of Anderson's vector.
template <class Real>
AndersonProducts ContactSolver<Real>::Workspace::pushRigid() {
  rigidChange = plain.rigid.v - now.rigid.v;
  problem->rigid->momentum(rigidChange, rigidMomentum);
  return anderson.pushRigid(plain.rigid.v, rigidChange, rigidMomentum);
}

/// How the rigid side follows what Newton's step does to the contacts, J_d s in stepU: rigidStep and bodySteps.
template <class Real>
void ContactSolver<Real>::Workspace::respondRigid(bool withGradient) {
  wrenches.assign(loads.size(), {});
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout.contacts); ++i) {
    if (layout.body[i] < 0) continue;
    const Vec3 force = toEigen(curved(i, stepU.at(i)));
    wrenches[static_cast<std::size_t>(layout.body[i])] += Wrench{force, toEigen(layout.arm[i]).cross(force)};
  }
  problem->rigid->respond(wrenches, withGradient, rigidStep, bodySteps);
}

/// Newton in contact space: what the contacts' velocities lose by the bodies' own gradients comes to stepU, and their
/// mobility to the contacts'.
template <class Real>
void ContactSolver<Real>::Workspace::coupleBodies() {
  newton.couple(layout, mobility, loads.size());
  wrenches.assign(loads.size(), {});
  problem->rigid->respond(wrenches, true, rigidStep, bodySteps);
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout.contacts); ++i) {
    if (layout.body[i] < 0) continue;
    const Velocity& V = bodySteps[static_cast<std::size_t>(layout.body[i])];
    stepU.set(i, stepU.at(i) + toLanes<Real>(V.at(toEigen(layout.arm[i]))));
  }
}

/// stepU becomes J_d s − J_r s of a chunk's contacts.
template <class Real>
void ContactSolver<Real>::Workspace::subtractBodySteps(std::size_t index) {
  const ContactChunk& chunk = layout.chunks[index];
  for (auto i = static_cast<std::size_t>(chunk.begin); i < static_cast<std::size_t>(chunk.end); ++i) {
    if (layout.body[i] < 0) continue;
    const Velocity& V = bodySteps[static_cast<std::size_t>(layout.body[i])];
    stepU.set(i, stepU.at(i) - toLanes<Real>(V.at(toEigen(layout.arm[i]))));
  }
}

template <class Real>
bool ContactSolver<Real>::Workspace::rigidConverged(const ContactSolverSettings& settings) const {
  if (problem->rigid == nullptr) return true;
  return rigidResidual.error <= settings.absoluteTolerance + rigidResidual.rounding +
                                    settings.relativeTolerance * rigidResidual.impulse;
}

}  // namespace slipstick::mpm
