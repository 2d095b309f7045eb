// Insets of footprints between rigid bodies, which no camera sees.
#include <gtest/gtest.h>

#include <numbers>

#include "render/contact_facts.h"
#include "render/palette.h"
#include "tests/render/frame_input.h"
#include "tests/support/rigid_world.h"

namespace slipstick::render {
namespace {

struct RigidInsets : ::testing::Test {
  slipstick::testing::RigidWorld world = slipstick::testing::rigidWorld();
  Snapshot snapshot = *slipstick::testing::rigidSnapshot(world, 1);
  FrameInput input;

  void SetUp() override { prepare(); }
  void prepare() {
    input.model = world.model;
    input.camera = Camera::from(world.model->cameras.front());
    select(0);
  }
  void select(std::size_t contact) { input.selection = pairOf(*world.model, snapshot.contacts[contact]); }
  std::vector<FootprintInset> insets() {
    input.snapshot = std::make_shared<const Snapshot>(snapshot);
    return buildContactParts(input)->insets;
  }
  /// Of the first `count` contacts [N].
  double normalForce(std::size_t count) const {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += snapshot.contacts[i].normalForce();
    return sum;
  }
};

/// ∫ value dA.
double integral(const FootprintInset& inset) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < inset.triangles.size(); i += 3) {
    const auto &a = inset.triangles[i], &b = inset.triangles[i + 1], &c = inset.triangles[i + 2];
    const Eigen::Vector2f ab = b.at - a.at, ac = c.at - a.at;
    sum += 0.5 * std::abs(static_cast<double>(ab.x() * ac.y() - ab.y() * ac.x())) *
           static_cast<double>(a.value + b.value + c.value) / 3;
  }
  return sum;
}

TEST_F(RigidInsets, AreThereForTheSelectedPairAndForAllWithTheViewOfFootprints) {
  const auto selected = insets();
  ASSERT_EQ(selected.size(), 1u);
  EXPECT_EQ(selected[0].title, "lower ↔ ground");
  input.selection = {};
  input.camera.distance = 0.3;  // near enough for footprints
  EXPECT_TRUE(insets().empty());
  input.options.contactView = ContactView::Footprints;
  EXPECT_EQ(insets().size(), 4u);  // two crates, the bar, the ball
  input.options.contactView = ContactView::Pairs;
  select(0);
  EXPECT_TRUE(insets().empty());  // nothing is painted at all
}

TEST_F(RigidInsets, ShowThePatchInItsSizeWithItsForceItsPeakAndItsRim) {
  const auto parts = [&] {
    input.snapshot = std::make_shared<const Snapshot>(snapshot);
    return buildContactParts(input);
  }();
  const FootprintInset& inset = parts->insets.at(0);
  EXPECT_LT((inset.box.sizes() - Eigen::Vector2f(0.12f, 0.12f)).norm(), 1e-5f);
  EXPECT_NEAR(inset.force, normalForce(4), 1e-9);
  EXPECT_NEAR(inset.pairForce, normalForce(4), 1e-9);
  const double unit = parts->pressureBar.unit == "kPa" ? 1e3 : 1;
  EXPECT_NEAR(inset.peak * unit, factsOf(snapshot.patches[0]).largestPressure, 1);
  EXPECT_NEAR(integral(inset) * parts->pressureBar.max * unit, normalForce(4), 1e-3 * normalForce(4));
  EXPECT_FALSE(inset.fades);
  double rim = 0;
  for (std::size_t i = 0; i + 1 < inset.outline.size(); i += 2)
    rim += static_cast<double>((inset.outline[i + 1] - inset.outline[i]).norm());
  EXPECT_NEAR(rim, 0.48, 1e-5);
}

TEST_F(RigidInsets, PointsAreDiscsWhereTheyArePressedApart) {
  select(8);  // the bar on its four ends
  const auto all = insets();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].fades);
  EXPECT_TRUE(all[0].outline.empty());
  EXPECT_NEAR(all[0].force, 8, 1e-9);
  const Eigen::Vector2f size = all[0].box.sizes();
  EXPECT_NEAR(static_cast<double>(std::max(size.x(), size.y())), 0.24, 0.03);
  EXPECT_NEAR(static_cast<double>(std::min(size.x(), size.y())), 0.03, 0.03);
}

/// Where the highest value is, from the middle of the picture.
Eigen::Vector2f toPeak(const FootprintInset& inset) {
  FootprintInset::Vertex most;
  for (const FootprintInset::Vertex& v : inset.triangles)
    if (v.value > most.value) most = v;
  Eigen::Vector2f to = most.at - inset.box.center();
  to.y() = std::abs(to.y()) < 0.99f * inset.box.sizes().y() / 2 ? to.y() : 0;  // it rises along one side
  return to;
}

TEST_F(RigidInsets, AreSeenFromTheSideAndTheWayOfTheCamera) {
  // The pressure rises along x. Seen against y it rises to the right, from the other side to the left, also
  // from below, where the camera shows x so.
  for (const double pitch : {0.6, -0.6}) {
    input.camera.pitch = pitch;
    input.camera.yaw = -std::numbers::pi / 2;
    EXPECT_GT(toPeak(insets().at(0)).x(), 0.05f) << pitch;
    input.camera.yaw = std::numbers::pi / 2;
    EXPECT_LT(toPeak(insets().at(0)).x(), -0.05f) << pitch;
  }
}

TEST_F(RigidInsets, FrictionLiesInItAsItActsOnTheShownBody) {
  input.camera.yaw = -std::numbers::pi / 2;
  const auto all = insets();
  ASSERT_FALSE(all[0].strokes.empty());
  const PairForce force = buildContactParts(input)->pairs.at(0).force;
  for (const FootprintInset::Line& line : all[0].strokes) {
    const Eigen::Vector2f along = (line.to - line.from).normalized();
    EXPECT_NEAR(static_cast<double>(along.x()), force.friction.x() > 0 ? 1 : -1, 1e-4);
    EXPECT_FALSE(line.slips);
  }
}

TEST_F(RigidInsets, OnlyFacesThatAgreeAreShownAndTheRestIsStated) {
  // One of the points presses the bar from its side with three quarters of the force that is left.
  Contact& side = snapshot.contacts[11];
  const double others = snapshot.contacts[8].normalForce() + snapshot.contacts[9].normalForce() +
                        snapshot.contacts[10].normalForce();
  side.normal_W = Vec3::UnitY();
  side.f_Bc_W = -0.25 * others * Vec3::UnitY();
  select(8);
  const FootprintInset inset = insets().at(0);
  EXPECT_NEAR(inset.force, others, 1e-9);
  EXPECT_NEAR(inset.pairForce, 1.25 * others, 1e-9);
}

TEST_F(RigidInsets, APairThatHardlyTouchesIsNoPicture) {
  for (Contact& c : snapshot.contacts) c.f_Bc_W.setZero();
  for (PressurePatch& patch : snapshot.patches)
    for (PressurePatch::Vertex& v : patch.vertices) v.pressure = 0;
  EXPECT_TRUE(insets().empty());
  snapshot = *slipstick::testing::rigidSnapshot(world, 1);
  snapshot.contacts.erase(snapshot.contacts.begin() + 8, snapshot.contacts.begin() + 11);
  select(8);  // one point: no extent
  ASSERT_EQ(insets().size(), 1u);
  EXPECT_GT(insets()[0].box.sizes().minCoeff(), 0);
}

}  // namespace
}  // namespace slipstick::render
