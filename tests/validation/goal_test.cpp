// Tools that a person drives: the arm goes where it is asked to, within what its joints can do.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <numbers>
#include <random>

#include "assets/scene_io.h"
#include "engine/multibody/inverse_kinematics.h"
#include "engine/multibody/kinematics.h"
#include "tests/support/stepping.h"
#include "tests/support/test_paths.h"
#include "tests/validation/arm_scene.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kHalfDegree = 0.5 / 180 * std::numbers::pi;

Pose toolPose(const Model& model, const VecX& q, std::size_t effector = 0) {
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, q, X_WB);
  const multibody::Chain& chain = model.effectors[effector].chain;
  return X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
}

double turnBetween(const Mat3& a, const Mat3& b) {
  return Eigen::AngleAxisd(a * b.transpose()).angle();
}

Goal goalAt(const Pose& X, int effector = 0) {
  return {effector, X.p, Quat(X.R)};
}

/// Checks at every step that the joints on their way keep their limits; sums up how they accelerate.
class Watch {
 public:
  explicit Watch(const testing::SceneRun& run) : run_(run) {}
  void operator()() {
    const State::Goal& goal = run_.state().goals.front();
    const multibody::Chain& chain = run_.model().effectors[static_cast<std::size_t>(goal.effector)].chain;
    const double dt = run_.model().time.dt;
    for (std::size_t i = 0; i < chain.joints.size(); ++i) {
      const multibody::Joint& joint = run_.model().tree.joints[static_cast<std::size_t>(chain.joints[i])];
      const auto k = static_cast<int>(i);
      ASSERT_LE(goal.q[k], joint.upper + 1e-12);
      ASSERT_GE(goal.q[k], joint.lower - 1e-12);
      ASSERT_LE(std::abs(goal.v[k]), chain.speed[i] * (1 + 1e-12)) << joint.name;
      if (before_.size() > 0) {
        const double acceleration = (goal.v[k] - before_[k]) / dt;
        ASSERT_LE(std::abs(goal.v[k] - before_[k]), chain.quickness[i] * dt * (1 + 1e-9)) << joint.name;
        squares_ += acceleration * acceleration;
        ++count_;
      }
    }
    before_ = goal.v;
  }
  double rmsAcceleration() const { return std::sqrt(squares_ / std::max(count_, 1)); }

 private:
  const testing::SceneRun& run_;
  VecX before_;
  double squares_ = 0;
  int count_ = 0;
};

TEST(Goals, FiveHundredRandomPosesAreReachedFromHome) {
  testing::SceneRun run(testing::armScene());
  ASSERT_TRUE(run.ok());
  const Model& model = run.model();
  ASSERT_EQ(model.effectors.size(), 1U);
  const multibody::Chain& chain = model.effectors.front().chain;
  ASSERT_EQ(chain.joints.size(), 7U);
  std::mt19937_64 random(18);
  int reached = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 500; ++i) {
    VecX at = model.initialQ;
    for (const int j : chain.joints) {
      const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(j)];
      at[joint.qStart] = std::uniform_real_distribution(joint.lower, joint.upper)(random);
    }
    std::vector<Pose> X_WB;
    multibody::computePoses(model.tree, at, X_WB);
    VecX q = model.initialQ;
    (void)multibody::searchInverseKinematics(model.tree, chain.body, chain.joints,
                                             X_WB[static_cast<std::size_t>(chain.body)], 40, q);
    const Pose goal = toolPose(model, at), found = toolPose(model, q);
    for (const int j : chain.joints) {
      const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(j)];
      ASSERT_GE(q[joint.qStart], joint.lower);
      ASSERT_LE(q[joint.qStart], joint.upper);
    }
    reached += (goal.p - found.p).norm() < 1e-3 && turnBetween(goal.R, found.R) < kHalfDegree;
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  RecordProperty("ms_per_pose", std::to_string(took.count() / 500));
  std::printf("%d of 500 poses reached, %.3f ms each\n", reached, took.count() / 500);
  EXPECT_EQ(reached, 500);
}

TEST(Goals, TheArmGoesWhereItIsAskedToAndCarriesItsWeightThere) {
  testing::SceneRun run(testing::armScene());
  ASSERT_TRUE(run.ok());
  Pose wanted = toolPose(run.model(), run.snapshot().q);
  wanted.p += Vec3(-0.12, 0.15, -0.1);
  wanted.R = Eigen::AngleAxisd(0.5, Vec3(0.3, 1, -0.2).normalized()) * wanted.R;
  const std::vector<Command> go = {goalAt(wanted)};
  run.step(go);
  Watch watch(run);
  run.runTo(2, [&](const Snapshot&) { watch(); });
  const Pose there = toolPose(run.model(), run.snapshot().q);
  EXPECT_LT((there.p - wanted.p).norm(), 1e-3);
  EXPECT_LT(turnBetween(there.R, wanted.R), kHalfDegree);
  ASSERT_EQ(run.snapshot().goals.size(), 1U);
  EXPECT_TRUE(run.snapshot().goals[0].reached);
  EXPECT_LT((run.snapshot().goals[0].wanted.p - wanted.p).norm(), 1e-12);
}

TEST(Goals, TheWayIsStraightAndKeepsItsSpeed) {
  testing::SceneRun run(testing::armScene());
  ASSERT_TRUE(run.ok());
  const EffectorSpeed speed = run.model().effectors[0].speed;
  const Pose start = toolPose(run.model(), run.snapshot().q);
  Pose wanted = start;
  wanted.p += Vec3(-0.1, 0.25, 0.1);
  const Vec3 along = (wanted.p - start.p).normalized();
  const std::vector<Command> go = {goalAt(wanted)};
  run.step(go);
  Pose before = run.snapshot().goals[0].onTheWay;
  const double dt = run.model().time.dt;
  run.runTo(2.5, [&](const Snapshot& s) {
    const Pose now = s.goals[0].onTheWay;
    const Vec3 way = now.p - start.p;
    EXPECT_LT((way - way.dot(along) * along).norm(), 1e-3) << "beside the line at " << s.time;
    EXPECT_LT((now.p - before.p).norm() / dt, 1.02 * speed.linear);
    before = now;
  });
  EXPECT_LT((before.p - wanted.p).norm(), 1e-4);
}

/// With the elbow nearly straight directions are damped, and the posture draws the arm back: neither may hold the tool off.
TEST(Goals, APostureDoesNotHoldTheToolOffItsGoal) {
  testing::SceneRun run(testing::armScene());
  ASSERT_TRUE(run.ok());
  for (const auto& [shoulder, elbow, wrist] :
       {std::array{1.0, -0.55, 1.55}, {1.05, -0.42, 1.6}, {0.9, -0.7, 1.4}}) {
    VecX q = run.model().initialQ;
    for (const auto& [name, angle] :
         {std::pair("arm7.joint_2", shoulder), {"arm7.joint_4", elbow}, {"arm7.joint_6", wrist}})
      q[run.model().tree.joints[static_cast<std::size_t>(run.model().findJoint(name))].qStart] = angle;
    const Pose wanted = toolPose(run.model(), q);
    const std::vector<Command> go = {goalAt(wanted)};
    run.step(go);
    run.runTo(run.snapshot().time + 4);
    const Pose there = run.snapshot().goals[0].onTheWay;
    EXPECT_LT((there.p - wanted.p).norm(), 1e-4) << "elbow at " << elbow;
    EXPECT_LT(turnBetween(there.R, wanted.R), 1e-3) << "elbow at " << elbow;
  }
}

TEST(Goals, OutOfReachAndBackEndsWhereItBegan) {
  testing::SceneRun run(testing::armScene());
  ASSERT_TRUE(run.ok());
  const Pose start = toolPose(run.model(), run.snapshot().q);
  const VecX q = run.snapshot().q;
  Watch watch(run);
  const double dt = run.model().time.dt;
  bool wasOut = false;
  for (double t = 0; t < 12; t += dt) {  // 0.9 m out at 0.25 m/s, and back
    Pose wanted = start;
    wanted.p.x() += std::clamp(t < 4 ? 0.25 * t : 0.25 * (8 - t), 0.0, 0.9);
    const std::vector<Command> go = {goalAt(wanted)};
    run.step(go);
    watch();
    if (HasFatalFailure()) return;
    wasOut = wasOut || !run.snapshot().goals[0].reached;
  }
  EXPECT_TRUE(wasOut);
  const Pose end = toolPose(run.model(), run.snapshot().q);
  EXPECT_LT((end.p - start.p).norm(), 1e-3);
  EXPECT_LT(turnBetween(end.R, start.R), kHalfDegree);
  EXPECT_LT((run.snapshot().q - q).cwiseAbs().maxCoeff(), 0.02) << "in the posture of the start, too";
  std::printf("rms joint acceleration %.3f rad/s^2\n", watch.rmsAcceleration());
}

/// Straight up over the shoulder, where three axes meet, stretched out, and through the zero of the wrist.
TEST(Goals, SingularPosturesArePassedWithoutJitter) {
  testing::SceneRun run(testing::armScene());
  ASSERT_TRUE(run.ok());
  const Pose start = toolPose(run.model(), run.snapshot().q);
  const double dt = run.model().time.dt, pace = 0.2;
  const std::vector<Vec3> corners = {
      {0.3, 0, 0.95}, {-0.3, 0, 0.95}, {-0.3, 0.3, 0.9}, {0.3, 0.3, 0.9}, start.p};
  Watch watch(run);
  Vec3 at = start.p;
  std::vector<int> turns(7, 0);
  VecX before = VecX::Zero(7);
  for (const Vec3& corner : corners)
    while ((corner - at).norm() > 1e-9) {
      const Vec3 left = corner - at;
      at += std::min(1.0, pace * dt / left.norm()) * left;
      Pose wanted = start;
      wanted.p = at;
      const std::vector<Command> go = {goalAt(wanted)};
      run.step(go);
      watch();
      if (HasFatalFailure()) return;
      const VecX& v = run.state().goals[0].v;
      for (int k = 0; k < 7; ++k) {
        if (std::abs(v[k]) < 0.02) continue;
        turns[static_cast<std::size_t>(k)] += v[k] * before[k] < 0;
        before[k] = v[k];
      }
    }
  std::printf("rms joint acceleration %.3f rad/s^2\n", watch.rmsAcceleration());
  // A joint turns round a few times per side of the way; one that jitters does so in every other step.
  for (const int count : turns) EXPECT_LE(count, 3 * static_cast<int>(corners.size()));
}

TEST(Goals, AnotherPostureIsFoundWhereALimitBarsTheWay) {
  testing::SceneRun run(testing::armScene());
  ASSERT_TRUE(run.ok());
  // Half a turn about the tool's own axis, and more: the last joint ends before.
  Pose wanted = toolPose(run.model(), run.snapshot().q);
  wanted.p += Vec3(-0.1, 0, 0.1);
  for (int i = 0; i < 4; ++i) {
    wanted.R = wanted.R * Eigen::AngleAxisd(0.9, Vec3::UnitZ());
    const std::vector<Command> go = {goalAt(wanted)};
    run.step(go);
    run.runTo(run.snapshot().time + 1.5);
  }
  ASSERT_FALSE(run.snapshot().goals[0].reached);
  EXPECT_GE(run.snapshot().goals[0].atLimit, 0);
  const std::vector<Command> reposture = {Reposture{0}};
  run.step(reposture);
  Watch watch(run);
  run.runTo(run.snapshot().time + 8, [&](const Snapshot&) { watch(); });
  EXPECT_TRUE(run.snapshot().goals[0].reached);
}

TEST(Goals, FingersCloseTogetherAndLetGo) {
  testing::SceneRun run("dough_tearing");
  ASSERT_TRUE(run.ok());
  const Model& model = run.model();
  const auto with = std::find_if(model.effectors.begin(), model.effectors.end(),
                                 [](const Effector& e) { return !e.gripper.joints.empty(); });
  ASSERT_NE(with, model.effectors.end());
  const auto effector = static_cast<int>(with - model.effectors.begin());
  const auto fingers = [&] {
    VecX q(static_cast<int>(with->gripper.joints.size()));
    for (int i = 0; i < q.size(); ++i)
      q[i] = run.snapshot()
                 .q[model.tree
                        .joints[static_cast<std::size_t>(with->gripper.joints[static_cast<std::size_t>(i)])]
                        .qStart];
    return q;
  };
  const std::vector<Command> open = {Grip{effector, 0}}, close = {Grip{effector, 1}};
  run.step(open);
  run.runTo(0.8);
  const VecX wide = fingers();
  run.step(close);
  run.runTo(1.8);
  for (int i = 0; i < wide.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_NEAR(wide[i], with->gripper.open[k], 2e-3);
    EXPECT_LT(std::abs(fingers()[i] - with->gripper.closed[k]), std::abs(wide[i] - with->gripper.closed[k]));
  }
  EXPECT_FALSE(check(Grip{effector, 1.5}, model));
  EXPECT_FALSE(check(Goal{99, Vec3::Zero(), Quat::Identity()}, model));
}

TEST(Goals, AreForgottenWhenAJointIsDrivenOrTheEffectorIsLetGo) {
  testing::SceneRun run(testing::armScene());
  ASSERT_TRUE(run.ok());
  const Pose start = toolPose(run.model(), run.snapshot().q);
  const std::vector<Command> go = {goalAt(start)};
  run.step(go);
  EXPECT_TRUE(run.state().drives.empty()) << "the goal moves the joints that the file held";
  ASSERT_EQ(run.state().goals.size(), 1U);
  const std::vector<Command> drive = {DriveJoint{run.model().effectors[0].chain.joints[2], 0.1}};
  run.step(drive);
  EXPECT_TRUE(run.state().goals.empty());
  run.step(go);
  const std::vector<Command> letGo = {LetGo{0}};
  run.step(letGo);
  EXPECT_TRUE(run.state().goals.empty());
  EXPECT_TRUE(run.state().drives.empty());
}

TEST(Goals, GoOnFromASavedStateBitForBit) {
  testing::SceneRun run("box_lift");
  ASSERT_TRUE(run.ok());
  Pose wanted = toolPose(run.model(), run.snapshot().q);
  wanted.p.z() += 0.05;
  const std::vector<Command> go = {goalAt(wanted), Grip{0, 0.4}};
  run.step(go);
  run.runTo(0.1);
  auto other = testing::stepperOf(run.sharedModel(), {});
  other->restore(run.state());
  Snapshot theirs;
  for (int i = 0; i < 5; ++i) {
    run.step();
    other->step({}, theirs);
    EXPECT_EQ(run.snapshot().stateHash, theirs.stateHash);
  }
}

}  // namespace
}  // namespace slipstick
