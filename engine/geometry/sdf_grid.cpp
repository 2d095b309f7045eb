#include "engine/geometry/sdf_grid.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>

#include "engine/foundation/first_exception.h"
#include "engine/foundation/number_text.h"
#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/signed_distance.h"
#include "engine/geometry/triangle_mesh.h"
#include "engine/geometry/triangle_tree.h"

namespace slipstick {
namespace {

constexpr int kMarginCells = 3;
constexpr double kDefaultCells = 64;

Result<void> checkSpacing(const TriangleMesh& mesh, double spacing) {
  if (!(spacing >= 0) || !std::isfinite(spacing))
    return invalidMesh(mesh, "distance grid spacing " + significant(spacing) + " is not a length",
                       "give a spacing in metres greater than 0, or 0 for the default");
  return {};
}

/// Places the nodes: a margin of kMarginCells around the box of the vertices.
Result<void> layOut(const TriangleMesh& mesh, double spacing, SdfGrid& grid) {
  const Aabb box = boundsOf(mesh);
  const Vec3 extent = box.upper - box.lower;
  grid.spacing = spacing > 0 ? spacing : extent.maxCoeff() / kDefaultCells;
  grid.origin = box.lower - Vec3::Constant(kMarginCells * grid.spacing);
  double nodes = 1;
  for (int i = 0; i < 3; ++i) {
    const double cells = std::ceil(extent[i] / grid.spacing) + 2 * kMarginCells;
    nodes *= cells + 1;
    if (!(nodes <= double(SdfGrid::kMaxNodes)))
      return invalidMesh(
          mesh, "a distance grid with spacing " + significant(grid.spacing) + " m needs too many nodes",
          "use a larger spacing, or split the mesh");
    grid.size[static_cast<std::size_t>(i)] = static_cast<int>(cells) + 1;
  }
  return {};
}

/// Whether a vertical line lies left of the directed edge a → b, seen from above. The answer for b → a is the
/// opposite, exactly; a line that meets the edge counts as shifted by (δ, δ²), δ → 0, so that it always
/// passes beside every edge and vertex.
bool leftOf(const Vec3& a, const Vec3& b, double x, double y) {
  const bool swapped = std::lexicographical_compare(b.begin(), b.end(), a.begin(), a.end());
  const Vec3 &p = swapped ? b : a, &q = swapped ? a : b;
  const double side = (q.x() - p.x()) * (y - p.y()) - (q.y() - p.y()) * (x - p.x());
  const bool left = side != 0 ? side > 0 : (q.y() != p.y() ? q.y() < p.y() : q.x() > p.x());
  return left != swapped;
}

/// Winding number of the mesh at every node, from the triangles that the node's vertical line crosses above
/// it.
class WindingNumbers {
 public:
  explicit WindingNumbers(const SdfGrid& grid) : grid_(grid), winding_(grid.distance.size(), 0) {}

  void add(const Triangle& t) {
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    if (normal.z() == 0) return;
    const Vec3 low = t[0].cwiseMin(t[1]).cwiseMin(t[2]), high = t[0].cwiseMax(t[1]).cwiseMax(t[2]);
    const int sign = normal.z() > 0 ? 1 : -1;
    const auto column = [&](double x, int axis) { return (x - grid_.origin[axis]) / grid_.spacing; };
    for (int i = int(std::floor(column(low.x(), 0))); i <= int(std::ceil(column(high.x(), 0))); ++i)
      for (int j = int(std::floor(column(low.y(), 1))); j <= int(std::ceil(column(high.y(), 1))); ++j) {
        const double x = grid_.origin.x() + i * grid_.spacing, y = grid_.origin.y() + j * grid_.spacing;
        const bool inside = leftOf(t[0], t[1], x, y) == (sign > 0) &&
                            leftOf(t[1], t[2], x, y) == (sign > 0) && leftOf(t[2], t[0], x, y) == (sign > 0);
        if (!inside) continue;
        const double height =
            t[0].z() - (normal.x() * (x - t[0].x()) + normal.y() * (y - t[0].y())) / normal.z();
        const int below = int(std::ceil(column(std::clamp(height, low.z(), high.z()), 2))) - 1;
        winding_[node(i, j, below)] = static_cast<std::int16_t>(winding_[node(i, j, below)] + sign);
      }
  }

  /// Turns crossings into winding numbers: every crossing counts for all nodes below it.
  void finish() {
    for (std::size_t column = 0; column < winding_.size(); column += static_cast<std::size_t>(grid_.size[2]))
      for (auto k = static_cast<std::size_t>(grid_.size[2] - 1); k-- > 0;)
        winding_[column + k] = static_cast<std::int16_t>(winding_[column + k] + winding_[column + k + 1]);
  }

  bool inside(std::size_t index) const { return winding_[index] != 0; }

 private:
  std::size_t node(int i, int j, int k) const {
    return static_cast<std::size_t>((i * grid_.size[1] + j) * grid_.size[2] + k);
  }
  const SdfGrid& grid_;
  std::vector<std::int16_t> winding_;
};

/// Exact distance at the nodes of one x-plane. Neighbours differ by at most the spacing, which bounds each
/// search by the last one's result.
void fillPlane(int i, const TriangleTree& tree, const WindingNumbers& winding, SdfGrid& grid) {
  auto index = static_cast<std::size_t>(i) * static_cast<std::size_t>(grid.size[1] * grid.size[2]);
  for (int j = 0; j < grid.size[1]; ++j) {
    double bound = std::numeric_limits<double>::infinity();
    for (int k = 0; k < grid.size[2]; ++k, ++index) {
      const double distance = tree.distance(grid.origin + grid.spacing * Vec3(i, j, k), bound);
      bound = (distance + grid.spacing) * (1 + 1e-9);
      grid.distance[index] = static_cast<float>(winding.inside(index) ? -distance : distance);
    }
  }
}

/// Every plane is independent of the others, so that the result does not depend on the number of threads.
void fillDistances(const TriangleTree& tree, const WindingNumbers& winding, SdfGrid& grid,
                   const LoadProgress* progress) {
  std::atomic<int> nextPlane{0};
  FirstException failure;
  const auto fillSome = [&] {
    for (int i = nextPlane++; i < grid.size[0] && !isCancelled(progress) && !failure.happened();
         i = nextPlane++)
      fillPlane(i, tree, winding, grid);
  };
  {
    std::vector<std::jthread> team;
    for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t)
      team.emplace_back([&] { failure.guard(fillSome); });
    failure.guard(fillSome);
  }
  failure.rethrow();
}

}  // namespace

SdfGrid::Sample SdfGrid::at(const Vec3& p_G) const {
  const auto d = gridDistance<double>({p_G.x(), p_G.y(), p_G.z()}, viewOf<double>(*this));
  return {d.phi, Vec3(d.normal.x, d.normal.y, d.normal.z)};
}

Result<std::shared_ptr<const SdfGrid>> SdfGrid::build(const TriangleMesh& mesh, double spacing,
                                                      const LoadProgress* progress) {
  if (const auto checked = checkMesh(mesh); !checked) return checked.error();
  if (const auto checked = checkSpacing(mesh, spacing); !checked) return checked.error();
  const TriangleMesh solid = welded(mesh);
  if (const auto checked = checkSolid(solid); !checked) return checked.error();
  auto grid = std::make_shared<SdfGrid>();
  if (const auto placed = layOut(solid, spacing, *grid); !placed) return placed.error();
  const auto extent = [&](std::size_t axis) { return static_cast<std::size_t>(grid->size[axis]); };
  grid->distance.resize(extent(0) * extent(1) * extent(2));
  WindingNumbers winding(*grid);
  std::vector<Facet> facets;
  for (const Eigen::Vector3i& t : solid.triangles) {
    facets.push_back(facetOf(cornersOf(solid, t)));
    winding.add(facets.back().corners);
  }
  winding.finish();
  fillDistances(TriangleTree(std::move(facets)), winding, *grid, progress);
  if (isCancelled(progress)) return cancelledLoad(mesh.name);
  return std::shared_ptr<const SdfGrid>(std::move(grid));
}

}  // namespace slipstick
