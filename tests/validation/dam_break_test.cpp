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

#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

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

/// A slab between smooth walls; the column stands at the wall x = 0.
std::string column(double width, double height, double spacing) {
  const auto text = [](double x) { return std::to_string(x); };
  const double depth = 4 * spacing;
  return "time: {dt_ms: 1, duration_s: 1}\n"
         "grid: {spacing: " +
         text(spacing) +
         "}\n"
         "contact: {friction: 0}\n"
         "materials: {water: {model: liquid, density: 1000, bulk_modulus: 2.0e5, viscosity: 1.0e-3}}\n"
         "deformables:\n"
         "  column: {material: water, shape: box, size: [" +
         text(width) + ", " + text(depth) + ", " + text(height) + "], position: [" + text(width / 2) +
         ", 0, " + text(height / 2) +
         "]}\n"
         "bodies:\n"
         "  bed: {shapes: [{shape: plane}]}\n"
         "  wall: {shapes: [{shape: plane, rpy_deg: [0, 90, 0]}]}\n"
         "  front: {shapes: [{shape: plane, rpy_deg: [-90, 0, 0], position: [0, " +
         text(-depth / 2) +
         ", 0]}]}\n"
         "  back: {shapes: [{shape: plane, rpy_deg: [90, 0, 0], position: [0, " +
         text(depth / 2) + ", 0]}]}\n";
}

/// Where the last of the liquid is, but for the stray 0.5 % of it [m].
double frontOf(const State& state) {
  std::vector<double> x;
  for (const Vec3& p : state.particles.x) x.push_back(p.x());
  const auto front = x.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(x.size()));
  std::nth_element(x.begin(), front, x.end());
  return *front;
}

TEST(DamBreak, FrontFollowsMartinAndMoyce) {
  testing::SceneRun run(testing::sceneOf(column(kWidth, 2 * kWidth, kWidth / 12)));
  ASSERT_TRUE(run.ok());
  const double scale = std::sqrt(2 * kGravity / kWidth);
  double worst = 0;
  for (const auto& [T, Z] : kMartinMoyce) {
    run.runTo(T / scale);
    const double z = frontOf(run.state()) / kWidth;
    std::printf("  T = %.2f: front at %.2f a, measured %.2f a (%+.1f%%)\n", T, z, Z, 100 * (z / Z - 1));
    worst = std::max(worst, std::abs(z / Z - 1));
  }
  EXPECT_LT(worst, 0.15);
  EXPECT_EQ(run.health(), 0u);
}

}  // namespace
}  // namespace slipstick
