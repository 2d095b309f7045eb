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

TEST(ThreadTeam, DoesWhatIsOfferedOnceBesideTheRounds) {
  for (const int threads : {1, 2, 4}) {
    ThreadTeam team(threads);
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<std::atomic<int>> offered(static_cast<std::size_t>(trial % 30)), visits(7);
      const auto offer = [&](int i) { ++offered[static_cast<std::size_t>(i)]; };
      team.offer(static_cast<int>(offered.size()), offer);
      const int rounds = trial % 4;
      for (int round = 0; round < rounds; ++round)
        team.run(static_cast<int>(visits.size()), [&](int i) { ++visits[static_cast<std::size_t>(i)]; });
      for (const auto& v : visits) EXPECT_EQ(v.load(), rounds);
      team.finish();
      for (const auto& o : offered) EXPECT_EQ(o.load(), 1);
    }
  }
}

TEST(ThreadTeam, WorkersTakeWhatIsOfferedWhileTheCallerIsBusy) {
  ThreadTeam team(2);
  std::atomic<bool> done = false;
  const auto offer = [&](int) {
    done = true;
    done.notify_all();
  };
  team.offer(1, offer);
  done.wait(false);  // for ever, if it were left to finish()
  team.finish();
  EXPECT_TRUE(done);
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
