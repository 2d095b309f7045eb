// One contact as people see it: in newtons, on a named body, at a place.
#pragma once

#include <cstdint>

#include "engine/foundation/math.h"

namespace slipstick {

enum class ContactMode : std::uint8_t {
  Open,   ///< carries no force any more
  Stick,  ///< with a particle: slower than 3 v_s; between rigid bodies: friction below 0.99 of its bound
  Slip,   ///< slides
};

/// Names a contact while it lasts: a geometry with a particle, or with a point of another geometry's surface.
struct ContactKey {
  std::int32_t geometry = -1;
  std::int32_t particle = -1;       ///< −1: the other side is rigid
  std::int32_t otherGeometry = -1;  ///< −1: the other side is a particle
  std::int32_t point = -1;          ///< ordinal within the pair of geometries; −1 for particles
  friend bool operator==(const ContactKey&, const ContactKey&) = default;
};

/// Contact C between body B and a particle or another rigid body. The force acts on the *body*; the other
/// side gets its negative. With a particle, forces, normal and slip are means over one step, and so agree
/// with each other: N and friction are the parts of the mean force along and across the mean normal, the
/// bound is μN. Friction is regularised: at the slip speed v it is μN v/√(v² + ε²), ε = max(v_s, μ σ w_t n₀),
/// so that light nodes under stiff contacts may slide with less than μN.
struct Contact {
  std::int32_t body = 0;            ///< index into Model::tree.bodies
  std::int32_t geometry = 0;        ///< index into Model::geometries
  std::int32_t deformable = -1;     ///< index into Model::deformables; −1: the other side is rigid
  std::int32_t particle = -1;       ///< index into the particle arrays; −1: the other side is rigid
  std::int32_t otherBody = -1;      ///< rigid other side: index into Model::tree.bodies, otherwise −1
  std::int32_t otherGeometry = -1;  ///< rigid other side: index into Model::geometries, otherwise −1
  std::int32_t point = -1;          ///< rigid other side: ordinal within the pair of geometries
  std::int32_t patch = -1;          ///< index into Snapshot::patches, or −1: a point contact
  Vec3 p_WC = Vec3::Zero();         ///< where the force acts [m]
  Vec3 normal_W = Vec3::UnitZ();    ///< outward unit normal of the body, towards the other side
  Vec3 f_Bc_W = Vec3::Zero();       ///< force on the body: −(sum of γ over the substeps)/Δt [N]
  double penetration = 0;           ///< depth at the last substep in contact, ≥ 0 [m]
  double slipSpeed = 0;             ///< tangential relative speed [m/s]
  double friction = 0;              ///< coefficient μ of the pair [-]
  double frictionBound = 0;         ///< the largest friction this contact could carry [N]
  double pressure = 0;              ///< of a patch at the point; 0 where there is no pressure field [Pa]
  ContactMode mode = ContactMode::Open;

  bool isRigid() const { return otherGeometry >= 0; }
  ContactKey key() const { return {geometry, particle, otherGeometry, point}; }
  double normalForce() const { return -f_Bc_W.dot(normal_W); }  ///< ≥ 0 when pressing [N]
  Vec3 frictionForce() const { return f_Bc_W - f_Bc_W.dot(normal_W) * normal_W; }  ///< on the body [N]
};

}  // namespace slipstick
