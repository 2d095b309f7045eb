// Runs of shipped scenes as they are, minutes to an hour each: `tests/run` leaves them out unless asked.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

/// First line of such a test; SLIPSTICK_LONG_TESTS=1 tests/run -R FullRun runs them all.
#define SLIPSTICK_SKIP_UNLESS_LONG()                  \
  if (std::getenv("SLIPSTICK_LONG_TESTS") == nullptr) \
  GTEST_SKIP() << "takes long: set "                  \
                  "SLIPSTICK_LONG_TESTS=1"
