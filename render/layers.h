// The table of layers: what a picture consists of.
#pragma once

#include <memory>
#include <vector>

#include "render/layer.h"

namespace slipstick::render {

/// One of each, in the order in which they are drawn within a stage. Fails with DeviceFailure where a shader
/// does not compile.
Result<std::vector<std::unique_ptr<Layer>>> makeLayers();

}  // namespace slipstick::render
