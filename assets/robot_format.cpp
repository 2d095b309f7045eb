#include "assets/robot_format.h"

#include <fstream>
#include <string>
#include <string_view>

#include "assets/limits.h"
#include "assets/utf8.h"
#include "assets/xml_text.h"
#include "engine/foundation/lower_case.h"

namespace slipstick::assets {
namespace {

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

RobotFormat robotFormatBySuffix(const std::filesystem::path& file) {
  const std::string suffix = lowerSuffix(file);
  if (suffix == ".sdf" || suffix == ".world") return RobotFormat::Sdf;
  return suffix == ".mjcf" || suffix == ".xml" ? RobotFormat::Mjcf : RobotFormat::Urdf;
}

std::optional<RobotFormat> robotFormatShownBy(const std::filesystem::path& file) {
  std::string text = textOfFile(file);
  (void)turnIntoUtf8(file, text);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '<') return std::nullopt;
  const std::string_view root = firstElementIn(text);
  if (root == "robot") return RobotFormat::Urdf;
  if (root == "sdf") return RobotFormat::Sdf;
  if (root == "mujoco" || root == "mujocoinclude") return RobotFormat::Mjcf;
  return std::nullopt;
}

RobotFormat robotFormatOf(const std::filesystem::path& file) {
  return robotFormatShownBy(file).value_or(robotFormatBySuffix(file));
}

const char* keyOf(RobotFormat format) {
  return format == RobotFormat::Urdf ? "urdf" : format == RobotFormat::Sdf ? "sdf" : "mjcf";
}

const char* nameOf(RobotFormat format) {
  return format == RobotFormat::Urdf ? "URDF" : format == RobotFormat::Sdf ? "SDF" : "MJCF";
}

}  // namespace slipstick::assets
