// Counts the test program's heap allocations, for tests that promise none.
#pragma once

#include <cstddef>

namespace slipstick::testing {

/// Calls of malloc and realloc, and so of operator new and of Eigen's aligned allocations, since the program started.
std::size_t allocationCount();

}  // namespace slipstick::testing
