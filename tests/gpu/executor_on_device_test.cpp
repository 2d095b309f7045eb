// The cases of executor_test.cpp on a device: bit for bit what the host computes.
#include "tests/gpu/executor_on_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <thread>

#include "gpu/device.h"
#include "gpu/host_executor.h"

namespace slipstick::gpu::testing {
namespace {

using ::testing::HasSubstr;

/// Without a device its tests skip themselves.
class OnDeviceExecutor : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<CudaExecutor>> made = makeCudaExecutor();
    if (!made) GTEST_SKIP() << "no CUDA device: " << made.error().message();
    executor_ = std::move(*made);
  }

  std::unique_ptr<CudaExecutor> executor_;
};

TEST(CudaExecutor, ComesWithADeviceOrAnErrorThatSaysWhyNot) {
  const Result<std::unique_ptr<CudaExecutor>> made = makeCudaExecutor();
  if (made) {
    EXPECT_GT((*made)->gridBlocks(), 0);
    EXPECT_GE((*made)->blockSharedBytes(), std::size_t{99} << 10) << "what compute capability 8.6 has";
    EXPECT_FALSE(cudaDevices().empty());
    return;
  }
  EXPECT_EQ(made.error().code, ErrorCode::DeviceFailure);
  EXPECT_EQ(made.error().where, "cuda");
  EXPECT_THAT(made.error().remedy, HasSubstr("--backend cpu"));
  if (cudaDevices().empty()) {
    EXPECT_THAT(made.error().what, HasSubstr(noDeviceReason()));
  } else {
    EXPECT_THAT(made.error().what, HasSubstr("compute capability"));
  }
}

TEST_F(OnDeviceExecutor, EveryCaseGivesTheBitsOfTheHost) {
  const std::vector<ExecutorCase> onDevice = executorCasesOnDevice(), onHost = executorCases<HostExecutor>();
  ASSERT_EQ(onDevice.size(), onHost.size());
  for (std::size_t i = 0; i < onHost.size(); ++i) {
    HostExecutor host;
    // A new one each: some cases look at the counts.
    const std::unique_ptr<CudaExecutor> device = std::move(*makeCudaExecutor());
    EXPECT_EQ(onDevice[i].run(*device), onHost[i].run(host)) << onHost[i].name;
  }
}

TEST_F(OnDeviceExecutor, EveryCaseGivesTheSameAgain) {
  for (const ExecutorCase& c : executorCasesOnDevice()) {
    if (std::string(c.name).starts_with("replayed")) continue;  // looks at the counts
    const Numbers first = c.run(*executor_);
    for (int again = 0; again < 10; ++again) EXPECT_EQ(c.run(*executor_), first) << c.name;
  }
}

TEST_F(OnDeviceExecutor, MemoryIsCountedAndFreed) {
  const std::size_t before = executor_->counts().bytes;
  {
    DeviceArray<double> x(*executor_);
    x.ensure(1000);
    EXPECT_EQ(executor_->counts().bytes, before + 8000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 256, 0u);
  }
  EXPECT_EQ(executor_->counts().bytes, before);
}

TEST_F(OnDeviceExecutor, AnAllocationThatFailsSaysWhatToDoAndLosesNothing) {
  constexpr std::size_t kTooMuch = std::size_t{1} << 46;
  executor_->beginGraph();
  try {
    executor_->allocate(kTooMuch);
    ADD_FAILURE() << "64 TiB were there";
  } catch (const DeviceError& failure) {
    EXPECT_EQ(failure.error().what, outOfDeviceMemory("cuda", kTooMuch).what);
    EXPECT_EQ(failure.error().where, "cuda");
  }
  DeviceArray<double> x = onDevice(*executor_, Numbers{1});
  launchDouble(*executor_, x.data(), 1);
  EXPECT_EQ(onHost(*executor_, x), Numbers{3});
}

TEST_F(OnDeviceExecutor, LaunchesFromAnotherThreadReachItsDevice) {
  DeviceArray<double> x = onDevice(*executor_, Numbers{1});
  std::thread([&] { launchDouble(*executor_, x.data(), 1); }).join();
  EXPECT_EQ(onHost(*executor_, x), Numbers{3});
}

/// In a process of its own: a lost device stays lost. Not for compute-sanitizer, which would report the loss.
TEST(OnDeviceLoss, IsReportedWithTheNameOfTheKernel) {
  if (cudaDevices().empty()) GTEST_SKIP() << "no CUDA device: " << noDeviceReason();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto loseIt = [] {
    const std::unique_ptr<CudaExecutor> executor = std::move(*makeCudaExecutor());
    try {
      launchFailure(*executor);
      executor->wait();
    } catch (const DeviceError& failure) {
      std::cerr << failure.error().where << ": " << failure.error().what << std::endl;
      std::exit(0);
    }
    std::exit(1);
  };
  EXPECT_EXIT(loseIt(), ::testing::ExitedWithCode(0), "cuda, kernel Failure: the device was lost: ");
}

}  // namespace
}  // namespace slipstick::gpu::testing
