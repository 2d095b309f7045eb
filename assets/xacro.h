// xacro files: URDF that a program of macros writes. Expanding one runs code of its author, so only a person can allow it.
#pragma once

#include <filesystem>
#include <string>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

/// Whether the thread may run xacro, as long as this exists.
class XacroMayRun {
 public:
  explicit XacroMayRun(bool allowed);
  ~XacroMayRun();
  XacroMayRun(const XacroMayRun&) = delete;
  XacroMayRun& operator=(const XacroMayRun&) = delete;

 private:
  bool before_;
};
bool mayRunXacro();

/// The text of a robot's XML file; of a xacro file what it writes, where it may be run. Errors: readTextFile(); those of
/// expandXacro(); a file called ".xacro" that may not be run.
Result<std::string> readRobotXml(const std::filesystem::path& file, LoadProgress* progress);

/// What the program `xacro` (of ROS, or from PyPI) writes for a file. Errors: no such program; what it says where it fails; more
/// than 4 MiB; more than 20 s; a cancelled load. It is ended in each of these cases.
/// @param progress  null: nobody watches
Result<std::string> expandXacro(const std::filesystem::path& file, LoadProgress* progress);

}  // namespace slipstick::assets
