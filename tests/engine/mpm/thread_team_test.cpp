#include "engine/mpm/thread_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

using namespace slipstick::mpm;

TEST(ThreadTeam, RunsEveryIndexOnceForAnyNumberOfThreadsAndRounds) {
  for (const int threads : {1, 2, 4}) {
    ThreadTeam team(threads);
    EXPECT_EQ(team.size(), threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(round % 40));
      team.run(static_cast<int>(visits.size()), [&](int i) { ++visits[static_cast<std::size_t>(i)]; });
      for (const auto& v : visits) EXPECT_EQ(v.load(), 1);
    }
  }
}

TEST(FlushDenormals, RestoresTheCallersMode) {
  volatile float tiny = 1e-40f;
  {
    const FlushDenormals flush;
#if defined(__SSE2__)
    EXPECT_EQ(tiny * 1.0f, 0.0f);
#endif
  }
  EXPECT_GT(tiny * 1.0f, 0.0f);
}
