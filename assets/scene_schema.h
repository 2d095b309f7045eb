// The format of scene files as a JSON Schema, for editors that check and complete while one writes.
#pragma once

#include <string>

namespace slipstick {
class AllMethodRows;
}

namespace slipstick::assets {

/// JSON Schema (draft 2020-12) from the table of scene_format.h. What it refuses, the program refuses; what contradicts
/// itself, names that are not there and keys of another shape or material only the program finds.
/// @param methods  whose own settings it has, too; null: of none
std::string sceneSchema(const AllMethodRows* methods = nullptr);

}  // namespace slipstick::assets
