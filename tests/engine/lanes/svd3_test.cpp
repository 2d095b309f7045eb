#include "engine/lanes/svd3.h"

#include <gtest/gtest.h>

#include "tests/engine/lanes/lane_samples.h"

using namespace slipstick;
using namespace slipstick::lanes;
using namespace slipstick::testing;

namespace {

template <class T>
void expectProperSvd(const M3<T>& F, const Svd3<T>& d, int lane, double tolerance) {
  const Mat3 U = laneOf(d.U, lane), V = laneOf(d.V, lane), exact = laneOf(F, lane);
  const Vec3 s(laneOf(d.sigma.x, lane), laneOf(d.sigma.y, lane), laneOf(d.sigma.z, lane));
  EXPECT_LT((U.transpose() * U - Mat3::Identity()).norm(), 4 * tolerance);
  EXPECT_LT((V.transpose() * V - Mat3::Identity()).norm(), 4 * tolerance);
  EXPECT_GT(U.determinant(), 0);
  EXPECT_GT(V.determinant(), 0);
  EXPECT_LT((U * s.asDiagonal() * V.transpose() - exact).norm(), 4 * tolerance * exact.norm());
  EXPECT_GE(s.x(), s.y() - tolerance * s.x());
  EXPECT_GE(s.y(), std::abs(s.z()) - tolerance * s.x());
  Vec3 reference = Eigen::JacobiSVD<Mat3>(exact).singularValues();
  if (exact.determinant() < 0) reference.z() *= -1;
  EXPECT_LT((s - reference).norm(), 4 * tolerance * s.x()) << exact;
}

template <class T>
void expectProperLeftSvd(const M3<T>& F, const LeftSvd3<T>& d, int lane, double tolerance) {
  const Mat3 U = laneOf(d.U, lane), exact = laneOf(F, lane);
  const Vec3 s(laneOf(d.sigma.x, lane), laneOf(d.sigma.y, lane), laneOf(d.sigma.z, lane));
  EXPECT_LT((U.transpose() * U - Mat3::Identity()).norm(), 4 * tolerance);
  EXPECT_GT(U.determinant(), 0);
  Vec3 reference = Eigen::JacobiSVD<Mat3>(exact).singularValues();
  if (exact.determinant() < 0) reference.z() *= -1;
  EXPECT_LT((s - reference).norm(), 4 * tolerance * s.x()) << exact;
  const Mat3 squares = U * s.cwiseAbs2().asDiagonal() * U.transpose();
  EXPECT_LT((squares - exact * exact.transpose()).norm(), 8 * tolerance * s.x() * s.x()) << exact;
}

}  // namespace

TEST(Svd3, IsExactToRoundingInDoubleForEqualNearlyEqualAndInvertedStretches) {
  for (const Mat3& m : hardMatrices(true)) {
    const M3<double> F = toLanes<double>(m);
    expectProperSvd(F, svd3(F), 0, 2.5e-15);
    expectProperLeftSvd(F, leftSvd3(F), 0, 2.5e-15);
  }
}

TEST(Svd3, IsExactToRoundingInEveryDoubleLane) {
  const std::vector<Mat3> matrices = hardMatrices(true);
  for (std::size_t first = 0; first < matrices.size(); first += DoublePack::kLanes) {
    const M3<DoublePack> F = packOf<DoublePack>(matrices, first);
    const Svd3<DoublePack> d = svd3(F);
    for (int lane = 0; lane < DoublePack::kLanes; ++lane) expectProperSvd(F, d, lane, 2.5e-15);
  }
}

TEST(Svd3, IsExactToRoundingInEveryFloatLane) {
  const std::vector<Mat3> matrices = hardMatrices(true);
  for (std::size_t first = 0; first < matrices.size(); first += Pack::kLanes) {
    const M3<Pack> F = packOf(matrices, first);
    const Svd3<Pack> d = svd3(F);
    const LeftSvd3<Pack> left = leftSvd3(F);
    for (int lane = 0; lane < Pack::kLanes; ++lane) {
      expectProperSvd(F, d, lane, 1e-6);
      expectProperLeftSvd(F, left, lane, 1e-6);
    }
  }
}

TEST(Svd3, ReturnsRotationsForRankDeficientMatrices) {
  for (const Mat3& m : {Mat3(Mat3::Zero()), Mat3(Vec3(1, 2, 3) * Vec3(3, 1, 2).transpose()),
                        Mat3(Vec3(1, 1, 0).asDiagonal())}) {
    const M3<double> F = toLanes<double>(m);
    const Svd3<double> d = svd3(F);
    EXPECT_NEAR(laneOf(d.U, 0).determinant(), 1, 1e-14);
    EXPECT_NEAR(laneOf(d.V, 0).determinant(), 1, 1e-14);
    EXPECT_LT((laneOf(compose(d.U, d.sigma, d.V), 0) - m).norm(), 1e-13);
  }
}
