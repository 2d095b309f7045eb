// Where files are that robots and scenes name: beside the document, in packages of ROS and models of Gazebo, among the
// shipped assets.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::assets {

/// Before the absolute path of a file that was found already, in a text that a reader has rewritten.
inline constexpr std::string_view kFoundBefore = "found://";

/// "" is the folder that the program runs in, as of a file that is named without one: std::filesystem has no absolute path for it.
std::filesystem::path absoluteFolder(const std::filesystem::path& folder);

/// What a URI means: "link 1.stl" of "link%201.stl". Other percent signs stay.
std::string percentDecoded(const std::string& text);

struct FoundFile {
  std::filesystem::path file;
  /// How it was found where the name does not say it, or why it may not be found elsewhere, in words that follow "the
  /// file 'NAME' ": empty where there is nothing to say.
  std::string remark;
};

/// Resolves a file name, "file://…", "package://NAME/path" or "model://NAME/path" that stands in a file of `folder`. Relative
/// names are looked up in the folder, then among the shipped assets. Of packages, in this order: each package path (itself
/// if it is called or declares NAME, a folder NAME below it); $ROS_PACKAGE_PATH with all that lies in it;
/// share/NAME of $AMENT_PREFIX_PATH; for models $GZ_SIM_RESOURCE_PATH, $IGN_GAZEBO_RESOURCE_PATH and $GAZEBO_MODEL_PATH; folders
/// upwards that are called, declare or contain NAME; then guesses, with a remark: the path without the package, the mere
/// file name beside the document.
///
/// Empty parts of a path mean nothing. A name that is no file is looked for as a URI, too: "finger%20tip.stl".
///
/// A package's file lies in it: "package://NAME/../…" is refused. Relative and absolute names may lead anywhere that the
/// person may read; one that leaves the document's own package has a remark.
///
/// Errors: the file does not exist, with every place that was tried; a name that leaves its package.
Result<FoundFile> findFile(const std::string& name, const std::filesystem::path& folder,
                           const std::vector<std::filesystem::path>& packagePaths);

/// The same, without remarks.
Result<std::filesystem::path> resolveFile(const std::string& name, const std::filesystem::path& folder,
                                          const std::vector<std::filesystem::path>& packagePaths);

/// The file of a model that a name of its folder means: what its model.config says for the newest version of SDF, else
/// model.sdf. Errors as findFile().
Result<std::filesystem::path> resolveModel(const std::string& name, const std::filesystem::path& folder,
                                           const std::vector<std::filesystem::path>& packagePaths);

}  // namespace slipstick::assets
