// A robot's file of any format, as tests load one: by its suffix, without packages.
#pragma once

#include <filesystem>

#include "assets/robot_format.h"

namespace slipstick::testing {

inline Result<assets::LoadedRobot> loadRobot(const std::filesystem::path& file) {
  return assets::robotFormatBySuffix(file).load(file, {}, nullptr);
}

}  // namespace slipstick::testing
