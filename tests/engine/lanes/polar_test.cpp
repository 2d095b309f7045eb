#include "engine/lanes/polar.h"

#include <gtest/gtest.h>

#include "tests/engine/lanes/lane_samples.h"

using namespace slipstick;
using namespace slipstick::lanes;
using namespace slipstick::testing;

namespace {

/// R ∈ SO(3) and RᵀF symmetric.
template <class T>
void expectPolar(const M3<T>& F, const M3<T>& rotation, int lane, double tolerance) {
  const Mat3 R = laneOf(rotation, lane), exact = laneOf(F, lane), S = R.transpose() * exact;
  EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), tolerance) << exact;
  EXPECT_GT(R.determinant(), 0) << exact;
  EXPECT_LT((S - S.transpose()).norm(), tolerance * exact.norm()) << exact;
}

}  // namespace

TEST(Polar, GivesTheRotationToRoundingInDoubleForInvertedMatricesToo) {
  for (const Mat3& m : hardMatrices(true)) {
    const M3<double> F = toLanes<double>(m);
    expectPolar(F, polarRotation(F), 0, 1e-13);
  }
}

TEST(Polar, GivesTheRotationInEveryFloatLaneForInvertedMatricesToo) {
  const std::vector<Mat3> matrices = hardMatrices(true);
  for (std::size_t first = 0; first < matrices.size(); first += Pack::kLanes) {
    const M3<Pack> F = packOf(matrices, first);
    const M3<Pack> R = polarRotation(F);
    for (int lane = 0; lane < Pack::kLanes; ++lane) expectPolar(F, R, lane, 2e-5);
  }
}

TEST(Polar, ReturnsARotationItself) {
  std::mt19937 random(3);
  for (int i = 0; i < 10; ++i) {
    const Mat3 R = randomRotation(random);
    EXPECT_LT((laneOf(polarRotation(toLanes<double>(R)), 0) - R).norm(), 1e-14);
  }
}
