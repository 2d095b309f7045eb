#include "engine/lanes/eigenvalue.h"

#include <gtest/gtest.h>

#include "tests/engine/lanes/lane_samples.h"

using namespace slipstick;
using namespace slipstick::lanes;
using namespace slipstick::testing;

namespace {

/// Symmetric ones of either sign, with simple, double and triple eigenvalues.
std::vector<Mat3> symmetricMatrices() {
  std::mt19937 random(19);
  std::vector<Mat3> list = {Mat3::Zero()};
  for (const Mat3& F : hardMatrices(true)) {
    list.push_back(F * F.transpose());
    list.push_back(0.5 * (F + F.transpose()));
  }
  for (const Vec3& values : {Vec3(1, 1, 0.2), Vec3(1, 0.2, 0.2), Vec3(-1, -1, -3), Vec3(5, 5 - 1e-6, 0)}) {
    const Mat3 R = randomRotation(random);
    list.push_back(R * values.asDiagonal() * R.transpose());
  }
  return list;
}

void expectBound(double bound, const Mat3& S, double rounding) {
  const Vec3 values = S.selfadjointView<Eigen::Lower>().eigenvalues();
  const double slack = rounding * S.norm();
  EXPECT_GE(bound, values.z() - slack) << S;
  EXPECT_LE(bound, values.z() + (values.z() - values.x()) / 512 + slack) << S;
  if (values.z() - values.y() > 0.5 * (values.z() - values.x())) {
    EXPECT_NEAR(bound, values.z(), slack) << S;
  }
}

}  // namespace

TEST(Eigenvalue, BoundsTheLargestFromAboveInDouble) {
  for (const Mat3& S : symmetricMatrices()) expectBound(largestEigenvalue(toLanes<double>(S)), S, 1e-14);
}

TEST(Eigenvalue, BoundsTheLargestFromAboveInEveryFloatLane) {
  const std::vector<Mat3> matrices = symmetricMatrices();
  for (std::size_t first = 0; first < matrices.size(); first += Pack::kLanes) {
    const M3<Pack> S = packOf(matrices, first);
    const Pack bound = largestEigenvalue(S);
    for (int lane = 0; lane < Pack::kLanes; ++lane) expectBound(laneOf(bound, lane), laneOf(S, lane), 2e-6);
  }
}
