// An orbit camera in metres, z up.
#pragma once

#include <optional>

#include "engine/foundation/math.h"
#include "engine/model/scene.h"

namespace slipstick {
struct Model;     // engine/model/model.h
struct Snapshot;  // engine/model/snapshot.h
}  // namespace slipstick

namespace slipstick::render {

struct Camera {
  Vec3 target = Vec3::Zero();  ///< [m]
  double yaw = -0.8;           ///< about z, of the eye around the target [rad]
  double pitch = 0.5;          ///< above the horizon [rad]
  double distance = 2;         ///< [m]
  double fieldOfView = 40;     ///< vertical, in pictures that are at least kLeastAspect wide [deg]
  bool parallel = false;       ///< parallel projection, of what is as high at the target
  /// Axes of the view in W in place of yaw and pitch: right, up, and back (towards the eye). What a body carries has any.
  std::optional<Mat3> axes = {};

  /// width / height; narrower pictures show more above and below instead of less at the sides.
  static constexpr double kLeastAspect = 1.4;

  /// One that stands in W.
  static Camera from(const CameraSpec& spec);
  /// Where the body that carries it is; one that none carries likewise. A body that the model does not have is W.
  static Camera from(const CameraSpec& spec, const Model& model, const Snapshot& snapshot);
  /// Yaw and pitch that look the same way, with z up.
  Camera upright() const;
  /// [m]; of a parallel projection far enough away that what looks from there sees nearly parallel rays
  Vec3 eye() const;
  /// Height of the plane through the target that a picture shows [m].
  double heightAtTarget(double aspect) const;
  Eigen::Matrix4f view() const;
  Eigen::Matrix4f projection(double aspect) const;
  void orbit(double dx, double dy);  ///< drag in fractions of the view's height; it is upright from then on
  void pan(double dx, double dy);    ///< in the view's plane, fractions of the view's height
  void zoom(double factor);          ///< distance /= factor, kept in [1 cm, 100 m]
  /// Ray through a pixel given in [0,1]² from the top left: origin eye(), returned direction is unit.
  Vec3 ray(double u, double v, double aspect) const;
};

}  // namespace slipstick::render
