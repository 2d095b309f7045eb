#include "engine/foundation/process_memory.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

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

std::size_t residentBetween(std::uintptr_t begin, std::uintptr_t end) {
  std::ifstream smaps("/proc/self/smaps");
  std::size_t sum = 0;
  bool isBetween = false;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t first = 0, last = 0;
    std::size_t resident = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &first, &last) == 2)
      isBetween = first >= begin && last <= end;
    else if (isBetween && std::sscanf(line.c_str(), "Rss: %zu kB", &resident) == 1)
      sum += resident * 1024;
  }
  return sum;
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
