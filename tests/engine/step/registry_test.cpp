#include "engine/step/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fake_backend.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

/// Does nothing but to know what it was made for.
class IdleMethod final : public Method {
 public:
  explicit IdleMethod(const MethodContext& context) : backend_(context.backend) {
    facts_.deformables.resize(context.model->deformables.size());
  }
  std::string_view backendName() const override { return backend_; }
  std::string runsOn() const override { return "nothing"; }
  void tune(std::shared_ptr<const Model>) override {}
  void restore(const SoftState&) override {}
  void save(SoftState&) const override {}
  void advance(const StepFrame&, MethodMemory, StepOutcome&) override {}
  void accept() noexcept override {}
  const SoftFacts* facts() const override { return &facts_; }
  void look(SoftView&) override {}

 private:
  std::string backend_;
  SoftFacts facts_;
};

MethodEntry named(const std::string& name, std::vector<Error> obstacles = {},
                  std::vector<std::string> backends = {"fake"}) {
  MethodEntry entry;
  entry.name = name;
  entry.obstacles = [obstacles = std::move(obstacles)](const Model&) { return obstacles; };
  entry.backends = std::move(backends);
  entry.noOtherBackend = "needs what this backend cannot";
  entry.backendRemedy = "choose auto";
  entry.make = [](const MethodContext& context) -> Result<std::unique_ptr<Method>> {
    return std::unique_ptr<Method>(std::make_unique<IdleMethod>(context));
  };
  return entry;
}

/// Two methods that can, and one that has two reasons why not.
Registry threeMethods() {
  Registry registry;
  registry.add(named("lockstep"));
  registry.add(named("leapfrog"));
  registry.add(
      named("picky", {{ErrorCode::Unsupported, "it is wet", "pond.yaml, deformable 'water'", "dry it"},
                      {ErrorCode::Unsupported, "it is cold", "pond.yaml", "warm it"}}));
  return registry;
}

std::string methodOf(const Registry& registry, const std::shared_ptr<const Model>& model,
                     const StepperOptions& options = {}) {
  const Result<std::unique_ptr<Stepper>> stepper = registry.makeStepper(model, options);
  return stepper ? std::string((*stepper)->method()) : stepper.error().message();
}

TEST(Registry, TakesTheNamedMethodBeforeTheScenesBeforeItsFirst) {
  const Registry registry = threeMethods();
  const auto model = testing::cubeAndThreeParticles();
  EXPECT_EQ(methodOf(registry, model), "lockstep");
  model->solver.method = "leapfrog";
  EXPECT_EQ(methodOf(registry, model), "leapfrog");
  EXPECT_EQ(methodOf(registry, model, {.method = "lockstep"}), "lockstep");
}

TEST(Registry, PassesOnWhatAMethodIgnores) {
  Registry registry = threeMethods();
  MethodEntry deaf = named("deaf");
  deaf.notes = [](const Model& model) { return std::vector<std::string>{model.name + ": sound is ignored"}; };
  registry.add(std::move(deaf));
  const auto model = testing::cubeAndThreeParticles();
  EXPECT_EQ(registry.notes("deaf", *model), std::vector{model->name + ": sound is ignored"});
  EXPECT_TRUE(registry.notes("lockstep", *model).empty());
  EXPECT_TRUE(registry.notes("absent", *model).empty());
}

TEST(RegistryDeathTest, TakesNoNameTwiceNorThatOfTheChoice) {
  Registry registry = threeMethods();
  EXPECT_DEATH(registry.add(named("leapfrog")), "leapfrog");
  EXPECT_DEATH(registry.add(named("auto")), "auto");
  EXPECT_DEATH(registry.add(named("")), "name");
}

TEST(Registry, NamesItsChoicesWhereOneIsUnknown) {
  const Registry registry = threeMethods();
  const auto model = testing::cubeAndThreeParticles();
  const std::string method = methodOf(registry, model, {.method = "implicit"});
  EXPECT_THAT(method, HasSubstr("method 'implicit'"));
  EXPECT_THAT(method, HasSubstr("lockstep, leapfrog or picky"));
  EXPECT_THAT(methodOf(registry, model, {.backend = "metal"}), HasSubstr("choose auto or fake"));
  model->solver.method = "explicit";
  EXPECT_THAT(methodOf(registry, model), HasSubstr("solver.method 'explicit'"));
}

TEST(Registry, AMethodThatCannotStepAModelSaysWhy) {
  const auto model = testing::cubeAndThreeParticles();
  const std::string why = methodOf(threeMethods(), model, {.method = "picky"});
  EXPECT_THAT(why, HasSubstr("pond.yaml, deformable 'water'"));
  EXPECT_THAT(why, HasSubstr("'picky' cannot step this: it is wet (and 1 more"));
  EXPECT_THAT(why, HasSubstr("dry it"));
}

TEST(Registry, AutoIsTheMethodsFirstBackend) {
  Registry registry;
  registry.add(named("lockstep", {}, {"device", "fake"}));
  registry.add(named("leapfrog", {}, {"fake"}));
  registry.add(named("alone", {}, {}));
  const auto model = testing::cubeAndThreeParticles();
  const auto backendOf = [&](const StepperOptions& options) {
    return std::string((*registry.makeStepper(model, options))->backendName());
  };
  EXPECT_EQ(backendOf({.method = "lockstep"}), "device");
  EXPECT_EQ(backendOf({.method = "lockstep", .backend = "fake"}), "fake");
  EXPECT_EQ(backendOf({.method = "leapfrog"}), "fake");
  EXPECT_EQ(backendOf({.method = "alone"}), "");
  EXPECT_EQ(registry.backends(), (std::vector<std::string>{"device", "fake"}));
}

/// One without a choice takes no other backend, not even one that nobody knows; its own name is as good as none.
TEST(Registry, AMethodThatDoesNotRunOnABackendSaysWhyNot) {
  Registry registry = threeMethods();
  registry.add(named("tight", {}, {"able"}));
  registry.add(named("alone", {}, {}));
  const auto model = testing::cubeAndThreeParticles();
  EXPECT_THAT(methodOf(registry, model, {.method = "tight", .backend = "fake"}),
              HasSubstr("the method 'tight' needs what this backend cannot"));
  EXPECT_THAT(methodOf(registry, model, {.method = "tight", .backend = "metal"}),
              HasSubstr("choose auto, fake or able"));
  EXPECT_EQ(methodOf(registry, model, {.method = "tight"}), "tight");
  EXPECT_EQ(methodOf(registry, model, {.method = "alone"}), "alone");
  EXPECT_EQ(methodOf(registry, model, {.method = "alone", .backend = "alone"}), "alone");
  EXPECT_THAT(methodOf(registry, model, {.method = "alone", .backend = "fake"}), HasSubstr("choose auto"));
  EXPECT_THAT(methodOf(registry, model, {.method = "alone", .backend = "metal"}), HasSubstr("choose auto"));
}

TEST(Registry, WithoutSoftBodiesEveryBackendWillDo) {
  Registry registry = threeMethods();
  registry.add(named("tight", {}, {"able"}));
  const auto model = testing::cubeAndThreeParticles();
  model->deformables.clear();
  model->nodes = {};
  EXPECT_EQ(methodOf(registry, model, {.method = "tight", .backend = "fake"}), "tight");
  EXPECT_THAT(methodOf(registry, model, {.method = "tight", .backend = "metal"}),
              HasSubstr("no such backend"));
}

TEST(Registry, WhatAMethodRemembersIsPartOfTheStateByNameAndValue) {
  State state;
  const std::uint64_t none = hashOf(state);
  state.remembered("impulses") = VecX::Constant(2, 0.5);
  const std::uint64_t two = hashOf(state);
  EXPECT_NE(two, none);
  EXPECT_EQ(state.remembered("impulses").size(), 2);
  EXPECT_EQ(state.memory.size(), 1u);
  state.memory[0].name = "velocities";
  EXPECT_NE(hashOf(state), two);
  state.memory[0].name = "impulses";
  state.remembered("impulses")[1] = 0.25;
  EXPECT_NE(hashOf(state), two);
}

/// Where what was chosen for a scene cannot step it, or not on the backend that a person asks for, the first one does.
TEST(Registry, TakesWhatWasChosenForAModelWhereThatCanStepIt) {
  const auto build = [](std::vector<Error> obstacles) {
    Registry registry;
    registry.add(named("async", {}, {"device", "cpu"}));
    registry.add(named("strong", std::move(obstacles), {"cpu"}));
    return registry;
  };
  const auto model = testing::cubeAndThreeParticles();
  model->scene = std::make_shared<const Scene>();  // it names no method
  model->solver.method = "strong";
  EXPECT_EQ(methodOf(build({}), model), "strong");
  EXPECT_EQ(methodOf(build({}), model, {.backend = "device"}), "async");
  EXPECT_EQ(methodOf(build({{ErrorCode::Unsupported, "it is wet", "pond", "dry it"}}), model), "async");
  EXPECT_EQ(build({}).methodFor(*model, {.backend = "device"}).value(), "async");
  const Registry registry = build({});
  EXPECT_EQ(registry.obstacles(registry.methods()[1], *model, "auto").size(), 0u);
  EXPECT_EQ(registry.obstacles(registry.methods()[1], *model, "cpu").size(), 0u);
  ASSERT_EQ(registry.obstacles(registry.methods()[1], *model, "device").size(), 1u);
  EXPECT_THAT(registry.obstacles(registry.methods()[1], *model, "device")[0].what,
              HasSubstr("what this backend cannot"));
  // What a person names is not replaced.
  EXPECT_THAT(methodOf(build({}), model, {.method = "strong", .backend = "device"}),
              HasSubstr("what this backend cannot"));
}

}  // namespace
}  // namespace slipstick
