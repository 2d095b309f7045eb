// The method "strong": rigid velocities as unknowns of every substep's contact problem.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "tests/validation/panel_forces.h"

namespace slipstick {
namespace {

constexpr const char* kMethod = "strong";

StepperOptions strong(const char* backend = "auto") {
  StepperOptions options;
  options.method = kMethod;
  options.backend = backend;
  return options;
}

struct Budget {
  Vec3 momentum = Vec3::Zero(), angularMomentum = Vec3::Zero();
  double energy = 0, rigidMomentum = 0;
};

Budget budgetOf(const testing::SceneRun& run) {
  const Totals& totals = run.snapshot().totals;
  return {totals.momentum, totals.angularMomentum, totals.kineticEnergy + totals.elasticEnergy,
          run.state().v.tail<3>().norm()};
}

/// impact: at the published step and at ten times as much.
TEST(Strong, WhatParticlesLoseOfMomentumTheBodyGains) {
  for (const char* dt : {"time.dt_ms=1", "time.dt_ms=10"}) {
    testing::SceneRun run("impact", {dt}, strong("reference"));
    ASSERT_TRUE(run.ok());
    ASSERT_EQ(run.model().gravity.norm(), 0);
    const Budget before = budgetOf(run);
    double highest = 0;
    run.runTo(run.model().time.duration, [&](const Snapshot& s) {
      highest = std::max(highest, s.totals.kineticEnergy + s.totals.elasticEnergy);
    });
    const Budget after = budgetOf(run);
    const double given = after.rigidMomentum * 1.0;  // of a cube of 1 kg
    ASSERT_GT(given, 0.05 * before.momentum.norm()) << "they never met";
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-6 * given) << dt;
    EXPECT_LT((after.angularMomentum - before.angularMomentum).norm(), 1e-6 * before.angularMomentum.norm())
        << dt;
    EXPECT_LT(highest, before.energy * (1 + 1e-4)) << dt;
    EXPECT_EQ(run.health(), 0u) << dt;
  }
}

/// With the same substeps, what the asynchronous method loses is that rigid bodies keep their velocity for Δt: it comes to the
/// strong one as Δt does to 0, in first order.
TEST(Strong, IsTheLimitOfTheAsynchronousMethod) {
  const auto velocities = [](int substeps, const StepperOptions& options) {  // of the body, every 2 ms
    testing::SceneRun run(
        "impact",
        {"time.dt_ms=" + std::to_string(substeps * 0.125), "time.substeps=" + std::to_string(substeps)},
        options);
    EXPECT_TRUE(run.ok());
    std::vector<Vec3> v;
    for (int k = 1; k <= 30; ++k) {
      run.runTo(0.002 * k);
      v.push_back(run.state().v.tail<3>());
    }
    EXPECT_EQ(run.health(), 0u);
    return v;
  };
  const auto gap = [&](int substeps) {  // root of the mean square
    StepperOptions async = strong("reference");
    async.method = "async";
    const std::vector<Vec3> whole = velocities(substeps, strong("reference")),
                            frozen = velocities(substeps, async);
    EXPECT_GT(whole.back().norm(), 0.1) << "they never met";
    double sum = 0;
    for (std::size_t k = 0; k < whole.size(); ++k) sum += (whole[k] - frozen[k]).squaredNorm();
    return std::sqrt(sum / static_cast<double>(whole.size()));
  };
  const double coarse = gap(16), middle = gap(8), fine = gap(4);
  std::printf("gap at 2, 1 and 0.5 ms: %.3g %.3g %.3g m/s: order %.2f, %.2f\n", coarse, middle, fine,
              std::log2(coarse / middle), std::log2(middle / fine));
  EXPECT_NEAR(std::log2(coarse / middle), 1, 0.25);
  EXPECT_NEAR(std::log2(middle / fine), 1, 0.25);
}

TEST(Strong, WithoutParticlesItIsTheAsynchronousMethodBitByBit) {
  testing::SceneRun async("newton_cradle"), run("newton_cradle", {}, strong());
  ASSERT_TRUE(async.ok() && run.ok());
  for (int k = 0; k < 40; ++k) {
    async.step();
    run.step();
    ASSERT_EQ(run.snapshot().stateHash, async.snapshot().stateHash) << k;
  }
}

/// hold: at its step the figures of statics on each panel. At a hundred times as much statics leaves open how
/// two panels share the weight, as the cube may lean on one of them a little.
TEST(Strong, HoldsACubeWithTheForcesOfStatics) {
  for (const double dt_ms : {0.1, 10.0}) {
    testing::SceneRun run("hold", {"time.dt_ms=" + std::to_string(dt_ms), "time.substeps=auto"}, strong());
    ASSERT_TRUE(run.ok());
    const double weight = 0.4 * run.model().gravity.norm();
    const testing::PanelForces forces = testing::settledPanelForces(run);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(std::abs(forces.mean[i].x()), 10, 0.1) << dt_ms << " ms, panel " << i;
      EXPECT_LT(forces.lateralRms[i], 0.02) << dt_ms << " ms, panel " << i;
      if (dt_ms < 1) {
        EXPECT_NEAR(forces.mean[i].z(), -weight / 2, 0.01 * weight / 2) << "panel " << i;
      }
    }
    EXPECT_NEAR(forces.mean[0].z() + forces.mean[1].z(), -weight, 0.01 * weight) << dt_ms << " ms";
  }
}

double compressionOf(const testing::SceneRun& run) {
  const DeformableFacts& soft = run.snapshot().deformables.front();
  return 0.09 - (soft.upper.z() - soft.lower.z());  // of the distance between the outermost particles
}

/// A cube of the soft one's density and one of ten times as much, at steps that blow both away where rigid velocities are
/// frozen: no energy comes from anywhere, and they come to rest where statics has them. Statics is that of the grid: what
/// is measured at a tenth of the step, in proportion to the weight.
TEST(Strong, ACubeRestsOnASoftOneAtAnyStep) {
  const auto rest = [](double ratio, double dt_ms) {
    testing::SceneRun run("heavy_on_soft",
                          {"bodies.heavy_cube.density=" + std::to_string(100 * ratio),
                           "time.dt_ms=" + std::to_string(dt_ms), "contact.dissipation=200"},
                          strong());
    EXPECT_TRUE(run.ok());
    const double before = run.energy();
    const double scale = 0.1 * ratio * run.model().gravity.norm() * 0.1;  // m g h
    double highest = before;
    run.runTo(0.25, [&](const Snapshot&) { highest = std::max(highest, run.energy()); });
    EXPECT_LT(highest - before, 1e-3 * scale) << ratio << ", " << dt_ms << " ms";
    return compressionOf(run) / (0.1 * ratio + 0.05);  // per kilogram: half of the soft cube's own counts
  };
  const double statics = rest(10, 1);
  for (const double ratio : {1.0, 10.0}) EXPECT_NEAR(rest(ratio, 10), statics, 0.02 * statics) << ratio;
}

TEST(Strong, GoesOnFromASavedStateBitByBit) {
  testing::SceneRun run("hold", {"time.dt_ms=10", "time.substeps=auto"}, strong());
  ASSERT_TRUE(run.ok());
  for (int k = 0; k < 6; ++k) run.step();
  const State state = run.state();
  const std::unique_ptr<Stepper> again = testing::stepperOf(run.sharedModel(), strong());
  again->restore(state);
  Snapshot snapshot;
  for (int k = 0; k < 6; ++k) {
    run.step();
    again->step({}, snapshot);
    ASSERT_EQ(snapshot.stateHash, run.snapshot().stateHash) << k;
  }
}

TEST(Strong, SaysWhatItCannotDo) {
  const auto why = [](std::vector<std::string> overrides, StepperOptions options) {
    const Result<assets::LoadedModel> loaded =
        assets::loadModel("hold", {.overrides = std::move(overrides), .packagePaths = {}});
    const auto stepper = testing::stepping().makeStepper(loaded->model, options);
    return stepper ? std::string() : stepper.error().message();
  };
  EXPECT_THAT(why({"solver.contact=quasi_newton"}, strong()), ::testing::HasSubstr("solver.contact"));
  EXPECT_THAT(why({"solver.geometry=frozen"}, strong()), ::testing::HasSubstr("choose moving"));
  EXPECT_EQ(why({}, strong()), "");
}

}  // namespace
}  // namespace slipstick
