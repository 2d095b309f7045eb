// "--set path=value": changes single values of a scene document before it is read.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "engine/foundation/result.h"

namespace slipstick::assets {

/// Applies "a.b.c=value". Every name on the path but the last must exist in the document; the last may also
/// be a key that the file leaves at its default (the reader rejects it if the format has no such key). List
/// entries are addressed by index or by their `name`. An unknown path is an error that lists what exists
/// there.
/// @return  the path as the reader names it: entries of lists by their index
Result<std::string> applyOverride(YAML::Node& root, const std::string& assignment);

}  // namespace slipstick::assets
