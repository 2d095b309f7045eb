#include "engine/geometry/shape_bounds.h"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace slipstick {

Eigen::AlignedBox3d roughBounds(const Shape& shape) {
  using Box = Eigen::AlignedBox3d;
  const auto around = [](double x, double y, double z) { return Box(Vec3(-x, -y, -z), Vec3(x, y, z)); };
  const auto of = [&around](const auto& s) -> Box {
    using S = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<S, shape::Sphere>) return around(s.radius, s.radius, s.radius);
    if constexpr (std::is_same_v<S, shape::Box>) return Box(-s.halfExtents, s.halfExtents);
    if constexpr (std::is_same_v<S, shape::Ellipsoid>) return Box(-s.radii, s.radii);
    if constexpr (std::is_same_v<S, shape::Capsule>)
      return around(s.radius, s.radius, s.radius + s.length / 2);
    if constexpr (std::is_same_v<S, shape::Cylinder>) return around(s.radius, s.radius, s.length / 2);
    Box box;
    if constexpr (std::is_same_v<S, shape::Mesh>) {
      const std::size_t count = s.mesh ? s.mesh->vertices.size() : 0;
      for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, count / 1000))
        box.extend(s.mesh->vertices[i]);
    }
    return box;
  };
  return std::visit(of, shape);
}

Eigen::AlignedBox3d roughBounds(const Shape& shape, const Pose& X_AS) {
  const Eigen::AlignedBox3d own = roughBounds(shape);
  Eigen::AlignedBox3d box;
  for (int k = 0; k < 8 && !own.isEmpty(); ++k)
    box.extend(X_AS * own.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)));
  return box;
}

}  // namespace slipstick
