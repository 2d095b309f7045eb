#include "assets/robot_format.h"

#include <algorithm>
#include <fstream>

#include "assets/limits.h"
#include "assets/mjcf_io.h"
#include "assets/utf8.h"
#include "assets/xml_text.h"
#include "engine/foundation/lower_case.h"
#include "engine/foundation/require.h"

namespace slipstick::assets {
namespace {

Result<LoadedRobot> loadMjcfAsRobot(const std::filesystem::path& file,
                                    const std::vector<std::filesystem::path>& packagePaths,
                                    LoadProgress* progress) {
  Result<LoadedMjcf> model = loadMjcf(file, packagePaths, progress);
  if (!model) return model.error();
  return LoadedRobot{std::move(model->robot), Pose{}, std::move(model->notices)};
}

/// The first one stands for files of which nothing is known; suffixes are offered in this order.
std::vector<RobotFormat> makeFormats() {
  return {
      {.key = "urdf",
       .name = "URDF",
       .suffixes = {"urdf"},
       .firstElements = {"robot"},
       .load = loadUrdf,
       .refusedSuffixes = {"xacro"}},
      {.key = "sdf",
       .name = "SDF",
       .suffixes = {"sdf"},
       .firstElements = {"sdf"},
       .load = loadSdf,
       .isRead = readsSdf,
       .startsAsWritten = true},
      {.key = "mjcf",
       .name = "MJCF",
       .suffixes = {"mjcf", "xml"},
       .firstElements = {"mujoco", "mujocoinclude"},
       .load = loadMjcfAsRobot,
       .open = openMjcf},
      // A world of Gazebo; by its first element it is the SDF that it is.
      {.key = "sdf",
       .name = "SDF",
       .suffixes = {"world"},
       .firstElements = {},
       .load = loadSdf,
       .isRead = readsSdf,
       .startsAsWritten = true},
  };
}

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// As much as a robot's file may have.
std::string textOfFile(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string text(limits::kXmlBytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

}  // namespace

const std::vector<RobotFormat>& robotFormats() {
  static const std::vector<RobotFormat> formats = makeFormats();
  return formats;
}

const RobotFormat& robotFormatBySuffix(const std::filesystem::path& file) {
  const std::string suffix = lowerSuffix(file);
  if (!suffix.empty())
    for (const RobotFormat& format : robotFormats())
      if (contains(format.suffixes, std::string_view(suffix).substr(1))) return format;
  return robotFormats().front();
}

const RobotFormat* robotFormatShownBy(const std::filesystem::path& file) {
  std::string text = textOfFile(file);
  (void)turnIntoUtf8(file, text);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '<') return nullptr;
  const std::string_view root = firstElementIn(text);
  for (const RobotFormat& format : robotFormats())
    if (contains(format.firstElements, root)) return &format;
  return nullptr;
}

const RobotFormat& robotFormatOf(const std::filesystem::path& file) {
  const RobotFormat* shown = robotFormatShownBy(file);
  return shown ? *shown : robotFormatBySuffix(file);
}

const RobotFormat& robotFormatOfKey(std::string_view key) {
  const std::vector<RobotFormat>& formats = robotFormats();
  const auto format =
      std::find_if(formats.begin(), formats.end(), [&](const RobotFormat& each) { return each.key == key; });
  SIM_REQUIRE(format != formats.end(), key);
  return *format;
}

std::vector<std::string> robotKeys() {
  std::vector<std::string> keys;
  for (const RobotFormat& format : robotFormats())
    if (std::find(keys.begin(), keys.end(), format.key) == keys.end()) keys.emplace_back(format.key);
  return keys;
}

}  // namespace slipstick::assets
