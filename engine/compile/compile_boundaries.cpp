// Stage of compile(): boundaries of the grid.
#include <cmath>
#include <set>

#include "engine/compile/compilation.h"
#include "engine/compile/sampling.h"
#include "engine/geometry/shape_lowering.h"

namespace slipstick {
namespace {

bool isPositive(double x) {
  return std::isfinite(x) && x > 0;
}

Result<void> checkShape(const Compilation& c, const Element& element, const Shape& shape) {
  const auto* box = std::get_if<shape::Box>(&shape);
  const auto* sphere = std::get_if<shape::Sphere>(&shape);
  if (!box && !sphere && !std::holds_alternative<shape::Plane>(shape))
    return c.invalid(element, "this shape cannot be a boundary", "use a plane, a box or a sphere");
  if (box && !(box->halfExtents.allFinite() && box->halfExtents.minCoeff() > 0))
    return c.invalid(element, "a size of its box is not positive", "write 'size' in metres, greater than 0");
  if (sphere && !isPositive(sphere->radius))
    return c.invalid(element, "its radius is not positive", "write 'radius' in metres, greater than 0");
  return {};
}

/// The smallest extent, infinite for a plane [m].
double thickness(const Shape& shape) {
  if (const auto* box = std::get_if<shape::Box>(&shape)) return 2 * box->halfExtents.minCoeff();
  if (const auto* sphere = std::get_if<shape::Sphere>(&shape)) return 2 * sphere->radius;
  return std::numeric_limits<double>::infinity();
}

/// Whether a node of the grid lies inside a bounded shape that is thin against the grid.
bool holdsNode(const Shape& shape, const Pose& X_WS, double h) {
  const auto* box = std::get_if<shape::Box>(&shape);
  const Vec3 half = box ? box->halfExtents : Vec3::Constant(std::get<shape::Sphere>(shape).radius);
  const Vec3 reach = X_WS.R.cwiseAbs() * half;
  const Vec3 lower = ((X_WS.p - reach) / h).array().ceil(), upper = ((X_WS.p + reach) / h).array().floor();
  const GeometryShape<double> lowered = lowerShape<double>(shape);
  const Pose X_SW = X_WS.inverse();
  for (double i = lower.x(); i <= upper.x(); ++i)
    for (double j = lower.y(); j <= upper.y(); ++j)
      for (double k = lower.z(); k <= upper.z(); ++k)
        if (signedDistance(lowered, X_SW * (h * Vec3(i, j, k))) < 0) return true;
  return false;
}

void noticeThinness(Compilation& c, const Element& element, const Boundary& boundary) {
  const double h = c.model.gridSpacing;
  if (thickness(boundary.shape) >= h) return;
  const Pose X_WS = c.model.boundaryPose(boundary, boundary.from);
  if (!holdsNode(boundary.shape, X_WS, h))
    c.notice(element,
             "it is thinner than a grid cell and holds no node at its start: it acts on nothing; make it at "
             "least grid.spacing thick, or move it onto nodes");
}

Result<Boundary> compileBoundary(const Compilation& c, const Element& element, const BoundarySpec& spec) {
  if (Result<void> ok = checkShape(c, element, spec.shape); !ok) return ok.error();
  if (!spec.X_WS.p.allFinite() || !spec.X_WS.R.allFinite())
    return c.invalid(element, "its pose is not a number", "write finite numbers");
  if (!std::isfinite(spec.from) || !(spec.until > spec.from))
    return c.invalid(element, "it ends before it begins", "write 'until' after 'from', or remove it");
  if (spec.friction > 0 && spec.kind == BoundaryKind::Sticky)
    return c.invalid(element, "a sticky boundary holds without friction",
                     "remove 'friction', or write 'kind: separate'");
  Boundary boundary{spec.name, spec.kind,  spec.shape,    spec.X_WS, -1,
                    spec.from, spec.until, spec.friction, spec.look};
  if (spec.path.empty()) return boundary;
  const Result<int> path = c.findPath(element.at("path"), spec.path);
  if (!path) return path.error();
  boundary.path = *path;
  return boundary;
}

}  // namespace

Result<void> compileBoundaries(Compilation& c) {
  std::set<std::string> names;
  for (const BoundarySpec& spec : c.scene.boundaries) {
    const Element element = elementOf("boundary", "boundaries", spec.name);
    if (!names.insert(spec.name).second)
      return c.invalid(element, "two boundaries have this name", "rename one of them");
    Result<Boundary> boundary = compileBoundary(c, element, spec);
    if (!boundary) return boundary.error();
    c.model.tuning.boundaryFriction.push_back(spec.friction);
    if (Result<void> ok =
            c.checkNumbers(element, ParameterBlock::Boundary, c.model.tuning.boundaryFriction.size() - 1);
        !ok)
      return ok;
    noticeThinness(c, element, *boundary);
    c.model.boundaries.push_back(std::move(*boundary));
  }
  return {};
}

}  // namespace slipstick
