#include "assets/mjcf_mesh.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "assets/convex_hull.h"
#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/shipped.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

/// Numbers one after the other.
class Words {
 public:
  explicit Words(const std::string& bytes) : bytes_(bytes) {}
  template <class Word>
  Word next() {
    static_assert(sizeof(Word) == 4);
    Word word;
    std::memcpy(&word, bytes_.data() + at_, sizeof word);
    at_ += sizeof word;
    return word;
  }
  Vec3 vector() {
    const float x = next<float>(), y = next<float>(), z = next<float>();
    return Eigen::Vector3f(x, y, z).cast<double>();
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

struct Counts {
  std::uint64_t vertices = 0, normals = 0, uvs = 0, faces = 0;
  std::uint64_t bytes() const { return 16 + 12 * (vertices + normals + faces) + 8 * uvs; }
  bool fits(std::size_t size) const {
    const auto optional = [this](std::uint64_t count) { return count == 0 || count == vertices; };
    return vertices >= 3 && vertices <= limits::kMeshVertices && faces <= limits::kMeshTriangles &&
           optional(normals) && optional(uvs) && bytes() == size;
  }
};

}  // namespace

Result<std::shared_ptr<const TriangleMesh>> readMsh(const fs::path& file) {
  FileLog::note(file);
  const Result<std::string> bytes = readTextFile(file, limits::kMeshBytes);
  if (!bytes) return bytes.error();
  const Error broken = {ErrorCode::SyntaxError,
                        "the mesh is not a MuJoCo .msh file, or is cut short or too large", file.string(),
                        "export it again as STL or OBJ"};
  if (bytes->size() < 16) return broken;
  Words words(*bytes);
  Counts counts;
  for (std::uint64_t* count : {&counts.vertices, &counts.normals, &counts.uvs, &counts.faces})
    *count = words.next<std::uint32_t>();
  if (!counts.fits(bytes->size())) return broken;
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->name = file.stem().string();
  for (std::uint64_t i = 0; i < counts.vertices; ++i) mesh->vertices.push_back(words.vector());
  for (std::uint64_t i = 0; i < counts.normals; ++i) mesh->normals.push_back(words.vector());
  for (std::uint64_t i = 0; i < counts.uvs; ++i) {
    const float u = words.next<float>(), v = words.next<float>();
    mesh->uvs.emplace_back(u, v);
  }
  for (std::uint64_t i = 0; i < counts.faces; ++i) {
    const auto a = words.next<std::int32_t>(), b = words.next<std::int32_t>(), c = words.next<std::int32_t>();
    mesh->triangles.emplace_back(a, b, c);
  }
  for (Vec3& normal : mesh->normals)
    normal = normal.norm() > 0 ? Vec3(normal.normalized()) : Vec3(Vec3::UnitZ());
  if (mesh->triangles.empty()) return convexHull(mesh->vertices);
  if (const auto checked = checkTriangles(mesh->vertices, mesh->triangles); !checked)
    return Error{checked.error().code, checked.error().what, file.string(), checked.error().remedy};
  return std::shared_ptr<const TriangleMesh>(std::move(mesh));
}

std::shared_ptr<const TriangleMesh> placedMesh(const TriangleMesh& mesh, const MjcfItem& item) {
  const Vec3 scale = item.vec3("scale", Vec3::Ones()), p = item.vec3("refpos", Vec3::Zero());
  const std::vector<double> q = item.numbers("refquat", {1, 0, 0, 0});
  const Mat3 R = Quat(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix().transpose();
  auto placed = std::make_shared<TriangleMesh>(mesh);
  for (Vec3& v : placed->vertices) v = (R * (v - p)).cwiseProduct(scale);
  for (Vec3& n : placed->normals) n = (R * n).cwiseQuotient(scale).normalized();
  if (scale.prod() < 0)
    for (Eigen::Vector3i& t : placed->triangles) std::swap(t[1], t[2]);
  return placed;
}

}  // namespace slipstick::assets
