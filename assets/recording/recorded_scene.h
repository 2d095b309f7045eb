// The scene of a recording with every file that it names, so that it opens where they are not.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "assets/scene_io.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick::assets::recording {

/// The group "scene": its text with files named from its folder, and the files. Errors: one cannot be read any more.
Result<void> writeRecordedScene(hid_t file, const Model& model,
                                const std::vector<std::filesystem::path>& packagePaths);

/// A folder of its own in the system's place for such, removed at the end.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

/// Puts the files into a folder and loads the scene from there. Paths of the scene and of its robots are those that
/// they had where it was recorded.
/// @param method  that stepped it, see LoadOptions
Result<LoadedModel> openRecordedScene(hid_t file, const TemporaryFolder& folder, const std::string& method,
                                      LoadProgress* progress = nullptr,
                                      std::shared_ptr<const AllMethodRows> methods = {});

}  // namespace slipstick::assets::recording
