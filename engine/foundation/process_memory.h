// What the process has of the system's memory, and keeps of what it has freed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slipstick {

/// [bytes]
struct ProcessMemory {
  std::size_t mapped = 0;    ///< addresses: libraries and all
  std::size_t resident = 0;  ///< of these in memory
};

/// @return zeros where the system does not say
ProcessMemory processMemory();
/// Of what is mapped at addresses from begin on and before end. @return zero where the system does not say [bytes]
std::size_t residentBetween(std::uintptr_t begin, std::uintptr_t end);

/// One heap for all threads; to be called before there is a second thread. The C library gives each thread its own, which
/// keep up to 64 MiB each at their end, whatever is asked of them: the history of a closed scene would stay there. Steps
/// do not allocate, so that threads seldom wait for each other.
void shareOneHeap();

/// Gives back to the system what is free, between allocations that stay too: for when something large is gone. Takes 36 ms
/// for 1 GiB, in which other threads wait where they allocate.
void trimHeap();

}  // namespace slipstick
