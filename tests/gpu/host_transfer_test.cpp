// Particles to grid and back on the device's kernels: every material in the kernel that is made for it, several in the one
// for all, and sums in any order.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/host_backend.h"

#include "tests/engine/mpm/impact_scene.h"
#include "tests/engine/mpm/reference_noise.h"

using namespace slipstick;
using namespace slipstick::testing;

namespace {

std::unique_ptr<mpm::Backend> onHost(std::shared_ptr<const Model> model, std::uint64_t seed = 0,
                                     gpu::Reproducibility sums = gpu::Reproducibility::RunToRun) {
  gpu::HostExecutor::Settings settings;
  settings.seed = seed;
  return std::move(
             gpu::makeHostBackend(std::move(model), std::make_unique<gpu::HostExecutor>(settings), sums))
      .value();
}

/// Two steps of twenty substeps into a spinning box. Limits as for the CPU's lanes.
void expectStaysWithReference(const Impact& impact) {
  impact.model->solver.relativeTolerance = 1e-5;
  mpm::StepResult fast, exact;
  const ParticleState a = impact.run(*onHost(impact.model), 2, fast);
  const ParticleState b = impact.run(*mpm::makeReferenceBackend(impact.model), 2, exact);
  ASSERT_EQ(fast.report.health, exact.report.health);
  double worst = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) worst = std::max(worst, (a.x[i] - b.x[i]).norm());
  EXPECT_LT(worst, 2e-5);
  ASSERT_GT(exact.wrenchImpulse[0].force.norm(), 0);
  EXPECT_LT((fast.wrenchImpulse[0].force - exact.wrenchImpulse[0].force).norm(),
            2e-3 * exact.wrenchImpulse[0].force.norm());
}

}  // namespace

class HostTransfer : public ::testing::TestWithParam<int> {};

TEST_P(HostTransfer, ManySubstepsInOneKernelStayWithTheReference) {
  expectStaysWithReference(Impact(static_cast<MaterialModel>(GetParam()), 8));
}

INSTANTIATE_TEST_SUITE_P(EveryMaterial, HostTransfer, ::testing::Range(0, kPointMaterials));

TEST(HostTransferOfMany, SeveralMaterialsInOneBlockStayWithTheReference) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  Deformable& first = impact.model->deformables[0];
  Deformable second = cubeModel(8, MaterialModel::Snow)->deformables[0];
  second.begin = first.end = first.begin + (first.end - first.begin) / 2 + 3;
  second.end = static_cast<int>(impact.model->particles.x.size());
  impact.model->deformables.push_back(second);
  impact.model->contactLaws.push_back(impact.model->contactLaws[0]);
  Impact both = impact;
  both.motion.laws = impact.model->contactLaws;
  expectStaysWithReference(both);
}

TEST(HostTransferInAnyOrder, StaysWithinFloatNoiseOfTheReference) {
  const auto fast = [](std::shared_ptr<const Model> model) {
    return onHost(std::move(model), 0, gpu::Reproducibility::NotGuaranteed);
  };
  EXPECT_EQ(expectScenesWithinNoise("mpm/free_motion.json", fast), 13);
  EXPECT_EQ(expectScenesWithinNoise("mpm/contact_substeps.json", fast), 11);
}

/// Or else it would sum in a fixed order, and cost what that costs.
TEST(HostTransferInAnyOrder, BitsFollowTheOrderOfThreads) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  const auto hashOf = [&](std::uint64_t seed) {
    const auto backend = onHost(impact.model, seed, gpu::Reproducibility::NotGuaranteed);
    EXPECT_EQ(backend->name(), "cuda-host-fast");
    mpm::StepResult result;
    impact.run(*backend, 1, result);
    return result.facts.hash;
  };
  const std::uint64_t once = hashOf(1);
  EXPECT_EQ(hashOf(1), once);
  EXPECT_NE(hashOf(2), once);
}
