#include "engine/lanes/matrix_log.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>

#include "engine/foundation/math.h"
#include "engine/lanes/eigen_lanes.h"

namespace slipstick::lanes {
namespace {

Mat3 randomRotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

/// f of a symmetric matrix, by its eigenvectors, in double.
template <class F>
Mat3 ofSymmetric(const Mat3& a, const F& f) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(a);
  const Vec3 values = eigen.eigenvalues().unaryExpr(f);
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

TEST(LogStretch, IsHenckysStrainWhereItSaysSo) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> size(0, 0.2), uniform(-1, 1), volume(-1.5, 1.5);
  int served = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Mat3 U = randomRotation(random);
    const Vec3 deviation = size(random) * Vec3(uniform(random), uniform(random), uniform(random));
    const double mean = trial % 2 == 0 ? 0 : volume(random);
    const Vec3 stretch = (deviation + Vec3::Constant(mean)).array().exp();
    const Mat3 F = U * stretch.asDiagonal() * randomRotation(random);
    const M3<float> narrow = toLanes<float>(F);
    const LogStretch<float> found = logStretch(narrow);
    if (!found.valid) continue;
    ++served;
    const Mat3 wide = toEigen(narrow).cast<double>();
    const Mat3 strain = ofSymmetric(wide * wide.transpose(), [](double b) { return 0.5 * std::log(b); });
    EXPECT_LT((toEigen(fullMatrix(found.strain)).cast<double>() - strain).norm(), 1e-6) << trial;
  }
  EXPECT_GT(served, 1900);
}

TEST(LogStretch, SaysWhereItDoesNotServe) {
  const auto valid = [](const Vec3& stretch) {
    return logStretch(toLanes<float>(Mat3(stretch.asDiagonal()))).valid;
  };
  EXPECT_TRUE(valid({1, 1, 1}));
  EXPECT_TRUE(valid({3, 3.2, 2.9}));
  EXPECT_FALSE(valid({1, 1, -1})) << "turned inside out";
  EXPECT_FALSE(valid({1, 1, 0}));
  EXPECT_FALSE(valid({0, 0, 0}));
  EXPECT_FALSE(valid({1, 1, 1.8})) << "the series would be cut too early";
  EXPECT_FALSE(valid({1, 1, std::nan("")}));
}

TEST(ExpMinusOne, IsTheExponentialOfASmallMatrix) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 500; ++trial) {
    Mat3 D;
    for (double& d : D.reshaped()) d = uniform(random);
    D = Mat3(D + D.transpose());
    D *= 0.999 * std::sqrt(double{kMaxSquaredExponent<float>}) * std::abs(uniform(random)) / D.norm();
    const Symmetric3<float> narrow{float(D(0, 0)), float(D(1, 1)), float(D(2, 2)),
                                   float(D(0, 1)), float(D(0, 2)), float(D(1, 2))};
    const Mat3 exact =
        ofSymmetric(toEigen(fullMatrix(narrow)).cast<double>(), [](double d) { return std::expm1(d); });
    EXPECT_LT((toEigen(fullMatrix(expMinusOne(narrow))).cast<double>() - exact).norm(),
              1e-6 * exact.norm() + 1e-12)
        << trial;
  }
}

}  // namespace
}  // namespace slipstick::lanes
