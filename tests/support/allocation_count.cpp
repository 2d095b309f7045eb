#include "tests/support/allocation_count.h"

#include <atomic>

#include "tests/support/sanitizers.h"

namespace {
std::atomic<std::size_t> allocations{0};
}

#if defined(SLIPSTICK_ASAN) || defined(SLIPSTICK_TSAN)

// A sanitizer's malloc must stay in place; it calls a hook instead.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*onMalloc)(const volatile void*, std::size_t),
                                                         void (*onFree)(const volatile void*));

namespace {
void onMalloc(const volatile void*, std::size_t) {
  allocations.fetch_add(1, std::memory_order_relaxed);
}
void onFree(const volatile void*) {}
[[maybe_unused]] const int hooks = __sanitizer_install_malloc_and_free_hooks(onMalloc, onFree);
}  // namespace

#else

#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
}

#endif

namespace slipstick::testing {

std::size_t allocationCount() {
  return allocations.load();
}

}  // namespace slipstick::testing
