// Tests of the device's backend, run on this machine and, where a CUDA device can be used, on that too:
//   class KernelCloth : public KernelTest {};
//   TEST_P(KernelCloth, …) { … backend(model) … }
//   INSTANTIATE_TEST_SUITE_P(On, KernelCloth, KernelTest::places(), KernelTest::nameOf);
// Those on a device end with /device.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "gpu/cuda_backend.h"
#include "gpu/device.h"
#include "gpu/host_backend.h"

namespace slipstick::testing {

class KernelTest : public ::testing::TestWithParam<std::string> {
 public:
  static auto places() {
    const bool device = gpu::usableDevice(gpu::cudaDevices()).has_value();
    return ::testing::ValuesIn(device ? std::vector<std::string>{"host", "device"}
                                      : std::vector<std::string>{"host"});
  }
  static std::string nameOf(const ::testing::TestParamInfo<std::string>& info) { return info.param; }

 protected:
  /// @param seed  of the order in which the host runs threads; a device has its own
  static std::unique_ptr<mpm::Backend> backend(
      std::shared_ptr<const Model> model, std::uint64_t seed = 0,
      gpu::Reproducibility reproducibility = gpu::Reproducibility::RunToRun) {
    if (GetParam() == "device")
      return std::move(gpu::makeCudaBackend(std::move(model), reproducibility)).value();
    gpu::HostExecutor::Settings settings;
    settings.seed = seed;
    return std::move(gpu::makeHostBackend(std::move(model), std::make_unique<gpu::HostExecutor>(settings),
                                          reproducibility))
        .value();
  }
};

}  // namespace slipstick::testing
