// From the URDF file to M, bias, Jacobians: the whole way through assets/ and compile() against Drake's
// tables (tests/data/rigid/inverse_dynamics; Pinocchio and MuJoCo agree with them).
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "engine/compile/compile.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "tests/support/test_paths.h"
#include "tests/validation/reference_scene.h"

namespace slipstick {
namespace {

using testing::quat, testing::vec3, testing::vecX;

/// Largest error by quantity, and by how much of the allowed it is: 1e-10 absolute + 1e-11 relative, because
/// the tables hold 12 digits.
class Comparison {
 public:
  template <class A, class B>
  void compare(const std::string& what, const A& actual, const B& expected) {
    ASSERT_EQ(actual.size(), expected.size()) << what;
    Worst& worst = worst_[what];
    for (int i = 0; i < actual.size(); ++i) {
      const double error = std::abs(actual.reshaped()[i] - expected.reshaped()[i]);
      worst.error = std::max(worst.error, error);
      worst.ofAllowed = std::max(worst.ofAllowed, error / (1e-10 + 1e-11 * std::abs(expected.reshaped()[i])));
    }
  }

  void report(const char* name) const {
    for (const auto& [what, worst] : worst_) {
      EXPECT_LE(worst.ofAllowed, 1) << what;
      std::printf("  %s: %s differs by %.1e (%.0f %% of the allowed)\n", name, what.c_str(), worst.error,
                  100 * worst.ofAllowed);
      ::testing::Test::RecordProperty(what, worst.error);
    }
  }

 private:
  struct Worst {
    double error = 0, ofAllowed = 0;
  };
  std::map<std::string, Worst> worst_;
};

MatX symmetricFromUpper(const nlohmann::json& upper, int n) {
  MatX M(n, n);
  std::size_t next = 0;
  for (int r = 0; r < n; ++r)
    for (int c = r; c < n; ++c) M(r, c) = M(c, r) = upper[next++];
  return M;
}

VecX positionOf(const multibody::Tree& tree, const nlohmann::json& sample) {
  VecX q(tree.nq);
  if (!sample.contains("base_position")) return vecX(sample["q"]);
  q << vec3(sample["base_position"]), vecX(sample["base_quaternion_wxyz"]), vecX(sample["q"]);
  return q;
}

Vec3 centreOfMass(const multibody::Tree& tree, const std::vector<Pose>& X_WB) {
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (std::size_t b = 1; b < X_WB.size(); ++b) {
    moment += tree.bodies[b].mass * (X_WB[b] * tree.bodies[b].com);
    mass += tree.bodies[b].mass;
  }
  return moment / mass;
}

void compareEnds(const Model& model, const std::vector<Pose>& X_WB, const nlohmann::json& sample,
                 Comparison& comparison) {
  for (const auto& [name, rows] : sample["end_jacobians"].items()) {
    const int body = testing::bodyOfLink(model, name);
    const Pose& X_WE = X_WB[static_cast<std::size_t>(body)];
    const MatX J = multibody::pointJacobian(model.tree, X_WB, body, X_WE.p);
    for (int r = 0; r < 6; ++r)
      comparison.compare("Jacobian", J.row(r), vecX(rows[static_cast<std::size_t>(r)]));
    comparison.compare("end position", X_WE.p, vec3(sample["end_positions"][name]));
    comparison.compare("end rotation", X_WE.R,
                       quat(sample["end_quaternions_wxyz"][name]).normalized().toRotationMatrix());
  }
}

void compareSample(const Model& model, const nlohmann::json& data, const nlohmann::json& sample,
                   Comparison& comparison) {
  const multibody::Tree& tree = model.tree;
  const VecX q = positionOf(tree, sample), v = vecX(sample["v"]), zero = VecX::Zero(tree.nv);
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  multibody::computePoses(tree, q, X_WB);
  multibody::computeVelocities(tree, q, v, X_WB, V_WB);
  MatX M;
  multibody::computeMassMatrix(tree, X_WB, M);
  comparison.compare("mass matrix", M, symmetricFromUpper(sample["M_upper"], tree.nv));
  const auto forces = [&](const VecX& rates, const VecX& a) {
    return multibody::inverseDynamics(tree, q, rates, a, model.gravity);
  };
  comparison.compare("bias", forces(v, zero), vecX(sample["bias"]));
  comparison.compare("gravity force", VecX(-forces(zero, zero)), vecX(sample["gravity_force"]));
  comparison.compare("tau", forces(v, vecX(sample["a"])), vecX(sample["tau"]));
  comparison.compare("centre of mass", centreOfMass(tree, X_WB), vec3(sample["com"]));
  std::size_t link = 0;
  for (const auto& name : data["layout"]["links"]) {
    const Velocity& V = V_WB[static_cast<std::size_t>(testing::bodyOfLink(model, name))];
    VecX wv(6);
    wv << V.w, V.v;
    comparison.compare("link velocity", wv, vecX(sample["link_velocities"][link++]));
  }
  compareEnds(model, X_WB, sample, comparison);
}

class InverseDynamics : public ::testing::TestWithParam<const char*> {};

TEST_P(InverseDynamics, AgreesWithTheTablesInAHundredSamples) {
  const std::string folder = "rigid/inverse_dynamics/";
  nlohmann::json data = testing::readData(folder + GetParam() + ".json");
  // The tables bring their own states: the file's base may start anywhere.
  if (std::string(GetParam()) == "floating_tree")
    data["initial_state"]["floating_base"]["base"] = {
        {"p", {0, 0, 0}}, {"quat", {1, 0, 0, 0}}, {"w", {0, 0, 0}}, {"v", {0, 0, 0}}};
  const Result<CompiledScene> scene = compile(testing::referenceScene(folder, data, 1e-3));
  ASSERT_TRUE(scene) << scene.error().message();
  ASSERT_EQ(data["samples"].size(), 100u);
  Comparison comparison;
  for (const auto& sample : data["samples"]) compareSample(*scene->model, data, sample, comparison);
  comparison.report(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Reference, InverseDynamics, ::testing::Values("arm7", "floating_tree"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace slipstick
