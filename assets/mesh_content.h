// What a mesh file says, before anybody has put it on a scale or fetched its images: what the process that reads meshes
// hands over, and what is kept for the next scene.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

/// What an image is on a material, in the order in which a material lists them.
enum class MapKind { BaseColor, Diffuse, Roughness, Metallic, Occlusion, Normal };
inline constexpr std::size_t kMapKinds = 6;

/// An image that a material names.
struct MapReference {
  std::string name;        ///< as the file writes it; empty: the material has no such image
  std::int32_t held = -1;  ///< index into MeshContent::images, or −1: a file
  std::uint32_t uvChannel = 0;
  bool isMoved = false;  ///< shifted, turned or scaled against the texture coordinates
};

struct MeshMaterial {
  bool hasColor = false;                          ///< and the file wrote it, Assimp did not make it up
  Eigen::Vector4f color = {0.8f, 0.8f, 0.8f, 1};  ///< as written
  bool hasFinish = true;                          ///< false: Assimp's own for meshes without a material
  std::optional<float> roughness, metallic;
  std::array<MapReference, kMapKinds> maps;
};

/// One mesh at one of its places in the file.
struct MeshPart {
  std::string node, mesh;  ///< names
  std::uint32_t material = 0;
  bool isMirrored = false;                 ///< its place turns the triangles inside out
  std::vector<Eigen::Vector3f> positions;  ///< in the file's unit, z up
  std::vector<Eigen::Vector3f> normals;    ///< per vertex, of any length, or empty
  std::vector<Eigen::Vector4f> colors;     ///< per vertex, as written, or empty
  struct Channel {
    std::uint32_t number = 0;
    std::vector<Eigen::Vector2f> uvs;  ///< per vertex, (0, 0) the lower left corner
  };
  std::vector<Channel> channels;  ///< of texture coordinates: 0, and those that its images use
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices into its own vertices
};

/// An image that the file itself holds.
struct HeldImage {
  bool isPacked = true;  ///< PNG, JPEG, …; false: bare texels, which are not handed over
  std::string bytes;
};

struct MeshContent {
  bool isGltf = false;  ///< colours are of light, images as glTF has them
  /// What the file says about its unit and axes, or does not.
  std::optional<double> unit;  ///< [m]
  std::string unitName;
  char up = 0;  ///< 'X', 'Y' or 'Z' as the file says; 0: it says nothing
  std::vector<MeshMaterial> materials;
  std::vector<MeshPart> parts;
  std::vector<HeldImage> images;
  /// Files that it brought, and those that it would have: materials, buffers. Relative to its folder.
  std::vector<std::filesystem::path> opened, missed;

  std::size_t bytes() const;  ///< of memory, about
};

/// Errors: more than limits.h allows, an index that points nowhere, a list that is shorter than its vertices.
Result<void> checkContent(const MeshContent& content);

/// For another process of the same program on the same machine.
std::string encoded(const Result<MeshContent>& content);
/// Trusts nothing: errors where the bytes are cut, too long or of something else, and those of checkContent(). The error
/// that was encoded in place of a content is an error here.
Result<MeshContent> decoded(std::string_view bytes);

}  // namespace slipstick::assets
