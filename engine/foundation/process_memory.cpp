#include "engine/foundation/process_memory.h"

#include <unistd.h>

#include <fstream>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace slipstick {

ProcessMemory processMemory() {
  std::ifstream statm("/proc/self/statm");
  ProcessMemory pages;
  statm >> pages.mapped >> pages.resident;
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return {pages.mapped * size, pages.resident * size};
}

void shareOneHeap() {
#ifdef M_ARENA_MAX
  ::mallopt(M_ARENA_MAX, 1);
#endif
}

void trimHeap() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace slipstick
