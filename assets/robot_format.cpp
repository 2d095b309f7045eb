#include "assets/robot_format.h"

#include <fstream>
#include <string>
#include <string_view>

#include "engine/foundation/lower_case.h"

namespace slipstick::assets {
namespace {

constexpr std::size_t kLookedAt = 1 << 18;  // [bytes], which comments at the top seldom fill

std::string beginningOf(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string text(kLookedAt, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// The name of the first element, past declarations and comments.
std::string_view firstElement(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with("!--")) {
      at = text.find("-->", at + 4);
      if (at == std::string_view::npos) break;
    } else if (!rest.starts_with("?") && !rest.starts_with("!")) {
      return rest.substr(0, rest.find_first_of(" \t\r\n/>"));
    }
  }
  return {};
}

}  // namespace

RobotFormat robotFormatBySuffix(const std::filesystem::path& file) {
  const std::string suffix = lowerSuffix(file);
  if (suffix == ".sdf") return RobotFormat::Sdf;
  return suffix == ".mjcf" || suffix == ".xml" ? RobotFormat::Mjcf : RobotFormat::Urdf;
}

RobotFormat robotFormatOf(const std::filesystem::path& file) {
  const std::string text = beginningOf(file);
  const std::string_view root = firstElement(text);
  if (root == "robot") return RobotFormat::Urdf;
  if (root == "sdf") return RobotFormat::Sdf;
  if (root == "mujoco" || root == "mujocoinclude") return RobotFormat::Mjcf;
  return robotFormatBySuffix(file);
}

const char* keyOf(RobotFormat format) {
  return format == RobotFormat::Urdf ? "urdf" : format == RobotFormat::Sdf ? "sdf" : "mjcf";
}

const char* nameOf(RobotFormat format) {
  return format == RobotFormat::Urdf ? "URDF" : format == RobotFormat::Sdf ? "SDF" : "MJCF";
}

}  // namespace slipstick::assets
