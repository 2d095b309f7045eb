// pendulum, chain, free_rotation: rigid motion without contact against formulas and conserved
// quantities.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

double energyOf(const Snapshot& s) {
  return s.totals.kineticEnergy + s.totals.potentialEnergy;
}

/// Times at which a sampled signal passes zero upwards, interpolated.
class UpwardCrossings {
 public:
  void add(double t, double value) {
    if (!first_ && value_ < 0 && value >= 0) times_.push_back(t_ + (t - t_) * value_ / (value_ - value));
    first_ = false;
    t_ = t;
    value_ = value;
  }
  std::size_t count() const { return times_.size(); }
  double meanInterval() const {
    return (times_.back() - times_.front()) / static_cast<double>(times_.size() - 1);
  }

 private:
  bool first_ = true;
  double t_ = 0, value_ = 0;
  std::vector<double> times_;
};

TEST(Pendulum, SwingsWithThePeriodOfTheEllipticIntegral) {
  testing::SceneRun run("pendulum");
  ASSERT_TRUE(run.ok());
  const multibody::Body& rod = run.model().tree.bodies.back();
  const double c = -rod.com.z(), I = rod.inertia(1, 1) + rod.mass * c * c;
  const double start = run.state().q[0];
  EXPECT_NEAR(start, 100 * std::numbers::pi / 180, 1e-6);
  const double period = 4 * std::sqrt(I / (rod.mass * run.model().gravity.norm() * c)) *
                        std::comp_ellint_1(std::sin(start / 2));
  UpwardCrossings crossings;
  run.runTo(run.model().time.duration, [&](const Snapshot& s) { crossings.add(s.time, s.q[0]); });
  ASSERT_GE(crossings.count(), 5u);
  EXPECT_NEAR(crossings.meanInterval(), period, 1e-3 * period);
  std::printf("  pendulum: period %.5f s, formula %.5f s\n", crossings.meanInterval(), period);
}

/// rms distance of the energy from its start [J].
double energyDrift(const std::string& dt) {
  testing::SceneRun run("chain", {"time.dt_ms=" + dt});
  if (!run.ok()) return 0;
  const double start = energyOf(run.snapshot());
  double squares = 0;
  run.runTo(run.model().time.duration,
            [&](const Snapshot& s) { squares += std::pow(energyOf(s) - start, 2); });
  return std::sqrt(squares / static_cast<double>(run.state().step));
}

TEST(Chain, EnergyDriftIsSmallAndHalvesWithTheStep) {
  testing::SceneRun run("chain");
  ASSERT_TRUE(run.ok());
  double largest = 0;
  run.runTo(2, [&](const Snapshot& s) { largest = std::max(largest, s.totals.kineticEnergy); });
  EXPECT_GT(largest, 5) << "[J] it swings";
  const double coarse = energyDrift("0.5"), fine = energyDrift("0.25");
  EXPECT_LT(coarse, 0.05 * largest);
  EXPECT_GT(coarse / fine, 1.8);
  EXPECT_LT(coarse / fine, 2.2);
  std::printf(
      "  chain: energy drifts by rms %.3f J at 0.5 ms, %.3f J at 0.25 ms (ratio %.3f), of %.1f J it swings "
      "with\n",
      coarse, fine, coarse / fine, largest);
}

/// Time between two zeros of the spin about the middle axis, torque-free (Landau & Lifshitz, Mechanics, §37).
double flipInterval(const Vec3& moments, const Vec3& w) {
  Vec3 I = moments;
  std::sort(I.data(), I.data() + 3);
  const double M2 = moments.cwiseProduct(w).squaredNorm(), E2 = w.dot(moments.cwiseProduct(w));
  if (M2 < E2 * I[1]) std::swap(I[0], I[2]);
  const double rate = std::sqrt((I[2] - I[1]) * (M2 - E2 * I[0]) / (I[0] * I[1] * I[2]));
  const double k = std::sqrt((I[1] - I[0]) * (E2 * I[2] - M2) / ((I[2] - I[1]) * (M2 - E2 * I[0])));
  return 2 * std::comp_ellint_1(k) / rate;
}

TEST(FreeRotation, FlipsAsJacobiSaysAndKeepsAngularMomentumAndEnergy) {
  testing::SceneRun run("free_rotation");
  ASSERT_TRUE(run.ok());
  const multibody::Body& box = run.model().tree.bodies[1];
  const auto spin = [](const Snapshot& s) {
    return Vec3(s.totals.angularMomentum - s.X_WB[1].p.cross(s.totals.momentum));
  };
  const Vec3 L = spin(run.snapshot());
  const double E = energyOf(run.snapshot());
  const double interval =
      flipInterval(box.inertia.diagonal(), run.snapshot().X_WB[1].R.transpose() * run.snapshot().V_WB[1].w);
  UpwardCrossings crossings;
  double turned = 0, gained = 0;
  run.runTo(run.model().time.duration, [&](const Snapshot& s) {
    crossings.add(s.time, (s.X_WB[1].R.transpose() * s.V_WB[1].w).y());
    turned = std::max(turned, (spin(s) - L).norm() / L.norm());
    gained = std::max(gained, std::abs(energyOf(s) - E) / E);
  });
  ASSERT_GE(crossings.count(), 2u);
  EXPECT_NEAR(crossings.meanInterval(), 2 * interval, 0.01 * 2 * interval);
  EXPECT_LT(turned, 0.01);
  EXPECT_LT(gained, 0.01);
  std::printf(
      "  free_rotation: two flips take %.4f s, formula %.4f s; angular momentum within %.1e, energy within "
      "%.1e\n",
      crossings.meanInterval(), 2 * interval, turned, gained);
}

}  // namespace
}  // namespace slipstick
