#include "engine/coupling/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/coupling/fake_backend.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

/// Does nothing but to know its name.
class NamedStepper final : public Stepper {
 public:
  NamedStepper(std::string method, std::unique_ptr<mpm::Backend> backend)
      : method_(std::move(method)), backend_(std::move(backend)) {}
  std::string_view method() const override { return method_; }
  std::string_view backendName() const override { return backend_ ? backend_->name() : "none"; }
  std::string runsOn() const override { return "nothing"; }
  StepReport step(std::span<const Command>, Snapshot&, Detail) override { return {}; }
  void observe(Snapshot&, Detail) override {}
  void save(State&) const override {}
  void restore(const State&) override {}
  void takeBack() noexcept override {}

 private:
  std::string method_;
  std::unique_ptr<mpm::Backend> backend_;
};

MethodEntry named(const std::string& name, std::vector<Error> obstacles = {}) {
  return {name, "", [obstacles](const Model&) { return obstacles; },
          [name](std::shared_ptr<const Model>, std::unique_ptr<mpm::Backend> backend) {
            return std::make_unique<NamedStepper>(name, std::move(backend));
          }};
}

/// Two methods that can, and one that has two reasons why not.
Registry threeMethods() {
  Registry registry;
  registry.add(named("lockstep"));
  registry.add(named("leapfrog"));
  registry.add(
      named("picky", {{ErrorCode::Unsupported, "it is wet", "pond.yaml, deformable 'water'", "dry it"},
                      {ErrorCode::Unsupported, "it is cold", "pond.yaml", "warm it"}}));
  registry.add({"fake", [](std::shared_ptr<const Model> model, int) -> std::unique_ptr<mpm::Backend> {
                  return std::make_unique<testing::FakeBackend>(std::move(model));
                }});
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

TEST(Registry, AutoIsTheFirstBackendAndAModelWithoutParticlesNeedsNone) {
  const Registry registry = threeMethods();
  auto model = testing::cubeAndThreeParticles();
  EXPECT_EQ((*registry.makeStepper(model, {}))->backendName(), "fake");
  model->deformables.clear();
  model->particles = {};
  EXPECT_EQ((*registry.makeStepper(model, {}))->backendName(), "none");
}

/// A method that moves rigid bodies within a step takes a backend that can; one with a backend of its own takes no other.
TEST(Registry, AMethodGetsABackendThatSuitsItOrSaysWhyNot) {
  Registry registry = threeMethods();
  MethodEntry strong = named("tight");
  strong.couplesStrongly = true;
  registry.add(strong);
  MethodEntry own = named("alone");
  own.ownBackend = [](std::shared_ptr<const Model> model) -> std::unique_ptr<mpm::Backend> {
    return std::make_unique<testing::FakeBackend>(std::move(model));
  };
  registry.add(own);
  const auto model = testing::cubeAndThreeParticles();
  EXPECT_THAT(methodOf(registry, model, {.method = "tight"}), HasSubstr("which this backend cannot"));
  EXPECT_THAT(methodOf(registry, model, {.method = "tight", .backend = "fake"}),
              HasSubstr("which this backend cannot"));
  registry.add({"able",
                [](std::shared_ptr<const Model> m, int) -> std::unique_ptr<mpm::Backend> {
                  return std::make_unique<testing::FakeBackend>(std::move(m));
                },
                true});
  EXPECT_EQ(methodOf(registry, model, {.method = "tight"}), "tight");
  EXPECT_EQ(methodOf(registry, model, {.method = "alone"}), "alone");
  EXPECT_EQ(methodOf(registry, model, {.method = "alone", .backend = "alone"}), "alone");
  EXPECT_THAT(methodOf(registry, model, {.method = "alone", .backend = "fake"}), HasSubstr("choose auto"));
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
  const auto build = [](std::vector<Error> obstacles, bool able) {
    Registry registry;
    registry.add(named("async"));
    MethodEntry strong = named("strong", std::move(obstacles));
    strong.couplesStrongly = true;
    registry.add(strong);
    const auto make = [](std::shared_ptr<const Model> m, int) -> std::unique_ptr<mpm::Backend> {
      return std::make_unique<testing::FakeBackend>(std::move(m));
    };
    registry.add({"device", make, false});
    if (able) registry.add({"cpu", make, true});
    return registry;
  };
  const auto model = testing::cubeAndThreeParticles();
  model->scene = std::make_shared<const Scene>();  // it names no method
  model->solver.method = "strong";
  EXPECT_EQ(methodOf(build({}, true), model), "strong");
  EXPECT_EQ(methodOf(build({}, true), model, {.backend = "device"}), "async");
  EXPECT_EQ(methodOf(build({{ErrorCode::Unsupported, "it is wet", "pond", "dry it"}}, true), model), "async");
  EXPECT_EQ(build({}, true).methodFor(*model, {.backend = "device"}).value(), "async");
  const Registry registry = build({}, true);
  EXPECT_EQ(registry.obstacles(registry.methods()[1], *model, "auto").size(), 0u);
  EXPECT_EQ(registry.obstacles(registry.methods()[1], *model, "cpu").size(), 0u);
  ASSERT_EQ(registry.obstacles(registry.methods()[1], *model, "device").size(), 1u);
  EXPECT_THAT(registry.obstacles(registry.methods()[1], *model, "device")[0].what,
              HasSubstr("which this backend cannot"));
  // What a person names is not replaced.
  EXPECT_THAT(methodOf(build({}, true), model, {.method = "strong", .backend = "device"}),
              HasSubstr("which this backend cannot"));
}

}  // namespace
}  // namespace slipstick
