#include "engine/teleop/device_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "tests/support/device_log.h"
#include "tests/support/injected_device.h"

namespace slipstick {
namespace {

using testing::DeviceLog;
using testing::eventually;
using ::testing::HasSubstr;
using testing::InjectedDevice;
using testing::InjectedDriver;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::shared_ptr<InjectedDevice> pad(const std::string& id = "pad") {
  return std::make_shared<InjectedDevice>(
      DeviceInfo{id, "Pad " + id, DeviceKind::Other, {"x", "y"}, {"A", "B"}, true});
}

using Devices = std::vector<std::shared_ptr<InjectedDevice>>;

std::vector<std::unique_ptr<DeviceDriver>> drivers(const Devices& devices) {
  std::vector<std::unique_ptr<DeviceDriver>> drivers;
  drivers.push_back(std::make_unique<InjectedDriver>(devices));
  return drivers;
}

TEST(DeviceThread, HandsOnHowADeviceStands) {
  const auto device = pad();
  DeviceLog log;
  const DeviceThread thread(drivers({device}), log);
  const DeviceId id = log.awaitDevice("pad");
  ASSERT_NE(id, 0u);
  device->setAxis("y", 0.5);
  device->press("B");
  EXPECT_TRUE(eventually([&] { return log.seen()[id].last.axes == std::vector{0.0, 0.5}; }));
  EXPECT_TRUE(eventually([&] { return log.seen()[id].last.buttons == 0b10; }));
  EXPECT_EQ(log.seen()[id].info.name, "Pad pad");
}

TEST(DeviceThread, APressShorterThanAReadingIsNotMissed) {
  const auto device = pad();
  DeviceLog log;
  const DeviceThread thread(drivers({device}), log);
  const DeviceId id = log.awaitDevice("pad");
  device->tap("A");
  EXPECT_TRUE(eventually([&] { return log.seen()[id].pressed == 0b01; }));
  EXPECT_EQ(log.seen()[id].last.buttons, 0u);
}

TEST(DeviceThread, LosesNoPoseAndKeepsTheirOrderFromTwoDevicesAtOnce) {
  const auto left = pad("left"), right = pad("right");
  DeviceLog log;
  const DeviceThread thread(drivers({left, right}), log);
  constexpr int kPoses = 5000;
  const auto send = [](InjectedDevice& device) {
    for (int i = 0; i < kPoses; ++i) {
      DevicePose pose;
      pose.X_WE.p.x() = i;
      device.push(pose);
      if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  std::thread other([&] { send(*left); });
  send(*right);
  other.join();
  for (const std::string id : {"left", "right"}) {
    const DeviceId device = log.awaitDevice(id);
    EXPECT_TRUE(eventually([&] { return log.seen()[device].poses.size() >= kPoses; }));
    const auto poses = log.seen()[device].poses;
    ASSERT_THAT(poses, SizeIs(kPoses));
    for (int i = 0; i < kPoses; ++i) ASSERT_EQ(poses[static_cast<std::size_t>(i)].X_WE.p.x(), i);
  }
}

TEST(DeviceThread, ADeviceThatIsPluggedInAgainIsANewOneUnderItsOldName) {
  const auto device = pad(), other = pad("other");
  DeviceLog log;
  const DeviceThread thread(drivers({device, other}), log);
  const DeviceId first = log.awaitDevice("pad");
  device->unplug();
  ASSERT_TRUE(eventually([&] { return log.seen()[first].isGone; }));
  device->plug();
  const DeviceId second = log.awaitDevice("pad");
  EXPECT_GT(second, first);
  EXPECT_TRUE(log.seen()[first].isGone);
  EXPECT_FALSE(log.seen()[log.awaitDevice("other")].isGone) << "the other one never left";
}

TEST(DeviceThread, ADriverThatThrowsIsReportedAndLosesItsDevicesAndTheOthersGoOn) {
  const auto good = pad("good"), bad = pad("bad"), beside = pad("beside");
  DeviceLog log;
  std::vector<std::unique_ptr<DeviceDriver>> both;
  both.push_back(std::make_unique<InjectedDriver>(Devices{bad, beside}, "bad driver"));
  both.push_back(std::make_unique<InjectedDriver>(Devices{good}, "good driver"));
  const DeviceThread thread(std::move(both), log, {}, {std::chrono::hours(1), std::chrono::hours(1)});
  const DeviceId badId = log.awaitDevice("bad"), besideId = log.awaitDevice("beside"),
                 goodId = log.awaitDevice("good");
  bad->failWith([] { throw std::runtime_error("the cable burns"); });
  ASSERT_TRUE(eventually([&] { return log.seen()[badId].isGone && log.seen()[besideId].isGone; }));
  ASSERT_TRUE(eventually([&] { return !log.troubles("bad driver").empty(); }));
  const auto troubles = log.troubles("bad driver");
  ASSERT_THAT(troubles, SizeIs(1));
  EXPECT_THAT(troubles[0]->message(), HasSubstr("bad driver: failed: the cable burns"));
  const std::size_t readings = log.seen()[goodId].readings;
  EXPECT_TRUE(eventually([&] { return log.seen()[goodId].readings > readings + 5; }));
  EXPECT_THAT(log.seen(), SizeIs(3)) << "while it rests, nothing of it is there";
}

/// Short, so that tests need not wait for it.
constexpr DriverRest kRest{std::chrono::milliseconds(30), std::chrono::milliseconds(60)};

TEST(DeviceThread, ADriverThatThrowsSomeTimesIsBackWithItsDevicesAndHasSaidBothOnce) {
  const auto bad = pad("bad"), beside = pad("beside");
  DeviceLog log;
  const DeviceThread thread(drivers({bad, beside}), log, {}, kRest);
  const DeviceId badId = log.awaitDevice("bad"), besideId = log.awaitDevice("beside");
  bad->failWith([] { throw std::runtime_error("the cable burns"); }, 4);
  ASSERT_TRUE(eventually([&] { return log.troubles("injected").size() == 2; }));
  EXPECT_THAT(log.troubles("injected")[0]->message(), HasSubstr("the cable burns"));
  EXPECT_FALSE(log.troubles("injected")[1]) << "it is over";
  EXPECT_GT(log.awaitDevice("bad"), badId);
  EXPECT_GT(log.awaitDevice("beside"), besideId);
  std::size_t goneCount = 0;
  for (const auto& [id, seen] : log.seen()) goneCount += seen.isGone ? 1 : 0;
  EXPECT_EQ(goneCount, 2u * 4) << "each failure took both along";
  EXPECT_THAT(log.troubles("injected"), SizeIs(2)) << "four failures, one line";

  bad->failWith([] { throw std::runtime_error("it burns again"); });
  ASSERT_TRUE(eventually([&] { return log.troubles("injected").size() == 4; }));
  EXPECT_THAT(log.troubles("injected")[2]->message(), HasSubstr("it burns again"));
  EXPECT_FALSE(log.troubles("injected")[3]);
}

TEST(DriverRest, GrowsWithEachFailureUpToHalfAMinute) {
  std::vector<long> rests_s;
  for (const unsigned failures : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 1000000u})
    rests_s.push_back(std::chrono::duration_cast<std::chrono::seconds>(DriverRest{}.after(failures)).count());
  EXPECT_THAT(rests_s, ::testing::ElementsAre(1, 2, 4, 8, 16, 30, 30, 30));
}

TEST(DeviceThread, WhatIsNoExceptionOfTheLibraryIsCaughtToo) {
  const auto bad = pad("bad");
  DeviceLog log;
  const DeviceThread thread(drivers({bad}), log);
  const DeviceId id = log.awaitDevice("bad");
  bad->failWith([] { throw 5; });
  EXPECT_TRUE(eventually([&] { return log.seen()[id].isGone && log.troubles("injected").size() == 1; }));
}

TEST(DeviceThread, SaysOnceWhatTroublesADriver) {
  DeviceLog log;
  const DeviceThread thread(drivers({}), log);
  ASSERT_TRUE(eventually([&] { return thread.status().ticks > 10; }));
  const auto troubles = log.troubles("injected");
  ASSERT_THAT(troubles, SizeIs(1));
  EXPECT_THAT(troubles[0]->message(), HasSubstr("the test has given it none"));
}

TEST(DeviceThread, GivesEachDeviceBackWhatIsForIt) {
  const auto left = pad("left"), right = pad("right");
  DeviceLog log;
  std::atomic<int> offset = 100;
  const DeviceThread thread(drivers({left, right}), log, [&](DeviceId device) {
    DeviceFeedback feedback;
    feedback.effector = offset + static_cast<int>(device);
    return feedback;
  });
  const DeviceId leftId = log.awaitDevice("left"), rightId = log.awaitDevice("right");
  offset = 200;
  EXPECT_TRUE(eventually([&] { return left->felt().effector == 200 + static_cast<int>(leftId); }));
  EXPECT_TRUE(eventually([&] { return right->felt().effector == 200 + static_cast<int>(rightId); }));
}

TEST(DeviceThread, UnplugsAllAtItsEnd) {
  const auto device = pad();
  DeviceLog log;
  {
    const DeviceThread thread(drivers({device}), log);
    ASSERT_NE(log.awaitDevice("pad"), 0u);
  }
  for (const auto& [id, seen] : log.seen()) EXPECT_TRUE(seen.isGone);
}

TEST(DeviceThread, WhatALateReadingHasMissedIsCountedAndNotCaughtUpWith) {
  const auto device = pad();
  DeviceLog log;
  const auto begin = std::chrono::steady_clock::now();
  const DeviceThread thread(drivers({device}), log);
  const DeviceId id = log.awaitDevice("pad");
  const std::uint64_t late = thread.status().late;
  device->failWith([] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); });
  ASSERT_TRUE(eventually([&] { return thread.status().late >= late + 19; }));
  EXPECT_FALSE(log.seen()[id].isGone);
  const DeviceThread::Status status = thread.status();
  const auto grid = (std::chrono::steady_clock::now() - begin) / DeviceThread::kPeriod;
  EXPECT_LE(status.ticks + status.late, static_cast<std::uint64_t>(grid) + 1) << "never ahead of the grid";
  EXPECT_GT(status.rate, 0);
}

}  // namespace
}  // namespace slipstick
