// A cube of particles between boundaries, for tests of backends.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/mpm/backend.h"
#include "engine/mpm/step_geometry.h"
#include "tests/engine/mpm/reference_scene.h"
#include "tests/support/backend_calls.h"

namespace slipstick::testing {

/// A cube of particles, from the origin upwards, and boundaries around it. No rigid body.
struct Walled {
  std::shared_ptr<Model> model;
  mpm::StepInput motion;
  mpm::ParticleState particles;
  SoftOutcome result;
  std::vector<Vec3> impulse;  ///< on each boundary, over all steps
  double worstImbalance = 0;  ///< of momentum, per step [N s]

  explicit Walled(int particlesPerEdge = 8, int substeps = 20) {
    model = cubeModel(particlesPerEdge, MaterialModel::FixedCorotated);
    model->deformables[0].material.E = 5e4;
    model->time.substeps = substeps;
    motion.gravity = {0, 0, -9.81};
  }

  void add(BoundaryKind kind, const Shape& shape, const Pose& X_WS, const Velocity& V_WS = {}) {
    motion.boundaries.push_back({static_cast<int>(model->boundaries.size()), X_WS, V_WS});
    model->boundaries.push_back({"", kind, shape, X_WS, -1});
  }

  /// Boundaries with a velocity move on after each step.
  void run(mpm::Backend& backend, int steps, double dt) {
    if (particles.x.empty()) particles = initialParticles(*model);
    impulse.assign(model->boundaries.size(), Vec3::Zero());
    for (int i = 0; i < steps; ++i) {
      const Vec3 before = momentum();
      advance(backend, motion, dt, particles, result);
      ASSERT_EQ(result.report.health, 0u) << "step " << i;
      Vec3 change = momentum() - before - mass() * dt * motion.gravity;
      for (const Wrench& w : result.wrenchImpulse) change += w.force;
      for (std::size_t b = 0; b < impulse.size(); ++b) {
        impulse[b] += result.boundaryImpulse[b];
        change += result.boundaryImpulse[b];
      }
      worstImbalance = std::max(worstImbalance, change.norm());
      for (BoundaryMotion& m : motion.boundaries) m.X_WS = mpm::moved(m.X_WS, m.V_WS, dt);
    }
  }

  double mass() const { return static_cast<double>(particles.x.size()) * model->nodes.mass[0]; }
  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < particles.x.size(); ++i) sum += model->nodes.mass[i] * particles.v[i];
    return sum;
  }
  Vec3 centre() const {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : particles.x) sum += x;
    return sum / static_cast<double>(particles.x.size());
  }
};

inline bool sameBits(const Vec3& a, const Vec3& b) {
  return std::memcmp(a.data(), b.data(), sizeof(Vec3)) == 0;
}

/// Boundaries of every kind at once, and a start that runs into them.
inline Walled wallCourse(int particlesPerEdge = 8) {
  Walled w(particlesPerEdge);
  w.model->solver.relativeTolerance = 1e-5;
  w.add(BoundaryKind::Sticky, shape::Plane{}, Pose::fromRpy({0.2, 0.1, 0}, {0, 0, -0.01}));
  w.add(BoundaryKind::Slip, shape::Plane{}, Pose::fromRpy({0, 1.4, 0}, {-0.02, 0, 0}));
  w.add(BoundaryKind::Separate, shape::Sphere{0.06}, Pose::translation({0.2, 0.08, 0.1}),
        {Vec3(0, 0, 3), Vec3(-0.6, 0, 0)});
  w.add(BoundaryKind::Separate, shape::Box{{0.5, 0.03, 0.5}}, Pose::fromRpy({0, 0, 0.2}, {0, 0.2, 0}));
  for (const std::size_t wall : {1u, 3u}) w.model->boundaries[wall].friction = 0.3;
  w.model->nodes.v.assign(w.model->nodes.x.size(), Vec3(-0.5, 0.7, -1));
  return w;
}

/// The same with a rigid box on the way.
inline Walled obstacleCourse(int particlesPerEdge = 8) {
  Walled w = wallCourse(particlesPerEdge);
  Geometry box;
  box.shape = shape::Box{{0.05, 0.05, 0.05}};
  box.X_BG = Pose::translation({0.05, 0.05, -0.04});
  w.model->geometries.push_back(box);
  w.model->contactLaws.push_back({true, 0.4, 500, 0.5});
  w.motion.bodies.push_back({Pose{}, Velocity{{0.3, -0.2, 2}, {0, 0, 0.4}}});
  w.motion.laws = w.model->contactLaws;
  return w;
}

}  // namespace slipstick::testing
