#include "assets/mesh_content.h"

#include "assets/byte_stream.h"
#include "assets/limits.h"

namespace slipstick::assets {
namespace {

constexpr std::uint64_t kMagic = 0x31'68'73'65'6d'70'6c'73;  // "slpmesh1"

Error broken(const std::string& what) {
  return {ErrorCode::SyntaxError, what, "", "export it again as STL, OBJ, DAE, glTF or PLY"};
}

/// One order of all fields for writing and reading: a visitor is given each in turn.
template <class Visitor, class Map>
void visitMap(Visitor& visit, Map& map) {
  visit(map.name), visit(map.held), visit(map.uvChannel), visit(map.isMoved);
}

template <class Visitor, class Material>
void visitMaterial(Visitor& visit, Material& material) {
  visit(material.hasColor), visit(material.color), visit(material.hasFinish);
  visit(material.roughness), visit(material.metallic);
  for (auto& map : material.maps) visitMap(visit, map);
}

template <class Visitor, class Part>
void visitPart(Visitor& visit, Part& part) {
  visit(part.node), visit(part.mesh), visit(part.material), visit(part.isMirrored);
  visit(part.positions), visit(part.normals), visit(part.colors);
  visit.list(part.channels, [&](auto& channel) { visit(channel.number), visit(channel.uvs); });
  visit(part.triangles);
}

template <class Visitor, class Content>
void visitContent(Visitor& visit, Content& content) {
  visit(content.isGltf), visit(content.unit), visit(content.unitName), visit(content.up);
  visit.list(content.materials, [&](auto& material) { visitMaterial(visit, material); });
  visit.list(content.parts, [&](auto& part) { visitPart(visit, part); });
  visit.list(content.images, [&](auto& image) { visit(image.isPacked), visit(image.bytes); });
  visit.list(content.opened, [&](auto& file) { visit(file); });
  visit.list(content.missed, [&](auto& file) { visit(file); });
}

/// Of errors the code is not handed over: whoever asked knows what kind they are of.
template <class Visitor, class Error>
void visitError(Visitor& visit, Error& error) {
  visit(error.what), visit(error.where), visit(error.remedy);
}

Result<void> checkPart(const MeshPart& part, const MeshContent& content) {
  const std::size_t vertices = part.positions.size();
  const auto fits = [&](const auto& list) { return list.empty() || list.size() == vertices; };
  bool isWhole = fits(part.normals) && fits(part.colors) && part.material < content.materials.size();
  for (const MeshPart::Channel& channel : part.channels) isWhole &= fits(channel.uvs);
  for (const auto& triangle : part.triangles)
    for (const std::uint32_t index : triangle) isWhole &= index < vertices;
  if (isWhole) return {};
  return broken("its triangles, colours or materials point to what is not there");
}

}  // namespace

std::size_t MeshContent::bytes() const {
  std::size_t sum = sizeof *this + materials.size() * sizeof(MeshMaterial);
  for (const MeshPart& part : parts) {
    sum += sizeof part + part.positions.size() * (sizeof(Eigen::Vector3f)) +
           part.normals.size() * sizeof(Eigen::Vector3f) + part.colors.size() * sizeof(Eigen::Vector4f) +
           part.triangles.size() * sizeof part.triangles[0];
    for (const MeshPart::Channel& channel : part.channels)
      sum += channel.uvs.size() * sizeof(Eigen::Vector2f);
  }
  for (const HeldImage& image : images) sum += sizeof image + image.bytes.size();
  return sum;
}

Result<void> checkContent(const MeshContent& content) {
  std::size_t vertices = 0, triangles = 0;
  if (content.parts.size() > limits::kMeshParts || content.materials.size() > limits::kMeshParts)
    return Error{ErrorCode::Unsupported,
                 "the mesh has more than " + std::to_string(limits::kMeshParts) + " parts or materials", "",
                 "join them"};
  for (const MeshPart& part : content.parts) {
    vertices += part.positions.size();
    triangles += part.triangles.size();
    if (Result<void> ok = checkPart(part, content); !ok) return ok;
  }
  if (vertices > limits::kMeshVertices || triangles > limits::kMeshTriangles)
    return Error{ErrorCode::Unsupported,
                 "the mesh has more than " + std::to_string(limits::kMeshVertices / 1'000'000) +
                     " million vertices or triangles",
                 "", "simplify the mesh"};
  for (const MeshMaterial& material : content.materials)
    for (const MapReference& map : material.maps)
      if (map.held >= static_cast<std::int64_t>(content.images.size()))
        return broken("a material names an image that is not there");
  return {};
}

std::string encoded(const Result<MeshContent>& content) {
  ByteWriter write;
  write(kMagic);
  write(content.ok());
  if (content)
    visitContent(write, *content);
  else
    visitError(write, content.error());
  return std::move(write.bytes);
}

Result<MeshContent> decoded(std::string_view bytes) {
  ByteReader read(bytes);
  std::uint64_t magic = 0;
  bool isContent = false;
  MeshContent content;
  Error error;
  read(magic), read(isContent);
  if (magic == kMagic && isContent) visitContent(read, content);
  if (magic == kMagic && !isContent) visitError(read, error);
  if (magic != kMagic || read.isCut() || !read.isAtEnd())
    return broken("what the reader of meshes handed over is cut off or none of its own");
  if (!isContent) return error;
  if (Result<void> ok = checkContent(content); !ok) return ok.error();
  return content;
}

}  // namespace slipstick::assets
