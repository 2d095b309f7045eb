#include "engine/foundation/process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
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

// The end of a thread's own heap stays with it, as large as the largest block that was ever given back.
TEST(ProcessMemory, WhatAnotherThreadHasFreedGoesBackToTheSystem) {
  shareOneHeap();
  { const std::vector<char> large(24 * kMiB, 1); }
  const std::size_t before = processMemory().resident;
  std::size_t filled = 0;
  std::thread([&filled] {
    std::vector<std::unique_ptr<char[]>> blocks(48 * kMiB / 1024);
    for (auto& block : blocks) block = std::make_unique<char[]>(1000);
    filled = processMemory().resident;
  }).join();
  EXPECT_GT(filled, before + 40 * kMiB);
  trimHeap();
  EXPECT_LT(processMemory().resident, before + 4 * kMiB);
}

#endif

}  // namespace
}  // namespace slipstick
