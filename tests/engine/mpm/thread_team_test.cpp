#include "engine/mpm/thread_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
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
      ThreadTeam::Offer open = team.offer(static_cast<int>(offered.size()), offer);
      const int rounds = trial % 4;
      for (int round = 0; round < rounds; ++round)
        team.run(static_cast<int>(visits.size()), [&](int i) { ++visits[static_cast<std::size_t>(i)]; });
      for (const auto& v : visits) EXPECT_EQ(v.load(), rounds);
      open.finish();
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
  ThreadTeam::Offer open = team.offer(1, offer);
  done.wait(false);  // for ever, if it were left to finish()
  open.finish();
  EXPECT_TRUE(done);
}

namespace {

/// What reaches the caller when the tasks throw their index from `first` on.
std::string thrownBy(ThreadTeam& team, int count, int first) {
  try {
    team.run(count, [first](int i) {
      if (i >= first) throw std::runtime_error("task " + std::to_string(i));
    });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

void expectItWorks(ThreadTeam& team) {
  std::vector<std::atomic<int>> visits(20);
  team.run(20, [&](int i) { ++visits[static_cast<std::size_t>(i)]; });
  for (const auto& v : visits) EXPECT_EQ(v.load(), 1);
}

}  // namespace

TEST(ThreadTeam, AnExceptionOfATaskReachesTheCallerAndTheTeamGoesOn) {
  for (const int threads : {1, 2, 4}) {
    ThreadTeam team(threads);
    for (const int count : {1, 2, 40})
      for (int round = 0; round < 50; ++round) {
        const std::string last = "task " + std::to_string(count - 1);
        EXPECT_EQ(thrownBy(team, count, count - 1), last) << threads;
        EXPECT_EQ(thrownBy(team, count, 0).substr(0, 5), "task ") << threads;  // one of them
        expectItWorks(team);
      }
  }
}

TEST(ThreadTeam, AnExceptionOfOfferedWorkComesOutWhereItIsFinished) {
  for (const int threads : {1, 2, 4}) {
    ThreadTeam team(threads);
    for (int round = 0; round < 50; ++round) {
      const auto work = [](int i) {
        if (i == 3) throw std::runtime_error("offered");
      };
      ThreadTeam::Offer open = team.offer(7, work);
      expectItWorks(team);  // what was offered is not the round's affair
      EXPECT_THROW(open.finish(), std::runtime_error) << threads;
    }
    expectItWorks(team);
  }
}

TEST(ThreadTeam, WhatWasOfferedIsOverWhenAnExceptionLeavesItsScope) {
  for (const int threads : {1, 2, 4}) {
    ThreadTeam team(threads);
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> begun = 0, ended = 0;
      try {
        const auto work = [&](int i) {
          ++begun;
          if (i == 2) throw std::runtime_error("offered");
          ++ended;
        };
        const ThreadTeam::Offer open = team.offer(9, work);
        thrownBy(team, 5, 5);
        throw std::logic_error("the caller's own");
      } catch (const std::logic_error&) {
        EXPECT_GE(begun, 1);
        EXPECT_EQ(ended, begun - 1);  // nobody is inside any more, and one has thrown
      }
    }
    const auto nothing = [](int) {};
    ThreadTeam::Offer next = team.offer(3, nothing);
    EXPECT_NO_THROW(next.finish());
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
