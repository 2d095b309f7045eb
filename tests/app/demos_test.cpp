// Demonstrations on the command line: written from recordings, and driven again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/recorder.h"
#include "app/scene_run.h"
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
time: {dt_ms: 10, duration: 2}
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  puck: {base: free, mass: 0.5, position: [0.6, 0.3, 0.05], shapes: [{name: ball, shape: sphere, radius: 0.05}]}
robots:
  arm: {urdf: arm7, joints: {joint_2: 0.5, joint_4: -1.2, joint_6: 1.2}}
task:
  text: Wait.
  time_limit: 1.5
  reset:
    - {name: puck, position: {x: [-0.05, 0.05], y: [-0.05, 0.05]}}
  success:
    - {observable: time, above: 0.15}
)";
    std::ofstream(folder_ / "grip.yaml") << R"(title: a gripper closes on a bar, weightless
gravity: [0, 0, 0]
time: {dt_ms: 10, duration: 2}
grid: {spacing: 0.05}
materials:
  gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0.1, 0.3, 0.6], sampling: {count: [4, 4, 4]}}
bodies:
  bar:
    base: free
    mass: 0.2
    position: [0, 0.012, 0.693]
    shapes: [{shape: box, size: [0.1, 0.03, 0.03], color: "#E02020"}]
robots:
  hand: {urdf: gantry, position: [0, 0, 0.5], hold: true}
  gripper: {urdf: parallel_gripper, attach_to: hand.panel, position: [0, 0, 0.06], joints: {left_slide: 0.055}}
task:
  text: Hold the bar.
  time_limit: 1.5
  success:
    - {observable: time, above: 0.05}
cameras:
  front: {position: [0.25, -0.3, 0.8], target: [0, 0, 0.68]}
  wrist: {body: gripper.housing, position: [0, -0.16, 0.03], target: [0, 0, 0.12], up: [0, 1, 0], fov_deg: 60}
)";
    fs::create_directory(folder_ / "tries");
  }

  void record(const std::string& name, std::uint64_t seed, std::uint64_t steps) const {
    record("reach.yaml", name, seed, steps, [](double t) -> std::vector<Command> {
      return {Goal{0, Vec3(0.45 + 0.1 * std::sin(3 * t), 0.1 * std::cos(2 * t), 0.3),
                   Quat(t / 7, 0.9, 0.01 * t, 0.1)}};
    });
  }
  void recordGrip(const std::string& name, std::uint64_t steps) const {
    record("grip.yaml", name, std::nullopt, steps, [](double t) {
      return t == 0 ? std::vector<Command>{Grip{0, 1}} : std::vector<Command>();
    });
  }

  /// What a window does: drives the arm, and records. @param asks  commands at a time [s]
  void record(const std::string& scene, const std::string& name, std::optional<std::uint64_t> seed,
              std::uint64_t steps, const std::function<std::vector<Command>(double)>& asks) const {
    app::SceneOptions options;
    options.scene = path(scene);
    options.seed = seed;
    options.quiet = true;
    options.stepper.backend = "cpu";
    options.stepper.threads = 1;
    const auto created = app::openRun(options);
    ASSERT_TRUE(created) << created.error().message();
    HeadlessRun& run = **created;
    const auto recorder = app::Recorder::begin(path(name), run, 30, {});
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE((*recorder)->add(run, {}));
    for (std::uint64_t step = 0; step < steps; ++step) {
      const double t = 0.01 * static_cast<double>(step);
      const std::vector<Command> commands = asks(t);
      ASSERT_TRUE(run.step(commands, (*recorder)->detailOf(step + 1)));
      ASSERT_TRUE((*recorder)->add(run, commands));
    }
    ASSERT_TRUE((*recorder)->finish());
  }

  static int python(const std::string& script, const std::string& arguments) {
    const fs::path file = testing::sourceDir() / "tests/support" / script;
    return std::system(("/usr/bin/python3 '" + file.string() + "' " + arguments + " >/dev/null").c_str());
  }
};

TEST_F(DemosProgram, AFolderOfTriesBecomesAFileWhoseActionsReproduceTheStates) {
  record("tries/a.h5", 5, 40);
  record("tries/b.h5", 6, 30);
  const Outcome written = run("demos tries --out d.hdf5 --train 0.5");
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.out, "d.hdf5: 2 demonstrations, 2 of them successes, 70 samples\n");
  EXPECT_EQ(written.err, "");
  EXPECT_EQ(python("read_demos.py", "'" + path("d.hdf5") + "' 2 1"), 0);
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

TEST_F(DemosProgram, PicturesAndTouchAreThoseOfEachSample) {
  recordGrip("tries/a.h5", 12);
  const Outcome written =
      run("demos tries --out d.hdf5 --rate 25 --tactile --cameras all --size 32x24 "
          "--passes color,depth,segmentation,normals");
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.err, "");
  EXPECT_EQ(python("read_demos.py", "'" + path("d.hdf5") + "' 1 1"), 0);
  // At the last sample, step 8, which has no particles of its own: as slipstick render shows it.
  for (const char* camera : {"front", "wrist"})
    ASSERT_EQ(run(std::string("render tries/a.h5 --pass depth --size 32x24 --to 0.08 --camera ") + camera +
                  " --out " + camera + ".png")
                  .status,
              0);
  EXPECT_EQ(python("compare_pictures.py", "'" + path("d.hdf5") + "' 2 '" + folder_.string() + "' bar"), 0);
}

TEST_F(DemosProgram, PicturesThatCannotBeAreRefusedAndLeaveNothing) {
  recordGrip("tries/a.h5", 3);
  const auto refusal = [&](const std::string& options) {
    const Outcome outcome = run("demos tries --out d.hdf5 " + options);
    EXPECT_EQ(outcome.status, 1) << options << outcome.err;
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(refusal("--cameras front,side"), HasSubstr("--cameras front,side: there is no such camera"));
  EXPECT_THAT(refusal("--cameras side"), HasSubstr("choose from: front, wrist, all"));
  EXPECT_THAT(refusal("--cameras all --passes heat"), HasSubstr("--passes heat"));
  EXPECT_EQ(run("demos tries --out d.hdf5 --cameras all --size 4x4").status, 2);
  EXPECT_EQ(run("demos tries --out d.hdf5 --passes depth").status, 2) << "of no camera";
  record("tries/b.h5", 5, 3);
  EXPECT_THAT(run("demos tries/b.h5 --out d.hdf5 --tactile").err, HasSubstr("no effector has a gripper"));
  EXPECT_THAT(run("demos tries/b.h5 --out d.hdf5 --cameras all").err, HasSubstr("the scene has no cameras"));
  for (const char* name : {"d.hdf5", "d.hdf5.part"}) EXPECT_FALSE(fs::exists(path(name))) << name;
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
