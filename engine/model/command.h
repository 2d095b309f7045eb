// What a person does to a running simulation. Applied only between two steps, stamped with the step, and
// logged.
#pragma once

#include <cstdint>
#include <variant>

#include "engine/foundation/math.h"

namespace slipstick {

/// A force on a body (mouse spring, script) that stays until it is replaced; zero removes it.
struct SetExternalForce {
  std::int32_t body = 0;        ///< index into Model::bodies
  Vec3 p_B = Vec3::Zero();      ///< point of application in the body's frame [m]
  Vec3 force_W = Vec3::Zero();  ///< [N]
};

/// Changes the friction coefficient of one collision geometry against every deformable.
struct SetFriction {
  std::int32_t geometry = 0;  ///< index into Model::geometries
  double friction = 0;        ///< ≥ 0 [-]
};

struct SetGravity {
  Vec3 gravity = {0, 0, -9.81};  ///< [m/s²]
};

using Command = std::variant<SetExternalForce, SetFriction, SetGravity>;

/// A command with the step before which it was applied.
struct StampedCommand {
  std::uint64_t step = 0;
  Command command;
};

}  // namespace slipstick
