// The methods and backends of this program.
#pragma once

#include "engine/step/registry.h"

namespace slipstick::app {

const Registry& stepping();

}  // namespace slipstick::app
