// The wave speeds that the elastic CFL condition goes by.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/materials/dispatch.h"
#include "engine/mpm/substeps.h"

namespace slipstick::mpm {
namespace {

Mat3 rotated(const Vec3& stretches) {
  const Mat3 U = Quat(0.8, 0.3, -0.4, 0.3).normalized().toRotationMatrix(),
             V = Quat(0.5, -0.1, 0.7, 0.5).normalized().toRotationMatrix();
  return U * stretches.asDiagonal() * V.transpose();
}

/// λ_i² ∂²Ψ/∂λ_i² / (λ + 2μ) by differences of the energy, the largest over i.
double waveRatioByDifferences(const MaterialParameters& parameters, const Vec3& stretches) {
  const auto constants = materialNumbers(parameters).as<double, double>();
  const auto energy = [&](const Vec3& s) {
    return withMaterial(parameters.model, [&](auto material) {
      return material.energy(toLanes<double>(rotated(s)), Internal<double>{1, 0}, constants);
    });
  };
  const double e = 1e-4;
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 d = e * Vec3::Unit(i);
    const double second = (energy(stretches + d) - 2 * energy(stretches) + energy(stretches - d)) / (e * e);
    largest = std::max(largest, stretches(i) * stretches(i) * second);
  }
  return largest / (parameters.lambda() + 2 * parameters.mu());
}

class WaveSpeed : public ::testing::TestWithParam<MaterialModel> {};

TEST_P(WaveSpeed, IsThatOfTheEnergysSecondDerivativeInSpace) {
  MaterialParameters parameters;
  parameters.model = GetParam();
  parameters.E = 2e4, parameters.nu = 0.3, parameters.density = 1000, parameters.yieldStress = 1e9;
  for (const Vec3& stretches :
       {Vec3(0.5, 0.9, 0.8), Vec3(0.7, 1, 1), Vec3(1.3, 0.9, 1.1), Vec3(1.6, 1.2, 1.4)}) {
    const double expected = std::max(1.0, waveRatioByDifferences(parameters, stretches));
    EXPECT_NEAR(stiffeningOf(parameters, rotated(stretches), {1, 0}), expected, 1e-5 * expected)
        << stretches.transpose();
    EXPECT_EQ(stiffeningOf(parameters, rotated(stretches), {1, 0}, 1e3), 1e3);
  }
  EXPECT_NEAR(stiffeningOf(parameters, rotated(Vec3::Ones()), {1, 0}), 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Materials, WaveSpeed,
                         ::testing::Values(MaterialModel::FixedCorotated, MaterialModel::NeoHookean,
                                           MaterialModel::LinearCorotated, MaterialModel::Hencky),
                         [](const auto& test) {
                           return std::string(kMaterialNames[static_cast<std::size_t>(test.param)]);
                         });

/// ln λ = −0.5 along one direction: c²/c₀² = 1 + (2μ + λ) 0.5/(2μ + λ).
TEST(WaveSpeedOfHencky, GrowsUnderCompressionByItsLogarithm) {
  MaterialParameters parameters;
  parameters.model = MaterialModel::HenckyVonMises;
  parameters.E = 2e4, parameters.nu = 0.4, parameters.density = 1000;
  EXPECT_NEAR(stiffeningOf(parameters, rotated({std::exp(-0.5), 1, 1}), {0, 0}), 1.5, 1e-9);
}

}  // namespace
}  // namespace slipstick::mpm
