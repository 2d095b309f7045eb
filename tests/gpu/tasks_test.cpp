// The published tasks on the device's backend.
#include <gtest/gtest.h>

#include "assets/scene_io.h"
#include "tests/gpu/kernel_test.h"
#include "tests/support/async_on.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

std::shared_ptr<const Model> modelOf(const char* scene) {
  Result<assets::LoadedModel> loaded = assets::loadModel(scene, {.overrides = {}, .packagePaths = {}});
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message());
  return loaded ? loaded->model : nullptr;
}

double rmsDistance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// Steps both. @return how far their particles are apart then, root of the mean square [m]
double distanceAfter(int steps, Stepper& a, Stepper& b, Snapshot& last) {
  for (int i = 0; i < steps; ++i) {
    a.step({}, last);
    b.step({}, last);
    EXPECT_FALSE(refused(last.report.health)) << i;
  }
  State stateOfA, stateOfB;
  a.save(stateOfA);
  b.save(stateOfB);
  return rmsDistance(stateOfA.soft.x, stateOfB.soft.x);
}

class KernelTasks : public testing::KernelTest {};
INSTANTIATE_TEST_SUITE_P(On, KernelTasks, testing::KernelTest::places(), testing::KernelTest::nameOf);

TEST_P(KernelTasks, DoughStaysWithTheReferenceForFiftySteps) {
  const auto model = modelOf("dough_rolling");
  ASSERT_TRUE(model);
  const auto reference = testing::stepperOf(model, {.method = "async", .backend = "reference", .threads = 1});
  const auto device = testing::asyncOn(model, backend(model));
  Snapshot last;
  EXPECT_LT(distanceAfter(50, *reference, *device, last), 1e-3);
  EXPECT_GT(last.contacts.size(), 0u);
  EXPECT_LT(last.report.momentumError, 1e-5);
}

/// Cloth, its boundaries and grippers: two steps, and the CPU's lanes as the measure.
TEST_P(KernelTasks, ClothStaysWithTheCpu) {
  for (const char* scene : {"tshirt_folding", "box_bagging", "laundry"}) {
    SCOPED_TRACE(scene);
    const auto model = modelOf(scene);
    ASSERT_TRUE(model);
    const auto cpu = testing::stepperOf(model, {.method = "async", .backend = "cpu", .threads = 1});
    const auto device = testing::asyncOn(model, backend(model));
    Snapshot last;
    EXPECT_LT(distanceAfter(2, *cpu, *device, last), 1e-6);
  }
}

}  // namespace
}  // namespace slipstick
