// Handles at a tool's goal: three axes to slide along, three planes to slide in, three rings to turn about.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <vector>

#include "engine/foundation/math.h"
#include "render/camera.h"

namespace slipstick::render {

enum class Handle { AxisX, AxisY, AxisZ, PlaneX, PlaneY, PlaneZ, RingX, RingY, RingZ };
inline constexpr int kHandleCount = 9;
/// The coordinate that a handle is about: its axis, the normal of its plane, or the axis of its ring.
constexpr int axisOf(Handle handle) {
  return static_cast<int>(handle) % 3;
}

struct Gizmo {
  Pose X_WG;        ///< axes of the handles
  double size = 0;  ///< length of its axes [m]
};

/// As large on the screen from wherever one looks.
Gizmo gizmoAt(const Pose& X_WG, const Camera& camera);

/// Lines that a handle is drawn as and pointed at by, in W [m]: an axis, the rim of a square, a ring.
std::vector<Vec3> outlineOf(const Gizmo& gizmo, Handle handle);

/// The handle nearest to a point of the picture, within `reach`; those that run along the view are none.
/// @param at      [0,1]² from the top left
/// @param height  of the picture, and @param reach in the same unit
std::optional<Handle> handleAt(const Gizmo& gizmo, const Camera& camera, double aspect,
                               const Eigen::Vector2d& at, double height, double reach);

/// The pose after a handle was dragged from one ray of the camera to another. Steps of 10 mm and 15° where it snaps.
Pose dragged(const Gizmo& start, Handle handle, const Vec3& eye, const Vec3& fromRay, const Vec3& toRay,
             bool snaps);

/// A goal as it is drawn.
struct GoalMark {
  int effector = 0;
  Pose X_WG;
  bool hasHandles = false;
  std::optional<Handle> held;  ///< or pointed at
  bool operator==(const GoalMark& other) const {
    return effector == other.effector && X_WG.R == other.X_WG.R && X_WG.p == other.X_WG.p &&
           hasHandles == other.hasHandles && held == other.held;
  }
};

}  // namespace slipstick::render
