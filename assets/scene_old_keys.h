// Keys that scene files of earlier versions have: read for good, by the names that they have today.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assets/yaml_tree.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick::assets {

/// A scene's document with today's keys. Each old one gives a notice with its first line. A key that stands in both
/// spellings is an error.
Result<YamlTree> withTodaysKeys(const YamlTree& scene, std::vector<Notice>& notices);

/// An old key in a text, and what to write in its place.
struct OldKey {
  std::size_t at = 0;  ///< [bytes]
  std::string was, today;
};
/// @param scene  of MergeKeys::AsWritten
std::vector<OldKey> oldKeysIn(const YamlTree& scene);

/// The same for what an assignment puts in one place: a path's keys, and those of the value.
std::vector<std::string> withTodaysKeys(std::vector<std::string> path);
Result<YamlTree> withTodaysKeys(const std::vector<std::string>& path, const YamlTree& value,
                                std::vector<Notice>& notices);

}  // namespace slipstick::assets
