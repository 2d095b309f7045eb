#include "assets/mesh_formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string>

#include "assets/xml_text.h"
#include "engine/foundation/lower_case.h"

namespace slipstick::assets {
namespace {

struct Known {
  MeshFormat format;
  std::string_view suffix, name;
};
constexpr std::array kKnown = {
    Known{MeshFormat::Stl, ".stl", "STL"}, Known{MeshFormat::Obj, ".obj", "OBJ"},
    Known{MeshFormat::Dae, ".dae", "DAE"}, Known{MeshFormat::Gltf, ".gltf", "glTF"},
    Known{MeshFormat::Glb, ".glb", "GLB"}, Known{MeshFormat::Ply, ".ply", "PLY"},
    Known{MeshFormat::Off, ".off", "OFF"},
};

constexpr std::size_t kTextBytes = 4096;  // of a file, after which it is taken for text
constexpr std::string_view kKnownNames = "STL, OBJ, DAE, glTF, GLB, PLY or OFF";

/// What tells a format is ASCII: of UTF-16, which says so by its mark, every other byte.
std::string narrowed(std::string_view begin) {
  std::string text(begin);
  if (!begin.starts_with("\xff\xfe") && !begin.starts_with("\xfe\xff")) return text;
  text.erase(0, 2);
  std::erase(text, '\0');
  return text;
}

std::string_view withoutSpace(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  return text;
}

bool isXml(std::string_view begin) {
  return withoutSpace(narrowed(begin)).starts_with("<");
}

/// A count of triangles at its place, and room for so many.
bool isBinaryStl(std::string_view begin, std::size_t size) {
  constexpr std::size_t kHead = 80, kTriangle = 50;
  std::uint32_t triangles = 0;
  if (begin.size() < kHead + sizeof triangles) return false;
  std::memcpy(&triangles, begin.data() + kHead, sizeof triangles);
  return triangles > 0 && size >= kHead + sizeof triangles + kTriangle * triangles;
}

bool isStl(std::string_view begin, std::size_t size) {
  return isBinaryStl(begin, size) || withoutSpace(begin).starts_with("solid");
}

/// "OFF", "COFF", "STOFF": letters before it say what vertices have.
bool isOff(std::string_view begin) {
  const std::string_view text = withoutSpace(begin);
  const std::string_view line = text.substr(0, std::min(text.find_first_of(" \r\n"), text.size()));
  constexpr std::size_t kLongest = 7;
  return line.size() <= kLongest && line.ends_with("OFF");
}

bool beginsAs(MeshFormat format, std::string_view begin, std::size_t size) {
  switch (format) {
    case MeshFormat::Stl:
      return isStl(begin, size);
    case MeshFormat::Obj:
      return begin.substr(0, kTextBytes).find('\0') ==
             std::string_view::npos;  // it has no beginning of its own
    case MeshFormat::Dae:
      return isXml(begin) && firstElementIn(narrowed(begin)) == "COLLADA";
    case MeshFormat::Gltf:
      return withoutSpace(begin).starts_with("{");
    case MeshFormat::Glb:
      return begin.starts_with("glTF");
    case MeshFormat::Ply:
      return begin.starts_with("ply\n") || begin.starts_with("ply\r");
    case MeshFormat::Off:
      return isOff(begin);
  }
  return false;
}

const Known& known(MeshFormat format) {
  return *std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& k) { return k.format == format; });
}

/// The format that has such a beginning; empty for any text, which might be OBJ.
std::string_view shownBy(std::string_view begin, std::size_t size) {
  for (const Known& k : kKnown)
    if (k.format != MeshFormat::Obj && beginsAs(k.format, begin, size)) return k.name;
  return {};
}

}  // namespace

std::optional<MeshFormat> formatNamed(const std::filesystem::path& file) {
  const std::string suffix = lowerSuffix(file);
  for (const Known& k : kKnown)
    if (k.suffix == suffix) return k.format;
  return std::nullopt;
}

std::vector<std::string_view> meshSuffixes() {
  std::vector<std::string_view> suffixes;
  for (const Known& k : kKnown) suffixes.push_back(k.suffix.substr(1));
  return suffixes;
}

bool tellsFormat(std::string_view begin) {
  return begin.size() >= kTextBytes && (!isXml(begin) || !firstElementIn(narrowed(begin)).empty());
}

std::string_view nameOf(MeshFormat format) {
  return known(format).name;
}

Result<MeshFormat> formatOf(const std::filesystem::path& file, std::string_view begin, std::size_t size) {
  const std::optional<MeshFormat> named = formatNamed(file);
  if (!named)
    return Error{ErrorCode::Unsupported, "meshes of this kind are not read", file.string(),
                 "export it as " + std::string(kKnownNames)};
  const std::string_view other = shownBy(begin, size);
  const bool fits = beginsAs(*named, begin, size);
  if (fits && (*named != MeshFormat::Obj || other.empty())) return *named;
  if (!other.empty())
    return Error{
        ErrorCode::SyntaxError,
        "it is called " + std::string(nameOf(*named)) + ", but begins as " + std::string(other) + " does",
        file.string(), "give it the suffix of what it is"};
  return Error{ErrorCode::SyntaxError,
               "it is called " + std::string(nameOf(*named)) + ", but does not begin as one, or is cut off",
               file.string(), "export it again as " + std::string(kKnownNames)};
}

}  // namespace slipstick::assets
