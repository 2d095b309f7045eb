#include "assets/convex_split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "assets/convex_cell.h"
#include "assets/convex_hull.h"
#include "assets/limits.h"
#include "engine/foundation/require.h"
#include "engine/geometry/mesh_polytope.h"
#include "engine/geometry/triangle_tree.h"

namespace slipstick::assets {
namespace {

constexpr double kEnough = 2e-3;     // of the volume (open: of the hull's): so much may a part fill too much
constexpr double kWorthwhile = 0.1;  // of what a piece fills too much: what a cut must win, or it looks ahead
constexpr double kSame = 1e-6;       // of the hull's volume: cuts that leave so much more or less are equal
constexpr std::size_t kFineMesh = 4000;  // triangles; a mesh with more is cut where a coarser one needs it
constexpr int kCoarseCells = 32;         // of the longest side
constexpr int kSteps = 6;                // candidates between the ends of a piece: 5 planes
constexpr std::size_t kCreases = 6;      // candidates of a direction where the surface folds inwards

double hullVolume(const std::vector<Vec3>& points) {
  const auto hull = convexHull(points);
  return hull ? std::abs(signedVolume(**hull)) : 0;
}

/// An edge along which the surface folds inwards: where a person would cut.
struct Crease {
  Vec3 a, b;
};

std::vector<Crease> creasesOf(const TriangleMesh& mesh, double size) {
  constexpr double kFold = 0.1;  // sine, about 6°
  std::map<std::pair<int, int>, std::size_t> triangleAt;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) triangleAt[{mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]}] = t;
  std::vector<Crease> creases;
  for (const auto& [edge, t] : triangleAt) {
    const auto other = triangleAt.find({edge.second, edge.first});
    if (edge.first > edge.second || other == triangleAt.end()) continue;
    const Facet f = facetOf(cornersOf(mesh, mesh.triangles[t]));
    const Triangle beyond = cornersOf(mesh, mesh.triangles[other->second]);
    double height = 0, reach = 0;
    for (const Vec3& p : beyond) {
      const double h = f.normal.dot(p - f.corners[0]);
      if (std::abs(h) > std::abs(height)) height = h, reach = (p - f.corners[0]).norm();
    }
    if (height > kFold * reach && reach > 1e-6 * size)
      creases.push_back({mesh.vertices[static_cast<std::size_t>(edge.first)],
                         mesh.vertices[static_cast<std::size_t>(edge.second)]});
  }
  return creases;
}

/// The mesh with the vertices of each cell of a grid in one place; closed where the mesh is.
TriangleMesh coarser(const TriangleMesh& mesh) {
  const Aabb box = boundsOf(mesh);
  const double cell = (box.upper - box.lower).maxCoeff() / kCoarseCells;
  struct Cluster {
    int index;
    Vec3 sum = Vec3::Zero();
    int count = 0;
  };
  std::map<std::array<int, 3>, Cluster> clusters;
  std::vector<int> clusterOf;
  for (const Vec3& v : mesh.vertices) {
    const Vec3 at = (v - box.lower) / cell;
    const std::array<int, 3> key = {int(at.x()), int(at.y()), int(at.z())};
    Cluster& cluster = clusters.try_emplace(key, Cluster{static_cast<int>(clusters.size())}).first->second;
    cluster.sum += v, ++cluster.count;
    clusterOf.push_back(cluster.index);
  }
  TriangleMesh result;
  result.vertices.resize(clusters.size());
  for (const auto& [key, cluster] : clusters)
    result.vertices[static_cast<std::size_t>(cluster.index)] = cluster.sum / cluster.count;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const auto corner = [&](int k) { return clusterOf[static_cast<std::size_t>(t[k])]; };
    const Eigen::Vector3i c(corner(0), corner(1), corner(2));
    if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) result.triangles.push_back(c);
  }
  return result;
}

/// Axes and diagonals of their planes.
const std::vector<Vec3>& directions() {
  static const std::vector<Vec3> kAll = [] {
    std::vector<Vec3> all = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    for (int k = 0; k < 3; ++k)
      for (const double side : {1.0, -1.0})
        all.push_back((all[static_cast<std::size_t>(k)] + side * all[static_cast<std::size_t>((k + 1) % 3)])
                          .normalized());
    return all;
  }();
  return kAll;
}

struct Span {
  double lower = 1e300, upper = -1e300;
};

Span spanOf(const std::vector<Vec3>& points, const Vec3& direction) {
  Span span;
  for (const Vec3& p : points)
    span.lower = std::min(span.lower, direction.dot(p)), span.upper = std::max(span.upper, direction.dot(p));
  return span;
}

/// A piece with what is known of it.
struct Candidate {
  Piece piece;
  double hull = 0;    ///< volume of its hull [m³]
  double excess = 0;  ///< what of that it does not fill [m³]
  bool isFinal = false;
};

struct Cut {
  HalfSpace plane;
  double left = 0;  ///< volume of the hulls of both halves [m³]
};

class Splitter {
 public:
  Splitter(const Solid& solid, const LoadProgress* progress)
      : solid_(solid), creases_(creasesOf(solid.mesh(), solid.size())), progress_(progress) {}

  /// The cells of the pieces.
  std::vector<std::vector<HalfSpace>> split(int most) {
    std::vector<Candidate> pieces = {candidate(Piece(solid_))};
    const Candidate& whole = pieces.front();
    const double enough = kEnough * (solid_.isClosed() ? whole.hull - whole.excess : whole.hull);
    while (pieces.size() < static_cast<std::size_t>(most) && !isCancelled(progress_)) {
      const auto worst = std::max_element(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) {
        return (a.isFinal ? -1 : a.excess) < (b.isFinal ? -1 : b.excess);
      });
      if (worst->isFinal || worst->excess <= enough) break;
      const std::optional<Cut> cut = bestCut(*worst);
      if (!cut) {
        worst->isFinal = true;
        continue;
      }
      Candidate upper = candidate(worst->piece.below({-cut->plane.normal, -cut->plane.offset}));
      *worst = candidate(worst->piece.below(cut->plane));
      pieces.push_back(std::move(upper));
    }
    std::vector<std::vector<HalfSpace>> cells;
    for (const Candidate& one : pieces) cells.push_back(one.piece.cell());
    return cells;
  }

 private:
  static Candidate candidate(Piece piece) {
    const double hull = hullVolume(piece.points());
    const double excess = hull - piece.volume();
    return {std::move(piece), hull, excess};
  }

  /// Where the surface folds inwards along the plane, the longest folds first; and at even steps.
  std::vector<double> offsets(const Piece& piece, const Vec3& direction, const Span& span) const {
    const double length = span.upper - span.lower, margin = 1e-3 * length;
    std::map<long, std::pair<double, double>> folds;  // by place: length of the folds and their offset
    for (const Crease& crease : creases_) {
      const double a = direction.dot(crease.a), b = direction.dot(crease.b);
      if (std::abs(a - b) > margin || a < span.lower + margin || a > span.upper - margin) continue;
      const Vec3 middle = (crease.a + crease.b) / 2;
      const auto& cell = piece.cell();
      if (std::any_of(cell.begin(), cell.end(), [&](const HalfSpace& h) { return h.height(middle) > 0; }))
        continue;
      auto& fold = folds[std::lround((a - span.lower) / margin)];
      fold.first += (crease.b - crease.a).norm(), fold.second = a;
    }
    std::vector<std::pair<double, double>> longest;
    for (const auto& [place, fold] : folds) longest.push_back(fold);
    std::sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<double> all;
    for (std::size_t k = 0; k < std::min(longest.size(), kCreases); ++k) all.push_back(longest[k].second);
    for (int k = 1; k < kSteps; ++k) all.push_back(span.lower + k * length / kSteps);
    return all;
  }

  static Cut tried(const Piece& piece, const HalfSpace& plane) {
    const auto halves = piece.halves(plane);
    return {plane, hullVolume(halves[0]) + hullVolume(halves[1])};
  }

  std::optional<Cut> bestCut(const Candidate& one) const {
    std::optional<Cut> best;
    std::vector<HalfSpace> middles;
    const std::vector<Vec3> points = one.piece.points();
    for (const Vec3& direction : directions()) {
      const Span span = spanOf(points, direction);
      if (!(span.upper - span.lower > 1e-6 * solid_.size())) continue;
      middles.push_back({direction, (span.lower + span.upper) / 2});
      for (const double offset : offsets(one.piece, direction, span)) {
        const Cut cut = tried(one.piece, {direction, offset});
        // Of equal ones the first: a fold, which ends the matter, before an even step.
        if (!best || cut.left < best->left - kSame * one.hull) best = cut;
        if (isCancelled(progress_)) return best;
      }
    }
    if (!best || one.hull - best->left >= kWorthwhile * one.excess) return best;
    return lookAhead(one, middles, *best);
  }

  /// Of a bowl or a hollow ball no single cut wins anything, and two do: the first of the best two.
  Cut lookAhead(const Candidate& one, const std::vector<HalfSpace>& middles, const Cut& best) const {
    Cut chosen = best;
    double least = 1e300;
    for (const HalfSpace& first : middles) {
      double left = 0;
      for (const double side : {1.0, -1.0}) {
        const Piece half = one.piece.below({side * first.normal, side * first.offset});
        double leastOfHalf = hullVolume(half.points());
        for (const HalfSpace& second : middles) {
          if (&second == &first || isCancelled(progress_)) continue;
          const Span span = spanOf(half.points(), second.normal);
          leastOfHalf =
              std::min(leastOfHalf, tried(half, {second.normal, (span.lower + span.upper) / 2}).left);
        }
        left += leastOfHalf;
      }
      if (left < least) least = left, chosen = {first, left};
    }
    return least < best.left - kSame * one.hull ? chosen : best;
  }

  const Solid& solid_;
  const std::vector<Crease> creases_;
  const LoadProgress* progress_;
};

/// Directions evenly over the sphere.
Vec3 spread(std::size_t k, std::size_t count) {
  const double z = 1 - (2 * double(k) + 1) / double(count), r = std::sqrt(1 - z * z);
  const double azimuth = double(k) * std::numbers::pi * (3 - std::sqrt(5.0));
  return {r * std::cos(azimuth), r * std::sin(azimuth), z};
}

/// A hull of few of the points: those farthest out, and then those that it leaves farthest outside.
std::shared_ptr<const TriangleMesh> smallHull(const std::vector<Vec3>& points) {
  const auto whole = convexHull(points);
  if (!whole) return nullptr;
  const std::vector<Vec3>& all = (*whole)->vertices;
  if (all.size() <= kMaxPartVertices) return *whole;
  std::vector<char> isChosen(all.size(), 0);
  std::vector<Vec3> chosen;
  const auto choose = [&](std::size_t i) {
    if (isChosen[i] != 0 || chosen.size() >= kMaxPartVertices) return;
    isChosen[i] = 1;
    chosen.push_back(all[i]);
  };
  const auto farthest = [&](const Vec3& d) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].dot(d) > all[best].dot(d)) best = i;
    return best;
  };
  constexpr std::size_t kFirst = kMaxPartVertices / 2;
  for (std::size_t k = 0; k < kFirst; ++k) choose(farthest(spread(k, kFirst)));
  while (chosen.size() < kMaxPartVertices) {
    const auto hull = convexHull(chosen);
    if (!hull) return nullptr;
    std::vector<std::pair<double, std::size_t>> left;
    for (const Eigen::Vector3i& t : (*hull)->triangles) {
      const Facet facet = facetOf(cornersOf(**hull, t));
      const std::size_t i = farthest(facet.normal);
      if (isChosen[i] == 0) left.emplace_back(-facet.normal.dot(all[i] - facet.corners[0]), i);
    }
    if (left.empty()) break;
    std::sort(left.begin(), left.end());
    const std::size_t batch = std::max<std::size_t>(1, (kMaxPartVertices - chosen.size()) / 2);
    for (std::size_t k = 0; k < std::min(batch, left.size()); ++k) choose(left[k].second);
  }
  const auto hull = convexHull(chosen);
  return hull ? *hull : nullptr;
}

/// Whether a point lies on the side to which the nearest facets face. Of those equally near, the one that faces the point
/// most says so.
bool isBefore(const TriangleTree& tree, const Vec3& p, double distance) {
  const double reach = distance * (1 + 1e-9);
  double most = -1, side = 0;
  const auto meets = [&](const Vec3& centre, const Vec3& half) {
    return ((p - centre).cwiseAbs() - half).cwiseMax(0.0).squaredNorm() <= reach * reach;
  };
  tree.search(meets, [&](const Facet& facet) {
    const Vec3 to = p - nearestPoint(facet, p);
    if (to.norm() > reach) return;
    if (const double h = facet.normal.dot(to); std::abs(h) > most) most = std::abs(h), side = h;
  });
  return side > 0;
}

/// A mesh whose parts are looked at from outside.
struct Outside {
  const Solid& solid;
  const Solid& coarse;  ///< the same, so that asking it takes no time
  TriangleTree tree;

  /// How far a point lies outside of a closed mesh, or from an open one, where that is more than `known`; else `known` [m].
  double farther(double known, const Vec3& p) const {
    const double distance = tree.distance(p, 2 * solid.size());
    if (distance <= known) return known;
    if (!solid.isClosed()) return distance;
    if (!isBefore(tree, p, distance)) return known;
    // Where surfaces lie inside each other the nearest one says nothing: the winding number does, but for what is so near
    // that the coarse mesh does not have it.
    const bool isFine = coarse.mesh().triangles.size() < solid.mesh().triangles.size();
    const bool isNear = isFine && distance < 2 * coarse.size() / kCoarseCells;
    return isNear || !coarse.contains(p) ? distance : known;
  }
};

TriangleTree treeOf(const TriangleMesh& mesh) {
  std::vector<Facet> facets;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Triangle corners = cornersOf(mesh, t);
    if (!isThin(corners)) facets.push_back(facetOf(corners));
  }
  return TriangleTree(std::move(facets));
}

/// The farthest that the surface of the parts lies outside the mesh, looked at in steps of a fiftieth of its size.
double reachBeyond(const Solid& solid, const Solid& coarse, const ConvexParts& parts) {
  const Outside outside = {solid, coarse, treeOf(solid.mesh())};
  const double nothing = 1e-6 * solid.size();
  double farthest = nothing;
  for (const TriangleMesh& part : parts)
    for (const Eigen::Vector3i& t : part.triangles) {
      const Triangle c = cornersOf(part, t);
      const double longest = std::max({(c[1] - c[0]).norm(), (c[2] - c[1]).norm(), (c[0] - c[2]).norm()});
      const int n = std::clamp(static_cast<int>(std::ceil(50 * longest / solid.size())), 1, 50);
      for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j)
          farthest =
              outside.farther(farthest, c[0] + double(i) / n * (c[1] - c[0]) + double(j) / n * (c[2] - c[0]));
    }
  return farthest > nothing ? farthest : 0;
}

}  // namespace

Result<ConvexSplit> splitIntoConvexParts(const TriangleMesh& mesh, int most, const LoadProgress* progress) {
  SIM_REQUIRE(most >= 1, most);
  if (Result<void> ok = checkMesh(mesh); !ok) return ok.error();
  if (mesh.triangles.size() > limits::kSplitTriangles)
    return invalidMesh(mesh,
                       "has more than " + std::to_string(limits::kSplitTriangles / 1'000'000) +
                           " million triangles, too many to be split into convex parts",
                       "simplify the mesh");
  const Solid solid(welded(mesh));
  if (const double volume = std::pow(solid.size(), 3); !(volume > 0 && std::isfinite(volume)))
    return invalidMesh(mesh, "is too large or too small to be split into convex parts", "check its scale");
  const bool isFine = solid.mesh().triangles.size() > kFineMesh;
  const Solid coarse(isFine ? coarser(solid.mesh()) : solid.mesh());
  const std::vector<std::vector<HalfSpace>> cells = Splitter(coarse, progress).split(most);
  ConvexSplit split;
  for (const std::vector<HalfSpace>& cell : cells) {
    if (isCancelled(progress)) return cancelledLoad(mesh.name);
    const auto hull = smallHull(Piece(solid, cell).points());
    // Slivers have no pressure field, and fill nothing.
    if (!hull || !convexPolytope(*hull)) continue;
    split.parts.push_back(*hull);
    split.partsVolume += signedVolume(*hull);
  }
  if (split.parts.empty())
    return invalidMesh(mesh, "is flat: no convex part of it has a volume", "give it a thickness");
  split.volume = solid.isClosed() ? std::abs(signedVolume(solid.mesh())) : 0;
  split.outside = reachBeyond(solid, coarse, split.parts);
  return split;
}

}  // namespace slipstick::assets
