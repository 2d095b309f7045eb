// Recordings, a demonstration and a saved scene of an earlier program, in tests/data/recordings: whoever has such files opens,
// plays, exports and replays them for good. With SLIPSTICK_MAKE_RECORDINGS=FOLDER they are made anew, from the scenes
// beside them; its README.md says when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/recorder.h"
#include "app/scene_run.h"
#include "assets/recording/recorded_run.h"
#include "assets/scene_file.h"
#include "assets/scene_io.h"
#include "tests/app/program_run.h"
#include "tests/support/initial_state.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Bits depend on the instructions of kernels and of OpenBLAS; these are in every processor of a CI.
constexpr const char* kBits = "SLIPSTICK_ISA=base OPENBLAS_CORETYPE=HASWELL";

struct Kept {
  const char* name;
  const char* scene;
  const char* how;  ///< options of slipstick run
};

constexpr Kept kKept[] = {
    {"gel_async", "gel", "--method async --backend cpu"},
    {"gel_strong", "gel", "--method strong --backend cpu"},
    {"gel_implicit", "gel", "--method implicit"},
    {"gel_reference", "gel", "--method async --backend reference"},
    {"gel_cuda_host", "gel", "--method async --backend cuda-host"},
    {"materials", "materials", "--method async --backend cpu"},
    {"cloth_async", "cloth", "--method async --backend cpu"},
    {"cloth_strong", "cloth", "--method strong --backend cpu"},
    {"stack_lagged", "stack", "--method async --set solver.rigid.potential=lagged"},
    {"stack_similar", "stack", "--method async --set solver.rigid.potential=similar"},
    {"stack_sap", "stack", "--method async --set solver.rigid.potential=sap"},
    {"linkage", "linkage", "--method async"},
};
constexpr const char* kDriven = "reach";
constexpr const char* kDemonstration = "reach.hdf5";
constexpr const char* kSavedScene = "saved.yaml";

fs::path kept() {
  return testing::dataDir() / "recordings";
}

void PrintTo(const Kept& which, std::ostream* out) {
  *out << which.name;
}

class KeptRecordings : public testing::ProgramTest {
 protected:
  /// A copy in the test's folder.
  std::string fetch(const std::string& name) const {
    fs::copy_file(kept() / name, folder_ / name, fs::copy_options::overwrite_existing);
    return name;
  }

  /// Opens, plays, exports, replays.
  void expectWhole(const std::string& name) const {
    const std::string file = fetch(name + ".h5");
    const auto opened = assets::RecordedRun::open(path(file));
    ASSERT_TRUE(opened) << opened.error().message();
    const assets::RecordingReader& recording = (*opened)->recording();
    ASSERT_GT(recording.lastStep(), recording.firstStep());
    for (std::uint64_t step = recording.firstStep(); step <= recording.lastStep(); ++step)
      ASSERT_TRUE((*opened)->read(step, Detail::Particles)) << step;
    const Outcome exported = run("export " + file + " --csv all.csv --contacts contacts.csv");
    EXPECT_EQ(exported.status, 0) << exported.err;
    EXPECT_EQ(testing::lineCount(testing::readText(path("all.csv"))),
              recording.lastStep() - recording.firstStep() + 2);
    const Outcome replayed = run("replay " + file + " --check", kBits);
    EXPECT_EQ(replayed.status, 0) << replayed.out << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("equal, bit for bit"));
  }

  using Asks = std::vector<Command> (*)(std::uint64_t step);

  /// An arm that is sent about: what a demonstration holds.
  static std::vector<Command> goals(std::uint64_t step) {
    const double t = 0.01 * static_cast<double>(step);
    return {Goal{0, Vec3(0.45 + 0.1 * std::sin(3 * t), 0.1 * std::cos(2 * t), 0.3),
                 Quat(t / 7, 0.9, 0.01 * t, 0.1)}};
  }

  /// With its fingers, a number, and a pull on the way.
  static std::vector<Command> allKinds(std::uint64_t step) {
    std::vector<Command> commands = goals(step);
    if (step == 5) commands.emplace_back(SetParameter{"materials.gel.E", {2e4}});
    if (step == 8) commands.emplace_back(Pull{-1, 5, Vec3::Zero(), Vec3(0.6, -0.2, 0.2)});
    if (step == 12) commands.emplace_back(Release{});
    if (step == 15) commands.emplace_back(LetGo{0});
    if (step == 20) commands.emplace_back(Grip{0, 1});
    return commands;
  }

  /// With this program, in the test's folder.
  void makeDriven(const std::string& file, Asks asks) const {
    app::SceneOptions options;
    options.scene = (kept() / "scenes" / (std::string(kDriven) + ".yaml")).string();
    options.seed = 5;
    options.quiet = true;
    options.stepper.backend = "cpu";
    options.stepper.threads = 1;
    const auto created = app::openRun(options);
    ASSERT_TRUE(created) << created.error().message();
    HeadlessRun& run = **created;
    const auto recorder = app::Recorder::begin(path(file), run, 30, {});
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE((*recorder)->add(run, {}));
    for (std::uint64_t step = 0; step < 30; ++step) {
      const std::vector<Command> commands = asks(step);
      ASSERT_TRUE(run.step(commands, (*recorder)->detailOf(step + 1)));
      ASSERT_TRUE((*recorder)->add(run, commands));
    }
    ASSERT_TRUE((*recorder)->finish());
  }
};

class EveryKeptRecording : public KeptRecordings, public ::testing::WithParamInterface<Kept> {};

INSTANTIATE_TEST_SUITE_P(KeptRecordings, EveryKeptRecording, ::testing::ValuesIn(kKept),
                         [](const auto& which) { return std::string(which.param.name); });

TEST_P(EveryKeptRecording, OpensPlaysExportsAndReplaysWithEqualHashes) {
  expectWhole(GetParam().name);
}

TEST_F(KeptRecordings, WhatAPersonDidReplaysWithEqualHashes) {
  expectWhole(kDriven);
}

TEST_F(KeptRecordings, ADemonstrationDrivesItsSceneToTheSameStates) {
  fetch(kDemonstration);
  fs::copy_file(kept() / "scenes" / "reach.yaml", folder_ / "reach.yaml");
  const Outcome driven = run("run reach.yaml --threads 1 --backend cpu --actions " +
                                 std::string(kDemonstration) + ":demo_0 --report r.json",
                             kBits);
  EXPECT_EQ(driven.status, 0) << driven.err;
  EXPECT_THAT(driven.out, HasSubstr("equal, bit for bit"));
}

TEST_F(KeptRecordings, ASavedSceneOpensAsWhatItWas) {
  const auto saved = assets::loadModel((kept() / kSavedScene).string());
  ASSERT_TRUE(saved) << saved.error().message();
  const auto scene = assets::loadModel((kept() / "scenes" / "reach.yaml").string());
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(hashOf(testing::initialState(*saved->model)), hashOf(testing::initialState(*scene->model)));
  EXPECT_EQ(saved->model->scene->title, "An arm that was saved");
}

TEST_F(KeptRecordings, AreMadeAnew) {
  const char* const target = std::getenv("SLIPSTICK_MAKE_RECORDINGS");
  if (target == nullptr) GTEST_SKIP() << "SLIPSTICK_MAKE_RECORDINGS names no folder";
  const std::string scenes = (kept() / "scenes").string();
  for (const Kept& which : kKept) {
    const Outcome made = run("run '" + scenes + "/" + which.scene + ".yaml' " + which.how +
                                 " --threads 1 --record " + which.name + ".h5",
                             kBits);
    ASSERT_EQ(made.status, 0) << which.name << ": " << made.err;
  }
  makeDriven(std::string(kDriven) + ".h5", allKinds);
  fs::create_directory(folder_ / "episodes");
  makeDriven("episodes/goals.h5", goals);
  const Outcome demonstration = run("demos episodes --out reach.hdf5");
  ASSERT_EQ(demonstration.status, 0) << demonstration.err;
  auto loaded = assets::loadScene(scenes + "/reach.yaml");
  ASSERT_TRUE(loaded) << loaded.error().message();
  loaded->scene.title = "An arm that was saved";
  ASSERT_TRUE(assets::saveScene(loaded->scene, {}, folder_ / kSavedScene));
  for (const auto& entry : fs::directory_iterator(folder_))
    if (const std::string suffix = entry.path().extension().string();
        suffix == ".h5" || suffix == ".hdf5" || entry.path().filename() == kSavedScene)
      fs::copy_file(entry.path(), fs::path(target) / entry.path().filename(),
                    fs::copy_options::overwrite_existing);
}

}  // namespace
}  // namespace slipstick
