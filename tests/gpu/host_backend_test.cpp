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

/// Sand that flows steadily loses the same last digit of F in every substep, while the noise on record is that of
/// random ones: 14 times it after a hundred substeps, where products and sums are not fused.
double factorOf(const std::string& material) {
  return material == "drucker_prager" ? 20 : kNoiseFactor;
}

TEST(HostBackend, StaysWithinFloatNoiseOfTheReferenceInFreeMotion) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/free_motion.json", onHost, factorOf), 13);
}

TEST(HostBackend, StaysWithinFloatNoiseOfTheReferenceInContact) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/contact_substeps.json", onHost), 11);
}

TEST(HostBackend, StaysWithinFloatNoiseOfTheReferenceCoupledBothWays) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/async_two_way.json", onHost), 2);
}
