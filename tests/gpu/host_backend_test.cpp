#include "gpu/host_backend.h"

#include <gtest/gtest.h>

#include "tests/engine/mpm/reference_noise.h"

using namespace slipstick;
using namespace slipstick::testing;

namespace {

std::unique_ptr<mpm::Backend> onHost(std::shared_ptr<const Model> model) {
  return std::move(gpu::makeHostBackend(std::move(model))).value();
}

}  // namespace

TEST(HostBackend, StaysWithinFloatNoiseOfTheReferenceInFreeMotion) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/free_motion.json", onHost), 13);
}
