#include "render/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "render/force_words.h"
#include "render/frame_builder.h"
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
    input.camera = Camera::from(model.cameras.front());
    input.largestForce = largestForce;
    return buildFrame(input);
  }
};

/// Of those in the frame, on a body.
const PairView* pairOn(const Frame& frame, int body) {
  for (const PairView& pair : frame.contact->pairs)
    if (pair.force.side.body == body) return &pair;
  return nullptr;
}

TEST_F(BuildFrame, APairIsOneNetForceAtItsCentreOfPressureWithItsNumber) {
  options.splitForces = false;
  const Frame f = frame();
  const PairView* roller = pairOn(f, world.roller);
  ASSERT_NE(roller, nullptr);
  ASSERT_EQ(roller->arrows, 1);
  Vec3 force = Vec3::Zero(), center = Vec3::Zero();
  double normal = 0;
  for (const Contact& c : snapshot.contacts) {
    if (c.a.body != world.roller) continue;
    force += c.f_Bc_W;
    center += c.normalForce() * c.p_WC;
    normal += c.normalForce();
  }
  const Arrow& arrow = f.contact->arrows[static_cast<std::size_t>(roller->firstArrow)];
  EXPECT_LT((arrow.force - force).norm(), 1e-9 * force.norm());
  EXPECT_LT((arrow.from.cast<double>() - center / normal).norm(), 1e-6);
  EXPECT_LT((arrow.vector.cast<double>() / f.contact->pairScale.metresPerNewton - force).norm(),
            1e-5 * force.norm());
  EXPECT_EQ(arrow.selects, Selection(roller->force.pair));
  const auto label = std::find_if(
      f.contact->labels.begin(), f.contact->labels.end(),
      [&](const ForceLabel& l) { return &f.contact->pairs[static_cast<std::size_t>(l.pair)] == roller; });
  ASSERT_NE(label, f.contact->labels.end());
  EXPECT_EQ(label->text, newtons(force.norm()));
}

TEST_F(BuildFrame, NormalAndFrictionHaveTheirColoursAndStandOnTheContact) {
  snapshot.contacts = {*std::find_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                                     [&](const Contact& c) { return c.a.body == world.roller; })};
  for (const ContactMode mode : {ContactMode::Stick, ContactMode::Slip}) {
    Contact& c = snapshot.contacts.front();
    c.mode = mode;
    const Frame f = frame();
    ASSERT_EQ(f.contact->arrows.size(), 2u);
    const Hex friction = mode == ContactMode::Slip ? palette::kSlip : palette::kStick;
    EXPECT_EQ(f.contact->arrows[0].color.head<3>(), linear(palette::kNormal));
    EXPECT_EQ(f.contact->arrows[1].color.head<3>(), linear(friction));
    for (const Arrow& a : f.contact->arrows) EXPECT_LT((a.from.cast<double>() - c.p_WC).norm(), 1e-6);
    EXPECT_NEAR(f.contact->arrows[0].force.dot(-c.normal_W), c.normalForce(), 1e-9);
  }
}

TEST_F(BuildFrame, PointsOfAPairKeepApartOnScreenAndTheSelectedOneStaysAlone) {
  const auto board = std::find_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                                  [&](const Contact& c) { return c.a.body == world.board; });
  const auto index = static_cast<int>(board - snapshot.contacts.begin());
  const Selection selection = board->key();
  options.contactView = ContactView::Points;
  options.splitForces = false;
  const Frame f = frame(0, selection);
  const PairView* pair = pairOn(f, world.board);
  ASSERT_NE(pair, nullptr);
  EXPECT_EQ(pair->seen, ContactView::Points);
  EXPECT_GT(pair->arrows, 10);
  EXPECT_LT(pair->arrows, 300);
  int own = 0, members = pair->remainderContacts;
  for (int i = pair->firstArrow; i < pair->firstArrow + pair->arrows; ++i) {
    const Arrow& a = f.contact->arrows[static_cast<std::size_t>(i)];
    own += a.contact == index && a.selects == selection && a.color.w() == 1;
    members += a.members;
    if (a.contact != index) {
      EXPECT_LT(a.color.w(), 1);
    }
  }
  EXPECT_EQ(own, 1);
  EXPECT_EQ(members, static_cast<int>(pair->force.contacts.size()));
}

TEST_F(BuildFrame, PointsHoldStillWhileTheCameraTurnsAndComesALittleNearer) {
  options.contactView = ContactView::Points;
  FrameInput input = inputOf(model, snapshot, options, {});
  input.camera.distance = 1;
  const auto arrowsAt = [&input](double distance, double yaw) {
    input.camera.distance = distance;
    input.camera.yaw = yaw;
    std::vector<int> members;
    for (const Arrow& arrow : buildFrame(input).contact->arrows) members.push_back(arrow.members);
    return members;
  };
  int changes = 0;
  std::vector<int> before = arrowsAt(1, 0);
  for (int i = 1; i <= 20; ++i) {
    const std::vector<int> now = arrowsAt(1 - 0.01 * i, 0.02 * i);
    changes += now.size() != before.size();
    before = now;
  }
  EXPECT_LE(changes, 8);  // cells change at one distance; the shortest arrows come and go at a few
}

TEST_F(BuildFrame, DependsOnTheCameraFromHoweverNearContactIsLookedAt) {
  for (const ContactView view :
       {ContactView::Automatic, ContactView::Pairs, ContactView::Footprints, ContactView::Points}) {
    options.contactView = view;
    FrameInput near = inputOf(model, snapshot, options), far = near;
    near.camera.distance = 0.5;
    far.camera.distance = 90;
    EXPECT_TRUE(dependsOnCamera(near));
    const auto from = buildContactParts(near), away = buildContactParts(far);
    const auto same = [](const Arrow& a, const Arrow& b) { return a.vector == b.vector; };
    EXPECT_FALSE(std::ranges::equal(from->arrows, away->arrows, same) &&
                 from->strokes.size() == away->strokes.size());
  }
  options.forces = false;
  EXPECT_FALSE(dependsOnCamera(inputOf(model, snapshot, options)));
  options.forces = true;
  snapshot.contacts.clear();
  EXPECT_FALSE(dependsOnCamera(inputOf(model, snapshot, options)));
}

TEST_F(BuildFrame, TheSameContactsGiveNoArrowOnABoardThatNobodyAskedFor) {
  Model driven = model;
  driven.compositeOf.assign(driven.tree.bodies.size(), 0);
  driven.compositeOf[static_cast<std::size_t>(world.roller)] = world.roller;
  FrameInput input = inputOf(driven, snapshot, options, {});
  const auto bodies = [&input] {
    std::set<int> on;
    for (const Arrow& arrow : buildFrame(input).contact->arrows) on.insert(arrow.body);
    return on;
  };
  EXPECT_EQ(bodies(), std::set<int>{world.roller});
  input.selection = SelectedBody{world.board};
  EXPECT_EQ(bodies(), std::set<int>{world.board});
  input.selection = {};
  input.options.everyContact = true;
  EXPECT_EQ(bodies(), (std::set<int>{world.roller, world.board}));
  input.options.everyContact = false;
  input.selection = SelectedDeformable{0};
  EXPECT_EQ(bodies(), std::set<int>{-1});
}

TEST_F(BuildFrame, LogarithmicArrowsOrderForcesAndReachTheSameLength) {
  options.logForces = true;
  const ForceScale scale = frame().contact->pairScale;
  EXPECT_NEAR(scale.length(scale.top), scale.metresPerNewton * scale.top, 1e-12);
  EXPECT_GT(scale.length(0.1 * scale.top), 0.4 * scale.length(scale.top));
  EXPECT_EQ(scale.length(0), 0);
}

TEST_F(BuildFrame, WeakForcesDrawNoArrow) {
  options.forceThreshold = 1e9;
  EXPECT_TRUE(frame().contact->arrows.empty());
  options.forceThreshold = 0.01;
  options.forces = false;
  EXPECT_TRUE(frame().contact->arrows.empty());
}

TEST_F(BuildFrame, ArrowScaleFollowsTheLargestForceOfTheRunInRoundSteps) {
  const auto scaleAt = [this](double largest) { return frame(largest).contact->pairScale.metresPerNewton; };
  const double alone = scaleAt(0);
  EXPECT_EQ(scaleAt(0.1), alone);  // smaller than what is there
  const double later = scaleAt(1e4);
  EXPECT_LT(later, alone);
  EXPECT_EQ(scaleAt(0.9e4), later);
  snapshot.contacts.clear();
  EXPECT_EQ(scaleAt(1e4), later);
}

TEST_F(BuildFrame, AGivenArrowScaleIsUsedAsItIs) {
  options.forceScale = 0.05;
  EXPECT_EQ(frame(0.7).contact->pairScale.metresPerNewton, 0.05);
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
  EXPECT_NEAR(mapped.soft->spheres[0].radius, model.deformables[0].spacing / 2, 1e-3);
  options.particleColor = ParticleColor::Plain;
  const Frame plain = frame();
  EXPECT_FALSE(plain.soft->spheres[0].mapped);
  EXPECT_TRUE(plain.soft->values.empty());
  EXPECT_EQ(plain.soft->spheres[0].color, model.deformables[0].color.head<3>());
  EXPECT_FALSE(plain.soft->bar.isShown());
}

TEST_F(BuildFrame, MarksOfPointsSayStickByDiscAndSlipByRing) {
  options.contactView = ContactView::Points;
  options.forceThreshold = 0;
  Selection selection;
  for (const Contact& c : snapshot.contacts)
    if (c.a.body == world.roller) selection = pairOf(model, c);
  const Frame f = frame(0, selection);
  const auto rings = std::count_if(f.contact->marks.begin(), f.contact->marks.end(),
                                   [](const ContactMark& m) { return m.ring; });
  EXPECT_GT(rings, 0);
  EXPECT_LT(rings, static_cast<std::ptrdiff_t>(f.contact->marks.size()));
  for (const ContactMark& mark : f.contact->marks) {
    EXPECT_EQ(mark.color.head<3>(), linear(mark.ring ? palette::kSlip : palette::kStick));
    const float x = std::abs(mark.point.x());  // slips beyond 0.128 m; a mark may stand for both sides of it
    if (std::abs(x - 0.128f) > 0.02f) {
      EXPECT_EQ(mark.ring, x > 0.128f) << x;
    }
  }
}

TEST_F(BuildFrame, ViridisColoursParticlesAndFootprintsAlike) {
  options.colorMap = ColorMap::Viridis;
  options.contactView = ContactView::Footprints;
  const Frame f = frame();
  EXPECT_LT((toSrgb(f.soft->scale.color(1e9f)) - viridisMap(1)).norm(), 1e-4f);
  ASSERT_FALSE(f.contact->patches.empty());
  for (const PatchSurface& patch : f.contact->patches) EXPECT_EQ(patch.map, ColorMap::Viridis);
  EXPECT_EQ(f.contact->pressureBar.map, ColorMap::Viridis);
}

}  // namespace
}  // namespace slipstick::render
