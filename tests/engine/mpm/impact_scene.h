// A scene with contact, many substeps and particles that change their blocks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "engine/mpm/backend.h"
#include "tests/engine/mpm/reference_scene.h"
#include "tests/support/backend_calls.h"

namespace slipstick::testing {

/// A cube that flies into a spinning box with N substeps per step, far enough to be sorted anew on the way.
struct Impact {
  std::shared_ptr<Model> model;
  mpm::StepInput motion;

  explicit Impact(MaterialModel material, int particlesPerEdge = 16, int substeps = 20) {
    model = cubeModel(particlesPerEdge, material);
    model->time.substeps = substeps;
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    for (Vec3& v : model->nodes.v)
      v = Vec3(1.5, -0.8, -1) + 0.05 * Vec3(normal(random), normal(random), normal(random));
    Geometry box;
    box.shape = shape::Box{{0.5, 0.5, 0.1}};
    box.X_BG = Pose::translation({0.2, 0.2, -0.08});
    model->geometries.push_back(box);
    model->contactLaws.push_back({true, 0.4, 2e3, 0.5});
    motion.bodies.push_back({Pose{}, Velocity{{0.3, -0.2, 2}, {0, 0, 0.4}}});
    motion.laws = model->contactLaws;
    motion.gravity = {0, 0, -9.81};
  }

  /// State after some steps. @param result  of the last one, with the wrench impulse of all
  mpm::ParticleState run(mpm::Backend& backend, int steps, SoftOutcome& result) const {
    mpm::ParticleState p = initialParticles(*model);
    Wrench total;
    for (int i = 0; i < steps; ++i) {
      slipstick::testing::advance(backend, motion, 0.008, p, result);
      EXPECT_FALSE(has(result.report.health, Health::NonFinite));
      EXPECT_LT(result.report.momentumError, 1e-5);
      total += result.wrenchImpulse[0];
    }
    result.wrenchImpulse[0] = total;
    return p;
  }
};

}  // namespace slipstick::testing
