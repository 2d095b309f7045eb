#include "gpu/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

namespace slipstick::gpu {
namespace {

TEST(Devices, AreListedOrTheReasonIsSaidNeverBoth) {
  EXPECT_NE(cudaDevices().empty(), noDeviceReason().empty());
}

TEST(Devices, TheReasonNamesACauseAndARemedyInOneLine) {
  const std::string reason = noDeviceReason();
  if (reason.empty()) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_THAT(reason, ::testing::HasSubstr("; "));
  EXPECT_EQ(reason.find('\n'), std::string::npos);
#ifdef SLIPSTICK_CUDA
  EXPECT_THAT(reason, ::testing::Not(::testing::HasSubstr("built without")));
#else
  EXPECT_THAT(reason, ::testing::StartsWith("built without CUDA"));
#endif
}

TEST(Devices, AskingTwiceGivesTheSameAnswer) {
  EXPECT_EQ(cudaDevices().size(), cudaDevices().size());
  EXPECT_EQ(noDeviceReason(), noDeviceReason());
}

TEST(Devices, TheFirstOfComputeCapabilityEightIsUsed) {
  const auto ofMajor = [](int major) { return DeviceInfo{.name = "x", .computeMajor = major}; };
  EXPECT_EQ(usableDevice({}), std::nullopt);
  EXPECT_EQ(usableDevice({ofMajor(7)}), std::nullopt);
  EXPECT_EQ(usableDevice({ofMajor(7), ofMajor(8), ofMajor(9)}), 1);
}

// Labelled gpu: needs a device.
TEST(OnDevice, HasANameMemoryAndAComputeCapabilityThatTheRuntimeSupports) {
  if (cudaDevices().empty()) GTEST_SKIP() << "no CUDA device: " << noDeviceReason();
  for (const DeviceInfo& device : cudaDevices()) {
    std::cout << "CUDA device: " << device.name << '\n';  // for on_device.sh
    EXPECT_FALSE(device.name.empty());
    EXPECT_GE(device.computeMajor, 5);
    EXPECT_GE(device.computeMinor, 0);
    EXPECT_GT(device.multiprocessors, 0);
    EXPECT_GT(device.memoryBytes, std::size_t{1} << 30);
  }
}

}  // namespace
}  // namespace slipstick::gpu
