#include "render/why_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/crates_run.h"
#include "tests/support/sample_world.h"

namespace slipstick::render {
namespace {

/// 10 N of normal force at μ = 0.4, so 4 N of friction at most.
WhyFacts facts(double friction, int slipping = 0, int touching = 4) {
  WhyFacts f;
  f.time = 2;
  f.force.touching = touching;
  f.force.slippingContacts = slipping;
  f.force.normalSum = 10;
  f.force.frictionBound = 4;
  f.force.friction = Vec3(friction, 0, 0);
  (slipping * 2 > touching ? f.force.slipping : f.force.sticking) = friction;
  f.force.slipSpeed = 2e-4;
  f.force.pair = {{1, -1}, {0, -1}};
  f.regularizedBelow = 1e-3;
  return f;
}

std::string all(const WhyFacts& f) {
  std::string words;
  for (const std::string& sentence : sentencesOf(f)) words += sentence + "\n";
  return words;
}

bool says(const WhyFacts& f, const std::string& words) {
  return all(f).find(words) != std::string::npos;
}

TEST(WhyFacts, APairThatHoldsStatesItsMarginAndTheFrictionThatWouldDo) {
  WhyFacts f = facts(3);
  f.holding.holdingFriction = 0.3;
  EXPECT_EQ(slipStateOf(f), SlipState::Sticks);
  EXPECT_TRUE(says(f, "uses 75 % of μN; margin 1.00 N (25 %)")) << all(f);
  EXPECT_TRUE(says(f, "μ = 0.40 holds it; 0.30 would do")) << all(f);
  EXPECT_TRUE(says(f, "all 4 contacts stick")) << all(f);
}

TEST(WhyFacts, CreepOfRegularisedFrictionIsNotCalledASlide) {
  const WhyFacts sticks = facts(3);
  EXPECT_TRUE(says(sticks, "creeps at 0.200 mm/s: friction is regularised below 1.00 mm/s, this is no slide"))
      << all(sticks);
  WhyFacts slides = facts(4, 4);
  slides.force.slipSpeed = 0.05;
  EXPECT_TRUE(says(slides, "slides at 50.0 mm/s")) << all(slides);
  EXPECT_FALSE(says(slides, "creeps"));
  slides.force.pair = {{1, -1}, {-1, 0}};  // with particles, and well inside of the cone
  slides.force.friction.x() = slides.force.slipping = 2;
  EXPECT_TRUE(says(slides, "friction is regularised below 1.00 mm/s")) << all(slides);
}

TEST(WhyFacts, ASlidingPairSaysWhatItWouldNeedOrThatItBrakesAlready) {
  WhyFacts f = facts(4, 4);
  f.holding.holdingFriction = 0.58;
  EXPECT_TRUE(says(f, "uses all of μN")) << all(f);
  EXPECT_TRUE(says(f, "it would need μ ≥ 0.58")) << all(f);
  f.holding.holdingFriction = 0.2;
  EXPECT_TRUE(says(f, "brakes the slip already")) << all(f);
  f.holding.holdingFriction.reset();
  f.holding.why = "both sides are held by joints";
  EXPECT_TRUE(says(f, "cannot be said: both sides are held by joints")) << all(f);
}

TEST(WhyFacts, FrictionThatCancelsBetweenTheContactsIsNamed) {
  WhyFacts f = facts(1, 7, 18);
  f.force.sticking = 2;
  f.force.slipping = 1.5;
  EXPECT_EQ(slipStateOf(f), SlipState::SlipsInPart);
  EXPECT_TRUE(says(f, "7 of 18 contacts slip; of their 3.50 N of friction 2.50 N cancel")) << all(f);
}

PairHistory::Sample sample(double time, double slippingPart) {
  PairHistory::Sample s;
  s.time = time;
  s.normal = 10;
  s.slippingPart = slippingPart;
  return s;
}

TEST(WhyFacts, WhatStuckAMomentAgoBeginsToSlip) {
  WhyFacts f = facts(4, 4);
  f.past = {sample(1.5, 0), sample(2, 1)};
  EXPECT_EQ(slipStateOf(f), SlipState::Slips);
  f.past.insert(f.past.begin() + 1, sample(1.95, 0.1));
  EXPECT_EQ(slipStateOf(f), SlipState::BeginsToSlip);
  EXPECT_EQ(slipStateOf(facts(0, 0, 0)), SlipState::Apart);
  EXPECT_TRUE(says(facts(0, 0, 0), "no friction can act"));
}

TEST(WhyFacts, AreThoseOfTheMomentsContactsAndOfTheSecondBeforeIt) {
  const slipstick::testing::CratesRun run(200);
  const auto moment = run.contactsAt(150);
  const ContactPair pair = pairOf(*run.world.model, moment->contacts.back());  // the ball on the ground
  PairHistory history(pair);
  const WhyFacts f = whyFacts(run, history, *moment);
  EXPECT_EQ(f.pair, "ball ↔ ground");
  EXPECT_EQ(f.step, 150u);
  EXPECT_EQ(slipStateOf(f), SlipState::Slips);
  EXPECT_NEAR(f.force.normalSum, moment->contacts.back().normalForce(), 1e-12);
  EXPECT_NEAR(f.friction(), moment->contacts.back().frictionForce().norm(), 1e-12);
  EXPECT_EQ(f.regularizedBelow, run.world.model->rigidSolver.stictionSpeed);
  ASSERT_GT(f.past.size(), 20u);
  EXPECT_EQ(f.past.back().step, 150u);
  EXPECT_NEAR(f.past.back().normal, f.force.normalSum, 1e-9);
  EXPECT_NEAR(f.past.front().time, f.time - 1, 0.03);
}

/// The roller on the dough.
class SampleRun : public slipstick::testing::StoredRun {
 public:
  using StoredRun::StoredRun;
  slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();

 private:
  std::shared_ptr<const Snapshot> snapshotOf(std::uint64_t step) const override {
    const double time = static_cast<double>(step) * world.model->time.dt;
    auto snapshot = std::make_shared<Snapshot>(*slipstick::testing::sampleSnapshot(world, time));
    snapshot->model = world.model;
    return snapshot;
  }
};

TEST(WhyFacts, OfABodyWithADeformableSayWhichFrictionWouldHoldIt) {
  SampleRun run(150);
  run.stored = 10;
  const auto moment = run.contactsAt(150);
  PairHistory history(pairOf(*run.world.model, moment->contacts.front()));
  const WhyFacts f = whyFacts(run, history, *moment);
  EXPECT_EQ(f.pair, "roller ↔ dough");
  EXPECT_EQ(slipStateOf(f), SlipState::SlipsInPart);
  EXPECT_NEAR(f.coefficient(), 1, 1e-9);
  EXPECT_TRUE(f.holding.holdingFriction || !f.holding.why.empty());
  EXPECT_TRUE(std::isfinite(f.regularizedBelow));
  EXPECT_TRUE(says(f, "contacts slip")) << all(f);
}

}  // namespace
}  // namespace slipstick::render
