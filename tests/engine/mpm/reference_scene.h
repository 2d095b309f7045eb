// A scene of the reference data as a compiled Model, and the rigid bodies that it prescribes or frees.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "engine/mpm/backend.h"
#include "tests/support/cube_model.h"

namespace slipstick::testing {

/// Rigid body of the reference: origin = centre of mass; without mass its velocity is scripted.
struct ReferenceBody {
  Pose X_WB;
  Velocity V_WB;
  std::optional<double> mass;     ///< [kg]
  Mat3 inertia_B = Mat3::Zero();  ///< [kg m²]

  /// Semi-implicit Euler with explicit gyroscopic term (reference README, "One rigid step").
  void advance(double dt, const Wrench& impulse, const Vec3& gravity);
};

struct ReferenceScene {
  std::shared_ptr<Model> model;
  mpm::ParticleState particles;
  std::vector<ReferenceBody> bodies;
  double dt = 0;            ///< δt [s]
  int substepsPerStep = 1;  ///< bodies move every N substeps

  /// @param relativeTolerance  of the contact solver
  ReferenceScene(const nlohmann::json& scene, double relativeTolerance);

  mpm::StepInput frozenMotion() const;
};

mpm::ParticleState initialParticles(const Model& model);

/// Largest deviation of an array of vectors or matrices (by particle index) from the reference.
double worstDeviation(const std::vector<Vec3>& values, const nlohmann::json& particles,
                      const nlohmann::json& expected);
double worstDeviation(const std::vector<Mat3>& values, const nlohmann::json& particles,
                      const nlohmann::json& expected);
double worstDeviation(const std::vector<Eigen::Vector2d>& values, const nlohmann::json& particles,
                      const nlohmann::json& expected);

/// The six numbers of a wrench.
Eigen::Matrix<double, 6, 1> asVector(const Wrench& w);

}  // namespace slipstick::testing
