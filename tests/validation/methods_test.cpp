// Every method on every shipped scene: it steps it and goes on from a saved state with equal bits, or says why it cannot.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "assets/scene_io.h"
#include "engine/model/state.h"
#include "tests/support/long_runs.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

/// Implicit steps of scenes with more take minutes: they are left to tests/long.
constexpr std::size_t kFewParticles = 5000;

struct Case {
  std::string scene, method;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const assets::ShippedScene& scene : assets::shippedScenes())
    for (const MethodEntry& method : testing::stepping().methods()) all.push_back({scene.name, method.name});
  return all;
}

std::shared_ptr<const Model> load(const Case& run) {
  const Result<assets::LoadedModel> loaded = assets::loadModel(run.scene);
  if (loaded) return loaded->model;
  ADD_FAILURE() << loaded.error().message();
  return nullptr;
}

/// Two steps, and a third twice: by the stepper that took the others, and by another one from what that saved. Or a refusal
/// that says what, where and what to do.
/// @param steps  false: it is enough that it would
void expectStepsAndResumes(const std::shared_ptr<const Model>& model, const std::string& method, bool steps) {
  StepperOptions options;
  options.method = method;
  const Result<std::unique_ptr<Stepper>> made = testing::stepping().makeStepper(model, options);
  if (!made) {
    std::printf("refused: %s\n", made.error().message().c_str());
    EXPECT_EQ(made.error().code, ErrorCode::Unsupported);
    EXPECT_FALSE(made.error().where.empty() || made.error().remedy.empty()) << made.error().message();
    return;
  }
  if (!steps) return;
  Stepper& stepper = **made;
  Snapshot snapshot, other;
  for (int k = 0; k < 2; ++k) stepper.step({}, snapshot);
  State state;
  stepper.save(state);
  stepper.step({}, snapshot);
  ASSERT_EQ(snapshot.step, 3u) << "a step was refused";
  EXPECT_TRUE(std::isfinite(snapshot.totals.kineticEnergy));
  const std::unique_ptr<Stepper> again = testing::stepperOf(model, options);
  ASSERT_NE(again, nullptr);
  again->restore(state);
  again->step({}, other);
  EXPECT_EQ(other.stateHash, snapshot.stateHash);
  EXPECT_EQ(other.contacts.size(), snapshot.contacts.size());
}

class EveryMethod : public ::testing::TestWithParam<Case> {};

TEST_P(EveryMethod, StepsAShippedSceneAndResumesIt) {
  const auto model = load(GetParam());
  ASSERT_NE(model, nullptr);
  const bool steps = GetParam().method != "implicit" || model->nodeCount() <= kFewParticles;
  expectStepsAndResumes(model, GetParam().method, steps);
}

INSTANTIATE_TEST_SUITE_P(Gallery, EveryMethod, ::testing::ValuesIn(cases()),
                         [](const auto& run) { return run.param.scene + "_" + run.param.method; });

TEST(MethodsFullRun, ImplicitStepsLargeShippedScenesAndResumesThem) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  for (const Case& run : cases()) {
    if (run.method != "implicit") continue;
    SCOPED_TRACE(run.scene);
    const auto model = load(run);
    ASSERT_NE(model, nullptr);
    if (model->nodeCount() > kFewParticles) expectStepsAndResumes(model, run.method, true);
  }
}

}  // namespace
}  // namespace slipstick
