// One contact as people see it: in newtons, on a named body, at a place.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/math.h"

namespace slipstick {

enum class ContactMode : std::uint8_t {
  Open,   ///< carries no force any more
  Stick,  ///< friction force below 0.99 of its bound
  Slip,   ///< friction force at its bound: sliding
};

/// Contact C between body B and a particle, averaged over the substeps of one step.
/// The force acts on the *body*; the particle gets its negative.
struct Contact {
  std::int32_t body = 0;        ///< index into Model::bodies
  std::int32_t geometry = 0;    ///< index into Model::geometries
  std::int32_t deformable = 0;  ///< index into Model::deformables
  std::int32_t particle = 0;    ///< index into the particle arrays
  Vec3 p_WC = Vec3::Zero();     ///< where the force acts [m]
  Vec3 normal_W = Vec3::UnitZ();  ///< outward unit normal of the body, towards the particle
  Vec3 f_Bc_W = Vec3::Zero();     ///< force on the body: −(sum of γ over the substeps)/Δt [N]
  double penetration = 0;         ///< depth at the last substep in contact, ≥ 0 [m]
  double slipSpeed = 0;           ///< tangential relative speed at the last substep in contact [m/s]
  double friction = 0;            ///< coefficient μ of the pair [-]
  double frictionBound = 0;       ///< Σ μ n₀ / Δt over the substeps: the largest friction this contact could carry [N]
  ContactMode mode = ContactMode::Open;

  double normalForce() const { return -f_Bc_W.dot(normal_W); }  ///< ≥ 0 when pressing [N]
  Vec3 frictionForce() const { return f_Bc_W - f_Bc_W.dot(normal_W) * normal_W; }  ///< on the body [N]
};

}  // namespace slipstick
