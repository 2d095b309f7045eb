#include "render/boundary_surfaces.h"

#include <algorithm>

#include "render/shapes.h"

namespace slipstick::render {
namespace {

constexpr double kLeastPlane = 0.1;  // half side [m]

Eigen::AlignedBox3d startBox(const Model& model) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : model.nodes.x) box.extend(x);
  if (box.isEmpty()) box.extend(Vec3::Zero());
  return box;
}

/// A face of a box or a plane. @param center  and its axes, in W; the third is the normal
void addFace(const Vec3& center, const Mat3& axes, const Eigen::Vector2d& half, BoundarySurface& surface) {
  std::array<BoundaryVertex, 4> corners;
  for (std::size_t i = 0; i < 4; ++i) {
    const Eigen::Vector2d across = half.cwiseProduct(Eigen::Vector2d(i & 1 ? 1 : -1, i & 2 ? 1 : -1));
    corners[i].position = (center + axes.leftCols<2>() * across).cast<float>();
    corners[i].normal = axes.col(2).cast<float>();
    corners[i].across = across.cast<float>();
    corners[i].half = half.cast<float>();
  }
  for (const std::size_t i : {0u, 1u, 3u, 0u, 3u, 2u}) surface.triangles.push_back(corners[i]);
}

void addBox(const Pose& X_WS, const Vec3& half, BoundarySurface& surface) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int u = (axis + 1) % 3, w = (axis + 2) % 3;
      Mat3 axes;
      axes << X_WS.R.col(side > 0 ? u : w), X_WS.R.col(side > 0 ? w : u), side * X_WS.R.col(axis);
      const Eigen::Vector2d size(half[side > 0 ? u : w], half[side > 0 ? w : u]);
      addFace(X_WS * Vec3(side * half[axis] * Vec3::Unit(axis)), axes, size, surface);
    }
}

void addPlane(const Pose& X_WS, const Eigen::AlignedBox3d& around, BoundarySurface& surface) {
  const double half = std::max(kLeastPlane, 0.75 * around.diagonal().norm());
  const Vec3 normal = X_WS.R.col(2);
  const Vec3 center = around.center() - normal.dot(around.center() - X_WS.p) * normal;
  addFace(center, X_WS.R, Eigen::Vector2d::Constant(half), surface);
}

void addRound(const Pose& X_WS, const Shape& shape, BoundarySurface& surface) {
  const DrawMesh mesh = tessellate(shape);
  for (const std::uint32_t i : mesh.indices) {
    const DrawVertex& from = mesh.vertices[i];
    BoundaryVertex v;
    v.position = (X_WS * Vec3(from.position.cast<double>())).cast<float>();
    v.normal = X_WS.R.cast<float>() * from.normal;
    v.across = {from.position.x() + from.position.z(), from.position.y()};
    surface.triangles.push_back(v);
  }
}

/// About a dozen stripes across whatever its size.
float pitchOf(const BoundarySurface& surface) {
  Eigen::AlignedBox3f box;
  for (const BoundaryVertex& v : surface.triangles) box.extend(v.position);
  return std::clamp(box.isEmpty() ? 0.f : box.diagonal().norm() / 14, 0.004f, 0.05f);
}

}  // namespace

bool actsAt(const Boundary& boundary, double t) {
  return t >= boundary.from && t < boundary.until;
}

void addBoundaries(const Model& model, const Selection& selection, Frame& frame) {
  const Eigen::AlignedBox3d around = startBox(model);
  const std::optional<std::int32_t> selected = indexOf<SelectedBoundary>(selection);
  for (std::size_t i = 0; i < model.boundaries.size(); ++i) {
    const Boundary& boundary = model.boundaries[i];
    const LookSpec look = frame.looks ? frame.looks->boundary(static_cast<int>(i)) : boundary.look;
    if (!actsAt(boundary, frame.time) || !look.visible) continue;
    BoundarySurface surface;
    surface.color = look.color;
    surface.boundary = static_cast<int>(i);
    surface.kind = boundary.kind;
    surface.selected = selected == surface.boundary;
    const Pose X_WS = model.boundaryPose(boundary, frame.time);
    if (const auto* box = std::get_if<shape::Box>(&boundary.shape))
      addBox(X_WS, box->halfExtents, surface);
    else if (std::holds_alternative<shape::Plane>(boundary.shape))
      addPlane(X_WS, around, surface);
    else
      addRound(X_WS, boundary.shape, surface);
    surface.pitch = pitchOf(surface);
    frame.boundaries.push_back(std::move(surface));
  }
}

}  // namespace slipstick::render
