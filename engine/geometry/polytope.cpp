#include "engine/geometry/polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace slipstick {
namespace {

constexpr double kWeld = 1e-9;  // of the reach: corners nearer than this are one

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Index of a corner, which may be a new one.
int vertexAt(Polytope& polytope, const Vec3& p, double tolerance) {
  for (std::size_t i = 0; i < polytope.vertices.size(); ++i)
    if ((polytope.vertices[i] - p).cwiseAbs().maxCoeff() < tolerance) return static_cast<int>(i);
  polytope.vertices.push_back(p);
  return static_cast<int>(polytope.vertices.size()) - 1;
}

/// Cuts the face of half-space k out of its plane; false when nothing of it is left.
bool addFace(Polytope& polytope, const std::vector<HalfSpace>& all, std::size_t k, double reach) {
  const HalfSpace& plane = all[k];
  const PlaneFrame frame = PlaneFrame::make(plane.normal * plane.offset, plane.normal, Vec3::UnitX());
  ClipPolygon polygon;
  polygon.startSquare(2 * reach);
  for (std::size_t j = 0; j < all.size(); ++j)
    if (j != k && !polygon.keep(all[j], frame)) return false;
  Polytope::Face face;
  face.plane = plane;
  face.vertexBegin = static_cast<int>(polytope.corners.size());
  for (int i = 0; i < polygon.size(); ++i) {
    const int v = vertexAt(polytope, frame.at(polygon[i].x, polygon[i].y), kWeld * reach);
    const bool repeated = face.vertexBegin < static_cast<int>(polytope.corners.size()) &&
                          (polytope.corners.back() == v || polytope.corners[at(face.vertexBegin)] == v);
    if (!repeated) polytope.corners.push_back(v);
  }
  face.vertexEnd = static_cast<int>(polytope.corners.size());
  if (face.vertexEnd - face.vertexBegin < 3) {
    polytope.corners.resize(at(face.vertexBegin));
    return false;
  }
  polytope.faces.push_back(face);
  return true;
}

/// The half-spaces of the faces beyond each edge, and the direction of the longest edge.
void addEdges(Polytope& polytope, Polytope::Face& face, double reach) {
  face.edgeBegin = static_cast<int>(polytope.edgeBounds.size());
  const int n = face.vertexEnd - face.vertexBegin;
  double longest = 0;
  for (int i = 0; i < n; ++i) {
    const auto corner = [&](int k) {
      return polytope.vertices[at(polytope.corners[at(face.vertexBegin + k % n)])];
    };
    const Vec3 edge = corner(i + 1) - corner(i), middle = (corner(i + 1) + corner(i)) / 2;
    if (edge.norm() > longest * (1 + 1e-9)) longest = edge.norm(), face.tangent = edge.normalized();
    for (const Polytope::Face& other : polytope.faces)
      if (&other != &face && std::abs(other.plane.height(middle)) < kWeld * reach)
        polytope.edgeBounds.push_back(other.plane);
  }
  face.edgeEnd = static_cast<int>(polytope.edgeBounds.size());
}

/// Each edge once: of the two faces that have it, the one where it runs towards the higher index comes first.
void joinFaces(Polytope& polytope) {
  std::map<std::pair<int, int>, std::size_t> known;  // by its ends
  for (const bool isFirst : {true, false})
    for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
      const Polytope::Face& face = polytope.faces[f];
      const int n = face.vertexEnd - face.vertexBegin;
      for (int i = 0; i < n; ++i) {
        const int from = polytope.corners[at(face.vertexBegin + i)],
                  to = polytope.corners[at(face.vertexBegin + (i + 1) % n)];
        if ((from < to) != isFirst) continue;
        const int own = static_cast<int>(f);
        if (isFirst && known.try_emplace({from, to}, polytope.edges.size()).second)
          polytope.edges.push_back({from, to, own, own});
        else if (const auto edge = known.find({to, from}); edge != known.end())
          polytope.edges[edge->second].right = own;
      }
    }
}

/// dᵢ ≤ dₖ.
HalfSpace cellBound(const HalfSpace& i, const HalfSpace& k) {
  return {k.normal - i.normal, k.offset - i.offset};
}

/// The part of the plane dᵢ = dₖ that the bounds leave; false when it is empty.
bool cutBisector(const HalfSpace& bound, const std::vector<HalfSpace>& others, std::size_t skip, double reach,
                 ClipPolygon& polygon, PlaneFrame& frame) {
  const double length = bound.normal.norm();
  const Vec3 normal = bound.normal / length;
  frame = PlaneFrame::make(normal * (bound.offset / length), normal, Vec3::UnitX());
  polygon.startSquare(2 * reach);
  for (std::size_t j = 0; j < others.size(); ++j)
    if (j != skip && !polygon.keep(others[j], frame)) return false;
  return PolygonMoments::of(polygon.data(), polygon.size()).area > kWeld * reach * reach;
}

/// The cells that touch cell i. Its edge neighbours alone bound it, so that most others are seen to be too
/// far after a few cuts.
void addCell(Polytope& polytope, Polytope::Face& face, double reach) {
  ClipPolygon polygon;
  PlaneFrame frame;
  std::vector<HalfSpace> bounds = {face.plane};
  for (int e = face.edgeBegin; e < face.edgeEnd; ++e)
    bounds.push_back(cellBound(face.plane, polytope.edgeBounds[at(e)]));
  const std::size_t own = bounds.size();
  for (const Polytope::Face& other : polytope.faces) {
    const bool known = std::any_of(
        polytope.edgeBounds.begin() + face.edgeBegin, polytope.edgeBounds.begin() + face.edgeEnd,
        [&](const HalfSpace& h) { return h.normal == other.plane.normal && h.offset == other.plane.offset; });
    if (&other == &face || known) continue;
    const HalfSpace bound = cellBound(face.plane, other.plane);
    if (cutBisector(bound, bounds, bounds.size(), reach, polygon, frame)) bounds.push_back(bound);
  }
  face.cellBegin = static_cast<int>(polytope.cellBounds.size());
  for (std::size_t k = 1; k < bounds.size(); ++k) {
    const bool touches = cutBisector(bounds[k], bounds, k, reach, polygon, frame);
    if (touches)
      for (int i = 0; i < polygon.size(); ++i)
        polytope.innerRadius =
            std::max(polytope.innerRadius, face.depth(frame.at(polygon[i].x, polygon[i].y)));
    if (touches || k < own) polytope.cellBounds.push_back(bounds[k]);
  }
  face.cellEnd = static_cast<int>(polytope.cellBounds.size());
}

}  // namespace

Polytope Polytope::fromHalfSpaces(const std::vector<HalfSpace>& halfSpaces, double reach) {
  Polytope polytope;
  polytope.faces.reserve(halfSpaces.size());
  for (std::size_t k = 0; k < halfSpaces.size(); ++k) addFace(polytope, halfSpaces, k, reach);
  if (polytope.faces.size() < 4) return {};
  for (Face& face : polytope.faces) addEdges(polytope, face, reach);
  joinFaces(polytope);
  for (Face& face : polytope.faces) addCell(polytope, face, reach);
  Vec3 low = polytope.vertices.front(), high = low;
  for (const Vec3& v : polytope.vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  polytope.centre = (low + high) / 2, polytope.halfExtents = (high - low) / 2;
  for (const Vec3& v : polytope.vertices)
    polytope.radius = std::max(polytope.radius, (v - polytope.centre).norm());
  return polytope;
}

Polytope Polytope::box(const Vec3& h) {
  std::vector<HalfSpace> sides;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) sides.push_back({sign * Vec3::Unit(axis), h[axis]});
  Polytope polytope = fromHalfSpaces(sides, 2 * h.norm());
  polytope.isBox = true;
  return polytope;
}

const Polytope& Polytope::halfSpace() {
  static const Polytope plane = [] {
    Polytope p;
    p.faces.emplace_back();
    p.innerRadius = p.radius = std::numeric_limits<double>::infinity();
    return p;
  }();
  return plane;
}

}  // namespace slipstick
