// The figures by which methods are compared, of steps that are written by hand.
#include "engine/runtime/method_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipstick {
namespace {

using ::testing::IsEmpty;

/// Two bodies beside the world; Δt = 10 ms. Step k is at 10 k ms.
struct Tally : ::testing::Test {
  static std::shared_ptr<const Model> twoBodies() {
    auto model = std::make_shared<Model>();
    model->time.dt = 0.01;
    for (const char* name : {"cup", "table"}) model->tree.add({.name = name, .mass = 1}, {});
    return model;
  }
  static Snapshot step(int number, double energy = 0) {
    Snapshot snapshot;
    snapshot.step = static_cast<std::uint64_t>(number);
    snapshot.time = 0.01 * number;
    snapshot.totals.kineticEnergy = energy;
    snapshot.contactWrench.resize(3);
    return snapshot;
  }
  static Contact contact(double force, double slip, double gap) {
    Contact contact;
    contact.f_Bc_W = {0, 0, -force};
    contact.slipSpeed = slip;
    contact.gap = gap;
    return contact;
  }
  MethodTally tally{twoBodies()};
};

TEST_F(Tally, OfNoStepThereAreNoFigures) {
  const MethodFigures none = tally.figures(0, 1);
  EXPECT_EQ(none.steps, 0);
  EXPECT_EQ(none.covered, 0);
  EXPECT_THAT(none.forces, IsEmpty());
  tally.add(step(0), 0);
  EXPECT_EQ(tally.figures(0, 1).steps, 0) << "the start is no step";
  EXPECT_EQ(tally.figures(0, 1).covered, 0);
}

TEST_F(Tally, ASampleAddsUpTheKindsOfEnergy) {
  Snapshot snapshot = step(0, 1);
  snapshot.totals.potentialEnergy = 20;
  snapshot.totals.elasticEnergy = 300;
  tally.add(snapshot, 0);
  EXPECT_EQ(tally.samples()[0].energy(), 321);
}

TEST_F(Tally, EnergyIsToldAgainstThatOfTheStart) {
  for (const double energy : {5.0, 4.0, 7.0, 3.0})
    tally.add(step(static_cast<int>(tally.samples().size()), energy), 0);
  // Of the whole run, whatever the window is.
  for (const MethodFigures& f : {tally.figures(0, 1), tally.figures(5, 6)}) {
    EXPECT_EQ(f.energyGain, 2);
    EXPECT_EQ(f.energyEnd, -2);
    EXPECT_EQ(f.steps, 3);
    EXPECT_NEAR(f.simulated, 0.03, 1e-12);
  }
}

TEST_F(Tally, ARunThatOnlyLosesEnergyHasGainedNone) {
  for (int k = 0; k < 3; ++k) tally.add(step(k, 5 - k), 0);
  EXPECT_EQ(tally.figures(0, 1).energyGain, 0);
}

TEST_F(Tally, SlipIsWeighedByForcesAndPenetrationIsTheDeepest) {
  Snapshot snapshot = step(1);
  snapshot.contacts = {contact(3, 0.1, -1e-3), contact(1, 0.5, -4e-3), contact(0, 9, 2e-3)};
  tally.add(snapshot, 0);
  EXPECT_NEAR(tally.samples()[0].slip, (3 * 0.1 + 1 * 0.5) / 4, 1e-12);
  EXPECT_EQ(tally.samples()[0].penetration, 4e-3);
  Snapshot light = step(2);
  light.contacts = {contact(0, 9, 2e-3)};
  tally.add(light, 0);
  EXPECT_EQ(tally.samples()[1].slip, 0) << "what carries nothing does not slip";
  EXPECT_EQ(tally.samples()[1].penetration, 0) << "a gap is none";
}

TEST_F(Tally, AWindowHasItsStepsAndNotTheStart) {
  for (int k = 0; k <= 5; ++k) {
    Snapshot snapshot = step(k);
    snapshot.contactWrench[1].force = {0, 0, 10.0 * k};
    snapshot.contacts = {contact(1, 0.1 * k, -1e-3 * k)};
    tally.add(snapshot, 0);
  }
  const MethodFigures window = tally.figures(0.02, 0.04);  // steps 2, 3, 4
  EXPECT_NEAR(window.covered, 0.03, 1e-12);
  EXPECT_NEAR(window.penetration, 3e-3, 1e-12);
  EXPECT_NEAR(window.deepest, 4e-3, 1e-12);
  EXPECT_NEAR(window.slip, 0.3, 1e-12);
  ASSERT_EQ(window.forces.size(), 1u) << "on the body that something touched";
  EXPECT_EQ(window.forces[0].body, "cup");
  EXPECT_NEAR(window.forces[0].mean.z(), 30, 1e-12);
  EXPECT_NEAR(tally.figures(0, 0.02).covered, 0.02, 1e-12) << "the start is no step";
  EXPECT_NEAR(tally.figures(0.02 + 4e-3, 0.04 - 4e-3).covered, 0.03, 1e-12) << "to the nearest step";
}

TEST_F(Tally, OfAWindowThatTheRunHasNotReachedNothingIsKnown) {
  for (int k = 0; k <= 2; ++k) {
    Snapshot snapshot = step(k);
    snapshot.contactWrench[1].force = {0, 0, 10};
    tally.add(snapshot, 0.25);
  }
  const MethodFigures f = tally.figures(1, 2);
  EXPECT_EQ(f.covered, 0);
  EXPECT_THAT(f.forces, IsEmpty());
  EXPECT_EQ(f.slip, 0);
  EXPECT_EQ(f.steps, 2);
}

TEST_F(Tally, ForcesThatCancelInTheMeanAreToldAllTheSame) {
  for (int k = 0; k <= 2; ++k) {
    Snapshot snapshot = step(k);
    snapshot.contactWrench[2].force = {k == 1 ? 5.0 : -5.0, 0, 0};
    tally.add(snapshot, 0);
  }
  const MethodFigures f = tally.figures(0, 1);
  ASSERT_EQ(f.forces.size(), 1u);
  EXPECT_EQ(f.forces[0].body, "table");
  EXPECT_EQ(f.forces[0].mean, Vec3::Zero());
}

TEST_F(Tally, CostAndFailuresAreThoseOfTheRun) {
  for (int k = 0; k <= 4; ++k) {
    Snapshot snapshot = step(k);
    if (k % 2 == 1) raise(snapshot.report.health, Health::NotConverged);
    raise(snapshot.report.health, Health::FastBody);
    tally.add(snapshot, k == 0 ? 0 : 0.25);
  }
  const MethodFigures f = tally.figures(0.03, 0.03);
  EXPECT_EQ(f.wall, 1);
  EXPECT_EQ(f.notConverged, 2);
}

}  // namespace
}  // namespace slipstick
