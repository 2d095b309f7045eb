// A column of sand collapses in a channel, released at once on a rough bed.
//
// Lube, Huppert, Sparks & Freundt 2005 (Phys. Rev. E 72, 041301), two-dimensional: the deposit of a column of
// length d and height a d reaches d (1 + 1.2 a) for a < 1.8, whatever the grains are.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

constexpr double kLength = 0.2;  // d [m]

std::string column(double aspect, int cells, double friction, double angle) {
  const auto text = [](double x) { return std::to_string(x); };
  const double h = kLength / cells, depth = 4 * h, height = aspect * kLength;
  return "time: {dt_ms: 2, duration_s: 3}\n"
         "grid: {spacing: " +
         text(h) +
         "}\n"
         "contact: {friction: 0}\n"
         "materials: {sand: {model: drucker_prager, E: 5.0e5, nu: 0.3, density: 1600, friction_angle_deg: " +
         text(angle) +
         "}}\n"
         "deformables:\n"
         "  column: {material: sand, shape: box, size: [" +
         text(kLength) + ", " + text(depth) + ", " + text(height) + "], position: [" + text(kLength / 2) +
         ", 0, " + text(height / 2) +
         "]}\n"
         "bodies:\n"
         "  bed: {shapes: [{shape: plane}], contact: {friction: " +
         text(friction) +
         "}}\n"
         "  wall: {shapes: [{shape: plane, rpy_deg: [0, 90, 0]}]}\n"
         "  front: {shapes: [{shape: plane, rpy_deg: [-90, 0, 0], position: [0, " +
         text(-depth / 2) +
         ", 0]}]}\n"
         "  back: {shapes: [{shape: plane, rpy_deg: [90, 0, 0], position: [0, " +
         text(depth / 2) + ", 0]}]}\n";
}

double quantile(const State& state, int axis, double share) {
  std::vector<double> x;
  for (const Vec3& p : state.particles.x) x.push_back(p(axis));
  const auto at = x.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(x.size() - 1));
  std::nth_element(x.begin(), at, x.end());
  return *at;
}

TEST(SandColumn, Explore) {
  for (const double aspect : {0.5, 1.0, 1.5})
    for (const double angle : {25.0, 32.0}) {
      testing::SceneRun run(testing::sceneOf(column(aspect, 12, 0.5, angle)));
      ASSERT_TRUE(run.ok());
      run.runTo(0.3 + 0.5 * std::sqrt(aspect));
      std::printf(
          "a %.1f angle %.0f: n %zu front q.99 %.3f .995 %.3f 1.0 %.3f law %.3f height %.3f ke %.2e health "
          "%u\n",
          aspect, angle, run.model().particleCount(), quantile(run.state(), 0, .99) / kLength,
          quantile(run.state(), 0, .995) / kLength, quantile(run.state(), 0, 1) / kLength, 1 + 1.2 * aspect,
          quantile(run.state(), 2, 1) / kLength, run.snapshot().totals.kineticEnergy, run.health());
    }
}

}  // namespace
}  // namespace slipstick
