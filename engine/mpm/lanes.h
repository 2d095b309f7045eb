// The lane types and their math under the names that this folder uses.
#pragma once

#include "engine/lanes/lane.h"

namespace slipstick::mpm {
using namespace lanes;  // NOLINT(google-build-using-namespace): V3, Pack, select … are our words
}  // namespace slipstick::mpm
