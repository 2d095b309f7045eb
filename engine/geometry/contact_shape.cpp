#include "engine/geometry/contact_shape.h"

#include <limits>

#include "engine/geometry/contact_shape_data.h"
#include "engine/geometry/shape_lowering.h"

namespace slipstick {

ContactShape::ContactShape() = default;
ContactShape::~ContactShape() = default;

namespace {

template <class Data>
struct Builder {
  Data& data;

  Result<void> operator()(const shape::Plane&) {
    data.kind = ContactKind::Plane;
    data.halfExtents.setConstant(std::numeric_limits<double>::infinity());
    return {};
  }
  Result<void> operator()(const shape::Sphere& s) {
    data.kind = ContactKind::Sphere;
    data.halfExtents.setConstant(s.radius);
    return {};
  }
  Result<void> operator()(const shape::Box& b) { return polytope(Polytope::box(b.halfExtents)); }
  template <class Other>
  Result<void> operator()(const Other&) {
    return Error{ErrorCode::Unsupported, "this shape has no contact with rigid things yet", "", "use a box"};
  }

  Result<void> polytope(Polytope p) {
    if (p.faces.empty())
      return Error{ErrorCode::InvalidValue, "the shape encloses no volume", "", "use a solid, not a sheet"};
    data.kind = ContactKind::Polytope;
    data.centre = p.centre, data.halfExtents = p.halfExtents;
    data.polytope = std::move(p);
    return {};
  }
};

}  // namespace

Result<std::shared_ptr<const ContactShape>> ContactShape::build(const Shape& shape,
                                                                const SurfaceProperties& properties) {
  auto data = std::make_unique<Data>();
  data->properties = properties;
  if (!std::holds_alternative<shape::Mesh>(shape)) data->analytic = lowerShape<double>(shape);
  if (Result<void> built = std::visit(Builder<Data>{*data}, shape); !built) return built.error();
  std::shared_ptr<ContactShape> result(new ContactShape);
  result->data_ = std::move(data);
  return std::shared_ptr<const ContactShape>(std::move(result));
}

const SurfaceProperties& ContactShape::properties() const {
  return data_->properties;
}

Aabb ContactShape::bounds(const Pose& X_WG) const {
  if (data_->kind == ContactKind::Plane) return {-data_->halfExtents, data_->halfExtents};
  const Vec3 centre = X_WG * data_->centre, half = X_WG.R.cwiseAbs() * data_->halfExtents;
  if (data_->kind == ContactKind::Sphere) return {centre - data_->halfExtents, centre + data_->halfExtents};
  return {centre - half, centre + half};
}

}  // namespace slipstick
