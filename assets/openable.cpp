#include "assets/openable.h"

#include <array>
#include <string_view>

#include "assets/mesh_formats.h"
#include "assets/robot_format.h"
#include "assets/robot_io.h"
#include "engine/foundation/lower_case.h"

namespace slipstick::assets {
namespace {

struct Suffix {
  std::string_view text;
  FileKind kind;
  bool opens = true;  ///< false: of a file that is known only to say what to do with it
};

/// Of scenes and robots; meshes have a list of their own.
constexpr std::array kSuffixes = {
    Suffix{"yaml", FileKind::Scene}, Suffix{"yml", FileKind::Scene},
    Suffix{"urdf", FileKind::Robot}, Suffix{"xacro", FileKind::Robot, false},
    Suffix{"sdf", FileKind::Robot},  Suffix{"mjcf", FileKind::Robot},
    Suffix{"xml", FileKind::Robot},  Suffix{"world", FileKind::Robot},
};

}  // namespace

std::optional<FileKind> kindOfFile(const std::filesystem::path& file) {
  const std::string suffix = lowerSuffix(file);
  std::optional<FileKind> named;
  for (const Suffix& known : kSuffixes)
    if (!suffix.empty() && suffix.substr(1) == known.text) named = known.kind;
  if (named == FileKind::Robot) return named;
  if (formatNamed(file)) return FileKind::Mesh;
  return robotFormatShownBy(file) ? FileKind::Robot : named;
}

std::vector<std::string> openableSuffixes() {
  std::vector<std::string> suffixes;
  for (const Suffix& known : kSuffixes)
    if (known.opens && ((known.text != "sdf" && known.text != "world") || readsSdf()))
      suffixes.emplace_back(known.text);
  for (const std::string_view suffix : meshSuffixes()) suffixes.emplace_back(suffix);
  return suffixes;
}

}  // namespace slipstick::assets
