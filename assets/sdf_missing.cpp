// In place of the reader of SDF files, where no libsdformat was found when this was built.
#include "assets/robot_io.h"

namespace slipstick::assets {

bool readsSdf() {
  return false;
}

Result<LoadedRobot> loadSdf(const std::filesystem::path& file, const std::vector<std::filesystem::path>&,
                            LoadProgress*) {
  return Error{ErrorCode::Unsupported,
               "this build reads no SDF files: libsdformat was not there when it was built", file.string(),
               "convert the file to URDF or MJCF, or build where libsdformat-dev can be installed"};
}

}  // namespace slipstick::assets
