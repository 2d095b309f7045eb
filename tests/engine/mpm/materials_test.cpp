#include <gtest/gtest.h>

#include <numbers>

#include "engine/mpm/materials/dispatch.h"
#include "tests/engine/lanes/lane_samples.h"
#include "tests/engine/mpm/json_values.h"
#include "tests/support/test_paths.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

namespace {

constexpr const char* kData = "mpm/materials.json";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
MaterialConstants<T> constantsOf(const MaterialParameters& p) {
  return materialNumbers(p).as<T, std::conditional_t<std::is_same_v<T, double>, double, float>>();
}

template <class T>
Internal<T> internalLanes(const Eigen::Vector2d& q) {
  using Scalar = std::conditional_t<std::is_same_v<T, double>, double, float>;
  return {T(static_cast<Scalar>(q(0))), T(static_cast<Scalar>(q(1)))};
}
const M3<double> kStill = M3<double>::zero();
/// A velocity gradient [1/s].
Mat3 flow() {
  return (Mat3() << 1, -2, 0.5, 3, 0.2, -1, 0.4, 2, -3).finished();
}

MaterialParameters parametersOf(MaterialModel model) {
  MaterialParameters p;
  p.model = model;
  p.E = 1e5;
  p.nu = 0.3;
  if (model == MaterialModel::LinearCorotatedVonMises || model == MaterialModel::HenckyVonMises ||
      model == MaterialModel::CorotatedHenckyVonMises)
    p.yieldStress = 2e3;
  p.sandHardening = {30, 0, 0, 0};  // perfectly plastic
  p.viscosity = 3;
  p.largestJ = kInfinity;
  return p;
}

/// Elastic states map to themselves; of the liquid, all that are a multiple of a rotation.
bool yields(MaterialModel model) {
  return parametersOf(model).yieldStress < kInfinity || model == MaterialModel::DruckerPrager ||
         model == MaterialModel::Snow;
}

class EveryMaterial : public ::testing::TestWithParam<int> {
 protected:
  MaterialModel model = static_cast<MaterialModel>(GetParam());
  MaterialParameters parameters = parametersOf(model);
  MaterialConstants<double> constants = constantsOf<double>(parameters);
  /// As a particle starts.
  Eigen::Vector2d start = model == MaterialModel::Snow ? Eigen::Vector2d(1, 0) : Eigen::Vector2d(0, 0);
  Internal<double> fresh = internalLanes<double>(start);
};

std::string materialName(const ::testing::TestParamInfo<int>& info) {
  return std::string(kMaterialNames[static_cast<std::size_t>(info.param)]);
}

}  // namespace

TEST(Materials, MatchTheReferenceAtItsTrialGradients) {
  int compared = 0;
  const auto data = readData(kData);
  for (const auto& c : data["cases"]) {
    if (c.contains("R0")) continue;
    const MaterialParameters parameters = materialParameters(c["material"], c["parameters"], 1000);
    const auto constants = constantsOf<double>(parameters);
    const double modulus = parameters.model == MaterialModel::Liquid ? parameters.bulkModulus : parameters.E;
    for (std::size_t i = 0; i < c["F_trial"].size(); ++i, ++compared)
      withMaterial(parameters.model, [&](auto material) {
        SCOPED_TRACE(c["material"].get<std::string>() + " " + std::to_string(i));
        const M3<double> C = toLanes<double>(c.contains("C") ? mat3(c["C"][i]) : Mat3::Zero());
        const auto mapped = material.returnMap(toLanes<double>(mat3(c["F_trial"][i])),
                                               internalLanes<double>(internal(c["q"][i])), constants);
        const Mat3 F = mat3(c["F_E"][i]), tau = mat3(c["tau"][i]);
        EXPECT_LT((toEigen(mapped.F) - F).cwiseAbs().maxCoeff(), 1e-10 * largest(c["F_E"]));
        const Eigen::Vector2d q = internal(c["q_after"][i]);
        EXPECT_LT((Eigen::Vector2d(mapped.q.a, mapped.q.b) - q).norm(), 1e-10 * (1 + q.norm()));
        const auto after = internalLanes<double>(q);
        const M3<double> stress = material.stress(toLanes<double>(F), after, C, constants);
        EXPECT_LT((toEigen(stress) - tau).cwiseAbs().maxCoeff(), 1e-10 * (tau.norm() + modulus));
        const double energy = c["energy"][i];
        EXPECT_NEAR(material.energy(toLanes<double>(F), after, constants), energy,
                    1e-10 * (energy + modulus));
      });
  }
  EXPECT_EQ(compared, 12 * 40);
}

TEST(Materials, LinearCorotatedMatchesTheReferenceWithZongsLaggedRotation) {
  int compared = 0;
  const auto data = readData(kData);
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
    withMaterial(model, [&](auto material) {
      const Mat3 tau = toEigen(material.stress(toLanes<double>(F), fresh, kStill, constants));
      constexpr double kStep = 1e-6;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          Mat3 dF = Mat3::Zero();
          dF(i, j) = kStep;
          const double up = material.energy(toLanes<double>(Mat3(F + dF)), fresh, constants);
          const double down = material.energy(toLanes<double>(Mat3(F - dF)), fresh, constants);
          const double expected = (tau * (dF * F.inverse()).transpose()).trace() / kStep;
          EXPECT_NEAR((up - down) / (2 * kStep), expected, 1e-7 * parameters.E);
        }
    });
  }
}

/// ρ₀c² = λᵢ² ∂²Ψ/∂λᵢ² along each principal axis, by second differences; the fastest decides.
TEST_P(EveryMaterial, StiffeningIsThatOfTheFastestPrincipalWave) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> stretch(0.4, 1.4);
  const double rest = parameters.waveSpeed() * parameters.waveSpeed() * parameters.density;
  for (int sample = 0; sample < 20; ++sample) {
    const Vec3 s(stretch(random), stretch(random), stretch(random));
    const Mat3 U = randomRotation(random), V = randomRotation(random);
    const Internal<double> q = internalLanes<double>(start * (sample % 2 == 0 ? 1 : 0.9));
    withMaterial(model, [&](auto material) {
      const auto gradient = [&](const Vec3& stretches) {
        return toLanes<double>(Mat3(U * stretches.asDiagonal() * V.transpose()));
      };
      double fastest = rest;
      for (int i = 0; i < 3; ++i) {
        const double step = 1e-4 * s(i);
        const Vec3 d = step * Vec3::Unit(i);
        const double curvature =
            (material.energy(gradient(s + d), q, constants) - 2 * material.energy(gradient(s), q, constants) +
             material.energy(gradient(s - d), q, constants)) /
            (step * step);
        fastest = std::max(fastest, s(i) * s(i) * curvature);
      }
      const double stiffening = material.stiffening(gradient(s), q, constants);
      EXPECT_NEAR(stiffening, fastest / rest, 2e-3 * fastest / rest);  // the eigenvalue is a close bound
      EXPECT_GE(stiffening, fastest / rest * (1 - 1e-6));
    });
  }
}

TEST_P(EveryMaterial, RotationGivesNoStressAndIsObjective) {
  std::mt19937 random(5);
  for (int sample = 0; sample < 10; ++sample) {
    const Mat3 R = randomRotation(random), F = withSingularValues(random, {1.1, 1, 0.9});
    withMaterial(model, [&](auto material) {
      const auto stress = [&](const Mat3& f, const Mat3& gradient) {
        return toEigen(material.stress(toLanes<double>(f), fresh, toLanes<double>(gradient), constants));
      };
      EXPECT_LT(stress(R, Mat3::Zero()).norm(), 1e-10 * parameters.E);
      EXPECT_LT((stress(R * F, R * flow() * R.transpose()) - R * stress(F, flow()) * R.transpose()).norm(),
                1e-10 * parameters.E);
    });
  }
}

TEST_P(EveryMaterial, ReturnMapTurnsWithTheParticle) {
  std::mt19937 random(6);
  for (int sample = 0; sample < 10; ++sample) {
    const Mat3 R = randomRotation(random), F = withSingularValues(random, {1.1, 1, 0.8});
    withMaterial(model, [&](auto material) {
      const auto still = material.returnMap(toLanes<double>(F), fresh, constants);
      const auto turned = material.returnMap(toLanes<double>(Mat3(R * F)), fresh, constants);
      // Of a liquid only the volume is kept.
      const Mat3 expected = model == MaterialModel::Liquid ? toEigen(still.F) : R * toEigen(still.F);
      EXPECT_LT((toEigen(turned.F) - expected).norm(), 1e-12);
      EXPECT_NEAR(turned.strain, still.strain, 1e-12);
      EXPECT_NEAR(turned.q.a, still.q.a, 1e-12);
      EXPECT_NEAR(turned.q.b, still.q.b, 1e-12);
    });
  }
}

TEST_P(EveryMaterial, UpdateIsReturnMapThenStress) {
  for (const Mat3& m : hardMatrices(false)) {
    const M3<double> F = toLanes<double>(m), C = toLanes<double>(flow());
    withMaterial(model, [&](auto material) {
      const auto mapped = material.returnMap(F, fresh, constants);
      const auto updated = material.update(F, fresh, C, constants);
      const Mat3 tau = toEigen(material.stress(mapped.F, mapped.q, C, constants));
      EXPECT_LT((toEigen(updated.F) - toEigen(mapped.F)).norm(), 1e-12 * toEigen(mapped.F).norm());
      EXPECT_LT((toEigen(updated.tau) - tau).norm(), 1e-10 * (tau.norm() + parameters.E)) << m;
      EXPECT_EQ(updated.strain, mapped.strain);
      EXPECT_EQ(updated.q.a, mapped.q.a);
      EXPECT_EQ(updated.q.b, mapped.q.b);
    });
  }
}

TEST_P(EveryMaterial, PackLanesAgreeWithDouble) {
  const std::vector<Mat3> matrices = hardMatrices(false);
  const auto packed = constantsOf<Pack>(parameters);
  const M3<Pack> C = packOf({flow()}, 0);
  for (std::size_t first = 0; first < matrices.size(); first += Pack::kLanes) {
    const M3<Pack> F = packOf(matrices, first);
    withMaterial(model, [&](auto material) {
      const auto lanes = material.update(F, internalLanes<Pack>(start), C, packed);
      const Pack energy = material.energy(lanes.F, lanes.q, packed);
      for (int lane = 0; lane < Pack::kLanes; ++lane) {
        const Mat3 exactF = laneOf(F, lane);
        const auto exact =
            material.update(toLanes<double>(exactF), fresh, toLanes<double>(laneOf(C, lane)), constants);
        const double size = toEigen(exact.tau).norm() + parameters.E * (1 + exactF.squaredNorm());
        EXPECT_LT((laneOf(lanes.F, lane) - toEigen(exact.F)).norm(), 3e-5 * exactF.norm()) << exactF;
        EXPECT_LT((laneOf(lanes.tau, lane) - toEigen(exact.tau)).norm(), 3e-5 * size) << exactF;
        EXPECT_NEAR(laneOf(lanes.strain, lane), exact.strain, 3e-5 * (1 + exact.strain)) << exactF;
        EXPECT_NEAR(laneOf(lanes.q.a, lane), exact.q.a, 3e-5 * (1 + std::abs(exact.q.a))) << exactF;
        EXPECT_NEAR(laneOf(lanes.q.b, lane), exact.q.b, 3e-5 * (1 + std::abs(exact.q.b))) << exactF;
        const double exactEnergy = material.energy(exact.F, exact.q, constants);
        EXPECT_NEAR(laneOf(energy, lane), exactEnergy, 1e-4 * (exactEnergy + parameters.E)) << exactF;
      }
    });
  }
}

TEST_P(EveryMaterial, ReturnMapEndsOnOrInsideTheYieldSurfaceAndKeepsAdmissibleStates) {
  for (const Mat3& m : hardMatrices(false))
    withMaterial(model, [&](auto material) {
      const auto once = material.returnMap(toLanes<double>(m), fresh, constants);
      const auto twice = material.returnMap(once.F, once.q, constants);
      EXPECT_LT((toEigen(twice.F) - toEigen(once.F)).norm(), 1e-10 * toEigen(once.F).norm()) << m;
      EXPECT_LT(twice.strain, 1e-12 + 1e-10 * once.strain);
      EXPECT_NEAR(twice.q.a, once.q.a, 1e-10 * (1 + std::abs(once.q.a)));
      if (once.strain == 0 && model != MaterialModel::Liquid) {
        EXPECT_EQ((toEigen(once.F) - m).norm(), 0);
      }
      if (!yields(model)) {
        EXPECT_EQ(once.strain, 0);
      }
    });
}

/// In float, with a particle that does not move: whatever state it is in, it has to stay there. A correction
/// of half an ulp in every substep would be a strain of 1% after ten seconds.
TEST_P(EveryMaterial, ParticlesAtRestDoNotCreepInFloat) {
  std::mt19937 random(12);
  std::vector<Mat3> states;
  for (const Vec3& s :
       {Vec3(1, 1, 1), Vec3(0.99, 0.99, 0.99), Vec3(1, 1, 0.9), Vec3(1.02, 1, 0.97), Vec3(1.1, 1, 0.8),
        Vec3(0.995, 0.99, 0.985), Vec3(1.05, 1.05, 1.05), Vec3(0.9999, 1, 0.9998)})
    for (int i = 0; i < 2; ++i) states.push_back(withSingularValues(random, s));
  const auto packed = constantsOf<Pack>(parameters);
  const M3<Pack> still = M3<Pack>::zero();
  withMaterial(model, [&](auto material) {
    auto first = material.update(packOf(states, 0), internalLanes<Pack>(start), still, packed);
    for (int settle = 0; settle < 100; ++settle) first = material.update(first.F, first.q, still, packed);
    auto last = first;
    for (int substep = 0; substep < 100000; ++substep) last = material.update(last.F, last.q, still, packed);
    for (int lane = 0; lane < Pack::kLanes; ++lane) {
      EXPECT_LT((laneOf(last.F, lane) - laneOf(first.F, lane)).norm(), 1e-6)
          << states[static_cast<std::size_t>(lane)];
      EXPECT_NEAR(laneOf(last.q.a, lane), laneOf(first.q.a, lane), 1e-6);
      EXPECT_NEAR(laneOf(last.q.b, lane), laneOf(first.q.b, lane), 1e-6);
      EXPECT_EQ(laneOf(last.strain, lane), 0);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Materials, EveryMaterial, ::testing::Range(0, kPointMaterials), materialName);

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

TEST(HenckyVonMises, SeriesReturnWhatTheSvdReturns) {
  const MaterialParameters p = parametersOf(MaterialModel::HenckyVonMises);
  const auto narrow = constantsOf<float>(p);
  const auto wide = constantsOf<double>(p);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1), size(0, 3 * wide.strainLimit), volume(-0.3, 0.3);
  int yielding = 0, elastic = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Mat3 F;
    for (double& f : F.reshaped()) f = uniform(random);
    F = std::exp(volume(random)) * (Mat3::Identity() + size(random) / F.norm() * F);
    const M3<float> rounded = toLanes<float>(F);
    const auto found = HenckyVonMises::update(rounded, narrow);
    const auto expected = HenckyVonMises::update(toLanes<double>(toEigen(rounded)), wide);
    (expected.strain > 0 ? yielding : elastic) += 1;
    EXPECT_LT((toEigen(found.F) - toEigen(expected.F)).norm(), 4e-6) << trial;
    EXPECT_LT((toEigen(found.tau) - toEigen(expected.tau)).norm(), 4e-6 * (2 * wide.mu + 3 * wide.lambda))
        << trial;
    EXPECT_NEAR(double(found.strain), expected.strain, 4e-6) << trial;
  }
  EXPECT_GT(yielding, 300);
  EXPECT_GT(elastic, 100);
}

TEST(Hencky, InvertedParticlesGetAFiniteStress) {
  const auto constants = constantsOf<double>(parametersOf(MaterialModel::Hencky));
  const M3<double> F = toLanes<double>(Mat3(Vec3(1, 1, -0.5).asDiagonal()));
  EXPECT_TRUE(toEigen(Hencky::stress(F, constants)).allFinite());
  EXPECT_TRUE(toEigen(NeoHookean::stress(F, constants)).allFinite());
}

/// Stretches of a particle of sand that is pressed and sheared in many ways.
std::vector<Vec3> sandStretches() {
  std::vector<Vec3> list;
  for (const double volume : {-0.2, -0.05, -0.01, -1e-4})
    for (const double shear : {0.0, 1e-3, 0.02, 0.3})
      for (const double lode : {0.0, 0.4, 1.0})
        list.push_back((Vec3::Constant(volume / 3) + shear * Vec3(1, -lode, lode - 1)).array().exp());
  return list;
}

/// In triaxial compression the cone is Mohr's and Coulomb's: largest to smallest pressure (1 + sin φ)/(1 −
/// sin φ).
TEST(DruckerPrager, YieldsInTriaxialCompressionAtTheFrictionAngle) {
  for (const double degrees : {20.0, 30.0, 42.0}) {
    MaterialParameters p = parametersOf(MaterialModel::DruckerPrager);
    p.sandHardening = {degrees, 0, 0, 0};
    const M3<double> F = toLanes<double>(Mat3(Vec3(1.03, 1.03, 0.9).asDiagonal()));
    const auto updated = DruckerPrager::update(F, Internal<double>{0, 0}, kStill, constantsOf<double>(p));
    ASSERT_GT(updated.strain, 0);
    const double sine = std::sin(degrees * std::numbers::pi / 180);
    EXPECT_NEAR(updated.tau(2, 2) / updated.tau(0, 0), (1 + sine) / (1 - sine), 1e-9);
    EXPECT_LT(updated.tau(0, 0), 0);
  }
}

TEST(DruckerPrager, ReturnKeepsTheVolumeAndTheMeanPressureUnderPressure) {
  const auto constants = constantsOf<double>(parametersOf(MaterialModel::DruckerPrager));
  int yielded = 0;
  for (const Vec3& s : sandStretches()) {
    const M3<double> F = toLanes<double>(Mat3(s.asDiagonal()));
    const auto mapped = DruckerPrager::returnMap(F, Internal<double>{0, 0}, constants);
    EXPECT_NEAR(toEigen(mapped.F).determinant(), s.prod(), 1e-12);
    EXPECT_EQ(mapped.q.a, 0);
    EXPECT_EQ(mapped.q.b, mapped.strain);
    yielded += mapped.strain > 0;
  }
  EXPECT_GT(yielded, 20);
}

/// Sand that flies apart carries nothing, remembers how far it came apart, and resists again only once that
/// volume is given back (Tampubolon 2017).
TEST(DruckerPrager, VolumeGainedInExpansionIsGivenBackBeforePressureReturns) {
  const auto constants = constantsOf<double>(parametersOf(MaterialModel::DruckerPrager));
  const auto step = [&](const M3<double>& F, const Internal<double>& q, double stretch) {
    return DruckerPrager::update(stretch * F, q, kStill, constants);
  };
  auto state = step(M3<double>::identity(), {0, 0}, 1.1);
  EXPECT_LT(toEigen(state.tau).norm(), 1e-8);
  EXPECT_NEAR(state.q.a, 3 * std::log(1.1), 1e-12);
  state = step(state.F, state.q, 1 / 1.05);
  EXPECT_LT(toEigen(state.tau).norm(), 1e-8);
  EXPECT_NEAR(state.q.a, 3 * std::log(1.1 / 1.05), 1e-12);
  state = step(state.F, state.q, 0.95);  // 1.1 · 0.95/1.05 < 1
  EXPECT_EQ(state.q.a, 0);
  const double bulk = constants.lambda + 2.0 / 3 * constants.mu;
  EXPECT_NEAR(trace(state.tau) / 3, bulk * 3 * std::log(1.1 * 0.95 / 1.05), 1e-8 * bulk);
}

/// An expansion by a few units in the last place, which is no expansion yet, without any shear that could go; of the particle,
/// or of what it has to give back.
template <class T>
void expectFiniteAtTheTip() {
  const auto constants = constantsOf<T>(parametersOf(MaterialModel::DruckerPrager));
  constexpr T kUnit = std::numeric_limits<T>::epsilon();
  for (int units = -20; units <= 20; ++units)
    for (int owed = 0; owed <= 40; ++owed) {
      M3<T> F = M3<T>::identity();
      for (int k = 0; k < 3; ++k) F(k, k) += T(units) * kUnit;
      const Internal<T> q{T(owed) * kUnit / 4, T(0)};
      const auto updated = DruckerPrager::update(F, q, M3<T>::zero(), constants);
      ASSERT_TRUE(toEigen(updated.F).allFinite()) << units << ", " << owed;
      EXPECT_LE((toEigen(updated.F) - toEigen(F)).norm(), 60 * kUnit) << units << ", " << owed;
    }
}
TEST(DruckerPrager, IsFiniteAtTheTipOfItsCone) {
  expectFiniteAtTheTip<double>();
  expectFiniteAtTheTip<float>();
}

TEST(DruckerPrager, FrictionAngleFollowsItsHardening) {
  MaterialParameters p = parametersOf(MaterialModel::DruckerPrager);
  p.sandHardening = {35, 9, 0.2, 10};
  const auto constants = constantsOf<double>(p);
  const auto slope = [](double degrees) {
    const double sine = std::sin(degrees * std::numbers::pi / 180);
    return std::sqrt(2.0 / 3) * 2 * sine / (3 - sine);
  };
  EXPECT_NEAR(DruckerPrager::coneSlope(0.0, constants), slope(25), 1e-12);
  EXPECT_NEAR(DruckerPrager::coneSlope(2.0, constants), slope(35 + 8 * std::exp(-0.4)), 1e-12);
  EXPECT_NEAR(DruckerPrager::coneSlope(1e3, constants), slope(35), 1e-12);
}

TEST(Snow, StretchesStayBetweenTheirLimitsAndThePlasticVolumeTakesTheRest) {
  const MaterialParameters p = parametersOf(MaterialModel::Snow);
  const auto constants = constantsOf<double>(p);
  for (const Mat3& m : hardMatrices(false)) {
    const auto mapped = Snow::returnMap(toLanes<double>(m), Internal<double>{1.02, 0}, constants);
    const Vec3 s = toEigen(mapped.F).jacobiSvd().singularValues();
    EXPECT_LE(s.maxCoeff(), 1 + p.snowStretch + 1e-12);
    EXPECT_GE(s.minCoeff(), 1 - p.snowCompression - 1e-12);
    EXPECT_NEAR(toEigen(mapped.F).determinant() * mapped.q.a, 1.02 * m.determinant(),
                1e-10 * (1 + m.determinant()));
  }
}

TEST(Snow, GetsStifferAsItIsCompacted) {
  const MaterialParameters p = parametersOf(MaterialModel::Snow);
  const auto constants = constantsOf<double>(p);
  const M3<double> F = toLanes<double>(Mat3(Vec3(1, 0.99, 0.98).asDiagonal()));
  const Mat3 loose = toEigen(Snow::stress(F, Internal<double>{1, 0}, kStill, constants));
  const Mat3 packed = toEigen(Snow::stress(F, Internal<double>{0.9, 0}, kStill, constants));
  EXPECT_LT((packed - std::exp(p.snowHardening * 0.1) * loose).norm(), 1e-10 * packed.norm());
}

TEST(Liquid, HoldsPressureAndViscosityButNoShapeAndNoTension) {
  MaterialParameters p = parametersOf(MaterialModel::Liquid);
  p.largestJ = 1;
  const auto constants = constantsOf<double>(p);
  const Internal<double> none{0, 0};
  const Mat3 D = (flow() + flow().transpose()) / 2;
  for (const Mat3& m : hardMatrices(false)) {
    const auto updated = Liquid::update(toLanes<double>(m), none, toLanes<double>(flow()), constants);
    const double J = std::min(m.determinant(), 1.0);
    EXPECT_LT((toEigen(updated.F) - std::cbrt(J) * Mat3::Identity()).norm(), 1e-12) << m;
    const double pressure = p.bulkModulus / p.tait * (std::pow(J, -p.tait) - 1);
    EXPECT_GE(pressure, -1e-9 * p.bulkModulus);
    const Mat3 tau =
        J * (-pressure * Mat3::Identity() + 2 * p.viscosity * (D - D.trace() / 3 * Mat3::Identity()));
    EXPECT_LT((toEigen(updated.tau) - tau).norm(), 1e-9 * (tau.norm() + p.bulkModulus));
  }
}

/// p ≈ K (1 − J): what bulk_modulus means.
TEST(Liquid, BulkModulusIsTheSlopeOfThePressure) {
  const MaterialParameters p = parametersOf(MaterialModel::Liquid);
  const M3<double> F = (1 - 1e-7 / 3) * M3<double>::identity();
  const double tau = Liquid::stress(F, Internal<double>{0, 0}, kStill, constantsOf<double>(p))(0, 0);
  EXPECT_NEAR(-tau / 1e-7, p.bulkModulus, 1e-5 * p.bulkModulus);
}
