// Pulling with the pointer: what a person grips, and where it shall go.
#pragma once

#include "engine/model/command.h"
#include "engine/model/snapshot.h"
#include "render/selection.h"

namespace slipstick::ui {

/// Turns a drag into commands; the forces are computed by the step.
class MouseSpring {
 public:
  enum class Kind { Pull, Twist };

  /// Grips a body at a surface point, or the particle of a deformable that is nearest to it; then drags move
  /// the point in the plane through it that faces the camera (Pull), or turn the body (Twist). Does nothing
  /// where the selection can't be moved so.
  void grip(const Snapshot& snapshot, const Model& model, const render::Selection& selection, const Vec3& p_W,
            const Vec3& viewDirection, Kind kind = Kind::Pull);
  /// Moves the goal under the ray from `eye` along `direction`.
  void moveTo(const Vec3& eye, const Vec3& direction);
  /// Turns the goal by a drag, in heights of the view, rightwards and downwards.
  void turnBy(double right, double down);
  /// What the pointer wants now. Requires isActive().
  Command command() const;
  /// Lets go; returns the command that does so.
  Command release();

  bool isActive() const { return active_; }
  Kind kind() const { return kind_; }
  /// Where the spring ends on what it pulls, and where it pulls to, in W [m].
  Vec3 anchor(const Snapshot& snapshot) const;
  const Vec3& goal() const { return pull_.goal_W; }

 private:
  bool active_ = false;
  Kind kind_ = Kind::Pull;
  Pull pull_;
  Twist twist_;
  Vec3 planeNormal_ = Vec3::UnitX(), planePoint_ = Vec3::Zero();
};

}  // namespace slipstick::ui
