#include "render/sheet_surface.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace slipstick::render {
namespace {

/// The directed edges of all triangles by their first vertex.
class DirectedEdges {
 public:
  explicit DirectedEdges(const SoftSurface& sheet) : first_(sheet.vertexCount + 1, 0) {
    for (const Eigen::Vector3i& t : sheet.triangles)
      for (const int v : t) ++first_[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    ends_.resize(3 * sheet.triangles.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const Eigen::Vector3i& t : sheet.triangles)
      for (int k = 0; k < 3; ++k) ends_[next[static_cast<std::size_t>(t[k])]++] = t[(k + 1) % 3];
  }
  bool has(int a, int b) const {
    const auto begin = ends_.begin() + static_cast<std::ptrdiff_t>(first_[static_cast<std::size_t>(a)]);
    const auto end = ends_.begin() + static_cast<std::ptrdiff_t>(first_[static_cast<std::size_t>(a) + 1]);
    return std::find(begin, end, b) != end;
  }

 private:
  std::vector<std::size_t> first_;  ///< into ends_, per vertex
  std::vector<int> ends_;
};

template <class Visit>
void forEdges(const SoftSurface& sheet, Visit visit) {
  for (const Eigen::Vector3i& t : sheet.triangles)
    for (int k = 0; k < 3; ++k) visit(t[k], t[(k + 1) % 3]);
}

Eigen::Vector3f unitOr(const Eigen::Vector3f& v, const Eigen::Vector3f& otherwise) {
  const float length = v.norm();
  return length > 0 ? Eigen::Vector3f(v / length) : otherwise;
}

/// By how much folds are lighter outside and darker inside; at most.
constexpr float kFoldContrast = 3.2f, kDarkest = -0.45f, kLightest = 0.30f;
/// Bends below it are the unrest of a cloth that lies flat, no folds.
constexpr float kUnrest = 0.08f;
/// Part of its own normal that a vertex keeps, where each neighbour weighs 2.
constexpr float kOwnNormal = 6;

/// Once over the neighbours: evens out the facets of a coarse mesh.
void smoothNormals(const SoftSurface& sheet, SoftMesh& mesh) {
  std::vector<Eigen::Vector3f> sums(mesh.vertices.size());
  for (std::size_t v = 0; v < sums.size(); ++v) sums[v] = kOwnNormal * mesh.vertices[v].normal;
  forEdges(sheet, [&](int a, int b) {
    const auto i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b);
    sums[i] += mesh.vertices[k].normal;
    sums[k] += mesh.vertices[i].normal;
  });
  for (std::size_t v = 0; v < sums.size(); ++v)
    mesh.vertices[v].normal = unitOr(sums[v], mesh.vertices[v].normal);
}

/// Twice how far each vertex stands out of its neighbours' mean, per length of an edge: half of what the mean
/// curvature turns the cloth by from one vertex to the next. Above zero where the front is convex.
std::vector<float> sheetBends(const SoftSurface& sheet, const SoftMesh& mesh) {
  std::vector<Eigen::Vector3f> sums(mesh.vertices.size(), Eigen::Vector3f::Zero());
  std::vector<float> lengths(mesh.vertices.size(), 0.f);
  forEdges(sheet, [&](int a, int b) {
    const auto i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b);
    const Eigen::Vector3f along = mesh.vertices[k].position - mesh.vertices[i].position;
    const float length = along.norm();
    sums[i] += along;
    sums[k] -= along;
    lengths[i] += length;
    lengths[k] += length;
  });
  std::vector<float> bends(sums.size(), 0.f);
  for (std::size_t v = 0; v < sums.size(); ++v)
    if (lengths[v] > 0) bends[v] = -2 * sums[v].dot(mesh.vertices[v].normal) / lengths[v];
  return bends;
}

/// Each the mean of itself and its neighbours.
std::vector<float> averaged(const SoftSurface& sheet, const std::vector<float>& values) {
  std::vector<float> sums = values, counts(values.size(), 1.f);
  forEdges(sheet, [&](int a, int b) {
    const auto i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b);
    sums[i] += values[k];
    sums[k] += values[i];
    ++counts[i];
    ++counts[k];
  });
  for (std::size_t v = 0; v < sums.size(); ++v) sums[v] /= counts[v];
  return sums;
}

/// Bands along the open edges, from the front's vertices to the back's, which come after them.
void addRim(const SoftSurface& sheet, std::size_t back, SoftMesh& mesh) {
  const DirectedEdges edges(sheet);
  forEdges(sheet, [&](int a, int b) {
    if (edges.has(b, a)) return;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const auto i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b);
    const Eigen::Vector3f along = mesh.vertices[k].position - mesh.vertices[i].position;
    for (const std::size_t end : {i, k})
      for (const std::size_t side : {back, std::size_t{0}}) {
        SoftVertex v = mesh.vertices[end];
        v.position = mesh.vertices[end + side].position;
        v.normal = unitOr(along.cross(v.normal), v.normal);
        v.color.w() = 0;
        mesh.vertices.push_back(v);
      }
    for (const std::uint32_t n : {0u, 2u, 3u, 0u, 3u, 1u}) mesh.indices.push_back(first + n);
  });
}

}  // namespace

SoftMesh sheetSurface(const SoftSurface& sheet, std::span<const Eigen::Vector3f> x) {
  SoftMesh mesh;
  mesh.look = SoftLook::Cloth;
  mesh.vertices.resize(x.size());
  const std::vector<Eigen::Vector3f> normals = normalsOf(sheet, x);
  for (std::size_t v = 0; v < x.size(); ++v) {
    mesh.vertices[v].position = x[v];
    mesh.vertices[v].normal = normals[v];
  }
  for (const Eigen::Vector3i& t : sheet.triangles)
    for (const int v : t) mesh.indices.push_back(static_cast<std::uint32_t>(v));
  smoothNormals(sheet, mesh);
  return mesh;
}

void shadeFolds(const SoftSurface& sheet, SoftMesh& mesh) {
  const std::vector<float> bends = averaged(sheet, averaged(sheet, sheetBends(sheet, mesh)));
  for (std::size_t v = 0; v < bends.size(); ++v) {
    const float square = bends[v] * bends[v], fold = bends[v] * square / (square + kUnrest * kUnrest);
    mesh.vertices[v].color.head<3>() *= 1 + std::clamp(kFoldContrast * fold, kDarkest, kLightest);
  }
}

void thickenSheet(const SoftSurface& sheet, const SheetSides& sides, SoftMesh& mesh) {
  const std::size_t vertices = mesh.vertices.size(), indices = mesh.indices.size();
  for (std::size_t v = 0; v < vertices; ++v) {
    SoftVertex back = mesh.vertices[v];
    back.position -= 0.5f * sides.thickness * back.normal;
    back.normal = -back.normal;
    back.color.head<3>().array() *= sides.backTint.array();
    mesh.vertices[v].position += 0.5f * sides.thickness * mesh.vertices[v].normal;
    mesh.vertices.push_back(back);
  }
  for (std::size_t i = 0; i < indices; i += 3)
    for (const std::size_t k : {0u, 2u, 1u})
      mesh.indices.push_back(mesh.indices[i + k] + static_cast<std::uint32_t>(vertices));
  addRim(sheet, vertices, mesh);
}

std::vector<std::uint32_t> sheetEdges(const SoftSurface& sheet) {
  const DirectedEdges edges(sheet);
  std::vector<std::uint32_t> pairs;
  forEdges(sheet, [&](int a, int b) {
    if (a > b && edges.has(b, a)) return;
    pairs.push_back(static_cast<std::uint32_t>(a));
    pairs.push_back(static_cast<std::uint32_t>(b));
  });
  return pairs;
}

}  // namespace slipstick::render
