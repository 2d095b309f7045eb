// Every allocation of a save, or of a recording, fails once: what stood there stays, or what is new is whole, or ends with a
// whole step; nothing ends the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "assets/recording/live_recorder.h"
#include "assets/recording/recorded_run.h"
#include "assets/recording/recording_writer.h"
#include "assets/scene_file.h"
#include "assets/scene_io.h"
#include "engine/runtime/simulation_thread.h"
#include "tests/support/failing_allocation.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScene = R"(# by hand
title: a soft cube and a box on the ground
time: {dt_ms: 5, duration: 1000}
grid: {spacing: 0.05}
materials: {gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [1, 0, 0.055], sampling: {count: [2, 2, 2]}}
bodies:
  floor: {shapes: [{shape: plane}]}
  box: {base: free, mass: 1, position: [0, 0, 0.099], shapes: [{shape: box, size: [0.2, 0.2, 0.2]}]}
)";

class StarvedFiles : public ::testing::Test {
 protected:
  StarvedFiles() {
    std::string name = (fs::temp_directory_path() / "slipstick_starved_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "scene.yaml") << kScene;
  }
  ~StarvedFiles() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  static std::string textIn(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  /// From one allocation to the next: all of them take minutes.
  static std::size_t after(std::size_t n, std::size_t few) {
    return std::getenv("SLIPSTICK_LONG_TESTS") ? n + 1 : n + 1 + n / few;
  }

  std::unique_ptr<SimulationThread> newRun() const {
    const MakeStepper make = [](std::shared_ptr<const Model> model) {
      return testing::stepping().makeStepper(std::move(model),
                                             {.method = "async", .backend = "cpu", .threads = 1});
    };
    return SimulationThread::create(assets::loadModel((folder_ / "scene.yaml").string(), {}).value().model,
                                    make)
        .value();
  }
  static void runTo(SimulationThread& run, std::uint64_t step) {
    run.runUntil(static_cast<double>(step) * run.latest()->model->time.dt);
    run.waitUntilIdle();
  }
  std::vector<fs::path> recordings() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".h5") files.push_back(entry.path());
    return files;
  }
  /// Whether all of it can be read, and is as it was. @return its last step; none where it has no step yet
  static std::optional<std::uint64_t> lastWholeStep(const fs::path& file, const SimulationThread& run) {
    const auto opened = assets::RecordedRun::open(file);
    if (!opened) {
      EXPECT_THAT(opened.error().what, ::testing::HasSubstr("before its first step"));
      return std::nullopt;
    }
    const assets::RecordingReader& recording = (*opened)->recording();
    for (std::uint64_t step = recording.firstStep(); step <= recording.lastStep(); ++step) {
      const auto read = (*opened)->read(step, Detail::Particles);
      EXPECT_TRUE(read) << read.error().message();
      EXPECT_EQ((*opened)->mark(step)->stateHash, run.mark(step)->stateHash) << step;
    }
    return recording.lastStep();
  }

  fs::path folder_;
};

TEST_F(StarvedFiles, ASaveLeavesTheOldFileOrTheNewOne) {
  const fs::path file = folder_ / "scene.yaml";
  const Result<assets::LoadedScene> loaded = assets::loadScene(file.string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  Scene edited = loaded->scene;
  edited.title = "another title";
  const fs::path kept = folder_ / "kept.yaml";
  const std::string before = textIn(file);
  std::string whole;
  std::size_t refused = 0, tried = 0;
  for (std::size_t n = 0;; n = after(n, 25), ++tried) {
    std::ofstream(file) << before;
    Result<void> saved;
    bool happened = false;
    {
      const testing::FailingAllocation failing(n);
      saved = assets::saveScene(edited, {}, file);
      happened = failing.happened();
    }
    if (!happened) {
      ASSERT_TRUE(saved) << saved.error().message();
      whole = textIn(file);
      break;
    }
    const std::string now = textIn(file);
    if (saved) {
      const Result<assets::LoadedScene> again = assets::loadScene(file.string());
      ASSERT_TRUE(again) << again.error().message() << " after allocation " << n;
      EXPECT_EQ(again->scene.title, "another title") << "allocation " << n;
    } else {
      EXPECT_EQ(now, before) << "allocation " << n;
      EXPECT_NE(saved.error().what, "") << "allocation " << n;
      ++refused;
    }
    EXPECT_FALSE(fs::exists(file.string() + ".part")) << "allocation " << n;
    ASSERT_TRUE(assets::saveScene(edited, {}, kept)) << "the next one, after allocation " << n;
  }
  EXPECT_GT(refused, 10u);
  std::printf("save: %zu allocations failed, %zu of the saves said so\n", tried, refused);
}

/// Of the thread that writes, from its first word on: no other allocates here.
TEST_F(StarvedFiles, AWriterThatFailsAsItBeginsSaysSo) {
  const fs::path file = folder_ / "r.h5";
  const auto model = newRun()->latest()->model;
  std::size_t n = 0;
  for (bool happened = true; happened; ++n) {
    Result<void> ended;
    {
      const testing::FailingAllocation failing(n, testing::FailingAllocation::Of::OtherThreads,
                                               testing::FailingAllocation::By::NewOnly);
      ended = assets::RecordingWriter::begin(file, model, {})->finish();
      happened = failing.happened();
    }
    EXPECT_TRUE(happened || ended) << n << " " << ended.error().message();
    if (!ended) {
      EXPECT_NE(ended.error().what, "") << n;
    }
    fs::remove(file);
  }
  EXPECT_GT(n, 10u);
}

TEST_F(StarvedFiles, AWriterWithAnErrorGoesWithoutMemory) {
  auto writer = assets::RecordingWriter::begin(folder_ / "no folder" / "r.h5", newRun()->latest()->model, {});
  ASSERT_FALSE(writer->finish());
  const testing::FailingAllocation failing(0);
  writer.reset();
}

/// Of the simulation and of the thread that writes, from the first step to the end of the file. HDF5 does not survive a
/// malloc of its own that fails (H5CX_push): what operator new gives.
TEST_F(StarvedFiles, ARecordingEndsWithAWholeStepAndTheRunGoesOn) {
  const auto run = newRun(), alone = newRun();
  std::size_t said = 0, tried = 0;
  bool happened = true;
  for (std::size_t n = 0; happened && !HasFailure(); n = after(n, 20)) {
    const std::uint64_t to = run->latest()->step + 4;
    auto recorder =
        std::make_shared<assets::LiveRecorder>(folder_ / "r.h5", assets::RecorderOptions{"a test", 100, {}});
    RunRecorder::Status status;
    {
      const testing::FailingAllocation failing(n, testing::FailingAllocation::Of::OtherThreads,
                                               testing::FailingAllocation::By::NewOnly);
      run->setSink(recorder);
      runTo(*run, to);
      const bool stopped = run->latest()->step < to;
      EXPECT_EQ(stopped, !run->status().error.empty()) << n << " " << run->status().error;
      if (stopped) runTo(*run, to);
      status = recorder->finish();
      happened = failing.happened();
    }
    ASSERT_EQ(run->latest()->step, to) << n << " " << run->status().error;
    EXPECT_TRUE(happened || !status.error) << n << " " << status.error->message();
    std::optional<std::uint64_t> last;
    for (const fs::path& file : recordings()) {
      const std::optional<std::uint64_t> whole = lastWholeStep(file, *run);
      if (!last || (whole && *whole > *last)) last = whole;
      fs::remove(file);
    }
    if (status.error) {
      EXPECT_NE(status.error->what, "") << n;
    } else {
      EXPECT_EQ(last, to) << n;
    }
    tried += happened ? 1 : 0;
    said += status.error ? 1 : 0;
    run->setSink(nullptr);
  }
  EXPECT_GT(said, 10u);
  std::printf("recording: %zu allocations failed, %zu of the recordings said so\n", tried, said);
  const std::uint64_t last = run->latest()->step + 20;
  runTo(*run, last);
  runTo(*alone, last);
  for (std::uint64_t step = 0; step <= last; ++step)
    ASSERT_EQ(run->mark(step)->stateHash, alone->mark(step)->stateHash) << step;
}

}  // namespace
}  // namespace slipstick
