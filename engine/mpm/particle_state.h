// The particles between two steps, in double precision, in the model's order: the form in which backends take them over and give
// them back.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/model/model.h"
#include "engine/model/soft_state.h"

namespace slipstick::mpm {

/// All arrays have one entry per particle, W axes.
struct ParticleState {
  std::vector<Vec3> x;          ///< position [m]
  std::vector<Vec3> v;          ///< velocity [m/s]
  std::vector<Mat3> F;          ///< elastic deformation gradient F_E [-]; cloth: see below
  std::vector<Mat3> C;          ///< affine velocity [1/s]
  std::vector<double> plastic;  ///< accumulated plastic strain ‖Δε_p‖ (for display) [-]
  /// Internal variables of the material: sand (v_c, q_h), snow (J_p, –), others unused.
  std::vector<Eigen::Vector2d> internal;
  std::vector<ContactImpulse> contacts;
  // F of a cloth's triangle is [edges · D_m^{-1}, director]: only the director is memory. F of a cloth's
  // vertex stays I.
};

/// As the scene says.
ParticleState particlesAtStart(const Model& model);

/// Between the particles and the form that all methods share, where F, C, plastic and internal are fields of these names.
/// Either way it is lossless. Takes the numbers out of `particles`; what `soft` held is gone.
void toSoftState(ParticleState&& particles, SoftState& soft);
/// Throws StepFailure where one of the fields is missing: another method made the state, or its file is damaged.
ParticleState particlesOf(const SoftState& soft);

/// That of the same particles as a SoftState.
std::uint64_t hashOf(const ParticleState& particles);

}  // namespace slipstick::mpm
