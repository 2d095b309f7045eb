// One triangle and one hinge of cloth.
#include "engine/mpm/materials/cloth.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "engine/model/cloth.h"
#include "engine/mpm/materials/cloth_tangent.h"
#include "tests/engine/lanes/lane_samples.h"
#include "tests/engine/mpm/json_values.h"
#include "tests/support/test_paths.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

namespace {

MaterialParameters clothParameters(double shearStiffness = 2e3, double layerFriction = 0.3) {
  MaterialParameters p;
  p.model = MaterialModel::Cloth;
  p.E = 1e5;
  p.nu = 0.3;
  p.normalStiffness = 5e4;
  p.shearStiffness = shearStiffness;
  p.layerFriction = layerFriction;
  return p;
}

template <class T>
MaterialConstants<T> constantsOf(const MaterialParameters& p) {
  return materialNumbers(p).as<T, std::conditional_t<std::is_same_v<T, double>, double, float>>();
}

template <class T>
ClothFactors<T> factorsOf(const M3<T>& F) {
  return clothFactors(F.col(0), F.col(1), F.col(2));
}
ClothFactors<double> factorsOf(const Mat3& F) {
  return factorsOf(toLanes<double>(F));
}
Mat3 stressOf(const Mat3& F, const MaterialConstants<double>& m) {
  const ClothStress<double> P = clothStress(factorsOf(F), m);
  Mat3 matrix;
  matrix << toEigen(P.p1), toEigen(P.p2), toEigen(P.p3);
  return matrix;
}

/// Stretched, sheared, squeezed and folded triangles; directors on both sides.
std::vector<Mat3> trialGradients() {
  std::mt19937 random(17);
  std::normal_distribution<double> normal;
  std::vector<Mat3> list;
  for (int i = 0; i < 32; ++i) {
    const Mat3 noise = Mat3::NullaryExpr([&](int, int) { return normal(random); });
    Mat3 F = randomRotation(random) * (Mat3::Identity() + 0.15 * noise);
    if (i % 4 == 0) F.col(2) *= 0.4;
    if (i % 8 == 1) F.col(2) *= -0.3;
    list.push_back(F);
  }
  return list;
}

using Corners = std::array<Vec3, 4>;

HingeAngle<double> hingeOf(const Corners& x) {
  return hingeAngle(toLanes<double>(x[0]), toLanes<double>(x[1]), toLanes<double>(x[2]),
                    toLanes<double>(x[3]));
}
std::array<Vec3, 4> gradientOf(const Corners& x) {
  const HingeAngle<double> h = hingeOf(x);
  return {toEigen(h.a), toEigen(h.b), toEigen(h.left), toEigen(h.right)};
}

/// Two unlike triangles, folded by this angle about their common edge.
Corners folded(double angle) {
  const Vec3 left(0.3, 0.8 * std::cos(angle), -0.8 * std::sin(angle));
  return {Vec3(0, 0, 0), Vec3(1, 0, 0), left, Vec3(0.6, -0.7, 0)};
}

/// Energy of the hinges of a sheet that is rolled up with curvature `kappa`, its axis turned by `axis` from
/// y.
double rolledEnergy(const TriangleMesh& sheet, const ClothMesh& cloth, double kappa, double axis) {
  const Mat3 turn = Eigen::AngleAxisd(axis, Vec3::UnitZ()).toRotationMatrix();
  std::vector<Vec3> x;
  for (const Vec3& flat : sheet.vertices) {
    const Vec3 p = turn.transpose() * flat;
    x.emplace_back(std::sin(kappa * p.x()) / kappa, p.y(), (1 - std::cos(kappa * p.x())) / kappa);
  }
  double energy = 0;
  for (const ClothMesh::Hinge& h : cloth.hinges) {
    const auto corner = [&](std::size_t c) { return x[static_cast<std::size_t>(h.vertices[c])]; };
    const double bend = hingeOf({corner(0), corner(1), corner(2), corner(3)}).angle - h.restAngle;
    energy += 0.5 * h.stiffness * bend * bend;
  }
  return energy;
}

}  // namespace

TEST(ClothTriangle, MatchesTheReference) {
  constexpr const char* kData = "mpm/cloth.json";
  const auto data = readData(kData);
  int compared = 0;
  for (const auto& c : data["cases"]) {
    MaterialParameters p = materialParameters("cloth", c["parameters"], 1000);
    p.normalStiffness = c["parameters"]["K"];
    p.shearStiffness = c["parameters"]["gamma"];
    p.layerFriction = c["parameters"]["c_F"];
    p.thickness = c["thickness"];
    const auto constants = constantsOf<double>(p);
    const Mat3 X = mat3(c["X"]), x = mat3(c["x"]);
    const Result<ClothMesh> mesh = buildClothMesh({X.row(0), X.row(1), X.row(2)}, {{0, 1, 2}}, p);
    ASSERT_TRUE(mesh);
    const double inverse[3] = {mesh->restInverse[0](0, 0), mesh->restInverse[0](0, 1),
                               mesh->restInverse[0](1, 1)};
    EXPECT_NEAR(inverse[0], c["Dm_inverse"][0][0].get<double>(), 1e-10 * largest(c["Dm_inverse"]));
    EXPECT_NEAR(inverse[1], c["Dm_inverse"][0][1].get<double>(), 1e-10 * largest(c["Dm_inverse"]));
    EXPECT_NEAR(inverse[2], c["Dm_inverse"][1][1].get<double>(), 1e-10 * largest(c["Dm_inverse"]));
    EXPECT_NEAR(mesh->volume[0], c["area"].get<double>() * p.thickness, 1e-10 * mesh->volume[0]);

    const Vec3 corners[3] = {x.row(0), x.row(1), x.row(2)};
    const Mat3 trial = triangleDeformation(*mesh, 0, corners, vec3(c["director_trial"]));
    EXPECT_LT((trial - mat3(c["F_trial"])).norm(), 1e-10 * largest(c["F_trial"]));
    const ClothFactors<double> f = returnedDirector(factorsOf(trial), constants);
    Mat3 F = trial;
    F.col(2) = toEigen(f.director());
    EXPECT_LT((F - mat3(c["F_E"])).norm(), 1e-10 * largest(c["F_E"]));
    EXPECT_NEAR(clothEnergy(f, constants), c["energy"].get<double>(), 1e-10 * c["energy"].get<double>());
    EXPECT_LT((stressOf(F, constants) - mat3(c["P"])).norm(), 1e-10 * largest(c["P"]));

    const ClothStress<double> P = clothStress(f, constants);
    const CornerForces<double> forces = cornerForces(P, inverse, mesh->volume[0]);
    Mat3 rows;
    rows << -toEigen(forces.corner1 + forces.corner2).transpose(), toEigen(forces.corner1).transpose(),
        toEigen(forces.corner2).transpose();
    EXPECT_LT((rows - mat3(c["vertex_forces"])).norm(), 1e-10 * largest(c["vertex_forces"]));
    const Mat3 couple = mesh->volume[0] * toEigen(P.p3) * F.col(2).transpose();
    EXPECT_LT((couple - mat3(c["V_tau_director"])).norm(), 1e-10 * mesh->volume[0] * largest(c["P"]));
    ++compared;
  }
  EXPECT_EQ(compared, 24);
}

TEST(ClothTriangle, StressIsTheDerivativeOfTheEnergy) {
  const MaterialParameters parameters = clothParameters();
  const auto constants = constantsOf<double>(parameters);
  for (const Mat3& F : trialGradients()) {
    const Mat3 P = stressOf(F, constants);
    constexpr double kStep = 1e-6;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        Mat3 dF = Mat3::Zero();
        dF(i, j) = kStep;
        const double slope = (clothEnergy(factorsOf(Mat3(F + dF)), constants) -
                              clothEnergy(factorsOf(Mat3(F - dF)), constants)) /
                             (2 * kStep);
        EXPECT_NEAR(P(i, j), slope, 1e-7 * parameters.E * (1 + F.squaredNorm())) << F;
      }
  }
}

/// For implicit solves: P is that of the law; C the derivative of P where Ψ is convex, and positive semidefinite elsewhere.
TEST(ClothTriangle, TangentIsTheDerivativeOfTheStressWithoutItsNegativeDirections) {
  const auto constants = constantsOf<double>(clothParameters());
  int convex = 0, projected = 0;
  for (const Mat3& F : trialGradients()) {
    Mat9 C, slopes;
    const ElasticResponse response = linearizeCloth(F, constants, C);
    EXPECT_LT((response.P - stressOf(F, constants)).norm(), 1e-12 * response.P.norm());
    EXPECT_DOUBLE_EQ(response.energy, clothEnergy(factorsOf(F), constants));
    constexpr double kStep = 1e-6;
    for (int e = 0; e < 9; ++e) {
      Mat3 ahead = F, behind = F;
      ahead.data()[e] += kStep, behind.data()[e] -= kStep;
      const Mat3 slope = (stressOf(ahead, constants) - stressOf(behind, constants)) / (2 * kStep);
      slopes.col(e) = slope.reshaped();
    }
    const Eigen::SelfAdjointEigenSolver<Mat9> eigen(0.5 * (slopes + slopes.transpose()));
    const auto& values = eigen.eigenvalues();
    const Mat9 expected =
        eigen.eigenvectors() * values.cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
    EXPECT_LT((C - expected).norm(), 1e-6 * slopes.norm()) << F;
    ++(values[0] < -1e-6 * values[8] ? projected : convex);
  }
  EXPECT_GT(projected, 0);
}

/// r₃₃² ∂²Ψ/∂r₃₃² across the sheet, s² ∂²Ψ/∂s² within it, by second differences.
TEST(ClothTriangle, StiffeningIsThatOfTheFastestPrincipalWave) {
  std::mt19937 random(23);
  std::uniform_real_distribution<double> stretch(0.6, 1.5), turn(-3, 3);
  for (const double across : {1e3, 5e4, 2e5}) {
    MaterialParameters p = clothParameters(0);
    p.normalStiffness = across;
    const auto m = constantsOf<double>(p);
    const double rest = p.waveSpeed() * p.waveSpeed() * p.density;
    for (int sample = 0; sample < 20; ++sample) {
      const Vec3 s(stretch(random), stretch(random), sample % 2 == 0 ? 1 : -0.9);
      const Mat3 R = randomRotation(random);
      const Mat3 turned = Eigen::AngleAxisd(turn(random), Vec3::UnitZ()).toRotationMatrix();
      const auto energy = [&](const Vec3& stretches) {
        return clothEnergy(factorsOf(Mat3(R * stretches.asDiagonal() * turned)), m);
      };
      double fastest = rest;
      for (int i = 0; i < 3; ++i) {
        const Vec3 d = 1e-4 * Vec3::Unit(i);
        fastest = std::max(fastest, s(i) * s(i) * (energy(s + d) - 2 * energy(s) + energy(s - d)) * 1e8);
      }
      EXPECT_NEAR(clothStiffening(factorsOf(Mat3(R * s.asDiagonal() * turned)), m), fastest / rest,
                  1e-4 * fastest / rest);
    }
  }
}

TEST(ClothTriangle, RotationGivesNoStressAndIsObjective) {
  const auto constants = constantsOf<double>(clothParameters());
  std::mt19937 random(3);
  for (const Mat3& F : trialGradients()) {
    const Mat3 R = randomRotation(random);
    EXPECT_LT(stressOf(R, constants).norm(), 1e-9);
    EXPECT_LT((stressOf(R * F, constants) - R * stressOf(F, constants)).norm(),
              1e-9 * (1 + stressOf(F, constants).norm()));
  }
}

TEST(ClothTriangle, ReturnMapKeepsTheEdgesAndEndsWithinTheFrictionOfItsLayers) {
  const MaterialParameters p = clothParameters(2e3, 0.3);
  int sticks = 0, slips = 0;
  for (const Mat3& F : trialGradients()) {
    const ClothFactors<double> trial = factorsOf(F), f = returnedDirector(trial, constantsOf<double>(p));
    EXPECT_EQ(f.r11, trial.r11);
    EXPECT_LE(std::abs(f.r33), 1);
    const double shear = std::hypot(f.r13, f.r23), squeeze = std::max(0.0, 1 - f.r33);
    const double limit =
        f.r33 > 0 ? p.layerFriction * squeeze * squeeze * p.normalStiffness / p.shearStiffness : 0;
    EXPECT_LE(shear, limit * (1 + 1e-12) + 1e-15);
    const double before = std::hypot(trial.r13, trial.r23);
    (before <= limit ? sticks : slips) += 1;
    if (before <= limit) {
      EXPECT_EQ(f.r13, trial.r13);
    }
    const ClothFactors<double> free = returnedDirector(trial, constantsOf<double>(clothParameters(0, 0)));
    EXPECT_EQ(free.r13, 0);
    EXPECT_EQ(free.r23, 0);
  }
  EXPECT_GT(sticks, 3);
  EXPECT_GT(slips, 3);
}

TEST(ClothTriangle, PackLanesAgreeWithDouble) {
  const MaterialParameters p = clothParameters();
  const std::vector<Mat3> gradients = trialGradients();
  for (std::size_t first = 0; first < gradients.size(); first += Pack::kLanes) {
    const M3<Pack> F = packOf(gradients, first);
    const ClothFactors<Pack> f = returnedDirector(factorsOf(F), constantsOf<Pack>(p));
    const ClothStress<Pack> P = clothStress(f, constantsOf<Pack>(p));
    const Pack energy = clothEnergy(f, constantsOf<Pack>(p));
    const M3<Pack> stress = fromColumns(P.p1, P.p2, P.p3);
    for (int lane = 0; lane < Pack::kLanes; ++lane) {
      const auto constants = constantsOf<double>(p);
      const ClothFactors<double> exact = returnedDirector(factorsOf(laneOf(F, lane)), constants);
      const ClothStress<double> exactP = clothStress(exact, constants);
      Mat3 expected;
      expected << toEigen(exactP.p1), toEigen(exactP.p2), toEigen(exactP.p3);
      EXPECT_LT((laneOf(stress, lane) - expected).norm(), 3e-5 * p.E);
      EXPECT_NEAR(laneOf(f.r33, lane), exact.r33, 1e-5);
      EXPECT_NEAR(laneOf(energy, lane), clothEnergy(exact, constants), 1e-5 * p.E);
    }
  }
}

TEST(ClothHinge, AngleIsThatOfTheFold) {
  for (const double angle : {-3.0, -1.6, -0.5, 0.0, 1e-3, 0.7, 1.5, 2.9})
    EXPECT_NEAR(hingeOf(folded(angle)).angle, angle, 1e-12);
}

TEST(ClothHinge, GradientIsTheDerivativeOfTheAngle) {
  for (const double angle : {-2.5, -0.5, 0.0, 0.7, 2.9}) {
    const Corners x = folded(angle);
    const auto gradient = gradientOf(x);
    constexpr double kStep = 1e-6;
    for (std::size_t c = 0; c < 4; ++c)
      for (int a = 0; a < 3; ++a) {
        Corners up = x, down = x;
        up[c](a) += kStep;
        down[c](a) -= kStep;
        EXPECT_NEAR(gradient[c](a), (hingeOf(up).angle - hingeOf(down).angle) / (2 * kStep), 1e-8) << angle;
      }
  }
}

TEST(ClothHinge, RigidMotionDoesNotChangeTheAngle) {
  for (const double angle : {-1.2, 0.0, 2.0}) {
    const Corners x = folded(angle);
    const auto g = gradientOf(x);
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    for (std::size_t c = 0; c < 4; ++c) {
      sum += g[c];
      torque += x[c].cross(g[c]);
    }
    EXPECT_LT(sum.norm(), 1e-12);
    EXPECT_LT(torque.norm(), 1e-12);
  }
}

TEST(ClothHinge, PackLanesAgreeWithDouble) {
  for (const double angle : {-3.1, -1.6, -0.5, 0.0, 1e-3, 0.7, 1.5, 2.9}) {
    const Corners x = folded(angle);
    V3<Pack> lanes[4];
    for (std::size_t c = 0; c < 4; ++c)
      lanes[c] = {static_cast<float>(x[c].x()), static_cast<float>(x[c].y()), static_cast<float>(x[c].z())};
    const HingeAngle<Pack> h = hingeAngle(lanes[0], lanes[1], lanes[2], lanes[3]);
    EXPECT_NEAR(h.angle[5], angle, 1e-6);
    EXPECT_LT((Vec3(h.left.x[5], h.left.y[5], h.left.z[5]) - gradientOf(x)[2]).norm(), 1e-5);
    EXPECT_LT((Vec3(h.a.x[5], h.a.y[5], h.a.z[5]) - gradientOf(x)[0]).norm(), 1e-5);
  }
}

TEST(ClothHinge, ARolledSheetHasTheBendingEnergyOfAPlate) {
  MaterialParameters p = clothParameters();
  p.bendingStiffness = 2e-4;
  const TriangleMesh sheet = sheetMesh({{0.4, 0.4}, {41, 41}});
  const Result<ClothMesh> cloth = buildClothMesh(sheet.vertices, sheet.triangles, p);
  ASSERT_TRUE(cloth);
  constexpr double kCurvature = 5;
  const double plate = 0.5 * p.bendingStiffness * kCurvature * kCurvature * 0.4 * 0.4;
  // The outermost half cells bend nothing.
  EXPECT_NEAR(rolledEnergy(sheet, *cloth, kCurvature, 0), plate * 39 / 40, 2e-3 * plate);
  EXPECT_NEAR(rolledEnergy(sheet, *cloth, kCurvature, std::numbers::pi / 2), plate * 39 / 40, 2e-3 * plate);
  // Across its edges the mesh is stiffer (see ClothMesh::Hinge), and less so in between.
  EXPECT_NEAR(rolledEnergy(sheet, *cloth, kCurvature, std::numbers::pi / 4), 1.5 * plate, 0.05 * plate);
}
