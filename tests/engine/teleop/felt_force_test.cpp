#include "engine/teleop/felt_force.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/hand_model.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testing::HandModel;

TEST(FeltForce, IsOfTheLastMovingLinkWithAllThatIsFixedToItAndItsFingers) {
  const auto model = testing::handModel();
  EXPECT_THAT(
      feltBodies(*model, model->effectors[0]),
      ElementsAre(HandModel::kLower, HandModel::kPalm, HandModel::kLeftFinger, HandModel::kRightFinger));
}

TEST(FeltForce, ToolFrameAndMomentAreAboutTheToolsOrigin) {
  const auto model = testing::handModel();
  const auto snapshot = testing::handSnapshot(model);
  EXPECT_TRUE(toolPose(model->effectors[0], *snapshot).p.isApprox(Vec3(3, 0, 0.1)));
  // 2 N along y at the left finger's origin, which is (1, 0, −0.1) from the tool's.
  snapshot->contactWrench[HandModel::kLeftFinger].force = {0, 2, 0};
  snapshot->contactWrench[HandModel::kLeftFinger].torque = {0, 0, 0.5};
  const FeltForce felt = feltForce({model, snapshot, 0});
  EXPECT_TRUE(felt.net.force.isApprox(Vec3(0, 2, 0)));
  EXPECT_TRUE(felt.net.torque.isApprox(Vec3(0.2, 0, 2.5)));
  EXPECT_DOUBLE_EQ(felt.pressing, 2);
}

TEST(FeltForce, FingersThatSqueezeAreFeltThoughTheirForcesCancel) {
  const auto model = testing::handModel();
  const auto snapshot = testing::handSnapshot(model);
  snapshot->contactWrench[HandModel::kLeftFinger].force = {0, 5, 0};
  snapshot->contactWrench[HandModel::kRightFinger].force = {0, -5, 0};
  snapshot->contactWrench[HandModel::kPuck].force = {0, 0, 100};
  const FeltForce felt = feltForce({model, snapshot, 0});
  EXPECT_EQ(felt.net.force.norm(), 0);
  EXPECT_DOUBLE_EQ(felt.pressing, 10);
}

TEST(FeltForce, IsNothingWithoutAStepOrAnEffector) {
  const auto model = testing::handModel();
  EXPECT_EQ(feltForce({}).pressing, 0);
  EXPECT_EQ(feltForce({model, nullptr, 0}).pressing, 0);
  EXPECT_EQ(feltForce({model, testing::handSnapshot(model), -1}).pressing, 0);
}

}  // namespace
}  // namespace slipstick
