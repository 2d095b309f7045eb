#include <gtest/gtest.h>

#include <numbers>

#include "engine/mpm/materials/dispatch.h"
#include "tests/engine/mpm/json_values.h"
#include "tests/engine/mpm/lane_samples.h"
#include "tests/support/test_paths.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

namespace {

constexpr const char* kData = "reference/mpm/data/materials.json";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
MaterialConstants<T> constantsOf(const MaterialParameters& p) {
  return materialNumbers(p).as<T, std::conditional_t<std::is_same_v<T, double>, double, float>>();
}

template <class T>
const Internal<T> kFresh{T(0), T(0)};
template <class T>
const M3<T> kStill = M3<T>::zero();

MaterialParameters parametersOf(MaterialModel model) {
  MaterialParameters p;
  p.model = model;
  p.E = 1e5;
  p.nu = 0.3;
  if (model == MaterialModel::LinearCorotatedVonMises || model == MaterialModel::HenckyVonMises ||
      model == MaterialModel::CorotatedHenckyVonMises)
    p.yieldStress = 2e3;
  return p;
}

class EveryMaterial : public ::testing::TestWithParam<int> {
 protected:
  MaterialParameters parameters = parametersOf(static_cast<MaterialModel>(GetParam()));
  MaterialConstants<double> constants = constantsOf<double>(parameters);
};

std::string materialName(const ::testing::TestParamInfo<int>& info) {
  return std::string(kMaterialNames[static_cast<std::size_t>(info.param)]);
}

}  // namespace

TEST(Materials, MatchTheReferenceAtItsTrialGradients) {
  SLIPSTICK_REQUIRE_SHARED(kData);
  int compared = 0;
  const auto data = readSharedJson(kData);
  for (const auto& c : data["cases"]) {
    if (materialIndex(c["material"]) < 0 || c.contains("R0")) continue;
    const MaterialParameters parameters = materialParameters(c["material"], c["parameters"], 1000);
    const auto constants = constantsOf<double>(parameters);
    const double tau = 1e-10 * largest(c["tau"]), F = 1e-10 * largest(c["F_E"]),
                 energy = 1e-10 * largest(c["energy"]);
    for (std::size_t i = 0; i < c["F_trial"].size(); ++i, ++compared)
      withMaterial(parameters.model, [&](auto material) {
        const auto mapped =
            material.returnMap(toLanes<double>(mat3(c["F_trial"][i])), kFresh<double>, constants);
        const Mat3 expectedF = mat3(c["F_E"][i]), expectedTau = mat3(c["tau"][i]);
        EXPECT_LT((toEigen(mapped.F) - expectedF).cwiseAbs().maxCoeff(), F) << c["material"] << i;
        const M3<double> stress =
            material.stress(toLanes<double>(expectedF), kFresh<double>, kStill<double>, constants);
        EXPECT_LT((toEigen(stress) - expectedTau).cwiseAbs().maxCoeff(), tau) << c["material"] << i;
        EXPECT_NEAR(material.energy(toLanes<double>(expectedF), kFresh<double>, constants),
                    c["energy"][i].get<double>(), energy);
      });
  }
  EXPECT_EQ(compared, 7 * 40);
}

TEST(Materials, LinearCorotatedMatchesTheReferenceWithZongsLaggedRotation) {
  SLIPSTICK_REQUIRE_SHARED(kData);
  int compared = 0;
  const auto data = readSharedJson(kData);
  for (const auto& c : data["cases"]) {
    if (!c.contains("R0")) continue;
    const auto constants = constantsOf<double>(materialParameters(c["material"], c["parameters"], 1000));
    const double tau = 1e-10 * largest(c["tau"]), F = 1e-10 * largest(c["F_E"]),
                 energy = 1e-10 * largest(c["energy"]);
    for (std::size_t i = 0; i < c["F_trial"].size(); ++i, ++compared) {
      const M3<double> R0 = toLanes<double>(mat3(c["R0"][i])), trial = toLanes<double>(mat3(c["F_trial"][i]));
      const M3<double> expectedF = toLanes<double>(mat3(c["F_E"][i]));
      const auto mapped = LinearCorotatedVonMises::returnMap(trial, constants, R0);
      EXPECT_LT((toEigen(mapped.F) - toEigen(expectedF)).cwiseAbs().maxCoeff(), F) << i;
      const M3<double> stress = LinearCorotatedVonMises::stress(expectedF, constants, R0);
      EXPECT_LT((toEigen(stress) - mat3(c["tau"][i])).cwiseAbs().maxCoeff(), tau) << i;
      EXPECT_NEAR(LinearCorotatedVonMises::energy(expectedF, constants, R0), c["energy"][i].get<double>(),
                  energy);
    }
  }
  EXPECT_EQ(compared, 40);
}

TEST(Materials, CorotatedStressOfAKnownRotationAndStretchIsExact) {
  Mat3 S;
  S << 6, 1, 2, 1, 4, 1, 2, 1, 5;
  constexpr double kHalfPi = std::numbers::pi / 2;
  const M3<double> F =
      toLanes<double>(Mat3(Pose::fromRpy({kHalfPi, 2 * kHalfPi, 3 * kHalfPi}, Vec3::Zero()).R * S));
  Mat3 soft, stiff;
  soft << 50, -42, 20, -42, 70, -22, 20, -22, 28;
  stiff << 18724, -84, 40, -84, 18764, -44, 40, -44, 18680;
  MaterialParameters p;
  p.E = 2;
  p.nu = 0;
  EXPECT_LT((toEigen(FixedCorotated::stress(F, constantsOf<double>(p))) - soft).norm(), 1e-10);
  p.E = 5;
  p.nu = 0.25;
  EXPECT_LT((toEigen(FixedCorotated::stress(F, constantsOf<double>(p))) - stiff).norm(), 1e-8);
}

/// dΨ = τ : (dF F⁻¹) for every direction dF, by central differences.
TEST_P(EveryMaterial, StressIsTheDerivativeOfTheEnergy) {
  std::mt19937 random(11);
  for (int sample = 0; sample < 10; ++sample) {
    const Mat3 F = withSingularValues(random, {1.2, 1.05, 0.85});
    withMaterial(parameters.model, [&](auto material) {
      const Mat3 tau =
          toEigen(material.stress(toLanes<double>(F), kFresh<double>, kStill<double>, constants));
      constexpr double kStep = 1e-6;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          Mat3 dF = Mat3::Zero();
          dF(i, j) = kStep;
          const double up = material.energy(toLanes<double>(Mat3(F + dF)), kFresh<double>, constants);
          const double down = material.energy(toLanes<double>(Mat3(F - dF)), kFresh<double>, constants);
          const double expected = (tau * (dF * F.inverse()).transpose()).trace() / kStep;
          EXPECT_NEAR((up - down) / (2 * kStep), expected, 1e-7 * parameters.E);
        }
    });
  }
}

TEST_P(EveryMaterial, RotationGivesNoStressAndIsObjective) {
  std::mt19937 random(5);
  for (int sample = 0; sample < 10; ++sample) {
    const Mat3 R = randomRotation(random), F = withSingularValues(random, {1.1, 1, 0.9});
    withMaterial(parameters.model, [&](auto material) {
      const auto stress = [&](const Mat3& f) {
        return toEigen(material.stress(toLanes<double>(f), kFresh<double>, kStill<double>, constants));
      };
      EXPECT_LT(stress(R).norm(), 1e-10 * parameters.E);
      EXPECT_LT((stress(R * F) - R * stress(F) * R.transpose()).norm(), 1e-10 * parameters.E);
    });
  }
}

TEST_P(EveryMaterial, UpdateIsReturnMapThenStress) {
  for (const Mat3& m : hardMatrices(false)) {
    const M3<double> F = toLanes<double>(m);
    withMaterial(parameters.model, [&](auto material) {
      const auto mapped = material.returnMap(F, kFresh<double>, constants);
      const auto updated = material.update(F, kFresh<double>, kStill<double>, constants);
      const Mat3 tau = toEigen(material.stress(mapped.F, kFresh<double>, kStill<double>, constants));
      EXPECT_LT((toEigen(updated.F) - toEigen(mapped.F)).norm(), 1e-12 * toEigen(mapped.F).norm());
      EXPECT_LT((toEigen(updated.tau) - tau).norm(), 1e-10 * (tau.norm() + parameters.E)) << m;
      EXPECT_EQ(updated.strain, mapped.strain);
    });
  }
}

TEST_P(EveryMaterial, PackLanesAgreeWithDouble) {
  const std::vector<Mat3> matrices = hardMatrices(false);
  const auto packed = constantsOf<Pack>(parameters);
  for (std::size_t first = 0; first < matrices.size(); first += Pack::kLanes) {
    const M3<Pack> F = packOf(matrices, first);
    withMaterial(parameters.model, [&](auto material) {
      const auto lanes = material.update(F, kFresh<Pack>, kStill<Pack>, packed);
      for (int lane = 0; lane < Pack::kLanes; ++lane) {
        const Mat3 exactF = laneOf(F, lane);
        const auto exact =
            material.update(toLanes<double>(exactF), kFresh<double>, kStill<double>, constants);
        const double size = toEigen(exact.tau).norm() + parameters.E * (1 + exactF.squaredNorm());
        EXPECT_LT((laneOf(lanes.F, lane) - toEigen(exact.F)).norm(), 3e-5 * exactF.norm()) << exactF;
        EXPECT_LT((laneOf(lanes.tau, lane) - toEigen(exact.tau)).norm(), 3e-5 * size) << exactF;
        EXPECT_NEAR(laneOf(lanes.strain, lane), exact.strain, 3e-5 * (1 + exact.strain)) << exactF;
      }
    });
  }
}

TEST_P(EveryMaterial, ReturnMapEndsOnOrInsideTheYieldSurfaceAndKeepsAdmissibleStates) {
  for (const Mat3& m : hardMatrices(false))
    withMaterial(parameters.model, [&](auto material) {
      const auto once = material.returnMap(toLanes<double>(m), kFresh<double>, constants);
      const auto twice = material.returnMap(once.F, kFresh<double>, constants);
      EXPECT_LT((toEigen(twice.F) - toEigen(once.F)).norm(), 1e-10 * toEigen(once.F).norm()) << m;
      EXPECT_LT(twice.strain, 1e-12 + 1e-10 * once.strain);
      if (once.strain == 0) {
        EXPECT_EQ((toEigen(once.F) - m).norm(), 0);
      }
      if (constants.strainLimit == kInfinity) {
        EXPECT_EQ(once.strain, 0);
      }
    });
}

INSTANTIATE_TEST_SUITE_P(Materials, EveryMaterial, ::testing::Range(0, 7), materialName);

TEST(HenckyVonMises, YieldBoundsTheStressDeviator) {
  const MaterialParameters p = parametersOf(MaterialModel::HenckyVonMises);
  const auto constants = constantsOf<double>(p);
  const double bound = std::sqrt(2.0 / 3.0) * p.yieldStress;
  int onSurface = 0;
  for (const Mat3& m : hardMatrices(false)) {
    const auto updated = HenckyVonMises::update(toLanes<double>(m), constants);
    const double norm = toEigen(deviator(updated.tau)).norm();
    EXPECT_LE(norm, bound * (1 + 1e-10));
    if (updated.strain > 0) {
      EXPECT_NEAR(norm, bound, 1e-9 * bound);
      ++onSurface;
    }
  }
  EXPECT_GT(onSurface, 10);
}

TEST(HenckyVonMises, ReturnKeepsTheVolume) {
  const auto constants = constantsOf<double>(parametersOf(MaterialModel::HenckyVonMises));
  for (const Mat3& m : hardMatrices(false)) {
    const auto mapped = HenckyVonMises::returnMap(toLanes<double>(m), constants);
    EXPECT_NEAR(toEigen(mapped.F).determinant(), m.determinant(), 1e-12 * std::abs(m.determinant()) + 1e-14);
  }
}

TEST(Hencky, InvertedParticlesGetAFiniteStress) {
  const auto constants = constantsOf<double>(parametersOf(MaterialModel::Hencky));
  const M3<double> F = toLanes<double>(Mat3(Vec3(1, 1, -0.5).asDiagonal()));
  EXPECT_TRUE(toEigen(Hencky::stress(F, constants)).allFinite());
  EXPECT_TRUE(toEigen(NeoHookean::stress(F, constants)).allFinite());
}
