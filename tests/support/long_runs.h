// Runs of shipped scenes as they are, minutes to an hour each: `tests/run` leaves them out unless asked.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

/// First line of such a test, which has FullRun in its name; tests/long runs them all.
#define SLIPSTICK_SKIP_UNLESS_LONG()                  \
  if (std::getenv("SLIPSTICK_LONG_TESTS") == nullptr) \
  GTEST_SKIP() << "takes long: set "                  \
                  "SLIPSTICK_LONG_TESTS=1"
