// Loading says how far it is, and ends where it is told to.
#include "engine/foundation/load_progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "assets/scene_io.h"

namespace slipstick {
namespace {

TEST(LoadProgress, PartsOfPartsAreFractionsOfTheWhole) {
  LoadProgress progress;
  const LoadProgress::Part outer(&progress, 0.5, 1);
  {
    const LoadProgress::Part inner(&progress, 0.2, 0.6);
    progress.say("a", 0.5);
    EXPECT_DOUBLE_EQ(progress.current().fraction, 0.5 + 0.5 * 0.4);
  }
  progress.say("b", 1);
  EXPECT_DOUBLE_EQ(progress.current().fraction, 1);
  progress.say("c", -1);
  EXPECT_LT(progress.current().fraction, 0);
  EXPECT_EQ(progress.current().what, "c");
}

/// What another thread sees of a load, and a wish to end it when a word first comes up.
struct Watched {
  std::vector<LoadProgress::Report> reports;
  bool isCancelled = false;
  Result<assets::LoadedModel> result = Error{};
};

Watched watch(const std::string& scene, const std::string& cancelAt = "") {
  LoadProgress progress;
  Watched watched;
  std::atomic<bool> done = false;
  {
    const std::jthread watcher([&] {
      while (!done) {
        LoadProgress::Report report = progress.current();
        if (!cancelAt.empty() && report.what.find(cancelAt) != std::string::npos) progress.cancel();
        if (watched.reports.empty() || watched.reports.back().what != report.what)
          watched.reports.push_back(std::move(report));
        std::this_thread::yield();
      }
    });
    watched.result = assets::loadModel(scene, {.overrides = {}, .packagePaths = {}, .progress = &progress});
    done = true;
  }
  watched.isCancelled = progress.isCancelled();
  return watched;
}

/// A thread that gets no turn while a word stands there does not see it, which says nothing of the load: it loads again.
constexpr int kMaxLoads = 200;

TEST(LoadProgress, SaysWhatIsReadAndBuiltAndOnlyGoesOn) {
  std::string words;
  double furthest = 0;
  const auto isAllSeen = [&] {
    return words.find("reading mesh") != std::string::npos &&
           words.find("with particles") != std::string::npos && furthest > 0.4;
  };
  for (int i = 0; i < kMaxLoads && !isAllSeen(); ++i) {
    const Watched watched = watch("water_pouring");
    ASSERT_TRUE(watched.result) << watched.result.error().message();
    double last = 0;
    for (const LoadProgress::Report& report : watched.reports) {
      words += report.what + "\n";
      EXPECT_LE(report.fraction, 1) << report.what;
      if (report.fraction < 0) continue;
      EXPECT_GE(report.fraction, last) << report.what;
      last = report.fraction;
    }
    furthest = std::max(furthest, last);
  }
  EXPECT_TRUE(isAllSeen()) << "reading is over at 0.4, it came to " << furthest << " and said\n" << words;
}

TEST(LoadProgress, ACancelledLoadIsAnErrorOfThatCode) {
  LoadProgress progress;
  progress.cancel();
  for (const char* scene : {"dough_rolling", "hold", "tshirt_folding", "arm7"}) {
    const Result<assets::LoadedModel> loaded =
        assets::loadModel(scene, {.overrides = {}, .packagePaths = {}, .progress = &progress});
    ASSERT_FALSE(loaded) << scene;
    EXPECT_EQ(loaded.error().code, ErrorCode::Cancelled) << scene << ": " << loaded.error().message();
  }
}

/// Wherever the wish comes, a robot is not half read and placeholders do not stand for what was left out.
TEST(LoadProgress, CancellingInTheMiddleEndsTheLoad) {
  for (const auto& [scene, word] :
       {std::pair{"water_pouring", "reading mesh"}, std::pair{"arm7", "reading mesh"},
        std::pair{"water_pouring", "with particles"}}) {
    const Result<assets::LoadedModel> whole = assets::loadModel(scene, {});
    ASSERT_TRUE(whole) << scene;
    bool isEnded = false;
    for (int i = 0; i < kMaxLoads && !isEnded; ++i) {
      const Watched watched = watch(scene, word);
      isEnded = !watched.result;
      if (isEnded) {
        EXPECT_TRUE(watched.isCancelled);
        EXPECT_EQ(watched.result.error().code, ErrorCode::Cancelled) << watched.result.error().message();
      } else {  // the wish came too late, or not at all
        EXPECT_EQ(watched.result->model->geometries.size(), whole->model->geometries.size());
        EXPECT_EQ(watched.result->model->nodeCount(), whole->model->nodeCount());
        EXPECT_EQ(watched.result->notices.size(), whole->notices.size());
      }
    }
    EXPECT_TRUE(isEnded) << scene << ", " << word;
  }
}

}  // namespace
}  // namespace slipstick
