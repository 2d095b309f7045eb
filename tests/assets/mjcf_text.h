// Small MJCF models as text, for tests.
#pragma once

#include <algorithm>
#include <string>

#include "assets/limits.h"
#include "assets/mjcf_io.h"
#include "tests/assets/scene_text.h"

namespace slipstick::testing {

/// A model with these bodies and, before them, these sections.
inline std::string mjcf(const std::string& bodies, const std::string& sections = {}) {
  return "<mujoco model=\"mini\">\n" + sections + "<worldbody>\n" + bodies + "\n</worldbody>\n</mujoco>\n";
}

inline assets::LoadedMjcf loadedMjcf(const std::string& text) {
  Result<assets::LoadedMjcf> loaded = assets::loadMjcf(writeFile("model.xml", text));
  if (loaded) return std::move(*loaded);
  ADD_FAILURE() << loaded.error().message();
  return {};
}

/// The message that a model is refused with, or "".
inline std::string mjcfFault(const std::string& text) {
  const Result<assets::LoadedMjcf> loaded = assets::loadMjcf(writeFile("model.xml", text));
  return loaded ? "" : loaded.error().message();
}

inline const LinkSpec* linkOf(const RobotDescription& robot, const std::string& name) {
  const auto found =
      std::find_if(robot.links.begin(), robot.links.end(), [&](const LinkSpec& l) { return l.name == name; });
  EXPECT_NE(found, robot.links.end()) << name;
  return found == robot.links.end() ? &robot.links.front() : &*found;
}

inline const JointSpec* jointOf(const RobotDescription& robot, const std::string& name) {
  const auto found = std::find_if(robot.joints.begin(), robot.joints.end(),
                                  [&](const JointSpec& j) { return j.name == name; });
  EXPECT_NE(found, robot.joints.end()) << name;
  return found == robot.joints.end() ? &robot.joints.front() : &*found;
}

/// The notices that contain a text, each with its place.
inline std::vector<Notice> noticesWith(const std::vector<Notice>& notices, const std::string& text) {
  std::vector<Notice> found;
  for (const Notice& notice : notices)
    if ((notice.where + ": " + notice.what).find(text) != std::string::npos) found.push_back(notice);
  return found;
}

}  // namespace slipstick::testing
