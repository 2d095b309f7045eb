// Contacts between rigid bodies: facts, arrows, marks and surfaces.
#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "engine/geometry/collision.h"
#include "render/contact_facts.h"
#include "render/frame.h"
#include "render/palette.h"
#include "tests/render/rendered_world.h"
#include "tests/support/rigid_world.h"

namespace slipstick::render {
namespace {

using slipstick::testing::rigidSnapshot;
using slipstick::testing::rigidWorld;

struct RigidContacts : ::testing::Test {
  slipstick::testing::RigidWorld world = rigidWorld();
  const Model& model = *world.model;
  Snapshot snapshot = *rigidSnapshot(world, 1);
  ViewOptions options;
  Selection selection;

  void SetUp() override {
    options.splitForces = false;
    options.forceThreshold = 0;
  }
  Frame frame() const { return frameOf(model); }
  Frame frameOf(const Model& shown) const {
    FrameInput input = inputOf(shown, snapshot, options, selection);
    input.camera = Camera::from(model.cameras.front());
    return buildFrame(input);
  }
  void select(std::size_t contact) { selection = snapshot.contacts[contact].key(); }
  Vec3 sumOf(std::size_t begin, std::size_t end) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = begin; i < end; ++i) sum += snapshot.contacts[i].f_Bc_W;
    return sum;
  }
};

TEST_F(RigidContacts, PairsNameTheBodyThatMovesFirst) {
  const Contact& onGround = snapshot.contacts[0];
  EXPECT_EQ(pairOf(model, onGround), (ContactPair{{world.lower}, {world.ground}}));
  EXPECT_EQ(signOn({world.lower}, onGround), -1);
  Contact turned = snapshot.contacts[4];
  EXPECT_EQ(pairOf(model, turned), (ContactPair{{world.upper}, {world.lower}}));
  std::swap(turned.a, turned.b);
  EXPECT_EQ(pairOf(model, turned), pairOf(model, snapshot.contacts[4]));
}

TEST_F(RigidContacts, CreepFollowsTheRegularisedFriction) {
  Contact c = snapshot.contacts[0];  // friction 0.2 of normal, bound 0.5 of it
  EXPECT_NEAR(frictionUsed(c), 0.4, 1e-12);
  const double vs = model.rigidSolver.stictionSpeed;
  EXPECT_NEAR(creepSpeed(model, c), vs * 0.4 / std::sqrt(1 - 0.16), 1e-12);
  c.frictionBound = c.frictionForce().norm();
  EXPECT_TRUE(std::isinf(creepSpeed(model, c)));
}

TEST_F(RigidContacts, PatchFactsIntegrateThePressureToTheLoad) {
  const PatchFacts facts = factsOf(snapshot.patches[1]);
  const double load = -sumOf(4, 8).z();
  EXPECT_NEAR(facts.area, 0.095 * 0.11, 1e-8);
  EXPECT_NEAR(facts.area * facts.meanPressure, load, 1e-4 * load);
  EXPECT_NEAR(facts.largestPressure, 1.6 * facts.meanPressure, 1e-3 * facts.meanPressure);
  EXPECT_EQ(patchOf(snapshot, snapshot.contacts[4]), &snapshot.patches[1]);
  EXPECT_EQ(patchOf(snapshot, snapshot.contacts[8]), nullptr);
}

TEST_F(RigidContacts, APairIsOneArrowUntilOneOfItsContactsIsSelected) {
  options.forceScale = 0.01;  // the lightest things' arrows are legible too
  const Frame closed = frame();
  ASSERT_EQ(closed.contact->arrows.size(), 4u);  // two crates, the bar, the ball
  std::vector<int> members;
  for (const Arrow& a : closed.contact->arrows) members.push_back(a.members);
  std::sort(members.begin(), members.end());
  EXPECT_EQ(members, (std::vector<int>{1, 4, 4, 4}));
  select(2);
  const Frame opened = frame();
  EXPECT_EQ(opened.contact->arrows.size(), 7u);
  const auto own = std::find_if(opened.contact->arrows.begin(), opened.contact->arrows.end(),
                                [](const Arrow& a) { return a.contact == 2; });
  ASSERT_NE(own, opened.contact->arrows.end());
  EXPECT_EQ(own->color.w(), 1);
  EXPECT_EQ(own->selects, Selection(snapshot.contacts[2].key()));
}

TEST_F(RigidContacts, ArrowsShowTheForceOnTheBodyThatMovesOrIsSelected) {
  const auto forceOn = [](const Frame& f, int body, int other) {
    Vec3 sum = Vec3::Zero();
    for (const PairView& pair : f.contact->pairs)
      if (pair.force.side == PairSide{body} && pair.force.pair.hasBody(other)) sum += pair.drawn.force;
    return sum;
  };
  const Vec3 onGround = sumOf(0, 4);
  ASSERT_LT(onGround.z(), -50);
  EXPECT_LT((forceOn(frame(), world.lower, world.ground) + onGround).norm(), 1e-9);
  selection = SelectedBody{world.ground};
  EXPECT_LT((forceOn(frame(), world.ground, world.lower) - onGround).norm(), 1e-9);
}

TEST_F(RigidContacts, PointsThatPushInDifferentDirectionsKeepTheirArrows) {
  for (const std::size_t i : {8u, 9u}) {
    Contact& c = snapshot.contacts[i];
    c.normal_W = Vec3::UnitX();
    c.f_Bc_W = -2 * c.normal_W;
  }
  for (std::size_t i = 9; i < 12; ++i) snapshot.contacts[i].p_WC = snapshot.contacts[8].p_WC;
  selection = pairOf(model, snapshot.contacts[8]);
  options.contactView = ContactView::Points;
  const Frame f = frame();
  EXPECT_EQ(std::count_if(f.contact->arrows.begin(), f.contact->arrows.end(),
                          [](const Arrow& a) { return a.members == 2; }),
            2);
}

TEST_F(RigidContacts, ManyPointsAreSummedUntilTheirArrowsKeepApart) {
  snapshot.contacts.resize(4);
  for (int i = 4; i < 500; ++i) {
    Contact c = snapshot.contacts[0];
    c.point = i;
    c.p_WC += Vec3(1e-4 * (i % 25), 1e-4 * (i / 25), 0);
    snapshot.contacts.push_back(c);
  }
  select(0);
  const Frame f = frame();
  EXPECT_LT(f.contact->arrows.size(), 20u);
  int members = 0;
  for (const Arrow& a : f.contact->arrows) members += a.members;
  EXPECT_EQ(members + f.contact->pairs[0].remainderContacts, 500);
}

TEST_F(RigidContacts, WithoutDeformablesArrowsAreMeasuredByTheBodiesThatMove) {
  const ForceScale scale = frame().contact->pairScale;
  const double bar = 2 * Vec3(0.12, 0.015, 0.01).norm(), longest = scale.length(scale.top);
  EXPECT_LT(longest, 0.5 * bar);
  EXPECT_GT(longest, 0.1 * bar);
}

TEST_F(RigidContacts, BeyondEightPairsTheLegendStatesTheRest) {
  Model many = model;
  std::vector<Contact> contacts;
  for (int b = 0; b < 11; ++b) {
    multibody::Joint joint;
    joint.type = multibody::JointType::Floating;
    const int body = many.tree.add({.name = "block", .mass = 1, .inertia = Mat3::Identity()}, joint);
    many.compositeOf.push_back(body);
    Geometry geometry = many.geometries.back();
    geometry.body = body;
    many.geometries.push_back(geometry);
    snapshot.X_WB.push_back(Pose());
    Contact c = snapshot.contacts[12];
    c.b.body = body;
    c.b.geometry = static_cast<int>(many.geometries.size()) - 1;
    c.f_Bc_W = -(20.0 + b) * c.normal_W;
    contacts.push_back(c);
  }
  snapshot.contacts = contacts;
  many.initialQ = many.tree.zeroPosition();
  const Frame f = frameOf(many);
  EXPECT_EQ(f.contact->pairs.size(), kMaxPairs);
  EXPECT_EQ(f.contact->morePairs, 3);
  EXPECT_NEAR(f.contact->moreForce, 20 + 21 + 22, 1e-9);
}

double lengthOf(const std::vector<Eigen::Vector3f>& edges) {
  double length = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2)
    length += static_cast<double>((edges[i + 1] - edges[i]).norm());
  return length;
}

struct RigidFootprints : RigidContacts {
  void SetUp() override {
    RigidContacts::SetUp();
    options.contactView = ContactView::Footprints;
  }
  /// Of the surfaces with an outline, in the order of the snapshot's patches.
  static std::vector<PatchSurface> surfaces(const Frame& f) {
    std::vector<PatchSurface> found;
    for (const PatchSurface& patch : f.contact->patches)
      if (!patch.outline.empty()) found.push_back(patch);
    std::sort(found.begin(), found.end(),
              [](const PatchSurface& a, const PatchSurface& b) { return a.center.z() < b.center.z(); });
    return found;
  }
};

TEST_F(RigidFootprints, SurfacesAreTrianglesWithTheRimOfThePatchAsOutline) {
  const auto patches = surfaces(frame());
  ASSERT_EQ(patches.size(), 2u);
  EXPECT_EQ(patches[0].triangles.size(), 6u * 6 * 2 * 3);
  EXPECT_NEAR(lengthOf(patches[0].outline), 4 * 0.12, 1e-5);
  EXPECT_NEAR(lengthOf(patches[1].outline), 2 * (0.095 + 0.11), 1e-5);
  EXPECT_LT((patches[0].center - Eigen::Vector3f::Zero()).norm(), 1e-5f);
}

TEST_F(RigidFootprints, ColoursOfAllSurfacesShareOneRoundScaleInAReadableUnit) {
  snapshot.contacts.resize(8);  // without points
  const Frame f = frame();
  const auto patches = surfaces(f);
  ASSERT_EQ(patches.size(), 2u);
  EXPECT_EQ(f.contact->pressureBar.title, "contact pressure");
  EXPECT_EQ(f.contact->pressureBar.unit, "kPa");
  EXPECT_DOUBLE_EQ(f.contact->pressureBar.max, roundUp125(f.contact->pressureBar.max));
  for (std::size_t i = 0; i < 2; ++i) {
    float top = 0;
    for (const Eigen::Vector4f& v : patches[i].triangles) top = std::max(top, v.w());
    EXPECT_NEAR(top * 1e3 * f.contact->pressureBar.max, factsOf(snapshot.patches[i]).largestPressure, 1);
    EXPECT_LE(top, 1);
  }
  EXPECT_FALSE(f.soft->bar.isShown());
  for (const double p : {5.0, 5e3, 5e6, 5e9})
    EXPECT_NEAR(p / pressureUnit(p).size, 5, 1e-9) << pressureUnit(p).name;
}

TEST_F(RigidFootprints, GoWithTheViewAndAreThereForWhatIsSelectedOrPointedAt) {
  options.contactView = ContactView::Pairs;
  EXPECT_TRUE(frame().contact->patches.empty());
  EXPECT_FALSE(frame().contact->pressureBar.isShown());
  options.contactView = ContactView::Automatic;
  FrameInput input = inputOf(model, snapshot, options, {});
  input.camera.distance = 5;
  EXPECT_TRUE(buildFrame(input).contact->patches.empty());
  input.hovered = pairOf(model, snapshot.contacts[0]);
  EXPECT_EQ(surfaces(buildFrame(input)).size(), 1u);
  input.hovered.reset();
  input.selection = pairOf(model, snapshot.contacts[4]);
  EXPECT_EQ(surfaces(buildFrame(input)).size(), 1u);
  input.selection = {};
  input.camera.distance = 0.3;
  EXPECT_EQ(surfaces(buildFrame(input)).size(), 2u);
}

TEST_F(RigidFootprints, TheSurfaceOfTheSelectedContactIsMarked) {
  select(5);
  const auto patches = surfaces(frame());
  ASSERT_EQ(patches.size(), 2u);
  EXPECT_FALSE(patches[0].selected);
  EXPECT_TRUE(patches[1].selected);
  EXPECT_GT(patches[1].reach, 1e6f);  // whatever hides it
  EXPECT_LT(patches[0].reach, 1);
  selection = {};
  selection = SelectedBody{world.lower};
  for (const PatchSurface& patch : surfaces(frame())) EXPECT_GT(patch.reach, 1e6f);
}

/// The patch of two shapes as the engine finds it, B at X_WB over A at the origin.
PressurePatch realPatch(const Shape& a, const Shape& b, const Pose& X_WB) {
  const auto entry = [](int index, const Shape& shape) {
    return Collision::Entry{index, index, Pose(), ContactShape::build(shape, {}).value()};
  };
  Collision collision({entry(0, a), entry(1, b)}, [](int, int) { return true; });
  RigidContactSet contacts;
  collision.find({Pose(), X_WB}, contacts);
  PressurePatch patch;
  patch.vertices = contacts.vertices;
  patch.polygonEnds.assign(contacts.polygonEnds.begin(), contacts.polygonEnds.end());
  return patch;
}

/// How many ends of other edges meet each end of an edge.
std::vector<int> meetingEnds(const std::vector<Eigen::Vector3f>& edges) {
  std::vector<int> meeting;
  for (const Eigen::Vector3f& p : edges)
    meeting.push_back(
        static_cast<int>(std::count_if(edges.begin(), edges.end(),
                                       [&p](const Eigen::Vector3f& q) { return (q - p).norm() < 1e-5f; })) -
        1);
  return meeting;
}

TEST_F(RigidFootprints, TheOutlineOfARealPatchIsItsRimOnly) {
  const Shape big = shape::Box{Vec3(0.2, 0.2, 0.05)}, small = shape::Box{Vec3(0.04, 0.03, 0.05)};
  const Vec3 above(0.02, 0.01, 0.1 - 1e-4);
  for (const double tilt : {0.0, 2e-3}) {
    const Mat3 turn =
        (Eigen::AngleAxisd(tilt, Vec3::UnitY()) * Eigen::AngleAxisd(0.3, Vec3::UnitZ())).toRotationMatrix();
    snapshot.patches = {realPatch(big, small, {turn, above})};
    snapshot.contacts.resize(1);  // of patch 0
    const auto outline = surfaces(frame())[0].outline;
    const double perimeter = 4 * (0.04 + 0.03);
    EXPECT_NEAR(lengthOf(outline), perimeter, 0.02 * perimeter);
    for (const int meeting : meetingEnds(outline)) EXPECT_EQ(meeting, 1);
  }
  // On its edge the small box presses with two faces: the line between them is no rim.
  constexpr double kTilt = 0.6;
  const double lowest = 0.04 * std::sin(kTilt) + 0.05 * std::cos(kTilt);
  snapshot.patches = {realPatch(
      big, small,
      {Eigen::AngleAxisd(kTilt, Vec3::UnitY()).toRotationMatrix(), Vec3(0.02, 0.01, 0.05 + lowest - 1e-3)})};
  ASSERT_GT(snapshot.patches[0].polygonEnds.size(), 1u);
  for (const int meeting : meetingEnds(surfaces(frame())[0].outline)) EXPECT_EQ(meeting, 1);
}

struct RenderedRigid : RigidFootprints {
  static constexpr int kWidth = 480, kHeight = 320;
  Camera camera = Camera::from(world.model->cameras.front());
  std::unique_ptr<OffscreenRenderer> offscreen;

  void SetUp() override {
    RigidFootprints::SetUp();
    snapshot.contacts.resize(8);  // without points
    options.hud = options.forceLabels = options.moments = false;
    options.forceThreshold = 1e9;  // without arrows
    auto created = OffscreenRenderer::create(kWidth, kHeight);
    ASSERT_TRUE(created.ok()) << created.error().message();
    offscreen = std::move(created).value();
    offscreen->setModel(world.model);
  }
  Image draw() { return draw(frame()); }
  Image draw(const Frame& f) {
    HudInput hud;
    hud.snapshot = &snapshot;
    hud.selection = selection;
    return offscreen->render(f, camera, options, hud);
  }
  Eigen::Vector3f at(const Image& image, const Vec3& p) const {
    const Eigen::Vector2d uv = project(camera, 1.5, p);
    const Pixel pixel =
        RenderedWorld::at(image, static_cast<int>(uv.x() * kWidth), static_cast<int>(uv.y() * kHeight));
    return Eigen::Vector3f(static_cast<float>(pixel.r), static_cast<float>(pixel.g),
                           static_cast<float>(pixel.b)) /
           255.f;
  }
};

TEST_F(RenderedRigid, ThePressureIsSeenThroughTheBodiesThatPress) {
  for (Contact& c : snapshot.contacts) c.f_Bc_W = c.f_Bc_W.dot(c.normal_W) * c.normal_W;  // without strokes
  const Image shown = draw();
  options.contactView = ContactView::Pairs;
  const Image hidden = draw();
  options.contactView = ContactView::Footprints;
  const double mean = factsOf(snapshot.patches[0]).meanPressure;
  const double top = 1e3 * frame().contact->pressureBar.max;
  for (const double x : {-0.05, -0.02, 0.02, 0.05}) {
    const Vec3 p(x, 0.012, 0);  // under the lower crate
    const Eigen::Vector3f wanted = scalarMap(mean * (1 + 0.6 * x / 0.06) / top);
    EXPECT_LT((at(shown, p) - wanted).norm(), 0.2f) << x;
    EXPECT_LT((at(shown, p) - wanted).norm(), 0.6f * (at(hidden, p) - wanted).norm()) << x;
  }
}

TEST_F(RenderedRigid, WhatMoreThanItsReachHidesIsOnlyHintedAt) {
  const Vec3 p(0, 0, 0);  // 12 cm of crate in front of it
  options.contactView = ContactView::Pairs;
  const Eigen::Vector3f without = at(draw(), p);
  options.contactView = ContactView::Footprints;
  for (Contact& c : snapshot.contacts) c.f_Bc_W = c.f_Bc_W.dot(c.normal_W) * c.normal_W;
  Frame f = frame();
  const auto& patches = f.contact->patches;
  PatchSurface lowest = *std::min_element(
      patches.begin(), patches.end(),
      [](const PatchSurface& a, const PatchSurface& b) { return a.center.z() < b.center.z(); });
  EXPECT_GT(lowest.reach, 0.12f);
  const float full = (at(draw(f), p) - without).norm();
  lowest.reach = 0.01f;
  contactOf(f).patches = {lowest};
  const float hint = (at(draw(f), p) - without).norm();
  EXPECT_GT(hint, 0);
  EXPECT_LT(hint, 0.25f * full);
}

TEST_F(RenderedRigid, TheOutlineOfTheSelectedSurfaceIsBlue) {
  const Vec3 rim(0.06, 0.03, 0);
  const auto blueness = [&] {
    const Image image = draw();
    float most = -1;  // the rim is two pixels wide
    for (double dx = -0.004; dx < 0.0041; dx += 0.001) {
      const Eigen::Vector3f c = at(image, rim + Vec3(dx, 0, 0));
      most = std::max(most, c.z() - c.x());
    }
    return most;
  };
  EXPECT_LT(blueness(), 0.1f);
  select(0);
  EXPECT_GT(blueness(), 0.3f);
}

}  // namespace
}  // namespace slipstick::render
