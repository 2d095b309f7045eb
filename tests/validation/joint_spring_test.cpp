// Springs in joints, against the implicit step's own recurrence and the formula of the oscillator.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/compile/compile.h"
#include "engine/rigid/rigid_solver.h"
#include "tests/assets/scene_text.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

constexpr double kG = 9.81, kMass = 2;

/// A weight of 2 kg that slides up and down on a spring.
const std::string kSlider = R"(<robot name="s"><link name="base"/><link name="bob">
  <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="bob"/><axis xyz="0 0 1"/>
  <limit lower="-9" upper="9" effort="0" velocity="0"/></joint></robot>)";

std::shared_ptr<const Model> sliderOn(const std::string& keys, double dt) {
  const auto file = testing::writeFile("slider.urdf", kSlider);
  const Result<assets::LoadedScene> loaded =
      testing::parsed("time: {dt_ms: " + std::to_string(1e3 * dt) + "}\nrobots: {s: {urdf: " + file.string() +
                      ", " + keys + "}}\n");
  EXPECT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled->model;
}

TEST(JointSpring, StepsAsTheImplicitFormulaSays) {
  constexpr double k = 300, rest = 0.1, damping = 4, dt = 0.01;
  const auto model = sliderOn(
      "stiffness: {slide: 300}, spring_reference: {slide: 0.1}, damping: {slide: 4}, joints: {slide: 0.4}",
      dt);
  const auto stepper = testing::stepperOf(model);
  Snapshot snapshot;
  double q = 0.4, v = 0;
  for (int i = 0; i < 200; ++i) {
    (void)stepper->step({}, snapshot, Detail::Facts);
    // m (v⁺ − v) = Δt (−m g − D v⁺ − k (q + Δt v⁺ − q₀))
    v = (kMass * v - dt * (kMass * kG + k * (q - rest))) / (kMass + dt * damping + dt * dt * k);
    q += dt * v;
    ASSERT_NEAR(snapshot.q[0], q, 1e-9) << "step " << i;
  }
}

TEST(JointSpring, HoldsAWeightWhereForceAndStretchAgree) {
  constexpr double k = 500;
  const auto model = sliderOn("stiffness: {slide: 500}, damping: {slide: 60}", 0.01);
  const auto stepper = testing::stepperOf(model);
  Snapshot snapshot;
  for (int i = 0; i < 1000; ++i) (void)stepper->step({}, snapshot, Detail::Facts);
  const double sag = kMass * kG / k;
  EXPECT_NEAR(snapshot.q[0], -sag, 1e-9);
  EXPECT_NEAR(snapshot.totals.elasticEnergy, 0.5 * k * sag * sag, 1e-9) << "½ k x²";
}

TEST(JointSpring, SwingsWithItsPeriodToSecondOrderInTheStep) {
  constexpr double k = 200;
  const double period = 2 * std::numbers::pi * std::sqrt(kMass / k);
  // Backward Euler turns by atan(ω Δt) per step in place of ω Δt: longer by (ω Δt)²/3 to leading order.
  for (const double dt : {0.004, 0.002}) {
    const auto model = sliderOn("stiffness: {slide: 200}, joints: {slide: 0.1}", dt);
    const auto stepper = testing::stepperOf(model);
    Snapshot snapshot;
    double previous = 0.1, first = 0, last = 0;
    int crossings = 0;
    const double middle = -kMass * kG / k;
    for (int i = 0; crossings < 5; ++i) {
      ASSERT_LT(i, 100000);
      (void)stepper->step({}, snapshot, Detail::Facts);
      const double q = snapshot.q[0];
      if ((q - middle) * (previous - middle) < 0) {
        last = snapshot.time - dt * (q - middle) / (q - previous);
        if (crossings++ == 0) first = last;
      }
      previous = q;
    }
    const double measured = (last - first) / 2, expected = period * (1 + std::pow(dt * 10, 2) / 3);
    EXPECT_NEAR(measured, expected, 0.1 * period * std::pow(dt * 10, 2)) << "dt " << dt;
  }
}

TEST(JointSpring, ANegativeOneIsRefused) {
  const auto file = testing::writeFile("slider.urdf", kSlider);
  testing::expectFault(
      testing::faultOf("robots: {s: {urdf: " + file.string() + ", stiffness: {slide: -1}}}\n"),
      {"test.yaml:1", "stiffness.slide", "at least 0"});
}

}  // namespace
}  // namespace slipstick
