// Joints that a person drives, bodies that a person places.
#include <gtest/gtest.h>

#include "assets/scene_io.h"
#include "tests/support/stepping.h"
#include "tests/support/test_paths.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

std::string robotFile(const char* name) {
  return (testing::sourceDir() / "assets/robots" / name).string();
}

std::vector<int> drivable(const Model& model) {
  std::vector<int> joints;
  for (int j = 0; j < static_cast<int>(model.tree.joints.size()); ++j)
    if (canDrive(model, j)) joints.push_back(j);
  return joints;
}

double position(const testing::SceneRun& run, int joint) {
  return run.snapshot().q[run.model().tree.joints[static_cast<std::size_t>(joint)].qStart];
}

TEST(Drive, ARobotFileAloneStandsStillUnderItsWeight) {
  for (const char* file : {"arm7.urdf", "hand16.urdf"}) {
    const Result<assets::LoadedScene> loaded = assets::loadScene(robotFile(file));
    ASSERT_TRUE(loaded) << loaded.error().message();
    testing::SceneRun run(loaded->scene);
    ASSERT_TRUE(run.ok());
    const VecX start = run.model().initialQ;
    run.runTo(0.5);
    EXPECT_LT((run.snapshot().q - start).cwiseAbs().maxCoeff(), 1e-4) << file;
  }
}

TEST(Drive, EachJointGoesToItsGoalAndTheOthersStay) {
  const Result<assets::LoadedScene> loaded = assets::loadScene(robotFile("arm7.urdf"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  testing::SceneRun run(loaded->scene);
  ASSERT_TRUE(run.ok());
  double time = 0;
  for (const int joint : drivable(run.model())) {
    const multibody::Joint& j = run.model().tree.joints[static_cast<std::size_t>(joint)];
    const VecX before = run.snapshot().q;
    const double goal = std::clamp(position(run, joint) + 0.4, j.lower, j.upper);
    const std::vector<Command> drive = {DriveJoint{joint, goal}};
    run.step(drive);
    double furthest = position(run, joint);
    run.runTo(time += 1.5, [&](const Snapshot& s) { furthest = std::max(furthest, s.q[j.qStart]); });
    EXPECT_NEAR(position(run, joint), goal, 1e-3) << j.name;
    EXPECT_LT(furthest, goal + 5e-3) << j.name << ": no overshoot";
    VecX change = run.snapshot().q - before;
    change[j.qStart] = 0;
    EXPECT_LT(change.cwiseAbs().maxCoeff(), 1e-3) << "when " << j.name << " moves";
  }
}

TEST(Drive, GoalsBeyondALimitStopThereAndFreedJointsFall) {
  const Result<assets::LoadedScene> loaded = assets::loadScene(robotFile("arm7.urdf"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  testing::SceneRun run(loaded->scene);
  ASSERT_TRUE(run.ok());
  const int joint = drivable(run.model())[1];  // the shoulder
  const double upper = run.model().tree.joints[static_cast<std::size_t>(joint)].upper;
  ASSERT_TRUE(std::isfinite(upper));
  const std::vector<Command> drive = {DriveJoint{joint, 100}};
  run.step(drive);
  run.runTo(3);
  EXPECT_NEAR(position(run, joint), upper, 1e-3);
  std::vector<Command> free;
  for (const int j : drivable(run.model())) free.push_back(FreeJoint{j});
  run.step(free);
  run.runTo(3.3);
  EXPECT_GT(run.snapshot().v.norm(), 0.1);
  EXPECT_EQ(run.snapshot().tau.norm(), 0) << "nobody moves it";
}

TEST(Drive, TakesAJointFromTheController) {
  testing::SceneRun run("dough_rolling");
  ASSERT_TRUE(run.ok());
  const int joint = run.model().findJoint("left_arm.joint_1");
  ASSERT_TRUE(canDrive(run.model(), joint));
  const double goal = position(run, joint) + 0.3;
  const std::vector<Command> drive = {DriveJoint{joint, goal}};
  run.step(drive);
  run.runTo(0.1);
  EXPECT_GT(position(run, joint), goal - 0.28) << "the scene would not turn it this way";
}

TEST(Place, PutsAFreeBodyAtRestWhereItIsWanted) {
  testing::SceneRun run("stack");
  ASSERT_TRUE(run.ok());
  const int body = run.model().robots.back().firstBody;
  const auto b = static_cast<std::size_t>(body);
  Pose wanted = Pose::translation({0.7, 0, 0.8});
  wanted.R = Eigen::AngleAxisd(0.5, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const std::vector<Command> place = {Place{body, wanted}};
  run.step(place);
  const double dt = run.model().time.dt;
  const Pose& X_WB = run.snapshot().X_WB[b];
  EXPECT_LT((X_WB.R - wanted.R).norm(), 1e-9);
  EXPECT_LT((X_WB.p - wanted.p - Vec3(0, 0, -9.81 * dt * dt)).norm(), 1e-9) << "it has fallen for one step";
  EXPECT_FALSE(check(Place{run.model().findBody("ground"), wanted}, run.model()));
}

TEST(Place, PutsABodyWhoseJointStandsElsewhereWhereItIsWanted) {
  testing::SceneRun run((testing::dataDir() / "mjcf" / "free_bodies.xml").string());
  ASSERT_TRUE(run.ok());
  const int body = run.model().findBody("free bodies.block");
  ASSERT_GT(body, 0);
  ASSERT_FALSE(run.model().tree.joints[static_cast<std::size_t>(body - 1)].X_PJ.R.isIdentity(0.1));
  Pose wanted = Pose::translation({0.7, 2, 1.8});
  wanted.R = Eigen::AngleAxisd(0.5, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const std::vector<Command> place = {Place{body, wanted}};
  run.step(place);
  const double dt = run.model().time.dt;
  const Pose& X_WB = run.snapshot().X_WB[static_cast<std::size_t>(body)];
  EXPECT_LT((X_WB.R - wanted.R).norm(), 1e-9);
  EXPECT_LT((X_WB.p - wanted.p - Vec3(0, 0, -9.8 * dt * dt)).norm(), 1e-9) << "it has fallen for one step";
}

}  // namespace
}  // namespace slipstick
