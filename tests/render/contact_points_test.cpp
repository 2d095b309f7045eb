// Points of a pair: the cells in which they are summed, from frame to frame.
#include "render/contact_points.h"

#include <gtest/gtest.h>

#include <set>

#include "render/contact_arrows.h"
#include "render/frame_builder.h"
#include "tests/render/frame_input.h"
#include "tests/support/sample_world.h"

namespace slipstick::render {
namespace {

using slipstick::testing::sampleSnapshot;
using slipstick::testing::sampleWorld;

struct ClusterSides : ::testing::Test {
  slipstick::testing::SampleWorld world = sampleWorld();
  FrameInput input;
  FrameBuilder live;

  void SetUp() override {
    input.model = world.model;
    input.snapshot = sampleSnapshot(world, 1.54);
    input.options.contactView = ContactView::Points;
    input.options.forceThreshold = 0;
    input.camera.distance = 1;
  }
  static double sideOf(const Frame& frame) { return frame.contact->clusterSides.at(0).side; }
  double plainSide() const { return sideOf(buildFrame(input)); }
  double liveSide() { return sideOf(*live.build(input)); }
  /// Where the plain choice is about to change as the camera goes away from a metre [m].
  double threshold() {
    const double near = plainSide();
    while (plainSide() == near) input.camera.distance *= 1.002;
    return input.camera.distance;
  }
};

TEST_F(ClusterSides, StayWhileTheCameraGoesToAndFroWhereTwoMeet) {
  const double where = threshold();
  std::set<double> plain, kept;
  std::set<std::vector<int>> clusters;
  for (int i = 0; i < 12; ++i) {
    input.camera.distance = where * (i % 2 ? 1.02 : 0.98);
    plain.insert(plainSide());
    const auto frame = live.build(input);
    kept.insert(sideOf(*frame));
    std::vector<int> members;
    for (const PointCluster& cluster :
         pointClusters(input, frame->contact->pairs.at(0).force, sideOf(*frame)))
      members.push_back(static_cast<int>(cluster.contacts.size()));
    clusters.insert(members);
  }
  EXPECT_EQ(plain.size(), 2u);  // without a memory they flicker
  EXPECT_EQ(kept.size(), 1u);
  EXPECT_EQ(clusters.size(), 1u);
}

TEST_F(ClusterSides, ChangeOnceTheCameraIsWellBeyond) {
  const double where = threshold();
  for (const double far : {0.98, 1.5, 0.5}) {
    input.camera.distance = where * far;
    EXPECT_EQ(liveSide(), plainSide()) << far;
  }
  // Nor does a slow way there lead farther from the plain choice than its slack.
  for (double far = 0.5; far < 4; far *= 1.01) {
    input.camera.distance = where * far;
    const double side = liveSide(), wanted = kClusterPixels * metresPerPixel(input, input.camera.target);
    EXPECT_GE(side * (1 + kClusterSlack), 0.8 * wanted);
    const double now = plainSide();
    input.camera.distance = where * far / (1 + kClusterSlack) / 1.01;
    const double nearer = plainSide();
    input.camera.distance = where * far * (1 + kClusterSlack) * 1.01;
    EXPECT_GE(side, nearer) << now;
    EXPECT_LE(side, plainSide()) << now;
  }
}

TEST_F(ClusterSides, OfABuilderWithoutAFrameBeforeAreThoseOfThePlainFunction) {
  const double where = threshold();
  for (const double far : {0.97, 1.03}) {
    input.camera.distance = where * far;
    const auto fresh = FrameBuilder().build(input);
    const Frame plain = buildFrame(input);
    EXPECT_EQ(fresh->contact->clusterSides, plain.contact->clusterSides);
    ASSERT_EQ(fresh->contact->arrows.size(), plain.contact->arrows.size());
    for (std::size_t i = 0; i < plain.contact->arrows.size(); ++i)
      EXPECT_EQ(fresh->contact->arrows[i].vector, plain.contact->arrows[i].vector);
  }
}

/// Comes to the far side of the threshold with the side of the near one, then changes something.
struct Forgetting : ClusterSides {
  double kept = 0, plain = 0;
  void SetUp() override {
    ClusterSides::SetUp();
    const double where = threshold();
    input.camera.distance = 0.98 * where;
    kept = liveSide();
    input.camera.distance = 1.03 * where;
    plain = plainSide();
    ASSERT_NE(kept, plain);
    ASSERT_EQ(liveSide(), kept);
  }
};

TEST_F(Forgetting, StaysAwayWhileOneLooksAroundOrTimeGoesOn) {
  input.hovered = ContactPair{{world.board}, {-1, 0}};
  EXPECT_EQ(liveSide(), kept);
  input.camera.yaw += 0.02;
  EXPECT_EQ(liveSide(), kept);
  input.snapshot = sampleSnapshot(world, 1.6);
  EXPECT_EQ(liveSide(), kept);
}

TEST_F(Forgetting, ComesWithEveryToggle) {
  input.options.shadows = !input.options.shadows;
  EXPECT_EQ(liveSide(), plain);
}

TEST_F(Forgetting, ComesWithTheSelection) {
  input.selection = SelectedBody{world.roller};
  EXPECT_EQ(liveSide(), plain);
}

TEST_F(Forgetting, ComesWithAnotherBranch) {
  auto other = std::make_shared<Snapshot>(*input.snapshot);
  other->branch = 1;
  input.snapshot = other;
  EXPECT_EQ(liveSide(), plain);
}

TEST_F(Forgetting, ComesWithAJumpInTime) {
  auto later = std::make_shared<Snapshot>(*input.snapshot);
  later->time += 1;
  input.snapshot = later;
  EXPECT_EQ(liveSide(), plain);
}

}  // namespace
}  // namespace slipstick::render
