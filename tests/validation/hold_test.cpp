// scenes.md A, hold: two panels hold an elastic cube by friction (Yu 2025, Fig. 2).
#include <cmath>

#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

TEST(Hold, PanelForcesAreTheAnalyticOnesWithoutLateralJitter) {
  testing::SceneRun run("hold");
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run.model().particleCount(), 11u * 11u * 11u);
  const int panels[2] = {run.model().findBody("left.panel"), run.model().findBody("right.panel")};
  ASSERT_GT(panels[0], 0);
  ASSERT_GT(panels[1], 0);
  double mass = 0;
  for (const double m : run.model().particles.mass) mass += m;
  EXPECT_NEAR(mass, 0.4, 1e-9);

  const double end = run.model().time.duration, settled = 0.6 * end;
  run.runTo(settled);
  Vec3 mean[2] = {Vec3::Zero(), Vec3::Zero()};
  double lateralSquared[2] = {0, 0};
  int samples = 0;
  run.runTo(end, [&](const Snapshot& s) {
    for (int i = 0; i < 2; ++i) {
      const Vec3& f = s.contactWrench[static_cast<std::size_t>(panels[i])].force;
      mean[i] += f;
      lateralSquared[i] += f.y() * f.y();
    }
    ++samples;
  });
  ASSERT_GT(samples, 100);
  const double weight = mass * run.model().gravity.norm();
  for (int i = 0; i < 2; ++i) {
    mean[i] /= samples;
    EXPECT_NEAR(std::abs(mean[i].x()), 10, 0.1) << "normal force on panel " << i;
    EXPECT_NEAR(mean[i].z(), -weight / 2, 0.01 * weight / 2) << "vertical friction on panel " << i;
    EXPECT_LT(std::sqrt(lateralSquared[i] / samples), 0.02) << "lateral friction on panel " << i;
  }
  EXPECT_EQ(run.health() & ~static_cast<HealthFlags>(Health::ActuatorSaturated), 0u);
}

}  // namespace
}  // namespace slipstick
