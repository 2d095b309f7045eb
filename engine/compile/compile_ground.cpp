#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/compile/compilation.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

/// How far below the origin of a shape at rotation R its lowest point lies [m].
struct Depth {
  const Mat3& R;

  double operator()(const shape::Plane&) const { return 0; }  // it is a ground itself
  double operator()(const shape::Sphere& s) const { return s.radius; }
  double operator()(const shape::Box& s) const { return R.row(2).cwiseAbs().dot(s.halfExtents); }
  double operator()(const shape::Capsule& s) const { return s.radius + std::abs(R(2, 2)) * s.length / 2; }
  double operator()(const shape::Cylinder& s) const {
    return std::hypot(R(2, 0), R(2, 1)) * s.radius + std::abs(R(2, 2)) * s.length / 2;
  }
  double operator()(const shape::Ellipsoid& s) const {
    return R.row(2).transpose().cwiseProduct(s.radii).norm();
  }
  double operator()(const shape::Mesh& s) const {
    double lowest = std::numeric_limits<double>::infinity();  // of an empty one
    for (const Vec3& p : s.mesh->vertices) lowest = std::min(lowest, R.row(2).dot(p));
    return -lowest;
  }
};

}  // namespace

Result<void> compileGround(Compilation& c) {
  Model& model = c.model;
  model.showGround = c.scene.showGround;
  model.groundHeight = c.scene.groundHeight.value_or(0);
  if (c.scene.groundHeight) return {};
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  const auto layUnder = [&](int body, const Pose& X_BS, const Shape& shape) {
    const Pose X_WS = X_WB[static_cast<std::size_t>(body)] * X_BS;
    model.groundHeight = std::min(model.groundHeight, X_WS.p.z() - std::visit(Depth{X_WS.R}, shape));
  };
  for (const Geometry& geometry : model.geometries) layUnder(geometry.body, geometry.X_BG, geometry.shape);
  // Cables that are drawn at a robot's foot lie on the ground that it stands on.
  if (model.geometries.empty())
    for (const Visual& visual : model.visuals) layUnder(visual.body, visual.X_BV, visual.shape);
  return {};
}

}  // namespace slipstick
