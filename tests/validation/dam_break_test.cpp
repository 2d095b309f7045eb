// A column of liquid collapses onto a dry bed.
//
// Martin & Moyce 1952 (Phil. Trans. R. Soc. A 244, 312–324), Table 2: water, column of width a and height n²a
// with n² = 2, a = 2.25 in: front Z = x/a against T = n t √(g/a).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "tests/validation/channel.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kWidth = 0.05715, kGravity = 9.81;  // a [m], g [m/s²]

constexpr std::array<std::pair<double, double>, 15> kMartinMoyce = {{{0.41, 1.11},
                                                                     {0.84, 1.22},
                                                                     {1.19, 1.44},
                                                                     {1.43, 1.67},
                                                                     {1.63, 1.89},
                                                                     {1.83, 2.11},
                                                                     {1.98, 2.33},
                                                                     {2.20, 2.56},
                                                                     {2.32, 2.78},
                                                                     {2.51, 3.00},
                                                                     {2.65, 3.22},
                                                                     {2.83, 3.44},
                                                                     {2.98, 3.67},
                                                                     {3.11, 3.89},
                                                                     {3.33, 4.11}}};

constexpr double kStrays = 2e-3;

TEST(DamBreak, FrontFollowsMartinAndMoyce) {
  const testing::Channel channel{
      .material = "{model: liquid, density: 1000, bulk_modulus: 2.0e5, viscosity: 1.0e-3}",
      .length = kWidth,
      .height = 2 * kWidth,
      .cell = kWidth / 12};
  testing::SceneRun run(channel.scene());
  ASSERT_TRUE(run.ok());
  const double scale = std::sqrt(2 * kGravity / kWidth);
  double worst = 0;
  for (const auto& [T, Z] : kMartinMoyce) {
    run.runTo(T / scale);
    const double z = frontOf(channel, run.state(), kStrays) / kWidth;
    std::printf("  T = %.2f: front at %.2f a, measured %.2f a (%+.1f%%)\n", T, z, Z, 100 * (z / Z - 1));
    worst = std::max(worst, std::abs(z / Z - 1));
  }
  EXPECT_LT(worst, 0.15);
  EXPECT_EQ(run.health(), 0u);
}

/// Ritter 1892, shallow water behind a dam that vanishes: the front runs at 2 √(g H) and through the dam's
/// place go 8/27 √(g H) H per width. The water needs about √(H/g) to get going, so both are rates between two
/// times.
TEST(DamBreak, FrontAndDischargeFollowShallowWater) {
  constexpr double kHeight = 0.1, kLength = 0.4, kFrom = 0.2, kTo = 0.4;
  const testing::Channel channel{
      .material = "{model: liquid, density: 1000, bulk_modulus: 2.0e5, viscosity: 1.0e-3}",
      .length = kLength,
      .height = kHeight,
      .cell = kHeight / 10,
      .dt = 2e-3};
  testing::SceneRun run(channel.scene());
  ASSERT_TRUE(run.ok());
  const auto passed = [&] {  // area of the water beyond the dam
    const auto beyond = std::count_if(run.state().soft.x.begin(), run.state().soft.x.end(),
                                      [](const Vec3& p) { return p.x() > kLength; });
    return static_cast<double>(beyond) / static_cast<double>(run.model().nodeCount()) * kHeight * kLength;
  };
  run.runTo(kFrom);
  const double front = frontOf(channel, run.state(), kStrays), area = passed();
  run.runTo(kTo);
  const double speed = (frontOf(channel, run.state(), kStrays) - front) / (kTo - kFrom);
  const double discharge = (passed() - area) / (kTo - kFrom);
  const double wave = std::sqrt(kGravity * kHeight);
  const double expectedSpeed = 2 * wave, expectedDischarge = 8.0 / 27 * wave * kHeight;
  std::printf("  front %.3f m/s, Ritter %.3f (%+.1f%%); discharge %.5f m2/s, Ritter %.5f (%+.1f%%)\n", speed,
              expectedSpeed, 100 * (speed / expectedSpeed - 1), discharge, expectedDischarge,
              100 * (discharge / expectedDischarge - 1));
  EXPECT_NEAR(speed, expectedSpeed, 0.15 * expectedSpeed);
  EXPECT_NEAR(discharge, expectedDischarge, 0.15 * expectedDischarge);
  EXPECT_EQ(run.health(), 0u);
}

}  // namespace
}  // namespace slipstick
