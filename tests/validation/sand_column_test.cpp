// A column of sand collapses in a channel, released at once on a rough bed.
//
// Lube, Huppert, Sparks & Freundt 2005 (Phys. Rev. E 72, 041301): the deposit of a column of length d and
// height a d reaches d (1 + 1.2 a) for a < 1.8, with sand, salt, couscous and rice; Lajeunesse, Monnier &
// Homsy 2005 (Phys. Fluids 17, 103302) found the same slope with glass beads.
//
// Their sand rests at 31°. In a channel the strain is plane, and there the Drucker–Prager cone of friction
// angle φ resists as Mohr–Coulomb sand of sin φ' = 2√3 sin φ/(3 − sin φ) does (the stress between the two
// others is their mean, as no strain goes that way): φ = 22.85° for φ' = 31°.
#include <cmath>
#include <cstdio>

#include "tests/validation/channel.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kLength = 0.2;  // d [m]
/// A toe thinner than a grid cell cannot run: a cell of d/16 costs the lowest columns most of their last
/// tenth.
constexpr int kCells = 16;
constexpr double kStrays = 0.01;

class SandColumn : public ::testing::TestWithParam<double> {};

TEST_P(SandColumn, RunsAsFarAsItsAspectRatioSays) {
  const double aspect = GetParam();
  const testing::Channel channel{
      .material = "{model: drucker_prager, E: 2.0e5, nu: 0.3, density: 1600, friction_angle_deg: 22.85}",
      .length = kLength,
      .height = aspect * kLength,
      .cell = kLength / kCells,
      .bedFriction = 0.6,  // tan 31°
      .dt = 2e-3};
  testing::SceneRun run(channel.scene());
  ASSERT_TRUE(run.ok());
  run.runTo(0.7);
  const double runout = frontOf(channel, run.state(), kStrays) / kLength, expected = 1 + 1.2 * aspect;
  double mass = 0;
  for (const double m : run.model().nodes.mass) mass += m;
  std::printf("  a = %.1f: runs to %.3f d, the law %.3f d (%+.1f%%)\n", aspect, runout, expected,
              100 * (runout / expected - 1));
  EXPECT_LT(run.snapshot().totals.kineticEnergy, 1e-3 * mass * 9.81 * aspect * kLength) << "still running";
  EXPECT_NEAR(runout, expected, 0.15 * expected);
  EXPECT_EQ(run.health(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Aspects, SandColumn, ::testing::Values(0.8, 1.0, 1.5));

}  // namespace
}  // namespace slipstick
