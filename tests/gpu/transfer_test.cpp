// Particles to grid and back on the device's kernels: every material in the kernel that is made for it, several in the
// one for all, every shape in their way, and sums in any order.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "engine/geometry/sdf_grid.h"
#include "tests/engine/geometry/contact_meshes.h"
#include "tests/engine/mpm/impact_scene.h"
#include "tests/engine/mpm/reference_noise.h"
#include "tests/gpu/kernel_test.h"

using namespace slipstick;
using namespace slipstick::testing;

class KernelTransfer : public KernelTest {
 protected:
  /// Some steps of twenty substeps into a spinning box. Limits as for the CPU's lanes.
  static void expectStaysWithReference(const Impact& impact, int steps) {
    impact.model->solver.relativeTolerance = 1e-5;
    SoftOutcome fast, exact;
    const mpm::ParticleState a = impact.run(*backend(impact.model), steps, fast);
    const mpm::ParticleState b = impact.run(*mpm::makeReferenceBackend(impact.model), steps, exact);
    ASSERT_EQ(fast.report.health, exact.report.health);
    EXPECT_LT(largestDistance(a.x, b.x), 2e-5);
    ASSERT_GT(exact.wrenchImpulse[0].force.norm(), 0);
    EXPECT_LT((fast.wrenchImpulse[0].force - exact.wrenchImpulse[0].force).norm(),
              2e-3 * exact.wrenchImpulse[0].force.norm());
    EXPECT_NEAR(fast.report.activeNodes, exact.report.activeNodes, 0.02 * exact.report.activeNodes);
  }
};
INSTANTIATE_TEST_SUITE_P(On, KernelTransfer, KernelTest::places(), KernelTest::nameOf);

TEST_P(KernelTransfer, StaysWithinFloatNoiseOfTheReferenceInFreeMotion) {
  const auto here = [](std::shared_ptr<const Model> model) { return backend(std::move(model)); };
  EXPECT_EQ(expectScenesWithinNoise("mpm/free_motion.json", here), 13);
}

TEST_P(KernelTransfer, StaysWithinFloatNoiseOfTheReferenceInContact) {
  const auto here = [](std::shared_ptr<const Model> model) { return backend(std::move(model)); };
  EXPECT_EQ(expectScenesWithinNoise("mpm/contact_substeps.json", here), 11);
}

TEST_P(KernelTransfer, StaysWithinFloatNoiseOfTheReferenceCoupledBothWays) {
  const auto here = [](std::shared_ptr<const Model> model) { return backend(std::move(model)); };
  EXPECT_EQ(expectScenesWithinNoise("mpm/async_two_way.json", here), 2);
}

TEST_P(KernelTransfer, SumsInAnyOrderStayWithinFloatNoiseOfTheReference) {
  const auto fast = [](std::shared_ptr<const Model> model) {
    return backend(std::move(model), 0, gpu::Reproducibility::NotGuaranteed);
  };
  EXPECT_EQ(expectScenesWithinNoise("mpm/free_motion.json", fast), 13);
  EXPECT_EQ(expectScenesWithinNoise("mpm/contact_substeps.json", fast), 11);
}

/// In the kernel of each.
TEST_P(KernelTransfer, EveryMaterialStaysWithTheReferenceOverManySubsteps) {
  for (int material = 0; material < kPointMaterials; ++material) {
    SCOPED_TRACE(material);
    expectStaysWithReference(Impact(static_cast<MaterialModel>(material), 8), 4);
  }
}

TEST_P(KernelTransfer, SeveralMaterialsInOneBlockStayWithTheReference) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  Deformable& first = impact.model->deformables[0];
  Deformable second = cubeModel(8, MaterialModel::Snow)->deformables[0];
  second.begin = first.end = first.begin + (first.end - first.begin) / 2 + 3;
  second.end = static_cast<int>(impact.model->nodes.x.size());
  impact.model->deformables.push_back(second);
  impact.model->contactLaws.push_back(impact.model->contactLaws[0]);
  Impact both = impact;
  both.motion.laws = impact.model->contactLaws;
  expectStaysWithReference(both, 2);
}

/// Each with its top where the falling cube meets it.
TEST_P(KernelTransfer, ContactWithEveryShapeStaysWithTheReference) {
  const shape::Mesh mesh = boxMesh({0.2, 0.2, 0.1});
  const std::vector<std::pair<Shape, double>> shapes = {
      {shape::Plane{}, 0},
      {shape::Sphere{0.3}, 0.3},
      {shape::Box{{0.2, 0.2, 0.1}}, 0.1},
      {shape::Capsule{0.15, 0.2}, 0.25},
      {shape::Cylinder{0.2, 0.2}, 0.1},
      {shape::Ellipsoid{{0.25, 0.3, 0.15}}, 0.15},
      {mesh, 0.1},
  };
  ASSERT_EQ(shapes.size(), std::variant_size_v<Shape>);
  for (const auto& [shape, height] : shapes) {
    SCOPED_TRACE(shape.index());
    const Impact impact(MaterialModel::NeoHookean, 8);
    Geometry& geometry = impact.model->geometries[0];
    geometry.shape = shape;
    geometry.X_BG = Pose::translation({0.1, 0.1, 0.02 - height});
    if (std::holds_alternative<shape::Mesh>(shape)) geometry.sdf = SdfGrid::build(*mesh.mesh).value();
    expectStaysWithReference(impact, 3);
  }
}

/// Of contacts that have passed the middle of what they touch.
std::vector<TouchImpulse> beyondMiddle(const SoftOutcome& result) {
  std::vector<TouchImpulse> beyond;
  std::copy_if(result.contacts.begin(), result.contacts.end(), std::back_inserter(beyond),
               [](const TouchImpulse& c) { return c.beyondMiddle > 1; });
  return beyond;
}

/// A cube falls onto a plate of a tenth of a cell, so soft that what touches it is held from the other side.
TEST_P(KernelTransfer, AThinPlateHoldsWhatTheReferenceHolds) {
  constexpr double kThickness = 0.004;
  Impact impact(MaterialModel::NeoHookean, 8);
  impact.model->geometries[0].shape = shape::Box{{0.5, 0.5, kThickness / 2}};
  impact.model->geometries[0].X_BG = Pose::translation({0.2, 0.2, -kThickness / 2});
  impact.motion.bodies[0] = {Pose{}, {}};
  expectStaysWithReference(impact, 2);
  SoftOutcome fast, exact;
  impact.run(*backend(impact.model), 2, fast);
  impact.run(*mpm::makeReferenceBackend(impact.model), 2, exact);
  const std::vector<TouchImpulse> held = beyondMiddle(fast), expected = beyondMiddle(exact);
  ASSERT_GT(expected.size(), 20u);
  ASSERT_EQ(held.size(), expected.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    EXPECT_EQ(held[i].particle, expected[i].particle);
    EXPECT_NEAR(held[i].beyondMiddle * held[i].middle, expected[i].beyondMiddle * expected[i].middle, 2e-5);
    EXPECT_NEAR(held[i].middle, kThickness / 2, 1e-5);
  }
}

TEST_P(KernelTransfer, SortsAnewWhenParticlesLeaveTheirTilesWithinAStep) {
  const auto model = cubeModel(8, MaterialModel::NeoHookean);
  model->time.substeps = 40;
  for (std::size_t i = 0; i < model->nodes.x.size(); ++i)  // flies six cells and turns
    model->nodes.v[i] = Vec3(-24, 12, 9) + Vec3(2, 3, -4).cross(model->nodes.x[i]);
  mpm::ParticleState fast = initialParticles(*model), exact = fast;
  SoftOutcome result;
  slipstick::testing::advance(*backend(model), {}, 0.01, fast, result);
  EXPECT_EQ(result.report.health, 0u);
  slipstick::testing::advance(*mpm::makeReferenceBackend(model), {}, 0.01, exact, result);
  for (std::size_t i = 0; i < fast.x.size(); ++i) EXPECT_LT((fast.x[i] - exact.x[i]).norm(), 2e-5) << i;
}

/// On the host, whatever the order in which threads run; on a device, again.
TEST_P(KernelTransfer, ComesToTheSameHashInAnyOrderOfThreads) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  const auto hashOf = [&](std::uint64_t seed) {
    SoftOutcome result;
    impact.run(*backend(impact.model, seed), 2, result);
    return result.facts.hash;
  };
  const std::uint64_t once = hashOf(0);
  EXPECT_NE(once, 0u);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) EXPECT_EQ(hashOf(seed), once) << seed;
}

/// Or else sums in any order would be formed in a fixed one, and cost what that costs.
TEST(TransferInAnyOrder, BitsFollowTheOrderOfThreads) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  const auto hashOf = [&](std::uint64_t seed) {
    gpu::HostExecutor::Settings settings;
    settings.seed = seed;
    const auto backend =
        std::move(gpu::makeHostBackend(impact.model, std::make_unique<gpu::HostExecutor>(settings),
                                       gpu::Reproducibility::NotGuaranteed))
            .value();
    EXPECT_EQ(backend->name(), "cuda-host-fast");
    EXPECT_FALSE(backend->reproduces());
    SoftOutcome result;
    impact.run(*backend, 1, result);
    return result.facts.hash;
  };
  const std::uint64_t once = hashOf(1);
  EXPECT_EQ(hashOf(1), once);
  EXPECT_NE(hashOf(2), once);
}
