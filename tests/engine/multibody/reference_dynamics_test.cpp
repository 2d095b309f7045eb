// Mass matrix, inverse dynamics and Jacobians against ../shared/reference/rigid/inverse_dynamics.
#include <gtest/gtest.h>

#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "tests/engine/multibody/reference_model.h"
#include "tests/support/test_paths.h"

namespace slipstick::multibody::testing {
namespace {

/// The README's tolerance: 1e-10 absolute + 1e-11 relative (12 stored digits).
template <class A, class B>
void expectClose(const A& actual, const B& expected, const char* what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (int i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual.reshaped()[i], expected.reshaped()[i],
                1e-10 + 1e-11 * std::abs(expected.reshaped()[i]))
        << what;
  }
}

MatX symmetricFromUpper(const nlohmann::json& upper, int n) {
  MatX M(n, n);
  std::size_t next = 0;
  for (int r = 0; r < n; ++r) {
    for (int c = r; c < n; ++c) M(r, c) = M(c, r) = upper[next++];
  }
  return M;
}

VecX positionOf(const Tree& tree, const nlohmann::json& sample) {
  VecX q(tree.nq);
  if (!sample.contains("base_position")) return vecX(sample["q"]);
  q << vec3(sample["base_position"]), vecX(sample["base_quaternion_wxyz"]), vecX(sample["q"]);
  return q;
}

void checkEnds(const Tree& tree, const std::vector<Pose>& X_WB, const nlohmann::json& sample) {
  for (const auto& [name, rows] : sample["end_jacobians"].items()) {
    const int body = bodyIndex(tree, name);
    const Pose& X_WE = X_WB[static_cast<std::size_t>(body)];
    const MatX J = pointJacobian(tree, X_WB, body, X_WE.p);
    for (int r = 0; r < 6; ++r) expectClose(J.row(r), vecX(rows[static_cast<std::size_t>(r)]), "Jacobian");
    expectClose(X_WE.p, vec3(sample["end_positions"][name]), "position");
    EXPECT_LT(Quat(X_WE.R).angularDistance(quat(sample["end_quaternions_wxyz"][name])), 1e-10);
  }
}

void checkSample(const Tree& tree, const nlohmann::json& data, const nlohmann::json& sample) {
  const VecX q = positionOf(tree, sample), v = vecX(sample["v"]), zero = VecX::Zero(tree.nv);
  const Vec3 gravity = vec3(data["gravity"]);
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  computePoses(tree, q, X_WB);
  computeVelocities(tree, q, v, X_WB, V_WB);
  MatX M;
  computeMassMatrix(tree, X_WB, M);
  expectClose(M, symmetricFromUpper(sample["M_upper"], tree.nv), "mass matrix");
  expectClose(inverseDynamics(tree, q, v, zero, gravity), vecX(sample["bias"]), "bias");
  expectClose(-inverseDynamics(tree, q, zero, zero, gravity), vecX(sample["gravity_force"]), "gravity force");
  expectClose(inverseDynamics(tree, q, v, vecX(sample["a"]), gravity), vecX(sample["tau"]), "tau");
  std::size_t link = 0;
  for (const auto& name : data["layout"]["links"]) {
    const Velocity& V = V_WB[static_cast<std::size_t>(bodyIndex(tree, name))];
    VecX wv(6);
    wv << V.w, V.v;
    expectClose(wv, vecX(sample["link_velocities"][link++]), "link velocity");
  }
  checkEnds(tree, X_WB, sample);
}

void checkFile(const std::string& path) {
  SLIPSTICK_REQUIRE_SHARED(path);
  const nlohmann::json data = slipstick::testing::readSharedJson(path);
  const Tree tree = buildTree(data["model"]);
  ASSERT_EQ(data["samples"].size(), 200u);
  for (const auto& sample : data["samples"]) checkSample(tree, data, sample);
}

TEST(ReferenceDynamics, SevenJointArmAgreesInTwoHundredSamples) {
  checkFile("reference/rigid/inverse_dynamics/arm7.json");
}

TEST(ReferenceDynamics, FloatingTreeAgreesInTwoHundredSamples) {
  checkFile("reference/rigid/inverse_dynamics/floating_tree.json");
}

}  // namespace
}  // namespace slipstick::multibody::testing
