// A tensile test: a bar with two heads is pulled at the heads' shoulders, as in a testing machine. What comes
// out is Young's modulus, from the machine's force and the strain of the gauge, and Poisson's ratio.
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

constexpr double kE = 1e5, kEdge = 0.04;  // [Pa], of the square section [m]

/// The bar stands along z. Its three parts are of one material and meet on the grid. The pullers start close
/// to the heads' first particles, which are half a spacing inside.
std::string machine(const std::string& model, double nu) {
  return R"(gravity: [0, 0, 0]
time: {dt_ms: 5, duration: 1}
grid: {spacing: 0.01}
contact: {friction: 0, dissipation: 20}
deformables:
  gauge: {material: rubber, shape: box, size: [0.04, 0.04, 0.2], apic_damping: 0}
  top: {material: rubber, shape: box, size: [0.12, 0.04, 0.04], position: [0, 0, 0.12], apic_damping: 0}
  foot: {material: rubber, shape: box, size: [0.12, 0.04, 0.04], position: [0, 0, -0.12], apic_damping: 0}
paths:
  up: {keys: [{t: 0, position: [0, 0, 0]}, {t: 0.5, position: [0, 0, 0.0016]}]}
  down: {keys: [{t: 0, position: [0, 0, 0]}, {t: 0.5, position: [0, 0, -0.0016]}]}
bodies:
  puller:
    path: up
    shapes: [{shape: box, size: [0.03, 0.06, 0.02], position: [-0.04, 0, 0.0924]},
             {shape: box, size: [0.03, 0.06, 0.02], position: [0.04, 0, 0.0924]}]
  holder:
    path: down
    shapes: [{shape: box, size: [0.03, 0.06, 0.02], position: [-0.04, 0, -0.0924]},
             {shape: box, size: [0.03, 0.06, 0.02], position: [0.04, 0, -0.0924]}]
materials:
  rubber: {E: 1.0e5, density: 1000, model: )" +
         model + ", nu: " + std::to_string(nu) + "}\n";
}

/// Slope of the straight line of best fit through (X, u).
double slope(const std::vector<double>& X, const std::vector<double>& u) {
  const auto n = static_cast<Eigen::Index>(X.size());
  const Eigen::Map<const VecX> x(X.data(), n), y(u.data(), n);
  const VecX centred = x.array() - x.mean();
  return centred.dot(y) / centred.squaredNorm();
}

/// Strain of the middle half of the gauge along an axis.
double strain(const Model& model, const State& state, int axis) {
  std::vector<double> X, u;
  const Deformable& gauge = model.deformables.at(0);
  for (auto p = static_cast<std::size_t>(gauge.begin); p < static_cast<std::size_t>(gauge.end); ++p) {
    const Vec3& start = model.nodes.x[p];
    if (std::abs(start.z()) > 0.05) continue;
    X.push_back(start(axis));
    u.push_back(state.soft.x[p](axis) - start(axis));
  }
  return slope(X, u);
}

struct Rubber {
  const char* model;
  double nu;
};
class TensileBar : public ::testing::TestWithParam<Rubber> {};

TEST_P(TensileBar, ShowsYoungsModulusAndPoissonsRatio) {
  testing::SceneRun run(testing::sceneOf(machine(GetParam().model, GetParam().nu)));
  ASSERT_TRUE(run.ok());
  run.runTo(0.8);
  const auto body = [&](const char* name) { return static_cast<std::size_t>(run.model().findBody(name)); };
  double pull = 0, hold = 0;
  int samples = 0;
  run.runTo(1.0, [&](const Snapshot& s) {
    pull -= s.contactWrench[body("puller")].force.z();
    hold += s.contactWrench[body("holder")].force.z();
    ++samples;
  });
  pull /= samples;
  hold /= samples;
  const double axial = strain(run.model(), run.state(), 2);
  const double lateral = (strain(run.model(), run.state(), 0) + strain(run.model(), run.state(), 1)) / 2;
  const double E = pull / (kEdge * kEdge) / axial, nu = -lateral / axial;
  std::printf("  %s: %.4f N at strain %.5f: E = %.4g Pa (%+.1f%%), nu = %.4f (%+.1f%%)\n", GetParam().model,
              pull, axial, E, 100 * (E / kE - 1), nu, 100 * (nu / GetParam().nu - 1));
  EXPECT_GT(axial, 2e-3);
  EXPECT_NEAR(pull, hold, 0.01 * pull) << "not at rest";
  EXPECT_NEAR(E, kE, 0.03 * kE);
  EXPECT_NEAR(nu, GetParam().nu, 0.03 * GetParam().nu);
  EXPECT_EQ(run.health(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Materials, TensileBar,
                         ::testing::Values(Rubber{"fixed_corotated", 0.3}, Rubber{"neo_hookean", 0.4},
                                           Rubber{"hencky", 0.2}),
                         [](const auto& rubber) { return std::string(rubber.param.model); });

}  // namespace
}  // namespace slipstick
