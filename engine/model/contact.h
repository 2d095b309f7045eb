// One contact as people see it: in newtons, on a named body, at a place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/foundation/math.h"

namespace slipstick {

enum class ContactMode : std::uint8_t {
  Open,   ///< carries no force any more
  Stick,  ///< with a particle: slower than 3 v_s; between rigid bodies: friction below 0.99 of its bound
  Slip,   ///< slides
};

/// One side of a contact: a body's geometry, or an element of a deformable. What it has not is −1.
struct ContactSide {
  std::int32_t body = -1;        ///< index into Model::tree.bodies
  std::int32_t geometry = -1;    ///< index into Model::geometries
  std::int32_t deformable = -1;  ///< index into Model::deformables
  std::int32_t element = -1;     ///< index into the particle arrays

  bool isRigid() const { return body >= 0; }
  bool isSoft() const { return deformable >= 0; }
  friend bool operator==(const ContactSide&, const ContactSide&) = default;
};

/// Names a contact while it lasts.
struct ContactKey {
  ContactSide a, b;
  std::int32_t point = -1;  ///< ordinal within the pair; −1: its sides alone name it

  bool isRigid() const { return a.isRigid() && b.isRigid(); }
  bool isSoft() const { return a.isSoft() && b.isSoft(); }
  friend bool operator==(const ContactKey&, const ContactKey&) = default;
};

/// The normal force of a compliant contact: f = k x (1 + d v) at the depth x and the approach speed v (Hunt and Crossley
/// 1975).
struct CompliantLaw {
  double stiffness = 0;    ///< k [N/m]
  double dissipation = 0;  ///< d [s/m]
  friend bool operator==(const CompliantLaw&, const CompliantLaw&) = default;
};

/// That of a barrier: minus the gradient of κ b(g), where b grows without bound as the gap g closes and is 0 from g = d̂ on
/// (Li et al. 2020).
struct BarrierLaw {
  double activationDistance = 0;  ///< d̂ [m]
  double stiffness = 0;           ///< κ, in the unit of the method
  friend bool operator==(const BarrierLaw&, const BarrierLaw&) = default;
};

/// That of a hard contact: what keeps the gap from closing.
struct HardLaw {
  friend bool operator==(const HardLaw&, const HardLaw&) = default;
};

/// What made the normal force; nothing: the method does not tell.
using ForceLaw = std::variant<std::monostate, CompliantLaw, BarrierLaw, HardLaw>;

/// Contact C between two sides: two bodies, a body and a deformable, two deformables, or a deformable and itself. The force
/// acts on side a; side b gets its negative. With a particle, forces, normal and slip are means over one step, and so agree
/// with each other: N and friction are the parts of the mean force along and across the mean normal, the
/// bound is μN. Friction is regularised: at the slip speed v it is μN v/√(v² + ε²), ε = max(v_s, μ σ w_t n₀),
/// so that light nodes under stiff contacts may slide with less than μN.
struct Contact {
  ContactSide a;                  ///< on which the force is told; of a body and a deformable the body
  ContactSide b;                  ///< the other side
  std::int32_t point = -1;        ///< between geometries: ordinal within their pair
  std::int32_t patch = -1;        ///< index into Snapshot::patches, or −1: a point contact
  Vec3 p_WC = Vec3::Zero();       ///< where the force acts [m]
  Vec3 normal_W = Vec3::UnitZ();  ///< outward unit normal of side a, towards side b
  Vec3 f_Bc_W = Vec3::Zero();  ///< force on side a; from impulses: −(sum of γ over the substeps)/Δt [N]
  /// At the last substep in contact [m]: negative where the sides penetrate, positive where a force acts across a gap that
  /// is still open.
  double gap = 0;
  double slipSpeed = 0;      ///< tangential relative speed [m/s]
  double friction = 0;       ///< coefficient μ of the pair [-]
  double frictionBound = 0;  ///< the largest friction this contact could carry [N]
  double pressure = 0;       ///< of a patch at the point; 0 where there is no pressure field [Pa]
  ContactMode mode = ContactMode::Open;
  /// How much of the pair's force this point has is a convention of the method: other parts at the points of the pair
  /// would move the bodies alike.
  bool isIndeterminate = false;
  ForceLaw law = {};

  bool isRigid() const { return a.isRigid() && b.isRigid(); }  ///< between two bodies
  bool isSoft() const {
    return a.isSoft() && b.isSoft();
  }  ///< between two deformables, or of one with itself
  bool isSelf() const { return isSoft() && a.deformable == b.deformable; }
  ContactKey key() const { return {a, b, point}; }
  double penetration() const { return std::max(0.0, -gap); }    ///< depth [m]
  double normalForce() const { return -f_Bc_W.dot(normal_W); }  ///< ≥ 0 when pressing [N]
  Vec3 frictionForce() const { return f_Bc_W - f_Bc_W.dot(normal_W) * normal_W; }  ///< on the body [N]
};

}  // namespace slipstick
