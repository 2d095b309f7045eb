#include "tests/support/allocation_count.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#include "tests/support/failing_allocation.h"
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

#ifdef SLIPSTICK_ASAN
void* memoryOrNull(std::size_t size, std::size_t alignment) noexcept {
  if (slipstick::testing::mustFail(slipstick::testing::Allocator::New)) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size > 0 ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
#endif

}  // namespace

#else

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
}

namespace {

using slipstick::testing::Allocator;

bool isRefused(Allocator allocator) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (!slipstick::testing::mustFail(allocator)) return false;
  errno = ENOMEM;
  return true;
}

void* memoryOrNull(std::size_t size, std::size_t alignment) noexcept {
  if (isRefused(Allocator::New)) return nullptr;
  return alignment <= alignof(std::max_align_t) ? __libc_malloc(size) : __libc_memalign(alignment, size);
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) noexcept {
  return isRefused(Allocator::Malloc) ? nullptr : __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return isRefused(Allocator::Malloc) ? nullptr : __libc_memalign(alignment, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  return isRefused(Allocator::Malloc) ? nullptr : __libc_realloc(memory, size);
}
}

#endif

#ifndef SLIPSTICK_TSAN  // whose operator new is no weak symbol

namespace {

void* memory(std::size_t size, std::size_t alignment = 0) {
  if (void* const found = memoryOrNull(size, alignment)) return found;
  throw std::bad_alloc();
}

}  // namespace

// A sanitizer's hook cannot fail; these can. The forms without exceptions are here as well: the sanitizer's own would give
// memory that the delete below may not free. Arrays stay the library's, from new[] to delete[].
void* operator new(std::size_t size) {
  return memory(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return memory(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return memoryOrNull(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return memoryOrNull(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* at) noexcept {
  std::free(at);
}
void operator delete(void* at, std::size_t) noexcept {
  std::free(at);
}
void operator delete(void* at, std::align_val_t) noexcept {
  std::free(at);
}
void operator delete(void* at, std::size_t, std::align_val_t) noexcept {
  std::free(at);
}

#endif

namespace slipstick::testing {

std::size_t allocationCount() {
  return allocations.load();
}

}  // namespace slipstick::testing
