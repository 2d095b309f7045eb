#include "engine/geometry/shape_lowering.h"

#include "engine/foundation/require.h"

namespace slipstick {

template <class Scalar>
SdfGridView<Scalar> viewOf(const SdfGrid& grid) {
  SdfGridView<Scalar> view;
  view.distance = grid.distance.data();
  view.spacing = static_cast<Scalar>(grid.spacing);
  for (int i = 0; i < 3; ++i) {
    view.size[i] = grid.size[static_cast<std::size_t>(i)];
    view.origin[i] = static_cast<Scalar>(grid.origin[i]);
  }
  return view;
}
template SdfGridView<float> viewOf<float>(const SdfGrid&);
template SdfGridView<double> viewOf<double>(const SdfGrid&);

namespace {

template <class Scalar>
struct Lowering {
  const SdfGrid* grid;

  using Lowered = GeometryShape<Scalar>;
  static Scalar scalar(double value) { return static_cast<Scalar>(value); }

  Lowered operator()(const shape::Plane&) const { return {}; }
  Lowered operator()(const shape::Sphere& sphere) const {
    Lowered r;
    r.type = ShapeType::Sphere;
    r.radius = scalar(sphere.radius);
    return r;
  }
  Lowered operator()(const shape::Box& box) const {
    Lowered r;
    r.type = ShapeType::Box;
    for (int i = 0; i < 3; ++i) r.halfExtents[i] = scalar(box.halfExtents[i]);
    return r;
  }
  Lowered operator()(const shape::Capsule& capsule) const {
    return aroundAxis(ShapeType::Capsule, capsule.radius, capsule.length);
  }
  Lowered operator()(const shape::Cylinder& cylinder) const {
    return aroundAxis(ShapeType::Cylinder, cylinder.radius, cylinder.length);
  }
  Lowered operator()(const shape::Ellipsoid& ellipsoid) const {
    Lowered r;
    r.type = ShapeType::Ellipsoid;
    for (int i = 0; i < 3; ++i) r.halfExtents[i] = scalar(ellipsoid.radii[i]);
    return r;
  }
  Lowered operator()(const shape::Mesh&) const {
    SIM_REQUIRE(grid != nullptr);
    Lowered r;
    r.type = ShapeType::Mesh;
    r.grid = viewOf<Scalar>(*grid);
    return r;
  }

 private:
  static Lowered aroundAxis(ShapeType type, double radius, double length) {
    Lowered r;
    r.type = type;
    r.radius = scalar(radius);
    r.halfLength = scalar(length / 2);
    return r;
  }
};

}  // namespace

template <class Scalar>
GeometryShape<Scalar> lowerShape(const Shape& shape, const SdfGrid* grid) {
  return std::visit(Lowering<Scalar>{grid}, shape);
}
template GeometryShape<float> lowerShape<float>(const Shape&, const SdfGrid*);
template GeometryShape<double> lowerShape<double>(const Shape&, const SdfGrid*);

}  // namespace slipstick
