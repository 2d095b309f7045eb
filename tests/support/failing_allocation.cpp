#include "tests/support/failing_allocation.h"

#include <atomic>
#include <limits>

namespace slipstick::testing {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
std::atomic<bool> armed{false}, reached{false}, newOnly{false};
std::atomic<std::size_t> left{0};
thread_local bool isSpared = false;

}  // namespace

FailingAllocation::FailingAllocation(std::size_t n, Of threads, By allocators) {
  isSpared = threads == Of::OtherThreads;
  newOnly = allocators == By::NewOnly;
  reached = false;
  left = n;
  armed = true;
}

FailingAllocation::~FailingAllocation() {
  armed = false;
  isSpared = false;
}

bool FailingAllocation::happened() const {
  return reached;
}

bool mustFail(Allocator allocator) noexcept {
  if (!armed.load(std::memory_order_relaxed) || isSpared) return false;
  if (newOnly && allocator != Allocator::New) return false;
  if (left.fetch_sub(1) != 0) return false;
  left = kNever;
  reached = true;
  return true;
}

}  // namespace slipstick::testing
