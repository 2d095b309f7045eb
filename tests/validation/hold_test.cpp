// hold: two panels hold an elastic cube by friction (Yu 2025, Fig. 2).
#include <cmath>

#include "tests/validation/panel_forces.h"

namespace slipstick {
namespace {

TEST(Hold, PanelForcesAreTheAnalyticOnesWithoutLateralJitter) {
  testing::SceneRun run("hold");
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run.model().nodeCount(), 11u * 11u * 11u);
  double mass = 0;
  for (const double m : run.model().nodes.mass) mass += m;
  EXPECT_NEAR(mass, 0.4, 1e-9);

  const testing::PanelForces forces = testing::settledPanelForces(run);
  ASSERT_GT(forces.samples, 100);
  const double weight = mass * run.model().gravity.norm();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::abs(forces.mean[i].x()), 10, 0.1) << "normal force on panel " << i;
    EXPECT_NEAR(forces.mean[i].z(), -weight / 2, 0.01 * weight / 2) << "vertical friction on panel " << i;
    EXPECT_LT(forces.lateralRms[i], 0.02) << "lateral friction on panel " << i;
  }
  EXPECT_EQ(run.health() & ~static_cast<HealthFlags>(Health::ActuatorSaturated), 0u);
}

}  // namespace
}  // namespace slipstick
