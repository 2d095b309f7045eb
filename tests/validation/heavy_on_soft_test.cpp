// What freezing the rigid velocity during the substeps costs. A rigid cube rests on an elastic one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/long_runs.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kEdge = 0.1;          // of both cubes [m]
constexpr double kSoftDensity = 100;   // [kg/m³]
constexpr double kSoftMass = 0.1;      // [kg]
constexpr double kBetween = 0.09;      // the outermost particles, L [m]
constexpr double kStiffness = 2e6;     // E [Pa], ν = 0
constexpr double kEnergyLimit = 1e-3;  // of m g L
constexpr double kRestLimit = 0.02;

struct Rest {
  double gained = 0;       ///< highest energy less that of the start, of m g L
  double compression = 0;  ///< mean of the third second, of W L / (E A) with half of the soft cube's weight
  bool whole = true;       ///< it got there

  bool keepsEnergy() const { return whole && gained < kEnergyLimit; }
  const char* sign(double grid) const {
    if (!keepsEnergy()) return "−";
    return std::abs(compression - grid) <= kRestLimit * grid ? "+" : "~";
  }
};

Rest restOf(const std::string& method, double ratio, double dt_ms) {
  StepperOptions options;
  options.method = method;
  options.threads = 1;
  testing::SceneRun run("heavy_on_soft",
                        {"bodies.heavy_cube.density=" + std::to_string(ratio * kSoftDensity),
                         "time.dt_ms=" + std::to_string(dt_ms)},
                        options);
  if (!run.ok()) return {};
  const double gravity = run.model().gravity.norm(), mass = ratio * kSoftMass;
  const double statics = (mass + kSoftMass / 2) * gravity * kBetween / (kStiffness * kEdge * kEdge);
  const double start = run.energy();
  Rest rest;
  int seen = 0;
  for (double highest = start; run.snapshot().time < 3 - 0.5 * run.model().time.dt;) {
    const std::uint64_t before = run.snapshot().step;
    run.step();
    highest = std::max(highest, run.energy());
    rest.gained = (highest - start) / (mass * gravity * kBetween);
    rest.whole = run.snapshot().step == before + 1 && std::isfinite(run.energy());
    if (!rest.whole) return rest;
    if (run.snapshot().time <= 2) continue;
    const DeformableFacts& soft = run.snapshot().deformables.front();
    rest.compression += (kBetween - (soft.upper.z() - soft.lower.z())) / statics;
    ++seen;
  }
  rest.compression /= seen;
  return rest;
}

/// The README's table. The methods that solve for the rigid velocity gain no energy anywhere, and rest where the grid has the
/// soft cube's statics: what its softest case has after three seconds under `implicit`, which has settled then. `strong` has
/// nothing but contact to damp it, so that with steps of 1 ms it may still ring by more than the limit.
TEST(HeavyOnSoft, FullRunTellsWhichMethodHolds) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  const std::vector<double> ratios = {1, 10, 150, 1000}, steps = {1, 5, 10};
  const double grid = restOf("implicit", 10, 1).compression;
  EXPECT_NEAR(grid, 1, 0.1);  // cells of a fifth of its length
  std::printf("the grid's rest: %.3f of W L / (E A)\n", grid);
  for (const std::string method : {"async", "strong", "implicit"})
    for (const double ratio : ratios)
      for (const double dt_ms : steps) {
        const Rest rest = restOf(method, ratio, dt_ms);
        std::printf("%-8s ratio %4g, %2g ms: %s  energy gained %9.2e, rest %6.3f of the grid's\n",
                    method.c_str(), ratio, dt_ms, rest.sign(grid), rest.gained, rest.compression / grid);
        if (method == "async") continue;
        EXPECT_TRUE(rest.keepsEnergy()) << method << ", " << ratio << ", " << dt_ms << " ms";
        if (method == "strong" && dt_ms < 5) continue;
        EXPECT_NEAR(rest.compression, grid, kRestLimit * grid)
            << method << ", " << ratio << ", " << dt_ms << " ms";
      }
}

}  // namespace
}  // namespace slipstick
