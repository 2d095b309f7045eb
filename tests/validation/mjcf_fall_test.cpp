// Models of MuJoCo, opened alone, run for two seconds: nothing becomes non-finite, and the energy never exceeds that of
// the start with what springs and servos hold then.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/test_paths.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::SceneRun;

constexpr double kDuration = 2;           // [s]
constexpr double kRelativeGrowth = 1e-6;  // of the energies at the start
constexpr double kTinyGrowth = 1e-9;      // [J]

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(testing::dataDir() / "mjcf"))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

double energyOf(const Snapshot& snapshot) {
  return snapshot.totals.kineticEnergy + snapshot.totals.potentialEnergy;
}

/// ½ k (q − q₀)² of every spring and PD servo at the start.
double storedIn(const Model& model) {
  double stored = 0;
  for (const multibody::Joint& joint : model.tree.joints)
    if (joint.stiffness > 0)
      stored += 0.5 * joint.stiffness * std::pow(model.initialQ[joint.qStart] - joint.springReference, 2);
  for (std::size_t i = 0; i < model.controllers.size(); ++i) {
    const auto* servo = std::get_if<JointPath>(&model.controllers[i]);
    for (std::size_t k = 0; servo && k < servo->joints.size(); ++k) {
      const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(servo->joints[k])];
      const double apart = model.initialQ[joint.qStart] - servo->keys.front().q[k];
      stored += 0.5 * servo->kp[k] * apart * apart;
    }
  }
  return stored;
}

class MjcfFalls : public ::testing::TestWithParam<std::string> {};

TEST_P(MjcfFalls, WithoutGainingEnergy) {
  SceneRun run((testing::dataDir() / "mjcf" / (GetParam() + ".xml")).string());
  ASSERT_TRUE(run.ok());
  const double start = energyOf(run.snapshot()), stored = storedIn(run.model());
  const double most = start + stored + kRelativeGrowth * (std::abs(start) + stored) + kTinyGrowth;
  double highest = start, fastest = 0, potential = run.snapshot().totals.potentialEnergy, lifted = 0;
  run.runTo(kDuration, [&](const Snapshot& snapshot) {
    highest = std::max(highest, energyOf(snapshot));
    lifted = std::max(lifted, std::abs(snapshot.totals.potentialEnergy - potential));
    potential = snapshot.totals.potentialEnergy;
    fastest = std::max(fastest, snapshot.totals.kineticEnergy);
    ASSERT_TRUE(snapshot.q.allFinite() && snapshot.v.allFinite()) << "at t = " << snapshot.time;
  });
  // A step of symplectic Euler keeps not H = T + V but H − ½ Δt ∇V·v, to first order: without damping H goes up and down
  // by half of what gravity gives in a step, and the explicit Coriolis forces do as much.
  EXPECT_LE(highest, most + lifted) << "start " << start << " J, stored " << stored << " J";
  EXPECT_GT(fastest, 0) << "nothing moved";
  EXPECT_FALSE(has(run.health(), Health::NotConverged));
}

INSTANTIATE_TEST_SUITE_P(Models, MjcfFalls, ::testing::ValuesIn(models()),
                         [](const auto& model) { return model.param; });

}  // namespace
}  // namespace slipstick
