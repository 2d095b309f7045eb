#include "engine/foundation/process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/sanitizers.h"

namespace slipstick {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST(ProcessMemory, SaysWhatIsMappedAndWhatOfItIsThere) {
  const ProcessMemory before = processMemory();
  EXPECT_GT(before.mapped, before.resident);
  const std::vector<char> block(64 * kMiB, 1);
  const ProcessMemory after = processMemory();
  EXPECT_GE(after.mapped, before.mapped + block.size());
  EXPECT_GE(after.resident, before.resident + block.size());
}

TEST(ProcessMemory, SaysWhatOfARangeOfAddressesIsThere) {
  // Shared: a private mapping may become one with its neighbours.
  void* const block = ::mmap(nullptr, 8 * kMiB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  EXPECT_EQ(residentBetween(begin, begin + 8 * kMiB), 0u);
  std::memset(block, 1, 3 * kMiB);
  EXPECT_EQ(residentBetween(begin, begin + 8 * kMiB), 3 * kMiB);
  EXPECT_EQ(residentBetween(begin + 8 * kMiB, begin + 8 * kMiB), 0u);
  ::munmap(block, 8 * kMiB);
}

// Sanitizers allocate in their own way, and keep what is freed.
#if !defined(SLIPSTICK_ASAN) && !defined(SLIPSTICK_TSAN)

/// Fills the heap in another thread, which frees it all again; ends the process, with 0 if the system has it back.
[[noreturn]] void fillAndFreeInAnotherThread() {
  shareOneHeap();
  { const std::vector<char> large(24 * kMiB, 1); }
  const std::size_t before = processMemory().resident;
  std::size_t filled = 0;
  std::thread([&filled] {
    std::vector<std::unique_ptr<char[]>> blocks(48 * kMiB / 1024);
    for (auto& block : blocks) block = std::make_unique<char[]>(1000);
    filled = processMemory().resident;
  }).join();
  trimHeap();
  const std::size_t after = processMemory().resident;
  std::cerr << "resident before " << before << ", filled " << filled << ", after " << after << " bytes\n";
  std::exit(filled > before + 40 * kMiB && after < before + 4 * kMiB ? 0 : 1);
}

// The end of a thread's own heap stays with it, as large as the largest block that was ever given back. The process is a new
// one: where others of its threads have ended before, the next one takes the heap that one of them has left.
TEST(ProcessMemory, WhatAnotherThreadHasFreedGoesBackToTheSystem) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fillAndFreeInAnotherThread(), ::testing::ExitedWithCode(0), "resident before");
}

#endif

}  // namespace
}  // namespace slipstick
