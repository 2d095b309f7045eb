// impact: an elastic cube meets a free rigid cube without gravity.
#include <cmath>

#include "engine/mpm/particle_state.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// Σ m v and Σ m x × v with the affine part of APIC, Σ m h²/4 ε_kab C_ba.
Momentum ofParticles(const Model& model, const State& state) {
  Momentum sum;
  const double k = model.gridSpacing * model.gridSpacing / 4;
  const mpm::ParticleState particles = mpm::particlesOf(state.soft);
  for (std::size_t p = 0; p < particles.x.size(); ++p) {
    const double m = model.nodes.mass[p];
    const Mat3& C = particles.C[p];
    sum.linear += m * particles.v[p];
    sum.angular += m * particles.x[p].cross(particles.v[p]);
    sum.angular += m * k * Vec3(C(2, 1) - C(1, 2), C(0, 2) - C(2, 0), C(1, 0) - C(0, 1));
  }
  return sum;
}

Momentum ofBodies(const Model& model, const State& state) {
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  multibody::computePoses(model.tree, state.q, X_WB);
  multibody::computeVelocities(model.tree, state.q, state.v, X_WB, V_WB);
  const multibody::MechanicalTotals totals =
      multibody::mechanicalTotals(model.tree, X_WB, V_WB, Vec3::Zero());
  return {totals.momentum, totals.angularMomentum};
}

TEST(Impact, MomentumGivenToBodiesIsMomentumTakenFromParticles) {
  testing::SceneRun run("impact");
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run.model().gravity.norm(), 0);
  const Momentum particles0 = ofParticles(run.model(), run.state()),
                 bodies0 = ofBodies(run.model(), run.state());
  const double energy0 = run.snapshot().totals.kineticEnergy + run.snapshot().totals.elasticEnergy;
  double highestEnergy = 0;
  run.runTo(run.model().time.duration, [&](const Snapshot& s) {
    highestEnergy = std::max(highestEnergy, s.totals.kineticEnergy + s.totals.elasticEnergy);
  });
  const Momentum particles1 = ofParticles(run.model(), run.state()),
                 bodies1 = ofBodies(run.model(), run.state());

  const double given = (bodies1.linear - bodies0.linear).norm();
  ASSERT_GT(given, 0.05 * particles0.linear.norm()) << "they never met";
  EXPECT_LT((bodies1.linear - bodies0.linear + particles1.linear - particles0.linear).norm(), 1e-5 * given);
  const double scale = std::max(particles0.angular.norm(), (bodies1.angular - bodies0.angular).norm());
  EXPECT_LT((bodies1.angular - bodies0.angular + particles1.angular - particles0.angular).norm(),
            1e-5 * scale);
  EXPECT_LT(highestEnergy, energy0 * (1 + 1e-4));
  EXPECT_EQ(run.health(), 0u);
}

}  // namespace
}  // namespace slipstick
