#include "assets/openable.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "assets/mesh_formats.h"
#include "assets/robot_format.h"
#include "engine/foundation/lower_case.h"

namespace slipstick::assets {
namespace {

constexpr std::array<std::string_view, 2> kSceneSuffixes = {"yaml", "yml"};

template <class Words>
bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool isOfRobot(std::string_view suffix) {
  const std::vector<RobotFormat>& formats = robotFormats();
  return std::any_of(formats.begin(), formats.end(), [&](const RobotFormat& format) {
    return contains(format.suffixes, suffix) || contains(format.refusedSuffixes, suffix);
  });
}

}  // namespace

std::optional<FileKind> kindOfFile(const std::filesystem::path& file) {
  const std::string dotted = lowerSuffix(file);
  const std::string suffix = dotted.empty() ? dotted : dotted.substr(1);
  if (isOfRobot(suffix)) return FileKind::Robot;
  if (formatNamed(file)) return FileKind::Mesh;
  if (robotFormatShownBy(file)) return FileKind::Robot;
  return contains(kSceneSuffixes, suffix) ? std::optional(FileKind::Scene) : std::nullopt;
}

std::vector<std::string> openableSuffixes() {
  std::vector<std::string> suffixes(kSceneSuffixes.begin(), kSceneSuffixes.end());
  for (const RobotFormat& format : robotFormats())
    if (!format.isRead || format.isRead())
      suffixes.insert(suffixes.end(), format.suffixes.begin(), format.suffixes.end());
  for (const std::string_view suffix : meshSuffixes()) suffixes.emplace_back(suffix);
  return suffixes;
}

}  // namespace slipstick::assets
