// `slipstick run` on a device that is lost or full in mid-run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/exit_status.h"
#include "app/run.h"
#include "tests/app/program_run.h"
#include "tests/support/failing_device.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::internal::CaptureStderr;
using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStderr;
using ::testing::internal::GetCapturedStdout;

class DeviceRun : public testing::ProgramTest {
 protected:
  Outcome runOn(const std::shared_ptr<testing::FailingDevice>& device, const std::string& backend = "auto") {
    app::RunOptions options;
    options.scene.scene = path("drop.yaml");
    options.scene.stepper.backend = backend;
    options.scene.stepper.threads = 1;
    options.report = path("r.json");
    options.csv = path("o.csv");
    CaptureStdout();
    CaptureStderr();
    const int status = app::run(options, testing::deviceRegistry(device));
    return {status, GetCapturedStdout(), GetCapturedStderr()};
  }
};

TEST_F(DeviceRun, ALostDeviceEndsTheRunWithAnErrorAHintAndWhatWasComputed) {
  const auto device = std::make_shared<testing::FailingDevice>();
  device->settings.losingLaunch = 400;
  const Outcome outcome = runOn(device);
  EXPECT_EQ(outcome.status, app::kSimulationFailed);
  const auto report = nlohmann::json::parse(testing::readText(path("r.json")));
  const int steps = report["steps"].get<int>();
  EXPECT_GT(steps, 0);
  EXPECT_LT(steps, 20);
  EXPECT_THAT(outcome.err, HasSubstr("drop, step " + std::to_string(steps + 1) + " (t = "));
  EXPECT_THAT(outcome.err, HasSubstr("cuda-host, kernel "));
  EXPECT_THAT(outcome.err, HasSubstr(": the device was lost; compute on the CPU (--backend cpu)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("stopped early"));
  EXPECT_EQ(testing::lineCount(testing::readText(path("o.csv"))), 2u + static_cast<std::size_t>(steps));
}

TEST_F(DeviceRun, ADeviceWithoutRoomForTheSceneIsBadInput) {
  const auto device = std::make_shared<testing::FailingDevice>();
  device->settings.failingAllocation = 3;
  const Outcome outcome = runOn(device);
  EXPECT_EQ(outcome.status, app::kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("bytes of memory left"));
  EXPECT_THAT(outcome.err, HasSubstr("--backend cpu"));
}

TEST_F(DeviceRun, SaysWhichDeviceAutoHasTaken) {
  const auto device = std::make_shared<testing::FailingDevice>();
  const Outcome outcome = runOn(device);
  EXPECT_EQ(outcome.status, app::kSuccess);
  EXPECT_THAT(outcome.err, StartsWith("slipstick: drop: runs on CPU · 1 thread · as a CUDA device\n"));
  const auto report = nlohmann::json::parse(testing::readText(path("r.json")));
  EXPECT_EQ(report["backend"], "cuda-host");
  EXPECT_EQ(report["runs_on"], "CPU · 1 thread · as a CUDA device");
  EXPECT_EQ(runOn(device, "cpu").err, "") << "the CPU is taken in silence";
}

TEST_F(DeviceRun, CudaWithoutADeviceSaysWhyAndWhatToDo) {
  const Outcome outcome = run("run drop.yaml --backend cuda", "CUDA_VISIBLE_DEVICES=");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(testing::lineCount(outcome.err), 1u);
  EXPECT_THAT(outcome.err, HasSubstr("CUDA"));
  EXPECT_THAT(outcome.err, HasSubstr("--backend cpu"));
}

}  // namespace
}  // namespace slipstick
