// The format of scene files as a JSON Schema, for editors that check and complete while one writes.
#pragma once

#include <string>

namespace slipstick::assets {

/// JSON Schema (draft 2020-12) from the table of scene_format.h. What it refuses, the program refuses; what contradicts
/// itself, names that are not there and keys of another shape or material only the program finds.
std::string sceneSchema();

}  // namespace slipstick::assets
