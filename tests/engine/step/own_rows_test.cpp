// A method whose folder adds a setting, an observable, a phase and health flags: all that reads or prints such things finds
// them by its row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/compile/method_change.h"
#include "engine/compile/scene_edit.h"
#include "engine/facts/observables.h"
#include "engine/model/method_choice.h"
#include "engine/model/method_rows.h"
#include "engine/runtime/headless_run.h"
#include "engine/runtime/observable_choice.h"
#include "engine/step/registry.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

constexpr MethodSetting kHeight{"height", "m", {0, 2}, 0.5, "how far it goes up in a step"};
constexpr MethodSetting kLegs{"legs", "", {1, 8}, 2, "how many", true};
constexpr Health kTired = ownFlag(0), kLost = ownRefusal(1);
constexpr Phase kHop = ownPhase(0);

/// Lifts its one body by the height of the setting. Where the body is, is a matter of its own: it remembers how often it went up.
class Hopper final : public Method {
 public:
  explicit Hopper(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  std::string_view backendName() const override { return "hopper"; }
  std::string runsOn() const override { return "legs"; }
  void tune(std::shared_ptr<const Model> model) override { model_ = std::move(model); }
  void restore(const SoftState&) override {}
  void save(SoftState&) const override {}
  void advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) override {
    start = frame.X_WB[1].p.z();
    VecX& height = memory.at("height");
    if (height.size() == 0) height = VecX::Zero(1);
    const double hop = settingOf(*model_, "hopper", kHeight);
    height[0] += hop;
    outcome.observables.at(0) = 1e3 * hop;
    at(outcome.report.phases, kHop) = 0.25;
    if (hop > 1) raise(outcome.report.health, kTired);
    if (hop == 2) raise(outcome.report.health, kLost);
  }
  void accept() noexcept override {}
  void poses(const Model& model, const State& state, std::vector<Pose>& X_WB) const override {
    Method::poses(model, state, X_WB);
    for (const State::Memory& memory : state.memory)
      if (memory.name == "height") X_WB[1].p.z() += memory.values[0];
  }
  void velocities(const Model& model, const State& state, const BodyMotion& motion,
                  std::vector<Velocity>& V_WB) const override {
    Method::velocities(model, state, motion, V_WB);
    V_WB[1].v = Vec3(0, 0, 7);
  }
  const SoftFacts* facts() const override { return nullptr; }
  void look(SoftView&) override {}

  static inline double start = 0;  ///< of the body in the last step's frame

 private:
  std::shared_ptr<const Model> model_;
};

MethodEntry entry(const std::string& name) {
  MethodEntry entry;
  entry.name = name;
  entry.obstacles = [](const Model&) { return std::vector<Error>(); };
  entry.make = [](const MethodContext& context) -> Result<std::unique_ptr<Method>> {
    return std::unique_ptr<Method>(std::make_unique<Hopper>(context.model));
  };
  return entry;
}

/// The method, and one that adds nothing to any table.
Registry registry() {
  MethodEntry hopper = entry("hopper");
  hopper.settings = {kHeight, kLegs};
  hopper.observables = {{"hop", "mm", "how far it went up"}};
  hopper.phases = {{"hop", "hopping", "all legs at once"}};
  hopper.flags = {
      {kTired, "Tired", "Tired legs", "it hopped too high", "lower solver.hopper.height"},
      {kLost, "Lost", "Lost", "it left the picture", "lower solver.hopper.height a lot", Severity::Refusal}};
  Registry registry;
  registry.add(std::move(hopper));
  registry.add(entry("plain"));
  return registry;
}

Scene crateFor(const std::string& method) {
  const RobotSpec crate =
      floatingBody("crate", shape::Box{{0.1, 0.1, 0.1}}, 500, {Mat3::Identity(), {0, 0, 1}}, {1, 0, 0, 1})
          .value();
  Scene scene = edited(Scene{}, SpawnBody{crate}).value();
  scene.solver.method = method;
  scene.methods = registry().table();
  return scene;
}

std::shared_ptr<const Model> modelOf(const Scene& scene) {
  Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled->model;
}

std::unique_ptr<HeadlessRun> runOf(const std::shared_ptr<const Model>& model) {
  Result<std::unique_ptr<Stepper>> stepper = registry().makeStepper(model, {});
  EXPECT_TRUE(stepper) << stepper.error().message();
  return HeadlessRun::of(model, std::move(*stepper), Detail::Particles).value();
}

std::vector<std::string> namesOf(const Observables& observables) {
  std::vector<std::string> names;
  for (const Observable& observable : observables) names.push_back(observable.column());
  return names;
}

double valueOf(const Observables& observables, const std::string& name, const Snapshot& snapshot) {
  for (const Observable& observable : observables)
    if (observable.name == name) return observable.value(snapshot);
  ADD_FAILURE() << name;
  return 0;
}

TEST(OwnRows, ASettingIsAsUsualOrAsTheSceneHasIt) {
  Scene scene = crateFor("hopper");
  EXPECT_EQ(settingOf(*modelOf(scene), "hopper", kHeight), 0.5);
  scene.methodSettings = {{"hopper", "height", 1.5}};
  EXPECT_EQ(settingOf(*modelOf(scene), "hopper", kHeight), 1.5);
}

TEST(OwnRows, ASceneSetsOnlyWhatThereIsWithinItsRange) {
  Scene scene = crateFor("hopper");
  scene.methodSettings = {{"hopper", "heigth", 1}};
  EXPECT_THAT(compile(scene).error().message(), HasSubstr("solver.hopper.height"));
  scene.methodSettings = {{"hopper", "height", 3}};
  EXPECT_THAT(compile(scene).error().message(), HasSubstr("solver.hopper.height is out of its range"));
  scene.methodSettings = {{"hopper", "legs", 2.5}};
  EXPECT_FALSE(compile(scene));
}

TEST(OwnRows, OnlyNumbersThatAreNotAsUsualChangeTheHashOfATuning) {
  Scene without = crateFor("hopper"), with = without;
  without.methods = nullptr;
  EXPECT_EQ(hashOf(modelOf(without)->tuning), hashOf(modelOf(with)->tuning));
  with.methodSettings = {{"hopper", "height", 0.5}};
  EXPECT_EQ(hashOf(modelOf(without)->tuning), hashOf(modelOf(with)->tuning));
  with.methodSettings = {{"hopper", "height", 0.75}};
  EXPECT_NE(hashOf(modelOf(without)->tuning), hashOf(modelOf(with)->tuning));
}

TEST(OwnRows, ASettingIsAParameterThatChangesWhileItRuns) {
  const auto model = modelOf(crateFor("hopper"));
  const auto run = runOf(model);
  ASSERT_TRUE(run->step());
  EXPECT_EQ(valueOf(observablesOf(*model), "solver.hopper.hop", run->snapshot()), 500);
  const std::vector<Command> higher = {SetParameter{"solver.hopper.height", {0.75}}};
  ASSERT_TRUE(run->step(higher, Detail::Facts));
  EXPECT_EQ(valueOf(observablesOf(*model), "solver.hopper.hop", run->snapshot()), 750);
  Tuning tuning = model->tuning;
  EXPECT_FALSE(setParameter(*model, "solver.hopper.height", {2.5}, tuning));
  EXPECT_FALSE(setParameter(*model, "solver.hopper.legs", {2.5}, tuning)) << "it counts something";
  EXPECT_TRUE(setParameter(*model, "solver.hopper.legs", {4}, tuning));
}

TEST(OwnRows, ObservablesAndPhasesAreColumnsAfterTheSharedOnes) {
  const Observables plain = observablesOf(*modelOf(crateFor("plain")));
  const Observables all = observablesOf(*modelOf(crateFor("hopper")));
  ASSERT_EQ(all.size(), plain.size() + 2);
  EXPECT_EQ(all[all.size() - 2].column(), "solver.time.hop [ms]");
  EXPECT_EQ(all.back().column(), "solver.hopper.hop [mm]");
  EXPECT_EQ(all.back().description, "how far it went up");
  std::vector<std::string> shared = namesOf(all);
  shared.resize(plain.size());
  EXPECT_EQ(shared, namesOf(plain));
}

TEST(OwnRows, ObservablesAreChosenByNameAndComeBackFromTheirColumns) {
  const auto model = modelOf(crateFor("hopper"));
  EXPECT_TRUE(ObservableChoice::matching(model, {"solver.hopper.*"}));
  EXPECT_FALSE(ObservableChoice::matching(modelOf(crateFor("plain")), {"solver.hopper.*"}));
  const auto run = runOf(model);
  ASSERT_TRUE(run->step());
  const Observables all = observablesOf(*model);
  std::vector<double> values;
  for (const Observable& observable : all) values.push_back(observable.value(run->snapshot()));
  const Snapshot again = snapshotFrom(model, all, values);
  EXPECT_EQ(again.ownObservables, std::vector<double>{500});
  EXPECT_EQ(infoOf(kHop, model->own.get()).word, "hopping");
  EXPECT_DOUBLE_EQ(again.report.phases[static_cast<std::size_t>(kHop)], 0.25);
}

TEST(OwnRows, ATaskMayAskForWhatAnyMethodTells) {
  Scene scene = crateFor("plain");
  TaskSpec task;
  task.timeLimit = 10;
  ConditionSpec condition;
  condition.observable = "solver.hopper.hop";
  condition.above = 100;
  task.success = {condition};
  scene.task = task;
  const auto plain = modelOf(scene);
  scene.solver.method = "hopper";
  const auto hopper = modelOf(scene);
  for (const auto& [model, hops] : {std::pair(plain, false), std::pair(hopper, true)}) {
    const auto run = runOf(hopper);
    ASSERT_TRUE(run->step());
    Snapshot snapshot = run->snapshot();
    snapshot.own = model->own;
    EXPECT_EQ(model->task->success.at(0).value(snapshot) > 100, hops);
  }
}

TEST(OwnRows, AFlagSaysWhatTheRowSays) {
  Scene scene = crateFor("hopper");
  scene.methodSettings = {{"hopper", "height", 1.5}};
  const auto run = runOf(modelOf(scene));
  ASSERT_TRUE(run->step());
  const HealthFlags health = run->snapshot().report.health;
  const auto raised = raisedIn(health, run->snapshot().own.get());
  ASSERT_EQ(raised.size(), 1u);
  EXPECT_EQ(raised[0]->line(), "it hopped too high: lower solver.hopper.height");
  EXPECT_EQ(raisedIn(health, nullptr).at(0)->severity, Severity::Failure) << "whoever raised it";
}

TEST(OwnRows, AFlagOfItsOwnMayRefuseAStep) {
  const auto run = runOf(modelOf(crateFor("hopper")));
  const std::vector<Command> tooHigh = {SetParameter{"solver.hopper.height", {2}}};
  const Result<void> step = run->step(tooHigh, Detail::Facts);
  ASSERT_FALSE(step);
  EXPECT_THAT(step.error().message(), HasSubstr("it left the picture"));
  EXPECT_EQ(run->snapshot().step, 0u);
}

TEST(OwnRows, BodiesAreWhereTheMethodHasThem) {
  const auto run = runOf(modelOf(crateFor("hopper")));
  ASSERT_TRUE(run->step());
  EXPECT_EQ(Hopper::start, 1);
  EXPECT_EQ(run->snapshot().X_WB[1].p.z(), 1.5);
  EXPECT_EQ(run->snapshot().V_WB[1].v.z(), 7);
  ASSERT_TRUE(run->step());
  EXPECT_EQ(Hopper::start, 1.5) << "the frame is of the state, with what the method remembers";
}

TEST(OwnRows, AModelHasTheRowsOfTheMethodThatStepsIt) {
  const auto hopper = modelOf(crateFor("hopper"));
  EXPECT_EQ(hopper->own->name, "hopper");
  EXPECT_EQ(withMethod(hopper, "plain").value()->own, nullptr);
  EXPECT_EQ(withRowsOf(hopper, "hopper"), hopper);
  const auto other = withRowsOf(hopper, "plain");
  EXPECT_EQ(other->own, nullptr);
  EXPECT_EQ(other->solver.method, "hopper") << "what was chosen stays";
}

TEST(OwnRows, FlagsOutOfTheirPlacesAndDefaultsOutOfTheirRangesAreNotSound) {
  MethodRows rows;
  rows.name = "odd";
  EXPECT_TRUE(rows.isSound());
  rows.flags = {{ownFlag(1), "Odd", "Odd", "it is odd", "leave it"}};
  EXPECT_FALSE(rows.isSound());
  rows.flags = {{ownFlag(0), "Odd", "Odd", "it is odd", "leave it", Severity::Refusal}};
  EXPECT_FALSE(rows.isSound()) << "the step of such a flag would count";
  rows.flags.clear();
  rows.settings = {{"depth", "m", {0, 1}, 2, "out of range"}};
  EXPECT_FALSE(rows.isSound());
}

}  // namespace
}  // namespace slipstick
