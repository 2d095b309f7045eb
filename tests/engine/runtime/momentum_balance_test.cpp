// What does not balance, by what was exchanged, over many steps.
#include "engine/runtime/momentum_balance.h"

#include <gtest/gtest.h>

namespace slipstick {
namespace {

Contact contact(ContactSide a, ContactSide b, const Vec3& force) {
  Contact contact;
  contact.a = a;
  contact.b = b;
  contact.f_Bc_W = force;
  return contact;
}
constexpr ContactSide kBody = {.body = 1, .geometry = 0}, kOtherBody = {.body = 2, .geometry = 1},
                      kSoft = {.deformable = 0, .element = 3}, kOtherSoft = {.deformable = 1, .element = 9};

Snapshot pressed(double force, double error) {
  Snapshot snapshot;
  snapshot.contacts = {contact(kBody, kSoft, Vec3(0, 0, -force))};
  snapshot.report.momentumError = error;
  return snapshot;
}

TEST(MomentumBalance, WithoutContactThereIsNothingToBalance) {
  MomentumBalance balance;
  EXPECT_EQ(balance.error(), 0);
  Snapshot free;
  free.report.momentumError = 7;
  balance.add(free, 0.01);
  EXPECT_EQ(balance.error(), 0);
}

TEST(MomentumBalance, OfOneStepItIsThatOfTheStep) {
  MomentumBalance balance;
  balance.add(pressed(30, 1e-3), 0.01);
  EXPECT_NEAR(balance.error(), 1e-3, 1e-15);
}

TEST(MomentumBalance, StepsCountByTheImpulsesThatTheyExchange) {
  MomentumBalance balance;
  balance.add(pressed(30, 1e-3), 0.01);
  balance.add(pressed(10, 5e-3), 0.01);
  EXPECT_NEAR(balance.error(), (30 * 1e-3 + 10 * 5e-3) / 40, 1e-15);
  balance.add(pressed(1e-9, 1), 0.01);
  EXPECT_NEAR(balance.error(), 2e-3, 1e-9) << "one in which contact is about to end counts for little";
}

TEST(MomentumBalance, ALongStepCountsForMore) {
  MomentumBalance balance;
  balance.add(pressed(10, 1e-3), 0.03);
  balance.add(pressed(10, 5e-3), 0.01);
  EXPECT_NEAR(balance.error(), 2e-3, 1e-15);
}

TEST(MomentumBalance, ForcesDoNotCancelAndBoundariesCountToo) {
  MomentumBalance balance;
  Snapshot squeezed = pressed(3, 1e-3);
  squeezed.contacts.push_back(contact(kBody, kSoft, Vec3(0, 0, 3)));
  squeezed.boundaryForce = {Vec3(0, 4, 0), Vec3(0, -4, 0)};
  balance.add(squeezed, 0.01);  // 3 + 3 + 4 + 4 = 14 N
  balance.add(pressed(14, 3e-3), 0.01);
  EXPECT_NEAR(balance.error(), 2e-3, 1e-15);
}

TEST(MomentumBalance, OnlyWhatParticlesAndOthersExchangeCounts) {
  MomentumBalance balance;
  Snapshot step = pressed(10, 1e-3);
  step.contacts.push_back(contact(kBody, kOtherBody, Vec3(0, 0, 900)));
  step.contacts.push_back(contact(kSoft, kOtherSoft, Vec3(0, 0, 900)));
  step.contacts.push_back(contact(kSoft, kSoft, Vec3(0, 0, 900)));
  balance.add(step, 0.01);
  balance.add(pressed(10, 3e-3), 0.01);
  EXPECT_NEAR(balance.error(), 2e-3, 1e-15);
}

}  // namespace
}  // namespace slipstick
