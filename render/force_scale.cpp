#include "render/force_scale.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/facts/contact_pair.h"
#include "engine/geometry/shape_bounds.h"
#include "engine/multibody/kinematics.h"
#include "render/palette.h"

namespace slipstick::render {
namespace {

/// Between the size of the largest movable body and that of all of them at the start, nearer to the first: an
/// arrow belongs to a body, and a tall stack is looked at from afar.
double bodyLength(const Model& model) {
  std::map<int, Eigen::AlignedBox3d> boxes;
  Eigen::AlignedBox3d all;
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  for (const Geometry& geometry : model.geometries) {
    const Eigen::AlignedBox3d local = roughBounds(geometry.shape);
    if (!canMove(model, geometry.body) || local.isEmpty()) continue;
    const Pose& X_WBody = X_WB[static_cast<std::size_t>(geometry.body)];
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner = geometry.X_BG * local.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k));
      boxes[geometry.body].extend(corner);
      all.extend(X_WBody * corner);
    }
  }
  double largest = 0;
  for (const auto& [body, box] : boxes) largest = std::max(largest, box.diagonal().norm());
  return all.isEmpty() ? 0 : std::cbrt(largest * largest * all.diagonal().norm());
}

/// The length that arrows are measured by: the diagonal of the largest deformable at the start, in scenes
/// without any that of the bodies that move.
double sceneLength(const Model& model) {
  double length = 0;
  for (const Deformable& d : model.deformables) {
    Eigen::AlignedBox3d box;
    for (int i = d.begin; i < d.end; ++i) box.extend(model.nodes.x[static_cast<std::size_t>(i)]);
    if (!box.isEmpty()) length = std::max(length, box.diagonal().norm());
  }
  if (!(length > 0)) length = bodyLength(model);
  return length > 0 ? length : 0.5;
}

/// The smallest preferred number, ten to a decade, that is not below x: few steps while a run goes on, and the
/// longest arrow never much shorter than it could be; 0 for x ≤ 0.
double roundUpR10(double x) {
  if (!(x > 0)) return 0;
  constexpr std::array kSteps{1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.3, 8.0, 10.0};
  const double decade = std::pow(10.0, std::floor(std::log10(x)));
  const auto step = std::lower_bound(kSteps.begin(), kSteps.end(), x / decade * (1 - 1e-12));
  return decade * (step == kSteps.end() ? 10 : *step);
}

/// Of the longest arrow, in those of the object and of the view [-].
constexpr double kLongest = 0.45, kMaxOfView = 0.33;

}  // namespace

double ForceScale::length(double force) const {
  if (!logarithmic || !(top > 0)) return metresPerNewton * force;
  return metresPerNewton * top * std::log10(1 + 99 * force / top) / 2;
}

ForceScale forceScale(const Model& model, const ViewOptions& options, double largest, double viewSize,
                      double longest) {
  ForceScale scale;
  scale.top = roundUpR10(largest);
  scale.logarithmic = options.logForces;
  const double length =
      longest * options.arrowLength * std::min(kLongest * sceneLength(model), kMaxOfView * viewSize);
  scale.metresPerNewton = scale.top > 0 ? length / scale.top : length;
  if (options.forceScale > 0) scale.metresPerNewton = options.forceScale;
  return scale;
}

}  // namespace slipstick::render
