#include "app/copy_speed.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/mpm/thread_team.h"

namespace slipstick::app {

namespace {

constexpr int kRounds = 4;
constexpr std::size_t kLeastInMemory = std::size_t{256} << 20, kMaxInMemory = std::size_t{1} << 30;
/// Moved in a round at least: some ten milliseconds, against which starting the threads is nothing.
constexpr std::size_t kRoundBytes = kLeastInMemory;

/// What one thread copies.
struct Part {
  std::vector<char> from, to;
};

}  // namespace

double copySpeed(std::size_t workingSet, int threads) {
  using Clock = std::chrono::steady_clock;
  const int most = std::min(threads, mpm::ThreadTeam::kMaxThreads);
  const auto count = static_cast<std::size_t>(most);
  const std::size_t size = std::max<std::size_t>(64, workingSet / (2 * count));
  std::vector<Part> parts(count);
  for (Part& part : parts) part.from.assign(size, 1), part.to.assign(size, 2);
  const std::size_t moved = 2 * size * count, passes = (kRoundBytes + moved - 1) / moved;
  mpm::ThreadTeam team(most);
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    const Clock::time_point start = Clock::now();
    team.run(most, [&](int index) {
      Part& part = parts[static_cast<std::size_t>(index)];
      for (std::size_t pass = 0; pass < passes; ++pass) {
        std::memcpy(part.to.data(), part.from.data(), size);
        asm volatile("" ::: "memory");  // or the compiler may find one copy as good as many
      }
    });
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return static_cast<double>(moved * passes) / best;
}

std::size_t workingSetInMemory() {
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);  // 0 or −1 where the system does not say
  return std::clamp(2 * static_cast<std::size_t>(std::max(0L, cache)), kLeastInMemory, kMaxInMemory);
}

}  // namespace slipstick::app
