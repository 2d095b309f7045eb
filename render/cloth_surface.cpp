#include "render/cloth_surface.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace slipstick::render {
namespace {

/// The directed edges of all triangles by their first vertex.
class DirectedEdges {
 public:
  explicit DirectedEdges(const ClothMesh& cloth) : first_(static_cast<std::size_t>(cloth.vertices) + 1, 0) {
    for (const Eigen::Vector3i& t : cloth.triangles)
      for (const int v : t) ++first_[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    ends_.resize(3 * cloth.triangles.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const Eigen::Vector3i& t : cloth.triangles)
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
void forEdges(const ClothMesh& cloth, Visit visit) {
  for (const Eigen::Vector3i& t : cloth.triangles)
    for (int k = 0; k < 3; ++k) visit(t[k], t[(k + 1) % 3]);
}

Eigen::Vector3f unitOr(const Eigen::Vector3f& v, const Eigen::Vector3f& otherwise) {
  const float length = v.norm();
  return length > 0 ? Eigen::Vector3f(v / length) : otherwise;
}

}  // namespace

SoftMesh clothSurface(const ClothMesh& cloth, std::span<const Eigen::Vector3f> x) {
  SoftMesh mesh;
  mesh.look = SoftLook::Cloth;
  mesh.vertices.resize(x.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    mesh.vertices[v].position = x[v];
    mesh.vertices[v].normal.setZero();
  }
  for (const Eigen::Vector3i& t : cloth.triangles) {
    const auto at = [&](int k) -> const Eigen::Vector3f& { return x[static_cast<std::size_t>(t[k])]; };
    const Eigen::Vector3f twiceArea = (at(1) - at(0)).cross(at(2) - at(0));
    for (const int v : t) {
      mesh.vertices[static_cast<std::size_t>(v)].normal += twiceArea;
      mesh.indices.push_back(static_cast<std::uint32_t>(v));
    }
  }
  for (SoftVertex& v : mesh.vertices) v.normal = unitOr(v.normal, Eigen::Vector3f::UnitZ());
  return mesh;
}

void addClothRim(const ClothMesh& cloth, float thickness, SoftMesh& mesh) {
  const DirectedEdges edges(cloth);
  forEdges(cloth, [&](int a, int b) {
    if (edges.has(b, a)) return;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const SoftVertex ends[2] = {mesh.vertices[static_cast<std::size_t>(a)],
                                mesh.vertices[static_cast<std::size_t>(b)]};
    const Eigen::Vector3f along = ends[1].position - ends[0].position;
    for (const SoftVertex& end : ends)
      for (const float side : {-0.5f, 0.5f}) {
        SoftVertex v = end;
        v.position += side * thickness * end.normal;
        v.normal = unitOr(along.cross(end.normal), end.normal);
        v.color.w() = 0;
        mesh.vertices.push_back(v);
      }
    for (const std::uint32_t i : {0u, 2u, 3u, 0u, 3u, 1u}) mesh.indices.push_back(first + i);
  });
}

std::vector<std::uint32_t> clothEdges(const ClothMesh& cloth) {
  const DirectedEdges edges(cloth);
  std::vector<std::uint32_t> pairs;
  forEdges(cloth, [&](int a, int b) {
    if (a > b && edges.has(b, a)) return;
    pairs.push_back(static_cast<std::uint32_t>(a));
    pairs.push_back(static_cast<std::uint32_t>(b));
  });
  return pairs;
}

}  // namespace slipstick::render
