#include "render/frame.h"

#include <gtest/gtest.h>

#include "render/palette.h"
#include "tests/render/frame_input.h"
#include "tests/support/sample_world.h"

namespace slipstick::render {
namespace {

using slipstick::testing::sampleSnapshot;
using slipstick::testing::sampleWorld;

struct BuildFrame : ::testing::Test {
  slipstick::testing::SampleWorld world = sampleWorld();
  const Model& model = *world.model;
  Snapshot snapshot = *sampleSnapshot(world, 1.54, true);
  ViewOptions options;
  Frame frame(double largestForce = 0, const Selection& selection = {}) const {
    FrameInput input = inputOf(model, snapshot, options, selection);
    input.largestForce = largestForce;
    return buildFrame(input);
  }
};

Vec3 totalForce(const Frame& frame) {
  Vec3 sum = Vec3::Zero();
  for (const Arrow& a : frame.contact->arrows)
    sum += a.vector.cast<double>() / frame.contact->metresPerNewton;
  return sum;
}

Vec3 totalForce(const Snapshot& snapshot) {
  Vec3 sum = Vec3::Zero();
  for (const Contact& c : snapshot.contacts) sum += c.f_Bc_W;
  return sum;
}

TEST_F(BuildFrame, DrawnArrowsAddUpToAllContactForces) {
  options.forceThreshold = 0;
  const double size = totalForce(snapshot).norm();
  ASSERT_GT(size, 1);
  for (const bool split : {true, false}) {
    options.splitForces = split;
    EXPECT_LT((totalForce(frame()) - totalForce(snapshot)).norm(), 1e-5 * size);
  }
}

TEST_F(BuildFrame, HundredsOfContactsBecomeFewArrowsThatSayHowManyTheySum) {
  ASSERT_GT(snapshot.contacts.size(), 600u);
  options.splitForces = false;
  options.forceThreshold = 0;
  std::size_t members = 0;
  const Frame f = frame();
  EXPECT_LT(f.contact->arrows.size(), 2u * kMostArrowsPerPair);
  for (const Arrow& a : f.contact->arrows) {
    members += static_cast<std::size_t>(a.members);
    EXPECT_EQ(a.contact == -1, a.members > 1);
  }
  EXPECT_EQ(members, snapshot.contacts.size());
}

TEST_F(BuildFrame, SelectedContactKeepsItsOwnArrowAmongSums) {
  const auto board = std::find_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                                  [&](const Contact& c) { return c.body == world.board; });
  const auto index = static_cast<int>(board - snapshot.contacts.begin());
  Selection selection;
  selection.contact = board->key();
  const Frame f = frame(0, selection);
  EXPECT_TRUE(std::any_of(f.contact->arrows.begin(), f.contact->arrows.end(), [&](const Arrow& a) {
    return a.contact == index && a.color.w() == 1 && a.key == *selection.contact;
  }));
  EXPECT_TRUE(std::all_of(f.contact->arrows.begin(), f.contact->arrows.end(),
                          [&](const Arrow& a) { return a.contact == index || a.color.w() < 1; }));
}

TEST_F(BuildFrame, NormalAndFrictionHaveTheirColoursAndStandOnTheContact) {
  snapshot.contacts.resize(1);
  for (const ContactMode mode : {ContactMode::Stick, ContactMode::Slip}) {
    Contact& c = snapshot.contacts.front();
    c.mode = mode;
    const Frame f = frame();
    ASSERT_EQ(f.contact->arrows.size(), 2u);
    const Hex friction = mode == ContactMode::Slip ? palette::kSlip : palette::kStick;
    EXPECT_EQ(f.contact->arrows[0].color.head<3>(), linear(palette::kNormal));
    EXPECT_EQ(f.contact->arrows[1].color.head<3>(), linear(friction));
    for (const Arrow& a : f.contact->arrows) EXPECT_LT((a.from.cast<double>() - c.p_WC).norm(), 1e-6);
    const double along =
        (f.contact->arrows[0].vector.cast<double>() / f.contact->metresPerNewton).dot(-c.normal_W);
    EXPECT_NEAR(along, c.normalForce(), 1e-5);
  }
}

TEST_F(BuildFrame, WeakForcesDrawNoArrow) {
  options.forceThreshold = 1e9;
  EXPECT_TRUE(frame().contact->arrows.empty());
  options.forceThreshold = 0.01;
  options.forces = false;
  EXPECT_TRUE(frame().contact->arrows.empty());
}

TEST_F(BuildFrame, ArrowScaleFollowsTheLargestForceOfTheRunInRoundSteps) {
  const double alone = frame().contact->metresPerNewton;
  EXPECT_EQ(frame(0.1).contact->metresPerNewton, alone);  // smaller than what is there
  const double later = frame(1e4).contact->metresPerNewton;
  EXPECT_LT(later, alone);
  EXPECT_EQ(frame(0.9e4).contact->metresPerNewton, later);
  snapshot.contacts.clear();
  EXPECT_EQ(frame(1e4).contact->metresPerNewton, later);
}

TEST_F(BuildFrame, AGivenArrowScaleIsUsedAsItIs) {
  options.forceScale = 0.05;
  EXPECT_EQ(frame(0.7).contact->metresPerNewton, 0.05);
}

TEST_F(BuildFrame, ColourBarEndsAtARoundNumberThatOneWildParticleCannotMove) {
  const Frame calm = frame();
  EXPECT_EQ(calm.soft->bar.title, "dough · von Mises stress");
  EXPECT_EQ(calm.soft->bar.unit, "kPa");
  EXPECT_DOUBLE_EQ(calm.soft->bar.max, roundUp125(calm.soft->bar.max));
  snapshot.stress[100] = 1e9f;
  EXPECT_EQ(frame().soft->bar.max, calm.soft->bar.max);
}

TEST_F(BuildFrame, ParticlesCarryTheScalarMapOrTheirMaterialColour) {
  snapshot.stress.assign(snapshot.stress.size(), 0);
  snapshot.stress[7] = 1e9f;
  options.colorMax = 1000;
  const Frame mapped = frame();
  const auto color = [&](std::size_t i) { return mapped.soft->scale.color(mapped.soft->values[i]); };
  EXPECT_TRUE(mapped.soft->spheres[0].mapped);
  EXPECT_LT((toSrgb(color(3)) - scalarMap(0)).norm(), 1e-4f);
  EXPECT_LT((toSrgb(color(7)) - scalarMap(1)).norm(), 1e-4f);
  EXPECT_NEAR(mapped.soft->spheres[0].radius, model.deformables[0].particleSpacing / 2, 1e-3);
  options.particleColor = ParticleColor::Plain;
  const Frame plain = frame();
  EXPECT_FALSE(plain.soft->spheres[0].mapped);
  EXPECT_TRUE(plain.soft->values.empty());
  EXPECT_EQ(plain.soft->spheres[0].color, model.deformables[0].color.head<3>());
  EXPECT_FALSE(plain.soft->bar.isShown());
}

TEST_F(BuildFrame, MarksSayStickByDiscAndSlipByRing) {
  options.contactView = ContactView::Points;
  options.forceThreshold = 0;
  const Frame f = frame();
  const auto slips = std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                                   [](const Contact& c) { return c.mode == ContactMode::Slip; });
  EXPECT_EQ(f.contact->marks.size(), snapshot.contacts.size());
  EXPECT_GT(slips, 0);
  EXPECT_EQ(std::count_if(f.contact->marks.begin(), f.contact->marks.end(),
                          [](const ContactMark& m) { return m.ring; }),
            slips);
}

}  // namespace
}  // namespace slipstick::render
