// What a scene's file leaves to others, put in: included files, defaults, copies, mirror images, assignments.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "assets/yaml_tree.h"
#include "engine/foundation/result.h"
#include "engine/model/method_rows.h"
#include "engine/model/model.h"

namespace slipstick::assets {

/// A scene's document on its way to what SceneParser reads. Merge keys and aliases are unfolded when it is parsed.
struct SceneTrees {
  YamlTree whole;               ///< with the files that it includes and the defaults of their entries
  YamlTree unfolded;            ///< with copies and mirror images as entries of their own
  std::vector<Notice> notices;  ///< of keys that have other names now
};

struct ExpansionOptions {
  std::filesystem::path file;  ///< of the document; empty where it is none
  std::vector<std::string> overrides;
  std::vector<std::filesystem::path> packagePaths;
  std::shared_ptr<const AllMethodRows> methods = {};  ///< see LoadOptions
};

/// Each override changes the document where its path leads: the whole one, so that copies and images follow, or, where
/// that has no such path, what it unfolds to. Errors: see withIncludes(), withCopies(), Override.
/// @param scene  a mapping, as it was parsed
Result<SceneTrees> expandScene(const YamlTree& scene, const ExpansionOptions& options);

}  // namespace slipstick::assets
