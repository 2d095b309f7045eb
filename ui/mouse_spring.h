// Pulling a body with the pointer: a damped spring from a point on the body to a point under the pointer.
#pragma once

#include <optional>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::ui {

/// The spring is scaled by the body's mass, so that light and heavy bodies follow alike, and its force is
/// capped.
class MouseSpring {
 public:
  /// Grips `body` at a surface point. The pointer then moves in the plane through that point that faces the
  /// camera.
  void grip(const Model& model, const Snapshot& snapshot, int body, const Vec3& p_W,
            const Vec3& viewDirection);
  /// Moves the pulled-to point under the ray from `eye` along `direction`.
  void moveTo(const Vec3& eye, const Vec3& direction);
  /// The command that keeps pulling in this snapshot. Requires isActive().
  SetExternalForce pull(const Snapshot& snapshot) const;
  /// Lets go; returns the command that removes the force.
  SetExternalForce release();

  bool isActive() const { return active_; }
  /// Where the spring ends on the body, and where it pulls to, in W [m].
  Vec3 anchor(const Snapshot& snapshot) const;
  const Vec3& goal() const { return goal_; }

 private:
  bool active_ = false;
  int body_ = 0;
  double mass_ = 0;           ///< [kg]
  Vec3 p_B_ = Vec3::Zero();   ///< gripped point in the body's frame [m]
  Vec3 goal_ = Vec3::Zero();  ///< [m]
  Vec3 planeNormal_ = Vec3::UnitX(), planePoint_ = Vec3::Zero();
};

}  // namespace slipstick::ui
