#include "engine/geometry/sdf_grid.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

#include "engine/foundation/number_text.h"
#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/signed_distance.h"
#include "engine/geometry/triangle_tree.h"

namespace slipstick {
namespace {

constexpr int kMarginCells = 3;
constexpr double kDefaultCells = 64;

Error invalidMesh(const TriangleMesh& mesh, std::string what, std::string remedy) {
  return {ErrorCode::InvalidValue, std::move(what), mesh.name.empty() ? "mesh" : "mesh '" + mesh.name + "'",
          std::move(remedy)};
}

/// Triangles with equal vertices merged: files such as STL repeat a vertex in each triangle.
struct WeldedMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;  // without those that lost a corner
};

WeldedMesh weld(const TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int i) -> const Vec3& { return mesh.vertices[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Vec3 &p = at(a), &q = at(b);
    return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
  });
  WeldedMesh welded;
  std::vector<int> merged(order.size());
  for (const int i : order) {
    if (welded.vertices.empty() || welded.vertices.back() != at(i)) welded.vertices.push_back(at(i));
    merged[static_cast<std::size_t>(i)] = static_cast<int>(welded.vertices.size()) - 1;
  }
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const auto corner = [&](int k) { return merged[static_cast<std::size_t>(t[k])]; };
    const std::array<int, 3> w = {corner(0), corner(1), corner(2)};
    if (w[0] != w[1] && w[1] != w[2] && w[2] != w[0]) welded.triangles.push_back(w);
  }
  return welded;
}

/// Edges that are not passed as often in one direction as in the other; none on a closed, consistently
/// oriented surface.
std::size_t openEdges(const WeldedMesh& mesh) {
  std::map<std::pair<int, int>, int> balance;
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  return static_cast<std::size_t>(
      std::count_if(balance.begin(), balance.end(), [](const auto& edge) { return edge.second != 0; }));
}

double volume(const WeldedMesh& mesh) {
  double sixfold = 0;
  const Vec3& apex = mesh.vertices.front();
  for (const auto& t : mesh.triangles) {
    const auto corner = [&](std::size_t k) -> Vec3 {
      return mesh.vertices[static_cast<std::size_t>(t[k])] - apex;
    };
    sixfold += corner(0).cross(corner(1)).dot(corner(2));
  }
  return sixfold / 6;
}

Result<void> checkInput(const TriangleMesh& mesh, double spacing) {
  if (mesh.vertices.empty() || mesh.triangles.empty())
    return invalidMesh(mesh, "has no triangles", "use a mesh with a closed surface");
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (!mesh.vertices[i].allFinite())
      return invalidMesh(mesh, "vertex " + std::to_string(i) + " is not a finite number",
                         "repair or re-export the mesh");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (mesh.triangles[i].minCoeff() < 0 ||
        static_cast<std::size_t>(mesh.triangles[i].maxCoeff()) >= mesh.vertices.size())
      return invalidMesh(mesh, "triangle " + std::to_string(i) + " names a vertex that does not exist",
                         "repair or re-export the mesh");
  if (!(spacing >= 0) || !std::isfinite(spacing))
    return invalidMesh(mesh, "distance grid spacing " + significant(spacing) + " is not a length",
                       "give a spacing in metres greater than 0, or 0 for the default");
  return {};
}

Result<void> checkClosed(const TriangleMesh& mesh, const WeldedMesh& welded) {
  if (const std::size_t open = openEdges(welded); open > 0)
    return invalidMesh(
        mesh, "is not closed: " + std::to_string(open) + " edges lack a neighbour of matching orientation",
        "close its holes in a mesh editor, or use a box, sphere, capsule or cylinder for collision");
  Vec3 low = mesh.vertices.front(), high = low;
  for (const Vec3& v : mesh.vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  if (welded.triangles.empty() || !(std::abs(volume(welded)) > 1e-9 * std::pow((high - low).maxCoeff(), 3)))
    return invalidMesh(mesh, "encloses no volume", "use a solid, not a sheet");
  return {};
}

/// Places the nodes: a margin of kMarginCells around the box of the vertices.
Result<void> layOut(const TriangleMesh& mesh, double spacing, SdfGrid& grid) {
  Vec3 low = mesh.vertices.front(), high = low;
  for (const Vec3& v : mesh.vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  grid.spacing = spacing > 0 ? spacing : (high - low).maxCoeff() / kDefaultCells;
  grid.origin = low - Vec3::Constant(kMarginCells * grid.spacing);
  double nodes = 1;
  for (int i = 0; i < 3; ++i) {
    const double cells = std::ceil((high[i] - low[i]) / grid.spacing) + 2 * kMarginCells;
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
void fillDistances(const TriangleTree& tree, const WindingNumbers& winding, SdfGrid& grid) {
  std::atomic<int> nextPlane{0};
  const auto work = [&] {
    for (int i = nextPlane++; i < grid.size[0]; i = nextPlane++) fillPlane(i, tree, winding, grid);
  };
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) others.emplace_back(work);
  work();
}

}  // namespace

SdfGrid::Sample SdfGrid::at(const Vec3& p_G) const {
  const auto d = gridDistance<double>({p_G.x(), p_G.y(), p_G.z()}, viewOf<double>(*this));
  return {d.phi, Vec3(d.normal.x, d.normal.y, d.normal.z)};
}

Result<std::shared_ptr<const SdfGrid>> SdfGrid::build(const TriangleMesh& mesh, double spacing) {
  if (const auto checked = checkInput(mesh, spacing); !checked) return checked.error();
  const WeldedMesh welded = weld(mesh);
  if (const auto checked = checkClosed(mesh, welded); !checked) return checked.error();
  auto grid = std::make_shared<SdfGrid>();
  if (const auto placed = layOut(mesh, spacing, *grid); !placed) return placed.error();
  std::vector<Triangle> triangles;
  triangles.reserve(welded.triangles.size());
  for (const auto& t : welded.triangles) {
    const auto corner = [&](std::size_t k) { return welded.vertices[static_cast<std::size_t>(t[k])]; };
    triangles.push_back({corner(0), corner(1), corner(2)});
  }
  const auto extent = [&](std::size_t axis) { return static_cast<std::size_t>(grid->size[axis]); };
  grid->distance.resize(extent(0) * extent(1) * extent(2));
  WindingNumbers winding(*grid);
  for (const Triangle& t : triangles) winding.add(t);
  winding.finish();
  fillDistances(TriangleTree(std::move(triangles)), winding, *grid);
  return std::shared_ptr<const SdfGrid>(std::move(grid));
}

}  // namespace slipstick
