#include "engine/model/method_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/model/assumed_mass.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

constexpr double kEdge = 0.1, kSpacing = 0.01, kDepth = 0.05;
constexpr double kModulus = 1e6, kDensity = 100;

/// A cube on a pad of its width, half as thick as wide.
Scene cubeOnPad(double mass, double dt) {
  Scene scene;
  scene.name = "pad";
  scene.time.dt = dt;
  scene.gridSpacing = 0.02;
  scene.materials.push_back({"foam", {.E = kModulus, .nu = 0, .density = kDensity}});
  DeformableSpec pad;
  pad.name = "pad";
  pad.material = "foam";
  pad.shape = shape::Box{Vec3(kEdge, kEdge, kDepth) / 2};
  pad.sampling.spacing = kSpacing;
  scene.deformables.push_back(pad);
  Pose above = Pose::translation({0, 0, 0.5 * (kDepth + kEdge)});
  scene.robots.push_back(floatingBody("cube", shape::Box{Vec3::Constant(kEdge / 2)},
                                      mass / std::pow(kEdge, 3), above, Color(1, 1, 1, 1))
                             .value());
  return scene;
}

std::shared_ptr<const Model> modelOf(const Scene& scene) {
  Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message());
  return compiled ? compiled->model : nullptr;
}

/// Pressed along the face's normal the cube moves as a mass: K / m. Pressed along the face, with K / 2, it turns about its
/// middle as well, I = m a² / 6, by an arm of a / 2, and the face's normal springs turn it, too, K a² / 12 in all: the
/// two couple, and no eigenvalue is above their trace, K / m (1/2 + (1/8 + 1/12) 6) = 1.75 K / m.
TEST(FrozenMotion, IsWhatAMassOnASpringHas) {
  const double mass = 3, dt = 2e-3;
  const FrozenMotion worst = worstFrozenMotion(*modelOf(cubeOnPad(mass, dt)));
  const double area = kEdge * kEdge, k = kModulus * kSpacing;  // κ E d_p
  const double contacts = k / (kSpacing * kSpacing), impedance = std::sqrt(kModulus * kDensity) / dt;
  const double K = area / (1 / contacts + 1 / std::max(kModulus / kDepth, impedance));
  EXPECT_EQ(worst.body, 1);
  EXPECT_EQ(worst.deformable, 0);
  EXPECT_GE(worst.share, dt * dt * K / mass * (1 - 1e-9));
  EXPECT_LE(worst.share, dt * dt * K / mass * 1.75);
}

TEST(FrozenMotion, GrowsWithTheStepSquaredAndFallsWithTheMass) {
  const auto share = [](double mass, double dt) {
    return worstFrozenMotion(*modelOf(cubeOnPad(mass, dt))).share;
  };
  const double one = share(1, 4e-3);  // 4 ms: sound has crossed the pad four times
  EXPECT_NEAR(share(10, 4e-3), one / 10, 1e-9 * one);
  EXPECT_NEAR(share(1, 8e-3), 4 * one, 1e-9 * one);
  // Within .1 ms sound comes a fifth as deep as the pad is thick: the share falls with Δt alone.
  EXPECT_GT(share(1, 1e-4), std::pow(0.1 / 4, 2) * one);
}

TEST(FrozenMotion, WhatCannotMoveOrTouchHasNone) {
  Scene fixed = cubeOnPad(1e-3, 0.01);
  fixed.robots[0].freeBase = false;
  EXPECT_EQ(worstFrozenMotion(*modelOf(fixed)).body, -1);
  Scene apart = cubeOnPad(1e-3, 0.01);
  PairRuleSpec rule;
  rule.a = "cube", rule.b = "pad", rule.enabled = false;
  apart.pairRules.push_back(rule);
  EXPECT_EQ(worstFrozenMotion(*modelOf(apart)).body, -1);
  Scene led = cubeOnPad(1e-3, 0.01);
  led.paths.push_back({.name = "up", .keys = {{.t = 0, .p = {0, 0, 0.1}}}});
  led.robots[0].path = "up";
  EXPECT_EQ(worstFrozenMotion(*modelOf(led)).body, -1);
}

/// The same area in ten pieces, that are ten bodies fixed to each other or ten pads, presses no less.
TEST(FrozenMotion, PiecesCountTogether) {
  const Scene one = cubeOnPad(1, 5e-3);
  Scene many = one;
  many.robots[0].description.links[0].collisions.clear();
  for (int i = 0; i < 10; ++i) {
    LinkGeometry slice;
    slice.name = slice.key = "slice" + std::to_string(i);
    slice.shape = shape::Box{Vec3(kEdge / 20, kEdge / 2, kEdge / 2)};
    slice.X_BG = Pose::translation({(i - 4.5) * kEdge / 10, 0, 0});
    many.robots[0].description.links[0].collisions.push_back(slice);
  }
  const double whole = worstFrozenMotion(*modelOf(one)).share;
  EXPECT_NEAR(worstFrozenMotion(*modelOf(many)).share, whole, 1e-6 * whole);
}

TEST(MethodChoice, IsMadeForScenesThatNameNone) {
  Scene scene = cubeOnPad(10, 1e-3);
  EXPECT_EQ(modelOf(scene)->solver.method, "async");
  scene.time.dt = 0.02;
  EXPECT_EQ(modelOf(scene)->solver.method, "strong");
  scene.solver.method = "auto";
  EXPECT_EQ(modelOf(scene)->solver.method, "strong");
  scene.solver.method = "async";
  EXPECT_EQ(modelOf(scene)->solver.method, "async") << "what a scene names stays";
  EXPECT_EQ(modelOf(scene)->scene->solver.method, "async");
}

TEST(MethodChoice, SaysWhichBodyDecidedAndWhetherItsMassIsKnown) {
  const auto model = modelOf(cubeOnPad(1e-3, 5e-3));
  const FrozenMotion worst = worstFrozenMotion(*model);
  const Notice notice{Notice::Level::Warning, "", "", {{"robots.cube.links.cube.mass", "0.001"}}};
  EXPECT_EQ(
      frozenWarning(*model, worst, "async", {}).value(),
      model->tree.bodies[1].name + " (1 g) is too light for async at 5 ms: forces may be wrong; use strong");
  EXPECT_FALSE(frozenWarning(*model, worst, "strong", {}));
  EXPECT_THAT(choiceInWords(*model, worst, "strong", {0, 1}),
              HasSubstr("strong, as " + model->tree.bodies[1].name +
                        " (1 g, assumed) is too light for async at 5 ms"));
  const auto heavy = modelOf(cubeOnPad(1000, 5e-3));
  EXPECT_FALSE(frozenWarning(*heavy, worstFrozenMotion(*heavy), "async", {}));
  EXPECT_THAT(choiceInWords(*heavy, worstFrozenMotion(*heavy), "async", {}), HasSubstr("(1000 kg), "));
}

/// Between ½ and 1 a body is not turned round: who names async is not warned, and auto takes strong nevertheless.
TEST(MethodChoice, WarnsOfWhatIsTurnedRound) {
  const double one = worstFrozenMotion(*modelOf(cubeOnPad(1, 5e-3))).share;
  const auto model = modelOf(cubeOnPad(one / 0.75, 5e-3));
  const FrozenMotion worst = worstFrozenMotion(*model);
  ASSERT_NEAR(worst.share, 0.75, 1e-6);
  EXPECT_EQ(model->solver.method, "strong");
  EXPECT_FALSE(frozenWarning(*model, worst, "async", {}));
  EXPECT_THAT(choiceInWords(*model, worst, "async", {}), HasSubstr("async; lightest: "));
  EXPECT_THAT(choiceInWords(*model, worst, "async", {}), HasSubstr("150 % of what it may be"));
  const auto light = modelOf(cubeOnPad(one / 1.01, 5e-3));
  EXPECT_TRUE(frozenWarning(*light, worstFrozenMotion(*light), "async", {}));
}

TEST(AssumedMass, IsWhatANoticeHasGivenAndNobodyChanged) {
  Model model;
  model.tree.add({"grip.tip", 1e-3, Vec3::Zero(), Mat3::Identity(), -1}, {});
  model.compositeOf = {0, 1};
  const auto assumed = [&](const std::string& path, const std::string& value) {
    return assumedMasses(model, {{Notice::Level::Warning, "", "", {{path, value}}}});
  };
  EXPECT_EQ(assumed("robots.grip.links.tip.mass", "0.001"), (std::vector<char>{0, 1}));
  EXPECT_EQ(assumed("robots.grip.links.tip.mass", "0.002"), (std::vector<char>{0, 0}))
      << "it has another one now";
  EXPECT_EQ(assumed("robots.grip.links.tip.inertia", "[1, 1, 1]"), (std::vector<char>{0, 0}));
  EXPECT_EQ(assumed("robots.other.links.tip.mass", "0.001"), (std::vector<char>{0, 0}));
  EXPECT_EQ(bodyWithMass(model, 1, {0, 1}), "grip.tip (1 g, assumed)");
}

}  // namespace
}  // namespace slipstick
