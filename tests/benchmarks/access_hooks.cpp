#include "tests/benchmarks/access_hooks.h"

namespace slipstick::gpu {
namespace {

TrafficRecorder* listening = nullptr;

void tellRead(const void* memory, std::size_t bytes) {
  if (listening) listening->read(memory, bytes);
}
void tellWrote(const void* memory, std::size_t bytes) {
  if (listening) listening->wrote(memory, bytes);
}

}  // namespace

void setAccessRecorder(TrafficRecorder* recorder) {
  listening = recorder;
}

}  // namespace slipstick::gpu

// The compiler writes calls of these. Names and meaning are GCC's (gcc/sanitizer.def); one that is missing here stops the
// link.
using slipstick::gpu::tellRead;
using slipstick::gpu::tellWrote;

#define SLIPSTICK_ACCESSES(size)                \
  void __tsan_read##size(void* at) {            \
    tellRead(at, size);                         \
  }                                             \
  void __tsan_write##size(void* at) {           \
    tellWrote(at, size);                        \
  }                                             \
  void __tsan_unaligned_read##size(void* at) {  \
    tellRead(at, size);                         \
  }                                             \
  void __tsan_unaligned_write##size(void* at) { \
    tellWrote(at, size);                        \
  }

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
SLIPSTICK_ACCESSES(1)
SLIPSTICK_ACCESSES(2)
SLIPSTICK_ACCESSES(4)
SLIPSTICK_ACCESSES(8)
SLIPSTICK_ACCESSES(16)
void __tsan_read_range(void* at, unsigned long bytes) {
  tellRead(at, bytes);
}
/// Of counts of shared pointers; kernels have atomics of their own (gpu/atomics.h).
int __tsan_atomic32_fetch_add(volatile int* at, int value, int order) {
  static_cast<void>(order);  // none is stricter than this one
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
void __tsan_write_range(void* at, unsigned long bytes) {
  tellWrote(at, bytes);
}
}

#undef SLIPSTICK_ACCESSES
