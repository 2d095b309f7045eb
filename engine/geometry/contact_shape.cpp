#include "engine/geometry/contact_shape.h"

#include <algorithm>
#include <limits>
#include <vector>

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

Result<ContactGeometry> pieceOf(const Shape& shape, const SurfaceProperties& properties) {
  ContactGeometry piece;
  piece.properties = properties;
  if (std::holds_alternative<shape::Mesh>(shape))
    piece.analytic.type = ShapeType::Mesh;
  else
    piece.analytic = lowerShape<double>(shape);
  if (Result<void> built = std::visit(Builder{piece}, shape); !built) return built.error();
  return piece;
}

/// The parts of a mesh that has some; else the shape itself.
std::vector<Shape> piecesOf(const Shape& shape) {
  const auto* mesh = std::get_if<shape::Mesh>(&shape);
  if (!mesh || !mesh->parts || mesh->parts->empty()) return {shape};
  std::vector<Shape> pieces;
  for (const TriangleMesh& part : *mesh->parts)
    pieces.emplace_back(shape::Mesh{std::make_shared<const TriangleMesh>(part)});
  return pieces;
}

}  // namespace

Aabb boundsOf(const ContactGeometry& geometry, const Pose& X_WG) {
  if (geometry.kind == ContactKind::Plane) return {-geometry.halfExtents, geometry.halfExtents};
  const Vec3 centre = X_WG * geometry.centre;
  if (geometry.kind == ContactKind::Sphere)
    return {centre - geometry.halfExtents, centre + geometry.halfExtents};
  const Vec3 half = X_WG.R.cwiseAbs() * geometry.halfExtents;
  return {centre - half, centre + half};
}

Result<std::shared_ptr<const ContactShape>> ContactShape::build(const Shape& shape,
                                                                const SurfaceProperties& properties) {
  auto data = std::make_unique<Data>();
  data->properties = properties;
  for (const Shape& one : piecesOf(shape)) {
    Result<ContactGeometry> piece = pieceOf(one, properties);
    if (!piece) return piece.error();
    data->pieces.push_back(*std::move(piece));
  }
  if (data->pieces.size() == 1) data->properties = data->pieces.front().properties;
  std::shared_ptr<ContactShape> result(new ContactShape);
  result->data_ = std::move(data);
  return std::shared_ptr<const ContactShape>(std::move(result));
}

const SurfaceProperties& ContactShape::properties() const {
  return data_->properties;
}

bool ContactShape::isSurface() const {
  return std::any_of(data_->pieces.begin(), data_->pieces.end(),
                     [](const ContactGeometry& piece) { return piece.kind == ContactKind::Surface; });
}

Aabb ContactShape::bounds(const Pose& X_WG) const {
  Aabb all = boundsOf(data_->pieces.front(), X_WG);
  for (const ContactGeometry& piece : data_->pieces) {
    const Aabb box = boundsOf(piece, X_WG);
    all = {all.lower.cwiseMin(box.lower), all.upper.cwiseMax(box.upper)};
  }
  return all;
}

}  // namespace slipstick
