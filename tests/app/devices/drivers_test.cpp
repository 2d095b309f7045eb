// All drivers together on one thread, as the program runs them, on whatever the machine has.
#include "app/devices/drivers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/devices/network_world.h"

namespace slipstick::app {
namespace {

using testing::eventually;

TEST(DeviceDrivers, RunTogetherAndNoneFailsOrKeepsTheOthersWaiting) {
  testing::DeviceLog log;
  DeviceDrivers all = deviceDrivers({"tcp://127.0.0.1:*", "tcp://127.0.0.1:*", std::chrono::seconds(20)}, {});
  const std::shared_ptr<const NetworkFacts> network = all.network;
  {
    const DeviceThread thread(std::move(all.drivers), log);
    ASSERT_TRUE(eventually([&] { return !network->addresses().poses.empty(); }));
    testing::Client leader(network->addresses().poses, "leader");
    EXPECT_EQ(leader.ask(testing::poseJson(0).dump())["taken"], true);
    EXPECT_NE(log.awaitDevice("network leader"), 0u);
    ASSERT_TRUE(eventually([&] { return thread.status().ticks > 20; }));
    for (const std::string driver : {"gamepads", "3D mice", "network"})
      for (const auto& trouble : log.troubles(driver))
        if (trouble) {
          EXPECT_THAT(trouble->what, ::testing::Not(::testing::HasSubstr("failed: ")));
        }
  }
  EXPECT_EQ(network->addresses().poses, "") << "the facts outlive the driver";
  EXPECT_EQ(network->counts().taken, 1u);
}

}  // namespace
}  // namespace slipstick::app
