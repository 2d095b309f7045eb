// A task of a scene: what its reset draws, and what compile() refuses in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/compile/task_reset.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

RobotSpec body(const std::string& name, const Vec3& place) {
  return floatingBody(name, shape::Box{{0.05, 0.05, 0.05}}, 500, {Mat3::Identity(), place}, {1, 0, 0, 1})
      .value();
}

/// A hinge with limits, as a robot's file would have it.
RobotSpec hinge() {
  RobotSpec robot = body("door", {0, 2, 0});
  robot.freeBase = false;
  robot.description.file = "door.urdf";
  LinkSpec leaf = robot.description.links.front();
  leaf.name = "leaf";
  robot.description.links.front().name = "frame";
  robot.description.links.push_back(leaf);
  JointSpec joint;
  joint.name = "hinge";
  joint.type = multibody::JointType::Revolute;
  joint.parent = "frame";
  joint.child = "leaf";
  joint.axis = Vec3::UnitZ();
  joint.X_PJ.p = {1, 0, 0};
  joint.lower = -1;
  joint.upper = 1;
  robot.description.joints = {joint};
  robot.jointPositions = {{"hinge", 0.25}};
  return robot;
}

Scene withTask() {
  Scene scene;
  scene.name = "tidy";
  scene.robots = {body("box", {0.1, 0.2, 0.3}), body("ball", {1, 0, 1}), hinge()};
  MaterialSpec gel;
  gel.name = "gel";
  scene.materials = {gel};
  DeformableSpec dough;
  dough.name = "dough";
  dough.material = "gel";
  dough.shape = shape::Box{{0.05, 0.05, 0.05}};
  dough.X_WD.p = {0, -1, 0.1};
  scene.deformables = {dough};
  TaskSpec task;
  task.text = "Put the box away.";
  task.reset = {{"box", {DrawRange{-0.1, 0.3}, DrawRange{}, DrawRange{0, 0.02}}, {-0.5, 0.5}, {}},
                {"dough", {DrawRange{-0.2, -0.1}, DrawRange{0.1, 0.1}, DrawRange{}}, {}, {}},
                {"door", {}, {}, {{"hinge", {-0.5, 0.5}}}}};
  task.success = {{"box.z", std::nullopt, 0.1, 0.5}};
  task.failure = {{"|ball.v|", 5, std::nullopt, 0}};
  scene.task = task;
  return scene;
}

std::string refusalOf(const Scene& scene) {
  const Result<CompiledScene> compiled = compile(scene);
  EXPECT_FALSE(compiled);
  return compiled ? "" : compiled.error().message();
}

TEST(TaskReset, DrawsTheNumbersOfSplitMix64) {
  // The first outputs for the seed 1234567, as published with the generator.
  SeededDraw draw(1234567);
  for (const std::uint64_t number : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                     4593380528125082431u, 16408922859458223821u})
    EXPECT_EQ(draw.next(), number);
}

TEST(TaskReset, TheSameSeedGivesTheSameSceneAndAnotherSeedAnother) {
  const Scene scene = withTask();
  std::set<double> places;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Scene a = randomised(scene, seed), b = randomised(scene, seed);
    EXPECT_EQ(a.robots[0].X_PB.p, b.robots[0].X_PB.p);
    EXPECT_EQ(a.robots[0].X_PB.R, b.robots[0].X_PB.R);
    EXPECT_EQ(a.deformables[0].X_WD.p, b.deformables[0].X_WD.p);
    EXPECT_EQ(a.robots[2].jointPositions, b.robots[2].jointPositions);
    EXPECT_EQ(a.task->seed, seed);
    places.insert(a.robots[0].X_PB.p.x());
  }
  EXPECT_EQ(places.size(), 100u);
  EXPECT_EQ(scene.robots[0].X_PB.p, Vec3(0.1, 0.2, 0.3)) << "the authored scene stays as it is";
  EXPECT_FALSE(scene.task->seed);
}

TEST(TaskReset, GivesTheSameBitsOnEveryMachine) {
  const Scene drawn = randomised(withTask(), 7);
  // From the same rules in Python.
  EXPECT_EQ(drawn.robots[0].X_PB.p.x(), 0x1.3f5939411d6cfp-3);
  EXPECT_EQ(drawn.robots[0].X_PB.p.z(), 0x1.45a5c7b860dafp-2);
  const double sine = drawn.robots[0].X_PB.R(1, 0) * 0x1p44;
  EXPECT_EQ(sine, 1457253441846);
  EXPECT_EQ(sine, std::round(sine)) << "no bit depends on a library's sine";
}

TEST(TaskReset, StaysWithinItsRangesForAThousandSeeds) {
  const Scene scene = withTask();
  double least = 1, most = -1;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Scene drawn = randomised(scene, seed);
    const Vec3 box = drawn.robots[0].X_PB.p - scene.robots[0].X_PB.p;
    EXPECT_GE(box.x(), -0.1 - 1e-12);
    EXPECT_LE(box.x(), 0.3 + 1e-12);
    EXPECT_EQ(box.y(), 0) << "no range, no move";
    EXPECT_GE(box.z(), -1e-12);
    EXPECT_LE(box.z(), 0.02 + 1e-12);
    const Mat3& R = drawn.robots[0].X_PB.R;
    const double yaw = std::atan2(R(1, 0), R(0, 0));
    EXPECT_LE(std::abs(yaw), 0.5 + 1e-9);
    EXPECT_NEAR((R.transpose() * R - Mat3::Identity()).norm(), 0, 1e-12);
    EXPECT_EQ(Vec3(R.col(2)), Vec3(Vec3::UnitZ())) << "it turns about z only";
    const Vec3 dough = drawn.deformables[0].X_WD.p - scene.deformables[0].X_WD.p;
    EXPECT_LE(dough.x(), -0.1 + 1e-12);
    EXPECT_GE(dough.x(), -0.2 - 1e-12);
    EXPECT_NEAR(dough.y(), 0.1, 1e-12);
    EXPECT_EQ(drawn.deformables[0].X_WD.R, scene.deformables[0].X_WD.R);
    const double hinge = drawn.robots[2].jointPositions[0].second;
    EXPECT_LE(std::abs(hinge - 0.25), 0.5 + 1e-12);
    EXPECT_EQ(drawn.robots[1].X_PB.p, scene.robots[1].X_PB.p) << "what is not listed stays";
    least = std::min(least, box.x()), most = std::max(most, box.x());
  }
  EXPECT_LT(least, -0.098);
  EXPECT_GT(most, 0.298) << "the whole range is used";
}

TEST(TaskReset, WhatComesLaterInTheListDoesNotChangeWhatComesBefore) {
  Scene longer = withTask();
  longer.task->reset.push_back({"ball", {DrawRange{-1, 1}, {}, {}}, {}, {}});
  EXPECT_EQ(randomised(longer, 3).robots[2].jointPositions,
            randomised(withTask(), 3).robots[2].jointPositions);
}

TEST(TaskReset, EveryDrawnSceneCompiles) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Result<CompiledScene> compiled = compile(randomised(withTask(), seed));
    ASSERT_TRUE(compiled) << compiled.error().message();
    EXPECT_EQ(compiled->model->task->seed, seed);
  }
}

TEST(TaskCompilation, HasTheTestsWithTheirUnits) {
  const Result<CompiledScene> compiled = compile(withTask());
  ASSERT_TRUE(compiled) << compiled.error().message();
  const std::optional<Task>& task = compiled->model->task;
  ASSERT_TRUE(task);
  EXPECT_EQ(task->text, "Put the box away.");
  ASSERT_EQ(task->success.size(), 1u);
  EXPECT_EQ(task->success[0].unit, "m");
  EXPECT_EQ(task->success[0].below, 0.1);
  EXPECT_EQ(task->success[0].holdFor, 0.5);
  ASSERT_EQ(task->failure.size(), 1u);
  EXPECT_EQ(task->failure[0].unit, "m/s");
}

TEST(TaskCompilation, AnUnknownObservableIsRefusedWithTheNearestOne) {
  Scene scene = withTask();
  scene.task->success[0].observable = "bux.z";
  EXPECT_THAT(refusalOf(scene), HasSubstr("there is no observable 'bux.z'"));
  EXPECT_THAT(refusalOf(scene), HasSubstr("did you mean 'box.z'?"));
  EXPECT_THAT(refusalOf(scene), HasSubstr("success test 0"));
  scene.task->success[0].observable = "box.height_of_it";
  EXPECT_THAT(refusalOf(scene), HasSubstr("box.x")) << "what it has";
  scene.task->success[0].observable = "|box.velocity|";
  EXPECT_FALSE(refusalOf(scene).empty());
  scene.task->success[0].observable = "solver.time.contact";
  EXPECT_FALSE(refusalOf(scene).empty()) << "wall times differ from run to run";
}

TEST(TaskCompilation, AResetOfNothingThatIsThereIsRefusedWithTheNearestName) {
  Scene scene = withTask();
  scene.task->reset[1].name = "dugh";
  EXPECT_THAT(refusalOf(scene), HasSubstr("did you mean 'dough'?"));
  scene = withTask();
  scene.task->reset[2].joints[0].first = "hinges";
  EXPECT_THAT(refusalOf(scene), HasSubstr("did you mean 'hinge'?"));
  scene = withTask();
  scene.task->reset[1].joints = {{"hinge", {0, 1}}};
  EXPECT_THAT(refusalOf(scene), HasSubstr("a deformable has no joints"));
  scene = withTask();
  scene.task->reset.push_back(scene.task->reset[0]);
  EXPECT_THAT(refusalOf(scene), HasSubstr("two resets are of 'box'"));
}

TEST(TaskCompilation, AResetBeyondTheLimitsOfAJointIsRefused) {
  Scene scene = withTask();
  scene.task->reset[2].joints[0].second = {-0.5, 0.8};
  EXPECT_THAT(refusalOf(scene), HasSubstr("beyond its limits"));
  EXPECT_THAT(refusalOf(scene), HasSubstr("from -1.25 to 0.75"));
}

TEST(TaskCompilation, ATaskThatCannotEndWellIsRefused) {
  Scene scene = withTask();
  scene.task->success.clear();
  EXPECT_THAT(refusalOf(scene), HasSubstr("nothing says when the task is done"));
  scene = withTask();
  scene.task->timeLimit = 0;
  EXPECT_THAT(refusalOf(scene), HasSubstr("time limit"));
  scene = withTask();
  scene.task->success[0].above = 0.2;
  EXPECT_THAT(refusalOf(scene), HasSubstr("nothing lies between"));
}

TEST(TaskEdit, RemovingAThingTakesItsResetAndItsTestsAlong) {
  const Result<Scene> noBall = edited(withTask(), Remove{"ball"});
  ASSERT_TRUE(noBall);
  ASSERT_TRUE(noBall->task);
  EXPECT_TRUE(noBall->task->failure.empty());
  EXPECT_EQ(noBall->task->success.size(), 1u);
  EXPECT_TRUE(compile(*noBall));
  const Result<Scene> noDough = edited(withTask(), Remove{"dough"});
  ASSERT_TRUE(noDough);
  EXPECT_EQ(noDough->task->reset.size(), 2u);
  EXPECT_TRUE(compile(*noDough));
  const Result<Scene> noBox = edited(withTask(), Remove{"box"});
  ASSERT_TRUE(noBox);
  EXPECT_FALSE(noBox->task) << "nothing is left that says when it is done";
  EXPECT_TRUE(compile(*noBox));
}

}  // namespace
}  // namespace slipstick
