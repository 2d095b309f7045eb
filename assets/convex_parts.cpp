#include "assets/convex_parts.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <optional>

#include "assets/byte_stream.h"
#include "assets/limits.h"
#include "assets/mesh_reader.h"
#include "assets/one_line.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/number_text.h"
#include "engine/geometry/mesh_polytope.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace {

constexpr std::uint64_t kMagic = 0x31'74'6c'70'73'70'6c'73;  // "slpsplt1"

template <class Visitor, class Mesh>
void visitMesh(Visitor& visit, Mesh& mesh) {
  visit(mesh.name), visit(mesh.vertices), visit(mesh.triangles);
}

template <class Visitor, class Split>
void visitSplit(Visitor& visit, Split& split) {
  visit.list(split.parts, [&](auto& part) { visitMesh(visit, part); });
  visit(split.volume), visit(split.partsVolume), visit(split.outside);
}

std::string encodedSplit(const Result<ConvexSplit>& split) {
  ByteWriter write;
  write(kMagic), write(split.ok());
  if (split)
    visitSplit(write, *split);
  else
    write(split.error().what), write(split.error().remedy);
  return std::move(write.bytes);
}

bool isWhole(const ConvexSplit& split) {
  const bool isNumber =
      std::isfinite(split.volume) && std::isfinite(split.partsVolume) && std::isfinite(split.outside);
  return isNumber && !split.parts.empty() &&
         split.parts.size() <= static_cast<std::size_t>(limits::kSplitParts) &&
         std::all_of(split.parts.begin(), split.parts.end(), [](const TriangleMesh& part) {
           return part.vertices.size() <= kMaxPartVertices && checkMesh(part).ok() && convexPolytope(part);
         });
}

/// What was split, the least recently asked for last.
class SplitCache {
 public:
  using Shared = std::shared_ptr<const ConvexSplit>;

  Shared find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (known == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, known);
    return entries_.front().split;
  }
  void keep(std::string key, Shared split) {
    const std::lock_guard lock(mutex_);
    ++splits_;
    bytes_ += key.size();
    entries_.push_front({std::move(key), std::move(split)});
    // The parts are small beside the meshes.
    while (bytes_ > limits::kSplitCache) {
      bytes_ -= entries_.back().key.size();
      entries_.pop_back();
    }
  }
  std::uint64_t splits() const {
    const std::lock_guard lock(mutex_);
    return splits_;
  }

 private:
  struct Entry {
    std::string key;  // the mesh and the number of parts
    Shared split;
  };
  mutable std::mutex mutex_;
  std::list<Entry> entries_;
  std::size_t bytes_ = 0;
  std::uint64_t splits_ = 0;
};

SplitCache& cache() {
  static SplitCache shared;
  return shared;
}

int mostOf(const RobotSpec& robot, const std::string& link) {
  const auto own = robot.linkConvexParts.find(link);
  return own == robot.linkConvexParts.end() ? robot.convexParts : own->second;
}

bool touchesRigidThings(const RobotSpec& robot, const LinkSpec& link, const LinkGeometry& collision) {
  std::optional<bool> enabled = collision.contact.rigid.enabled;
  if (!enabled || !robot.description.file.empty()) {
    if (robot.contact.rigid.enabled) enabled = robot.contact.rigid.enabled;
    for (const auto& [name, contact] : robot.linkContact)
      if (name == link.name && contact.rigid.enabled) enabled = contact.rigid.enabled;
  }
  return enabled.value_or(true);
}

std::string nameOf(const LinkGeometry& collision, std::size_t place) {
  if (!collision.name.empty()) return collision.name;
  const auto& mesh = *std::get<shape::Mesh>(collision.shape).mesh;
  return mesh.name.empty() ? std::to_string(place) : mesh.name;
}

}  // namespace

std::string encodedSplitRequest(const TriangleMesh& mesh, int most) {
  ByteWriter write;
  write(kMagic), write(std::int32_t{most});
  visitMesh(write, mesh);
  return std::move(write.bytes);
}

std::string answerSplitRequest(std::string_view request) {
  ByteReader read(request);
  std::uint64_t magic = 0;
  std::int32_t most = 0;
  TriangleMesh mesh;
  read(magic), read(most);
  visitMesh(read, mesh);
  if (magic != kMagic || read.isCut() || most < 1 || most > limits::kSplitParts)
    return encodedSplit(
        Error{ErrorCode::SyntaxError, "what is to be split is cut off", "", "open the file again"});
  return encodedSplit(
      guarded(ErrorCode::InvalidValue, mesh.name, [&] { return splitIntoConvexParts(mesh, most); }));
}

Result<ConvexSplit> decodedSplit(std::string_view bytes, const std::string& name) {
  ByteReader read(bytes);
  std::uint64_t magic = 0;
  bool isSplit = false;
  ConvexSplit split;
  Error error = {ErrorCode::InvalidValue, "", name, ""};
  read(magic), read(isSplit);
  if (magic == kMagic && isSplit) visitSplit(read, split);
  if (magic == kMagic && !isSplit) read(error.what), read(error.remedy);
  const bool isOurs = magic == kMagic && !read.isCut() && read.isAtEnd();
  if (isOurs && !isSplit) return error;
  if (isOurs && isWhole(split)) return split;
  return Error{ErrorCode::InvalidValue,
               "what the splitter of meshes handed over is cut off or none of its own", name,
               "leave 'convex_parts' out for this mesh"};
}

Result<std::shared_ptr<const ConvexSplit>> convexPartsOf(const TriangleMesh& mesh, int most,
                                                         const LoadProgress* progress) {
  std::string key = encodedSplitRequest(mesh, most);
  if (auto known = cache().find(key)) return known;
  MeshReading reading;
  Result<ConvexSplit> split = reading.reader().split(mesh, most, progress);
  if (!split) return split.error();
  auto shared = std::make_shared<const ConvexSplit>(*std::move(split));
  cache().keep(std::move(key), shared);
  return shared;
}

std::uint64_t meshesSplit() {
  return cache().splits();
}

std::string inWords(const ConvexSplit& split) {
  const std::size_t count = split.parts.size();
  std::string words = std::to_string(count) + (count == 1 ? " convex part" : " convex parts");
  if (split.volume > 0) {
    const double percent = 100 * (split.partsVolume / split.volume - 1);
    words += std::abs(percent) < 0.05
                 ? ", of the same volume"
                 : ", volume " + fixed(std::abs(percent), 1) + " % " + (percent > 0 ? "larger" : "smaller");
  }
  if (split.outside > 0) words += ", up to " + significant(1000 * split.outside, 2) + " mm outside";
  return words;
}

bool isConcaveMesh(const Shape& shape) {
  const auto* mesh = std::get_if<shape::Mesh>(&shape);
  return mesh && !mesh->parts && checkMesh(*mesh->mesh) && !convexPolytope(*mesh->mesh);
}

Result<std::string> splitShape(Shape& shape, int most, const LoadProgress* progress) {
  if (most < 1 || !isConcaveMesh(shape)) return std::string();
  auto& mesh = std::get<shape::Mesh>(shape);
  const auto split = convexPartsOf(*mesh.mesh, most, progress);
  if (!split) return split.error();
  mesh.parts = std::shared_ptr<const ConvexParts>(*split, &(*split)->parts);
  return inWords(**split);
}

namespace {

/// What became of one mesh.
Notice noticeOf(const RobotSpec& robot, const LinkSpec& link, std::size_t collision,
                const Result<std::string>& said) {
  const std::string& file = robot.description.file.string();
  const std::string where = file.empty() ? "body '" + robot.name + "'" : file + ", link '" + link.name + "'";
  const std::string name = "the collision mesh '" + nameOf(link.collisions[collision], collision) + "' ";
  if (said) return {Notice::Level::Info, oneLine(where), oneLine(name + "touches rigid things as " + *said)};
  return {
      Notice::Level::Warning, oneLine(where),
      oneLine(name + "is not split into convex parts: " + said.error().what + "; " + said.error().remedy)};
}

}  // namespace

Result<void> splitMeshes(RobotSpec& robot, std::vector<Notice>& notices, LoadProgress* progress) {
  for (LinkSpec& link : robot.description.links) {
    const int most = mostOf(robot, link.name);
    for (std::size_t i = 0; i < link.collisions.size(); ++i) {
      if (most < 1 || !touchesRigidThings(robot, link, link.collisions[i])) continue;
      if (progress) progress->say("splitting the mesh of " + link.name + " into convex parts", -1);
      const Result<std::string> said = splitShape(link.collisions[i].shape, most, progress);
      if (!said && said.error().code == ErrorCode::Cancelled) return said.error();
      if (!said || !said->empty()) notices.push_back(noticeOf(robot, link, i, said));
    }
  }
  return {};
}

Result<SplitMeshes> splitOf(const RobotSpec& robot, int most, std::vector<Notice>& notices,
                            LoadProgress* progress) {
  MeshReading oneReaderForAll;
  SplitMeshes split{robot.name, most, {}};
  for (const LinkSpec& link : robot.description.links) {
    if (robot.linkConvexParts.contains(link.name)) continue;
    for (std::size_t i = 0; i < link.collisions.size(); ++i) {
      if (!touchesRigidThings(robot, link, link.collisions[i])) continue;
      Shape shape = link.collisions[i].shape;
      const Result<std::string> said = splitShape(shape, most, progress);
      if (!said && said.error().code == ErrorCode::Cancelled) return said.error();
      if (!said || !said->empty()) notices.push_back(noticeOf(robot, link, i, said));
      if (said && !said->empty()) split.meshes.push_back({link.name, i, std::get<shape::Mesh>(shape).parts});
    }
  }
  return split;
}

}  // namespace slipstick::assets
