// Demonstrations: what is driven is written exactly, and drives the same states again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "assets/export/demo_reader.h"
#include "assets/export/demo_writer.h"
#include "assets/recording/episode.h"
#include "assets/recording/recording_writer.h"
#include "assets/scene_io.h"
#include "tests/support/stepping.h"
#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kScene = R"(title: an arm over a cube
time: {dt_ms: 10, duration: 2}
grid: {spacing: 0.05}
materials:
  gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0.4, 0, 0.055], sampling: {count: [4, 4, 4]}}
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  puck: {base: free, mass: 0.5, position: [0.6, 0.3, 0.05], shapes: [{name: ball, shape: sphere, radius: 0.05}]}
robots:
  arm: {urdf: arm7, joints: {joint_2: 0.5, joint_4: -1.2, joint_6: 1.2}}
  gripper: {urdf: parallel_gripper, attach_to: arm.flange, joints: {left_slide: 0.04}}
task:
  text: Move the puck.
  time_limit: 1.5
  reset:
    - {name: puck, position: {x: [-0.05, 0.05], y: [-0.05, 0.05]}}
    - {name: cube, position: {x: [-0.02, 0.02]}, yaw_deg: [-30, 30]}
  success:
    - {observable: time, above: 0.3}
)";

class Demos : public ::testing::Test {
 protected:
  Demos() {
    std::string name = (fs::temp_directory_path() / "slipstick_demos_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "reach.yaml") << kScene;
  }
  ~Demos() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::shared_ptr<const Model> model(std::uint64_t seed) const {
    assets::LoadOptions options;
    options.seed = seed;
    const Result<assets::LoadedModel> loaded = assets::loadModel((folder_ / "reach.yaml").string(), options);
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded ? loaded->model : nullptr;
  }

  static StepperOptions oneThread() {
    StepperOptions options;
    options.backend = "cpu";
    options.threads = 1;
    return options;
  }

  /// What a hand would do: circles and a closing gripper, with numbers that no decimal says.
  static std::vector<Command> handAt(std::uint64_t step) {
    const double t = 0.01 * static_cast<double>(step);
    std::vector<Command> commands;
    if (step >= 3)
      commands.emplace_back(Goal{0, Vec3(0.45 + 0.1 * std::sin(3 * t), 0.1 * std::cos(2 * t), 0.3 + t / 30),
                                 Quat(std::cos(t / 7), std::sin(t / 7) + 0.9, 0.01 * t, 1.0 / 3)});
    if (step >= 10) commands.emplace_back(Grip{0, 0.5 + 0.5 * std::sin(t)});
    return commands;
  }

  /// Simulates and records a try. @param period  steps between two commands
  std::string record(const std::string& name, std::uint64_t seed, std::uint64_t steps,
                     std::uint64_t period = 1, const std::vector<StampedCommand>& more = {}) const {
    const fs::path file = folder_ / name;
    const std::shared_ptr<const Model> model = this->model(seed);
    const std::unique_ptr<Stepper> stepper = testing::stepperOf(model, oneThread());
    assets::RecordingFacts facts;
    facts.program = "slipstick test";
    facts.method = stepper->method();
    facts.backend = stepper->backendName();
    facts.runsOn = stepper->runsOn();
    State first;
    stepper->save(first);
    facts.softFields = specsOf(first.soft.fields);
    auto writer = assets::RecordingWriter::create(file, model, facts);
    EXPECT_TRUE(writer) << writer.error().message();
    Snapshot snapshot;
    stepper->observe(snapshot, Detail::Particles);
    std::vector<Command> commands;
    for (std::uint64_t step = 0;; ++step) {
      auto keyframe = std::make_shared<Keyframe>();
      keyframe->model = model;
      keyframe->backend = facts.backend;
      if (step == 0) stepper->save(keyframe->state);
      EXPECT_TRUE((*writer)->add(
          {std::make_shared<const Snapshot>(snapshot), commands, step == 0 ? keyframe : nullptr, step == 0}));
      if (step == steps) break;
      commands = step % period == 0 ? handAt(step) : std::vector<Command>();
      for (const StampedCommand& stamped : more)
        if (stamped.step == step) commands.push_back(stamped.command);
      stepper->step(commands, snapshot, Detail::Particles);
    }
    EXPECT_TRUE((*writer)->finish());
    return file.string();
  }

  assets::DemoReport exported(const std::vector<fs::path>& files,
                              const assets::DemoOptions& options = {}) const {
    assets::DemoOptions all = options;
    all.program = "slipstick test";
    const Result<assets::DemoReport> report = assets::exportDemos(files, out(), all);
    EXPECT_TRUE(report) << report.error().message();
    return report ? *report : assets::DemoReport{};
  }
  fs::path out() const { return folder_ / "d.hdf5"; }

  /// Drives a new run by a demonstration. @return the first step at which a state differs, if one does
  std::optional<std::uint64_t> difference(const assets::Demo& demo) const {
    const std::unique_ptr<Stepper> stepper = testing::stepperOf(model(*demo.seed), oneThread());
    Snapshot snapshot;
    stepper->observe(snapshot, Detail::Facts);
    std::vector<assets::EffectorAction> before;
    for (std::uint64_t step = 0; step < demo.steps; ++step) {
      std::vector<Command> commands;
      if (step % demo.stepsPerSample == 0) {
        const std::size_t i = step / demo.stepsPerSample;
        if (snapshot.stateHash != demo.hashes[i]) return step;
        commands = assets::commandsFor(before, demo.samples[i]);
        before = demo.samples[i];
      }
      stepper->step(commands, snapshot, Detail::Facts);
    }
    return snapshot.stateHash == demo.finalHash ? std::nullopt : std::optional(demo.steps);
  }

  void checkLayout(int demos) const {
    const std::string script = (testing::sourceDir() / "tests/support/read_demos.py").string();
    EXPECT_EQ(std::system(("/usr/bin/python3 '" + script + "' '" + out().string() + "' " +
                           std::to_string(demos) + " 1 >/dev/null")
                              .c_str()),
              0);
  }

  fs::path folder_;
};

TEST_F(Demos, AreReadByPythonWithTheLayoutOfRobomimic) {
  const std::vector<fs::path> files = {record("a.h5", 1, 60), record("b.h5", 2, 45), record("c.h5", 3, 20)};
  const assets::DemoReport report = exported(files);
  EXPECT_EQ(report.demos, 3u);
  EXPECT_EQ(report.samples, 125u);
  EXPECT_EQ(report.successes, 2u) << "the third ends before 0.3 s";
  EXPECT_TRUE(report.notices.empty()) << report.notices.front();
  checkLayout(3);
  EXPECT_FALSE(fs::exists(out().string() + ".part"));
}

TEST_F(Demos, TheirActionsReproduceEveryStateBitForBit) {
  exported({record("a.h5", 11, 80)});
  const Result<assets::Demo> demo = assets::readDemo(out().string() + ":demo_0");
  ASSERT_TRUE(demo) << demo.error().message();
  EXPECT_TRUE(demo->replaysExactly);
  EXPECT_EQ(demo->seed, 11u);
  ASSERT_EQ(demo->samples.size(), 80u);
  const Goal asked = std::get<Goal>(handAt(40).front());
  EXPECT_EQ(demo->samples[40][0].p, asked.p) << "to the last bit";
  EXPECT_EQ(demo->samples[40][0].R.coeffs(), asked.R.coeffs());
  EXPECT_EQ(demo->samples[2][0].asked, 0);
  EXPECT_EQ(demo->samples[5][0].asked, assets::EffectorAction::kPose);
  EXPECT_EQ(difference(*demo), std::nullopt);
}

TEST_F(Demos, AnotherActionLeadsToOtherStates) {
  exported({record("a.h5", 11, 40)});
  Result<assets::Demo> demo = assets::readDemo(out().string() + ":demo_0");
  ASSERT_TRUE(demo);
  demo->samples[20][0].p.x() = std::nextafter(demo->samples[20][0].p.x(), 1);
  EXPECT_EQ(difference(*demo), 21u) << "a single bit";
}

TEST_F(Demos, AtALowerRateTheyAreExactWhereCommandsWereHeldAndSaySoWhereNot) {
  assets::DemoOptions slow;
  slow.rate = 20;
  const assets::DemoReport report = exported({record("held.h5", 4, 60, 5), record("free.h5", 5, 60)}, slow);
  EXPECT_EQ(report.samples, 24u);
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_THAT(report.notices[0],
              HasSubstr("free.h5: its actions do not replay exactly: commands came between"));
  const Result<assets::Demo> held = assets::readDemo(out().string() + ":demo_0");
  const Result<assets::Demo> free = assets::readDemo(out().string() + ":demo_1");
  ASSERT_TRUE(held && free);
  EXPECT_TRUE(held->replaysExactly);
  EXPECT_EQ(held->stepsPerSample, 5u);
  EXPECT_EQ(difference(*held), std::nullopt);
  EXPECT_FALSE(free->replaysExactly);
  checkLayout(2);
}

TEST_F(Demos, WhatNoActionSaysIsSaid) {
  const assets::DemoReport report =
      exported({record("a.h5", 1, 10, 1, {{4, SetParameter{"materials.gel.E", {20000}}}})});
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_THAT(report.notices[0], HasSubstr("what is no action"));
}

TEST_F(Demos, LettingGoIsDrivenAgain) {
  std::vector<StampedCommand> letGo;
  const std::string file = record(
      "a.h5", 1, 30, 100, {{5, handAt(20)[0]}, {5, handAt(20)[1]}, {15, LetGo{0}}, {22, handAt(30)[0]}});
  EXPECT_TRUE(exported({file}).notices.empty());
  const Result<assets::Demo> demo = assets::readDemo(out().string() + ":demo_0");
  ASSERT_TRUE(demo);
  EXPECT_EQ(demo->samples[15][0].asked, 0);
  EXPECT_EQ(difference(*demo), std::nullopt);
}

TEST_F(Demos, DiscardedAndBrokenTriesAreLeftOutWithTheReason) {
  const std::string good = record("good.h5", 1, 10), bad = record("bad.h5", 2, 10);
  ASSERT_TRUE(assets::setOutcome(bad, EpisodeOutcome::Discarded));
  ASSERT_TRUE(assets::setOutcome(good, EpisodeOutcome::Success));
  std::ofstream(folder_ / "torn.h5") << "no recording";
  const assets::DemoReport report = exported({bad, good, folder_ / "torn.h5"});
  EXPECT_EQ(report.demos, 1u);
  EXPECT_EQ(report.successes, 1u) << "what a person says counts";
  ASSERT_EQ(report.notices.size(), 2u);
  EXPECT_THAT(report.notices[0], HasSubstr("bad.h5: left out: it was discarded"));
  EXPECT_THAT(report.notices[1], HasSubstr("torn.h5: left out: this is not a recording"));
  checkLayout(1);
  const Result<assets::DemoReport> none = assets::exportDemos({bad}, folder_ / "none.hdf5", {});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message(), HasSubstr("no demonstration to export"));
  EXPECT_FALSE(fs::exists(folder_ / "none.hdf5") || fs::exists(folder_ / "none.hdf5.part"));
}

TEST_F(Demos, CutOffAfterwardsSaySo) {
  exported({record("a.h5", 1, 20)});
  const fs::path part = folder_ / "cut.hdf5";
  std::mt19937 random(1);
  std::uniform_int_distribution<std::uintmax_t> bytes(0, fs::file_size(out()) - 1);
  const int count = std::getenv("SLIPSTICK_LONG_TESTS") ? 200 : 20;
  for (int i = 0; i < count; ++i) {
    fs::copy_file(out(), part, fs::copy_options::overwrite_existing);
    fs::resize_file(part, bytes(random));
    const Result<assets::Demo> demo = assets::readDemo(part.string() + ":demo_0");
    ASSERT_FALSE(demo) << fs::file_size(part) << " bytes";
    EXPECT_THAT(demo.error().message(), HasSubstr(part.string()));
    if (fs::file_size(part) > 64) {  // its head says how long it was
      EXPECT_THAT(demo.error().what, HasSubstr("it is cut off: "));
    }
  }
}

TEST_F(Demos, ObservationsAreChosenByPatternsAndAPatternThatFitsNothingIsRefused) {
  const std::string file = record("a.h5", 1, 10);
  assets::DemoOptions options;
  options.observations = {"joint_*", "contact_force/puck"};
  exported({file}, options);
  const std::string line =
      "import h5py; d = h5py.File('" + out().string() +
      "')['data/demo_0']; assert sorted(d['obs']) == ['contact_force', 'joint_positions', "
      "'joint_torques', 'joint_velocities']; assert list(d['obs/contact_force']) == ['puck']";
  EXPECT_EQ(std::system(("/usr/bin/python3 -c \"" + line + "\"").c_str()), 0);
  options.observations = {"object_pose/pack"};
  const Result<assets::DemoReport> refused = assets::exportDemos({file}, out(), options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("did you mean 'object_pose/puck'?"));
}

TEST_F(Demos, ADemonstrationThatIsNotThereIsRefusedWithThoseThatAre) {
  exported({record("a.h5", 1, 10)});
  const Result<assets::Demo> other = assets::readDemo(out().string() + ":demo_7");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("demo_0"));
  EXPECT_FALSE(assets::readDemo(out().string()));
  EXPECT_FALSE(assets::readDemo((folder_ / "a.h5").string() + ":demo_0"));
  EXPECT_FALSE(assets::readDemo("nowhere.hdf5:demo_0"));
}

}  // namespace
}  // namespace slipstick
