#include "engine/geometry/contact_shape.h"

#include <limits>

#include "engine/geometry/contact_shape_data.h"
#include "engine/geometry/mesh_polytope.h"
#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/tessellation.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick {

ContactShape::ContactShape() = default;
ContactShape::~ContactShape() = default;

namespace {

struct Builder {
  ContactGeometry& data;

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
  Result<void> operator()(const shape::Box& b) {
    return polytope(ContactKind::Polytope, Polytope::box(b.halfExtents));
  }
  Result<void> operator()(const shape::Capsule& c) {
    return exact(polytope(ContactKind::Capsule, capsulePolytope(c.radius, c.length / 2)),
                 {c.radius, c.radius, c.radius + c.length / 2});
  }
  Result<void> operator()(const shape::Cylinder& c) {
    return exact(polytope(ContactKind::Cylinder, cylinderPolytope(c.radius, c.length / 2)),
                 {c.radius, c.radius, c.length / 2});
  }
  Result<void> operator()(const shape::Ellipsoid& e) {
    return exact(polytope(ContactKind::Ellipsoid, ellipsoidPolytope(e.radii)), e.radii);
  }
  Result<void> operator()(const shape::Mesh& m) {
    if (Result<void> checked = checkMesh(*m.mesh); !checked) return checked;
    if (std::optional<Polytope> convex = convexPolytope(*m.mesh))
      return polytope(ContactKind::Polytope, std::move(*convex));
    data.kind = ContactKind::Surface;
    data.surface = std::make_unique<TriangleSurface>(*m.mesh);
    data.centre = (data.surface->lower() + data.surface->upper()) / 2;
    data.halfExtents = (data.surface->upper() - data.surface->lower()) / 2;
    if (data.properties.representation == ContactRepresentation::Compliant)
      data.properties.representation = ContactRepresentation::Rigid;
    return {};
  }

 private:
  Result<void> polytope(ContactKind kind, Polytope p) {
    if (p.faces.empty())
      return Error{ErrorCode::InvalidValue, "the shape encloses no volume", "",
                   "give it a size greater than 0 in every direction"};
    data.kind = kind;
    data.centre = p.centre, data.halfExtents = p.halfExtents;
    data.polytope = std::move(p);
    return {};
  }
  /// The polytope around a round shape is a little larger than the shape; so are the boxes that both need.
  Result<void> exact(Result<void> built, const Vec3& halfExtents) {
    data.halfExtents = data.halfExtents.cwiseMax(halfExtents);
    return built;
  }
};

}  // namespace

Result<std::shared_ptr<const ContactShape>> ContactShape::build(const Shape& shape,
                                                                const SurfaceProperties& properties) {
  auto data = std::make_unique<Data>();
  data->properties = properties;
  if (std::holds_alternative<shape::Mesh>(shape))
    data->analytic.type = ShapeType::Mesh;
  else
    data->analytic = lowerShape<double>(shape);
  if (Result<void> built = std::visit(Builder{*data}, shape); !built) return built.error();
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
