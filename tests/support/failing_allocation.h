// Has one heap allocation of the test program fail, for tests of what is left then.
#pragma once

#include <cstddef>

#include "tests/support/sanitizers.h"

namespace slipstick::testing {

enum class Allocator { Malloc, New };

/// While it lives, the n-th allocation of the program fails, counted from 0 from here on: operator new throws, malloc
/// returns null. All others succeed. Under AddressSanitizer, whose malloc stays as it is, operator new counts alone. One
/// at a time.
class FailingAllocation {
 public:
  /// ThreadSanitizer lets nobody replace its operator new.
#ifdef SLIPSTICK_TSAN
  static constexpr bool kIsPossible = false;
#else
  static constexpr bool kIsPossible = true;
#endif

  enum class Of { AllThreads, OtherThreads };  ///< all but the one that makes this object
  /// NewOnly: where a library does not survive a malloc of its own that fails.
  enum class By { Any, NewOnly };

  explicit FailingAllocation(std::size_t n, Of threads = Of::AllThreads, By allocators = By::Any);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  bool happened() const;  ///< the program has come to it
};

/// What an allocator asks: whether this allocation is the one to fail.
bool mustFail(Allocator allocator) noexcept;

}  // namespace slipstick::testing
