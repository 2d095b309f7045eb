#include <gtest/gtest.h>

#include "engine/mpm/backends/reference_backend.h"
#include "tests/engine/mpm/json_values.h"
#include "tests/engine/mpm/reference_scene.h"
#include "tests/support/backend_calls.h"
#include "tests/support/test_paths.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

namespace {

constexpr double kTolerance = 1e-10;        // of the largest entry (reference README)
constexpr double kSolverTolerance = 1e-12;  // relative, of the contact problem

void expectState(const ParticleState& p, const nlohmann::json& record) {
  const auto& ids = record["particles"];
  EXPECT_LT(worstDeviation(p.x, ids, record["x"]), kTolerance * largest(record["x"]));
  EXPECT_LT(worstDeviation(p.v, ids, record["v"]), kTolerance * largest(record["v"]));
  EXPECT_LT(worstDeviation(p.C, ids, record["C"]), kTolerance * largest(record["C"]));
  EXPECT_LT(worstDeviation(p.F, ids, record["F"]), kTolerance * largest(record["F"]));
  EXPECT_LT(worstDeviation(p.internal, ids, record["q"]), kTolerance * (1 + largest(record["q"])));
  if (!record.contains("x_all")) return;
  for (std::size_t i = 0; i < p.x.size(); ++i)
    EXPECT_LT((p.x[i] - vec3(record["x_all"][i])).cwiseAbs().maxCoeff(),
              kTolerance * largest(record["x_all"]));
}

void expectContacts(const SoftOutcome& result, const Model& model, const nlohmann::json& record) {
  const auto& c = record["contacts"];
  ASSERT_EQ(result.contacts.size(), c["particle"].size());
  if (result.contacts.empty()) return;
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    const TouchImpulse& sum = result.contacts[i];
    EXPECT_EQ(sum.particle, c["particle"][i].get<int>());
    EXPECT_EQ(model.geometries[static_cast<std::size_t>(sum.geometry)].body, c["body"][i].get<int>());
    EXPECT_NEAR(-sum.penetration, c["phi"][i].get<double>(), kTolerance * largest(c["phi"]));
    EXPECT_LT((sum.normal - vec3(c["normal"][i])).norm(), kTolerance);
    EXPECT_LT((sum.impulse - vec3(c["gamma"][i])).norm(), kTolerance * largest(c["gamma"]));
    const double friction = model.contactLaw(0, static_cast<std::size_t>(sum.geometry)).friction;
    EXPECT_NEAR(sum.frictionBound, friction * c["n0"][i].get<double>(), kTolerance * largest(c["n0"]));
    EXPECT_LE((sum.impulse - sum.impulse.dot(sum.normal) * sum.normal).norm(),
              sum.frictionBound * (1 + 1e-9));
  }
  EXPECT_NEAR(result.potential, record["ell"].get<double>(), kTolerance * largest(record["ell"]));
}

/// What contacts gave: the reference programs leave out what their solves left over.
std::vector<Wrench> ofContacts(const SoftOutcome& result) {
  std::vector<Wrench> wrenches = result.wrenchImpulse;
  for (std::size_t b = 0; b < wrenches.size(); ++b) wrenches[b] += result.remainderImpulse[b] * -1;
  return wrenches;
}

void expectWrenches(const std::vector<Wrench>& wrenches, const nlohmann::json& expected) {
  ASSERT_EQ(wrenches.size(), expected.size());
  for (std::size_t b = 0; b < wrenches.size(); ++b)
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(asVector(wrenches[b])(static_cast<int>(i)), expected[b][i].get<double>(),
                  kTolerance * largest(expected));
}

void expectBodies(const std::vector<ReferenceBody>& bodies, const nlohmann::json& expected) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    EXPECT_LT((bodies[b].X_WB.p - vec3(expected[b]["p"])).norm(), kTolerance);
    EXPECT_LT((bodies[b].X_WB.R - mat3(expected[b]["R"])).norm(), kTolerance);
    EXPECT_LT((bodies[b].V_WB.v - vec3(expected[b]["v"])).norm(),
              kTolerance * (1 + largest(expected[b]["v"])));
    EXPECT_LT((bodies[b].V_WB.w - vec3(expected[b]["w"])).norm(),
              kTolerance * (1 + largest(expected[b]["w"])));
  }
}

/// Substep by substep against the records; bodies move after every N substeps with the impulses they
/// received.
void expectScene(const nlohmann::json& data) {
  SCOPED_TRACE(data.value("name", data["material"].get<std::string>()));
  ReferenceScene scene(data, kSolverTolerance);
  const auto backend = makeReferenceBackend(scene.model);
  SoftOutcome result;
  std::vector<Wrench> ofStep(scene.bodies.size()), total(scene.bodies.size());
  int substep = 0;
  for (const auto& record : data["records"]) {
    while (substep < record["substep"].get<int>()) {
      slipstick::testing::advance(*backend, scene.frozenMotion(), scene.dt, scene.particles, result);
      ASSERT_EQ(result.report.health, 0u) << "substep " << substep;
      for (std::size_t b = 0; b < total.size(); ++b) {
        ofStep[b] += result.wrenchImpulse[b];
        total[b] += ofContacts(result)[b];
      }
      if (++substep % scene.substepsPerStep != 0) continue;
      for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        scene.bodies[b].advance(scene.substepsPerStep * scene.dt, ofStep[b], scene.model->gravity);
      ofStep.assign(scene.bodies.size(), {});
    }
    SCOPED_TRACE("substep " + std::to_string(substep));
    expectState(scene.particles, record);
    if (scene.bodies.empty()) continue;
    expectContacts(result, *scene.model, record);
    expectWrenches(ofContacts(result), record["wrench"]);
    expectWrenches(total, record["wrench_sum"]);
    if (record.contains("bodies")) expectBodies(scene.bodies, record["bodies"]);
  }
}

/// Every scene of a file. @return how many
int expectScenes(const std::string& file) {
  const auto data = readData(file);
  int compared = 0;
  for (const auto& scene : data["cases"]) {
    expectScene(scene);
    ++compared;
  }
  return compared;
}

}  // namespace

TEST(ReferenceBackend, MatchesTheReferenceInFreeMotionForEveryMaterial) {
  EXPECT_EQ(expectScenes("mpm/free_motion.json"), 13);
}

TEST(ReferenceBackend, MatchesTheReferenceInContactWithMovingBodies) {
  EXPECT_EQ(expectScenes("mpm/contact_substeps.json"), 11);
}

TEST(ReferenceBackend, MatchesTheReferenceCoupledBothWaysToAFreeBody) {
  EXPECT_EQ(expectScenes("mpm/async_two_way.json"), 2);
}

TEST(ReferenceBackend, ShowsEachContactProblemAndStepsAsWithoutAnObserver) {
  const auto data = readData("mpm/contact_substeps.json");
  ReferenceScene scene(data["cases"][0], kSolverTolerance);
  ParticleState unobserved = scene.particles;
  std::size_t shown = 0;
  const auto backend = makeObservedReferenceBackend(
      scene.model, [&](const ContactProblem<double>& problem, const std::vector<DetectedContact>& detected) {
        ++shown;
        ASSERT_FALSE(detected.empty());
        ASSERT_EQ(problem.contacts.size(), detected.size()) << "no boundary acts here";
        for (std::size_t c = 0; c < detected.size(); ++c)
          EXPECT_DOUBLE_EQ(problem.contacts[c].f0, problem.contacts[c].stiffness * detected[c].penetration);
      });
  SoftOutcome result;
  slipstick::testing::advance(*backend, scene.frozenMotion(), scene.dt, scene.particles, result);
  EXPECT_EQ(shown, 1u) << "one substep";
  slipstick::testing::advance(*makeReferenceBackend(scene.model), scene.frozenMotion(), scene.dt, unobserved,
                              result);
  EXPECT_EQ(hashOf(scene.particles), hashOf(unobserved));
}
