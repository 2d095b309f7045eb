#include "engine/step/carry_over.h"

#include <gtest/gtest.h>

#include <string_view>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "tests/support/initial_state.h"

namespace slipstick {
namespace {

RobotSpec crate(const std::string& name, double x) {
  return floatingBody(name, shape::Box{{0.1, 0.1, 0.1}}, 500, {Mat3::Identity(), {x, 0, 1}}, {1, 1, 1, 1})
      .value();
}

DeformableSpec gel(const std::string& name, double x) {
  DeformableSpec soft;
  soft.name = name;
  soft.material = "gel";
  soft.shape = shape::Box{{0.05, 0.05, 0.05}};
  soft.X_WD.p = {x, 1, 1};
  soft.sampling.count = {3, 3, 3};
  return soft;
}

std::shared_ptr<const Model> modelOf(const Scene& scene) {
  Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled->model;
}

Scene twoOfEach() {
  Scene scene;
  scene.name = "carry";
  scene.materials = {{"gel", {}}};
  scene.materials[0].parameters.E = 1e4;
  scene.materials[0].parameters.density = 1000;
  scene.deformables = {gel("left", -1), gel("right", 1)};
  scene.robots = {crate("a", -1), crate("b", 1)};
  return scene;
}

State carried(const std::shared_ptr<const Model>& from, const State& state,
              const std::shared_ptr<const Model>& to) {
  return carryOver(from, state, to, testing::initialState(*to).soft,
                   [](std::string_view, const VecX&) { return VecX(); });
}

TEST(CarryOver, WhatBothModelsHaveGoesOnByNameAndWhatIsNewStartsAsItsSceneSays) {
  const auto from = modelOf(twoOfEach());
  State state = testing::initialState(*from);
  state.step = 12;
  state.time = 0.12;
  state.q[7 + 2] = 5;  // height of b
  state.v[6 + 5] = -2;
  state.pulls = {{.body = 1}, {.body = 2, .goal_W = {1, 2, 3}}, {.particle = 27 + 4}};
  Tuning tuned = *state.tuning;
  ASSERT_TRUE(setParameter(*from, "gravity.x", {3}, tuned));
  ASSERT_TRUE(setParameter(*from, "materials.gel.E", {2e4}, tuned));
  state.tuning = std::make_shared<const Tuning>(tuned);
  mpm::ParticleState particles = mpm::particlesOf(state.soft);
  particles.x[27 + 4] = {7, 8, 9};
  particles.F[27 + 4] = 2 * Mat3::Identity();
  particles.plastic[27 + 4] = 0.5;
  mpm::toSoftState(std::move(particles), state.soft);

  Scene scene = edited(twoOfEach(), Remove{"a"}).value();
  scene = edited(scene, Remove{"left"}).value();
  scene = edited(scene, SpawnBody{crate("c", 3)}).value();
  const auto to = modelOf(scene);
  const State next = carried(from, state, to);
  EXPECT_EQ(next.step, 12u);
  EXPECT_EQ(next.time, 0.12);
  ASSERT_EQ(next.q.size(), 14);
  EXPECT_EQ(next.q[2], 5);
  EXPECT_EQ(next.q[7], 3);  // c stands where it was put
  EXPECT_EQ(next.v[5], -2);
  ASSERT_EQ(next.pulls.size(), 2u);  // what pulled at a is gone with it
  EXPECT_EQ(next.pulls[0].body, 1);
  EXPECT_EQ(next.pulls[0].goal_W, Vec3(1, 2, 3));
  EXPECT_EQ(next.pulls[1].particle, 4);
  EXPECT_EQ(next.tuning->gravity.x(), 3);
  EXPECT_EQ(next.tuning->materials[0].E, 2e4);
  const mpm::ParticleState after = mpm::particlesOf(next.soft);
  ASSERT_EQ(after.x.size(), 27u);
  EXPECT_EQ(after.x[4], Vec3(7, 8, 9));
  EXPECT_EQ(after.F[4], 2 * Mat3::Identity());
  EXPECT_EQ(after.F[5], Mat3::Identity());
  EXPECT_EQ(after.plastic[4], 0.5);
}

/// Pair rules have numbers for names; what is left of them must not take over the numbers of what went.
TEST(CarryOver, PairRulesAreKnownByTheirPair) {
  Scene scene = twoOfEach();
  scene.pairRules = {{"a", "left", {}, 0.1}, {"b", "right", {}, 0.9}};
  const auto from = modelOf(scene), to = modelOf(edited(scene, Remove{"a"}).value());
  State state = testing::initialState(*from);
  EXPECT_EQ(carried(from, state, to).tuning->pairFriction, to->tuning.pairFriction);
  Tuning tuned = *state.tuning;
  ASSERT_TRUE(setParameter(*from, "pair_rules.1.friction", {0.7}, tuned));
  state.tuning = std::make_shared<const Tuning>(tuned);
  const State next = carried(from, state, to);
  ASSERT_EQ(next.tuning->pairFriction.size(), 1u);
  EXPECT_EQ(next.tuning->pairFriction[0], 0.7);

  const auto kept = inTermsOf(SetParameter{"pair_rules.1.friction", {0.5}}, *from, *to);
  ASSERT_TRUE(kept);
  EXPECT_EQ(std::get<SetParameter>(*kept).path, "pair_rules.0.friction");
  EXPECT_FALSE(inTermsOf(SetParameter{"pair_rules.0.friction", {0.5}}, *from, *to));
}

/// Another method's field has another meaning: what this method remembers starts anew, and what it does not know is left out.
TEST(CarryOver, FieldsOfAnotherShapeStartAnew) {
  const auto model = modelOf(twoOfEach());
  State state = testing::initialState(*model);
  const SoftState start = state.soft;
  state.soft.x[3] = {7, 8, 9};
  state.soft.fields[0].values[0] = 5;
  state.soft.fields[0].spec.columns = 2;
  state.soft.fields[1].spec.name = "another";
  const State next = carried(model, state, model);
  EXPECT_EQ(next.soft.x[3], Vec3(7, 8, 9));
  ASSERT_EQ(next.soft.fields.size(), 4u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(next.soft.fields[i].spec.name, start.fields[i].spec.name);
    EXPECT_EQ(next.soft.fields[i].values, start.fields[i].values);
  }
}

/// Only a method knows what its numbers stand for.
TEST(CarryOver, WhatAMethodRemembersIsAsItSays) {
  const auto model = modelOf(twoOfEach());
  State state = testing::initialState(*model);
  state.remembered("gaps") = VecX::Constant(2, 3);
  state.remembered("unknown") = VecX::Constant(1, 7);
  const auto doubled = [](std::string_view name, const VecX& values) -> VecX {
    return name == "gaps" ? VecX(2 * values) : VecX();
  };
  State next = carryOver(model, state, model, testing::initialState(*model).soft, doubled);
  EXPECT_EQ(next.remembered("gaps"), VecX(VecX::Constant(2, 6)));
  EXPECT_EQ(next.remembered("unknown").size(), 0);
}

TEST(CarryOver, ToTheSameModelIsTheIdentity) {
  const auto model = modelOf(twoOfEach());
  State state = testing::initialState(*model);
  state.q[2] = 4;
  state.soft.v[3] = {1, 0, 0};
  EXPECT_EQ(hashOf(carried(model, state, model)), hashOf(state));
}

}  // namespace
}  // namespace slipstick
