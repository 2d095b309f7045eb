// Runs of shipped scenes as they are, minutes to an hour each: not part of `tests/run` unless it is asked for
// them.
#pragma once

#include <cstdlib>

/// SLIPSTICK_LONG_TESTS=1 tests/run -R Full
#define SLIPSTICK_SKIP_UNLESS_LONG()                  \
  if (std::getenv("SLIPSTICK_LONG_TESTS") == nullptr) \
  GTEST_SKIP() << "takes long: set "                  \
                  "SLIPSTICK_LONG_TESTS=1"
