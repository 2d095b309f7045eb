#include "engine/mpm/materials/cloth_tangent.h"

#include <Eigen/Eigenvalues>

#include "engine/lanes/dual.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/materials/cloth.h"

namespace slipstick::mpm {
namespace {

/// Variable i + 3k is entry (i, k) of F.
using Entry = lanes::Dual<9>;

MaterialConstants<Entry> constantsOf(const MaterialConstants<double>& m) {
  return {Entry(m.mu),
          Entry(m.lambda),
          Entry(m.strainLimit),
          {Entry(m.law[0]), Entry(m.law[1]), Entry(m.law[2]), Entry(m.law[3])}};
}

void dropNegativeDirections(Mat9& C) {
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(C);
  const Eigen::Matrix<double, 9, 1>& values = eigen.eigenvalues();
  if (values[0] >= 0) return;
  C = eigen.eigenvectors() * values.cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

ElasticResponse linearizeCloth(const Mat3& F, const MaterialConstants<double>& constants, Mat9& C) {
  V3<Entry> column[3];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) column[k][i] = Entry::variable(F(i, k), i + 3 * k);
  const ClothFactors<Entry> factors = clothFactors(column[0], column[1], column[2]);
  const MaterialConstants<Entry> m = constantsOf(constants);
  const ClothStress<Entry> stress = clothStress(factors, m);
  ElasticResponse response{clothEnergy(factors, m).value, Mat3::Zero()};
  const V3<Entry>* const columns[3] = {&stress.p1, &stress.p2, &stress.p3};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      const Entry& entry = (*columns[k])[i];
      response.P(i, k) = entry.value;
      C.row(i + 3 * k) = entry.slopes.transpose();
    }
  C = (0.5 * (C + C.transpose())).eval();  // equal but for rounding
  dropNegativeDirections(C);
  return response;
}

}  // namespace slipstick::mpm
