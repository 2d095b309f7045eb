#include "tests/engine/mpm/reference_noise.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/engine/mpm/json_values.h"
#include "tests/engine/mpm/reference_scene.h"
#include "tests/support/backend_calls.h"
#include "tests/support/test_paths.h"

namespace slipstick::testing {

using namespace mpm;  // NOLINT(google-build-using-namespace)

namespace {

/// Tight; twenty times the rounding of float: one solve of the device, of 18 contacts, stands still at 1.1e-6.
constexpr double kSolverTolerance = 2e-6;
/// What that tolerance and the rounding of φ leave open, relative; float_noise knows neither.
constexpr double kContactNoise = 1e-5;

void expectWithinNoise(const ParticleState& p, const nlohmann::json& record, double factor) {
  const auto &ids = record["particles"], &noise = record["float_noise"];
  EXPECT_LT(worstDeviation(p.x, ids, record["x"]), factor * noise["x"].get<double>());
  EXPECT_LT(worstDeviation(p.v, ids, record["v"]),
            factor * noise["v"].get<double>() +
                (record.contains("contacts") ? kContactNoise : 0) * largest(record["v"]));
  EXPECT_LT(worstDeviation(p.F, ids, record["F"]), factor * noise["F"].get<double>());
  // The noise of q is not recorded: it sums up changes of F. Sand's flow is the largest factor: ∂δγ/∂ε =
  // 1 + √3 α (3λ + 2μ)/2μ.
  constexpr double kInternalPerF = 6;
  EXPECT_LT(worstDeviation(p.internal, ids, record["q"]), kInternalPerF * factor * noise["F"].get<double>());
}

void expectSceneWithinNoise(const nlohmann::json& data, const MakeBackend& make, double factor) {
  SCOPED_TRACE(data.value("name", data["material"].get<std::string>()));
  ReferenceScene scene(data, kSolverTolerance);
  const auto backend = make(scene.model);
  SoftOutcome result;
  std::vector<Wrench> ofStep(scene.bodies.size()), total(scene.bodies.size());
  int substep = 0;
  for (const auto& record : data["records"]) {
    while (substep < record["substep"].get<int>()) {
      slipstick::testing::advance(*backend, scene.frozenMotion(), scene.dt, scene.particles, result);
      ASSERT_EQ(result.report.health, 0u) << "substep " << substep;
      for (std::size_t b = 0; b < total.size(); ++b) {
        ofStep[b] += result.wrenchImpulse[b];
        total[b] += result.wrenchImpulse[b];
      }
      if (++substep % scene.substepsPerStep != 0) continue;
      for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        scene.bodies[b].advance(scene.substepsPerStep * scene.dt, ofStep[b], scene.model->gravity);
      ofStep.assign(scene.bodies.size(), {});
    }
    SCOPED_TRACE("substep " + std::to_string(substep));
    expectWithinNoise(scene.particles, record, factor);
    for (std::size_t b = 0; b < total.size(); ++b)
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(asVector(total[b])(static_cast<int>(i)), record["wrench_sum"][b][i].get<double>(),
                    factor * record["float_noise"]["wrench_sum"].get<double>() +
                        kContactNoise * largest(record["wrench_sum"]));
  }
}

}  // namespace

int expectScenesWithinNoise(const std::string& file, const MakeBackend& make,
                            const std::function<double(const std::string& material)>& factorOf) {
  const auto data = readData(file);
  int compared = 0;
  for (const auto& scene : data["cases"]) {
    expectSceneWithinNoise(scene, make, factorOf(scene.value("material", "")));
    ++compared;
  }
  return compared;
}

}  // namespace slipstick::testing
