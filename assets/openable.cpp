#include "assets/openable.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace slipstick::assets {
namespace {

struct Suffix {
  std::string_view text;
  FileKind kind;
  bool opens = true;  ///< false: of a file that is known only to say what to do with it
};

constexpr std::array kSuffixes = {
    Suffix{"yaml", FileKind::Scene},         Suffix{"yml", FileKind::Scene}, Suffix{"urdf", FileKind::Robot},
    Suffix{"xacro", FileKind::Robot, false}, Suffix{"sdf", FileKind::Robot}, Suffix{"mjcf", FileKind::Robot},
    Suffix{"xml", FileKind::Robot},          Suffix{"stl", FileKind::Mesh},  Suffix{"obj", FileKind::Mesh},
    Suffix{"dae", FileKind::Mesh},           Suffix{"gltf", FileKind::Mesh}, Suffix{"glb", FileKind::Mesh},
    Suffix{"ply", FileKind::Mesh},           Suffix{"off", FileKind::Mesh},
};

}  // namespace

std::optional<FileKind> kindOfFile(const std::filesystem::path& file) {
  std::string suffix = file.extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Suffix& known : kSuffixes)
    if (!suffix.empty() && suffix.substr(1) == known.text) return known.kind;
  return std::nullopt;
}

std::vector<std::string> openableSuffixes() {
  std::vector<std::string> suffixes;
  for (const Suffix& known : kSuffixes)
    if (known.opens) suffixes.emplace_back(known.text);
  return suffixes;
}

}  // namespace slipstick::assets
