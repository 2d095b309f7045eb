// Demonstrations on the command line: written from recordings, and driven again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/headless_run.h"
#include "app/recorder.h"
#include "assets/recording/episode.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

class DemosProgram : public testing::ProgramTest {
 protected:
  DemosProgram() {
    std::ofstream(folder_ / "reach.yaml") << R"(title: an arm beside a puck
time: {dt_ms: 10, duration_s: 2}
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  puck: {base: free, mass: 0.5, position: [0.6, 0.3, 0.05], shapes: [{name: ball, shape: sphere, radius: 0.05}]}
robots:
  arm: {urdf: arm7, joints: {joint_2: 0.5, joint_4: -1.2, joint_6: 1.2}}
task:
  text: Wait.
  time_limit_s: 1.5
  reset:
    - {name: puck, position: {x: [-0.05, 0.05], y: [-0.05, 0.05]}}
  success:
    - {observable: time, above: 0.15}
)";
    fs::create_directory(folder_ / "tries");
  }

  /// What a window does: drives the arm by goals, and records.
  void record(const std::string& name, std::uint64_t seed, std::uint64_t steps) const {
    app::SceneOptions options;
    options.scene = path("reach.yaml");
    options.seed = seed;
    options.quiet = true;
    options.stepper.backend = "cpu";
    options.stepper.threads = 1;
    const auto created = app::HeadlessRun::create(options);
    ASSERT_TRUE(created) << created.error().message();
    app::HeadlessRun& run = **created;
    const auto recorder = app::Recorder::begin(path(name), run, 30, {});
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE((*recorder)->add(run, {}));
    for (std::uint64_t step = 0; step < steps; ++step) {
      const double t = 0.01 * static_cast<double>(step);
      const std::vector<Command> commands = {
          Goal{0, Vec3(0.45 + 0.1 * std::sin(3 * t), 0.1 * std::cos(2 * t), 0.3),
               Quat(t / 7, 0.9, 0.01 * t, 0.1)}};
      ASSERT_TRUE(run.step(commands, (*recorder)->detailOf(step + 1)));
      ASSERT_TRUE((*recorder)->add(run, commands));
    }
    ASSERT_TRUE((*recorder)->finish());
  }
};

TEST_F(DemosProgram, AFolderOfTriesBecomesAFileWhoseActionsReproduceTheStates) {
  record("tries/a.h5", 5, 40);
  record("tries/b.h5", 6, 30);
  const Outcome written = run("demos tries --out d.hdf5 --train 0.5");
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.out, "d.hdf5: 2 demonstrations, 2 of them successes, 70 samples\n");
  EXPECT_EQ(written.err, "");
  const std::string script = (testing::sourceDir() / "tests/support/read_demos.py").string();
  EXPECT_EQ(
      std::system(("/usr/bin/python3 '" + script + "' '" + path("d.hdf5") + "' 2 1 >/dev/null").c_str()), 0);
  const Outcome driven = run("run reach.yaml --actions d.hdf5:demo_1 --report r.json --record again.h5");
  ASSERT_EQ(driven.status, 0) << driven.err;
  EXPECT_THAT(driven.out, HasSubstr("demo_1: all 31 states are equal, bit for bit"));
  const json report = json::parse(testing::readText(path("r.json")));
  EXPECT_EQ(report["task"]["seed"], 6);
  EXPECT_EQ(report["steps"], 30);
  EXPECT_EQ(report["actions"]["compared"], 31);
  EXPECT_TRUE(report["actions"]["equal"]);
  EXPECT_TRUE(report["actions"]["first_difference_step"].is_null());
  EXPECT_EQ(run("replay again.h5 --check").status, 0) << "what was driven is in the log";
}

TEST_F(DemosProgram, AnotherSceneOrSeedIsRefusedWithTheFirstLineThatDiffers) {
  record("tries/a.h5", 5, 10);
  ASSERT_EQ(run("demos tries/a.h5 --out d.hdf5 --quiet").status, 0);
  const Outcome other = run("run reach.yaml --actions d.hdf5:demo_0 --set bodies.puck.mass=0.6");
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("the demonstration is of another scene"));
  EXPECT_THAT(other.err, HasSubstr("mass: 0.5"));
  const Outcome seed = run("run reach.yaml --actions d.hdf5:demo_0 --seed 4");
  EXPECT_EQ(seed.status, 1);
  EXPECT_THAT(seed.err, HasSubstr("the seed 5"));
  const Outcome none = run("run reach.yaml --actions d.hdf5:demo_9");
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.err, HasSubstr("demo_0"));
}

TEST_F(DemosProgram, WhatCannotBeExportedIsSaidAndLeavesNothing) {
  const Outcome empty = run("demos tries --out d.hdf5");
  EXPECT_EQ(empty.status, 1);
  EXPECT_THAT(empty.err, HasSubstr("no demonstration"));
  ASSERT_EQ(run("run drop.yaml --record tries/drop.h5").status, 0);
  const Outcome armless = run("demos tries --out d.hdf5");
  EXPECT_EQ(armless.status, 1);
  EXPECT_THAT(armless.err, HasSubstr("no effector"));
  record("tries/a.h5", 5, 10);
  const Outcome nowhere = run("demos tries/a.h5 --out nowhere/d.hdf5");
  EXPECT_EQ(nowhere.status, 1);
  const Outcome pattern = run("demos tries/a.h5 --out d.hdf5 --observations 'joint_velocity'");
  EXPECT_EQ(pattern.status, 1);
  EXPECT_THAT(pattern.err, HasSubstr("joint_velocities"));
  EXPECT_EQ(run("demos tries/a.h5 --out d.hdf5 --train 2").status, 2);
  for (const char* name : {"d.hdf5", "d.hdf5.part"}) EXPECT_FALSE(fs::exists(path(name))) << name;
}

}  // namespace
}  // namespace slipstick
