// Stress and tangent of materials for implicit solves, against finite differences and the materials themselves.
#include "engine/mpm/materials/tangent.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <random>

#include "engine/lanes/eigen_lanes.h"
#include "engine/lanes/svd3.h"
#include "engine/mpm/materials/dispatch.h"

namespace slipstick::mpm {
namespace {

constexpr MaterialModel kModels[] = {MaterialModel::FixedCorotated,
                                     MaterialModel::NeoHookean,
                                     MaterialModel::LinearCorotated,
                                     MaterialModel::LinearCorotatedVonMises,
                                     MaterialModel::Hencky,
                                     MaterialModel::HenckyVonMises,
                                     MaterialModel::CorotatedHenckyVonMises,
                                     MaterialModel::DruckerPrager,
                                     MaterialModel::Snow,
                                     MaterialModel::Liquid};
constexpr double kDt = 0.01;

MaterialConstants<double> constantsOf(MaterialModel model) {
  MaterialConstants<double> m{2, 3, 0.1, {0, 0, 0, 0}};
  if (model == MaterialModel::Snow) m.law[0] = 0.025, m.law[1] = 0.0075, m.law[2] = 10;
  if (model == MaterialModel::Liquid) m.law[0] = 3, m.law[1] = 7, m.law[2] = 0.004, m.law[3] = 1.5;
  return m;
}
Internal<double> internalOf(MaterialModel model) {
  return {model == MaterialModel::Snow ? 0.98 : 0, 0};
}

/// A gradient that stretches by up to `strain` and turns.
Mat3 someGradient(std::mt19937& random, double strain) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  const auto rotation = [&] {
    return Eigen::AngleAxisd(3 * number(random), vector().normalized()).toRotationMatrix();
  };
  return rotation() * (Vec3::Ones() + strain * vector()).asDiagonal() * rotation();
}

ElasticResponse linearize(const ImplicitElasticity& law, const Mat3& F, Mat9& C,
                          Tangents tangents = Tangents::Projected) {
  const auto d = lanes::svd3(toLanes<double>(F));
  return law.linearize({F, toEigen(d.U), toEigen(d.V), toEigen(d.sigma)}, C, tangents);
}
ElasticResponse at(const ImplicitElasticity& law, const Mat3& F) {
  Mat9 C;
  return linearize(law, F, C);
}

TEST(Tangent, StressIsTheSlopeOfTheEnergy) {
  std::mt19937 random(7);
  constexpr double kStep = 1e-5;
  for (const MaterialModel model : kModels)
    for (int k = 0; k < 20; ++k) {
      const Mat3 F0 = someGradient(random, 0.05), F = someGradient(random, 0.3);
      const ImplicitElasticity law(model, constantsOf(model), F0, internalOf(model), kDt);
      const Mat3 P = at(law, F).P;
      for (int e = 0; e < 9; ++e) {
        Mat3 ahead = F, behind = F;
        ahead.data()[e] += kStep, behind.data()[e] -= kStep;
        const double slope = (at(law, ahead).energy - at(law, behind).energy) / (2 * kStep);
        EXPECT_NEAR(P.data()[e], slope, 1e-6 * (1 + P.norm())) << static_cast<int>(model) << ", entry " << e;
      }
    }
}

/// ∂P/∂F by differences [Pa].
Mat9 slopesOf(const ImplicitElasticity& law, const Mat3& F) {
  constexpr double kStep = 1e-5;
  Mat9 slopes;
  for (int e = 0; e < 9; ++e) {
    Mat3 ahead = F, behind = F;
    ahead.data()[e] += kStep, behind.data()[e] -= kStep;
    const Mat3 slope = (at(law, ahead).P - at(law, behind).P) / (2 * kStep);
    slopes.col(e) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(slope.data());
  }
  return slopes;
}

/// Also where it has negative directions: under pressure, and in liquids everywhere.
TEST(Tangent, IsTheSlopeOfTheStressWhereItIsExact) {
  std::mt19937 random(8);
  for (const MaterialModel model : kModels) {
    int negative = 0;
    for (int k = 0; k < 20; ++k) {
      const Mat3 F0 = someGradient(random, 0.01), F = 0.95 * someGradient(random, 0.1) * F0;
      const ImplicitElasticity law(model, constantsOf(model), F0, internalOf(model), kDt);
      const Mat9 slopes = slopesOf(law, F);
      Mat9 C;
      linearize(law, F, C, Tangents::Exact);
      EXPECT_LT((C - slopes).norm(), 1e-5 * (1 + slopes.norm())) << static_cast<int>(model);
      negative += Eigen::SelfAdjointEigenSolver<Mat9>(C).eigenvalues()[0] < -1e-6;
      EXPECT_EQ(at(law, F).P, linearize(law, F, C, Tangents::Exact).P) << "stress has no kinds";
    }
    EXPECT_EQ(negative > 0,
              !ImplicitElasticity(model, constantsOf(model), Mat3::Identity(), internalOf(model), kDt)
                   .isQuadratic())
        << static_cast<int>(model) << ", " << negative;
  }
}

/// Near rest nothing is projected. Liquids are convex nowhere: pressure alone rewards some changes.
TEST(Tangent, IsExactWhereTheEnergyIsConvex) {
  std::mt19937 random(8);
  for (const MaterialModel model : kModels) {
    if (model == MaterialModel::Liquid) continue;
    int compared = 0;
    for (int k = 0; k < 200 && compared < 20; ++k) {
      const Mat3 F0 = someGradient(random, 0.01), F = someGradient(random, 0.1) * F0;
      const ImplicitElasticity law(model, constantsOf(model), F0, internalOf(model), kDt);
      Mat9 exact, projected;
      linearize(law, F, exact, Tangents::Exact);
      if (Eigen::SelfAdjointEigenSolver<Mat9>(exact).eigenvalues()[0] < 0) continue;
      ++compared;
      linearize(law, F, projected);
      EXPECT_LT((exact - projected).norm(), 1e-9 * exact.norm()) << static_cast<int>(model);
    }
    EXPECT_GE(compared, 5) << static_cast<int>(model);
  }
}

TEST(Tangent, HasNoNegativeDirection) {
  std::mt19937 random(9);
  for (const MaterialModel model : kModels)
    for (const double strain : {0.0, 1e-7, 0.2, 0.8, 1.3}) {  // 1.3: some are inverted
      const Mat3 F0 = someGradient(random, 0.02), F = someGradient(random, strain);
      const ImplicitElasticity law(model, constantsOf(model), F0, internalOf(model), kDt);
      Mat9 C;
      linearize(law, F, C);
      ASSERT_TRUE(C.allFinite()) << static_cast<int>(model) << ", " << strain;
      const Eigen::SelfAdjointEigenSolver<Mat9> spectrum(C);
      EXPECT_GE(spectrum.eigenvalues()[0], -1e-9 * C.norm()) << static_cast<int>(model) << ", " << strain;
    }
}

/// τ = P Fᵀ is what the explicit step uses: the laws are the same, with what is lagged in them at F itself. Where the return
/// map has a potential it is that after the return.
TEST(Tangent, StressIsThatOfTheMaterial) {
  std::mt19937 random(10);
  for (const MaterialModel model : kModels)
    for (int k = 0; k < 10; ++k) {
      const Mat3 F = someGradient(random, 0.2);
      const MaterialConstants<double> m = constantsOf(model);
      const ImplicitElasticity law(model, m, F, internalOf(model), kDt);
      const Mat3 tau = at(law, F).P * F.transpose();
      const Mat3 expected = withMaterial(model, [&](auto material) {
        const M3<double> trial = toLanes<double>(F);
        return toEigen(model == MaterialModel::HenckyVonMises
                           ? material.update(trial, internalOf(model), M3<double>::zero(), m).tau
                           : material.stress(trial, internalOf(model), M3<double>::zero(), m));
      });
      EXPECT_LT((tau - expected).norm(), 1e-9 * (1 + expected.norm())) << static_cast<int>(model);
    }
}

/// Viscosity: the stress that the material has at the affine velocity that leads from F₀ to F, and its slope.
TEST(Tangent, ALiquidsViscosityResistsTheRateOfTheStep) {
  const MaterialConstants<double> m = constantsOf(MaterialModel::Liquid);
  MaterialConstants<double> thin = m;
  thin.law[2] = 0;
  Mat3 L;
  L << 0.1, 0.4, 0, -0.2, -0.1, 0.3, 0, 0.1, 0;
  const Mat3 F0 = Mat3::Identity(), F = F0 + kDt * L;
  const ImplicitElasticity law(MaterialModel::Liquid, m, F0, {}, kDt);
  const ImplicitElasticity inviscid(MaterialModel::Liquid, thin, F0, {}, kDt);
  const Mat3 viscous = at(law, F).P - at(inviscid, F).P;
  const Mat3 rate = 0.5 * (L + L.transpose());
  const Mat3 expected = 2 * m.law[2] * (rate - rate.trace() / 3 * Mat3::Identity());
  EXPECT_LT((viscous - expected).norm(), 1e-12);
  Mat9 C, without;
  linearize(law, F, C);
  linearize(inviscid, F, without);
  const Mat3 change = F - F0;  // linear: the slope along it is the whole of it
  const Eigen::Matrix<double, 9, 1> along =
      (C - without) * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(change.data());
  EXPECT_LT((along - Eigen::Map<const Eigen::Matrix<double, 9, 1>>(viscous.data())).norm(), 1e-12);
}

}  // namespace
}  // namespace slipstick::mpm
