// What a device may ask for, broken or hostile as it is: a run goes on without it, and counts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/teleop/teleop.h"
#include "tests/engine/runtime/fake_stepper.h"
#include "tests/support/hand_model.h"

namespace slipstick {
namespace {

/// Poses that are none, and a gripper that cannot close so far.
DevicePose badPose(int i) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  DevicePose pose;
  switch (i % 4) {
    case 0:
      pose.X_WE.p.x() = kNaN;
      break;
    case 1:
      pose.X_WE.p.z() = std::numeric_limits<double>::infinity();
      break;
    case 2:
      pose.X_WE.R.setConstant(kNaN);
      break;
    default:
      pose.X_WE.p.y() = -kNaN;
  }
  return pose;
}

TEST(BadPoses, AThousandOfADeviceAreCountedAndTheRunGoesOn) {
  const auto model = std::make_shared<Model>(*testing::handModel());
  model->time.dt = 0.01;
  model->time.duration = 100;
  model->parameters = parametersOf(*model);
  model->initialQ = model->tree.zeroPosition();
  model->initialV = VecX::Zero(model->tree.nv);
  const auto behaviour = std::make_shared<testing::FakeBehaviour>();
  auto run = SimulationThread::create(model, testing::makeFakeStepper(behaviour)).value();
  const auto teleop = std::make_shared<Teleop>();
  teleop->setActive(true);
  DeviceInfo hand;
  hand.id = hand.name = "hand";
  teleop->plugged(1, hand);
  run->setPilot(teleop);

  constexpr int kAtOnce = 10, kSteps = 100;
  for (int step = 0; step < kSteps; ++step) {
    DeviceReading reading;
    for (int i = 0; i < kAtOnce; ++i) reading.poses.push_back(badPose(step * kAtOnce + i));
    teleop->moved(1, reading);
    run->stepOnce();
    run->waitUntilIdle();
  }
  EXPECT_EQ(run->status().lastStep, std::uint64_t{kSteps});
  EXPECT_EQ(run->status().error, "");
  EXPECT_EQ(run->status().dropped.count, std::uint64_t{kAtOnce} * kSteps);
  EXPECT_THAT(run->status().dropped.why, ::testing::HasSubstr("no pose"));
  EXPECT_EQ(behaviour->commands, 0u);

  // A good one still moves the arm.
  DeviceReading good;
  good.poses.push_back({});
  teleop->moved(1, good);
  run->stepOnce();
  run->waitUntilIdle();
  EXPECT_EQ(behaviour->commands, 1u);
}

}  // namespace
}  // namespace slipstick
