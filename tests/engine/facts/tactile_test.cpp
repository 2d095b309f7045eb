// The sense of touch of a hand with two fingers, one of which follows the other, that closes along its x axis.
#include "engine/facts/tactile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

constexpr int kPalm = 1, kLeft = 2, kRight = 3;
constexpr int kSide = TactileImage::kSide;

struct Touch : ::testing::Test {
  Model model;
  std::vector<Pose> X_WB;

  Touch() {
    add("palm", multibody::JointType::Fixed, 0, Pose::translation({0, 0, 1}));
    // Both fingers look along −x of their own frames, the right one is turned round.
    add("left", multibody::JointType::Prismatic, kPalm, Pose::translation({0, 0, 0.1}));
    add("right", multibody::JointType::Prismatic, kPalm,
        {Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitZ()).toRotationMatrix(), {0, 0, 0.1}});
    model.tree.joints[2].mimic = 1;
    for (const int finger : {kLeft, kRight}) {
      put(finger, {0.01, 0.03, 0.02}, {0.01, 0, 0});       // the pad: 60 mm wide, 40 mm high, front at x = 0
      put(finger, {0.005, 0.01, 0.03}, {0.02, 0, -0.04});  // what carries it lies farther back
    }
    model.initialQ = VecX::Zero(2);
    Effector effector;
    effector.chain.body = kPalm;
    effector.gripper.joints = {1};
    effector.gripper.open = {0.05};
    effector.gripper.closed = {0};
    model.effectors = {effector};
    multibody::computePoses(model.tree, VecX::Constant(2, 0.03), X_WB);
  }
  int add(const char* name, multibody::JointType type, int parent, const Pose& X_PJ) {
    multibody::Body body;
    body.name = name;
    multibody::Joint joint;
    joint.type = type;
    joint.parent = parent;
    joint.X_PJ = X_PJ;
    joint.axis = Vec3::UnitX();
    return model.tree.add(body, joint);
  }
  void put(int body, const Vec3& half, const Vec3& place) {
    Geometry geometry;
    geometry.body = body;
    geometry.X_BG.p = place;
    geometry.shape = shape::Box{half};
    model.geometries.push_back(geometry);
  }
  std::vector<TactilePad> pads() const { return tactilePads(model, model.effectors[0]); }
  static Vec3 sumOf(const TactileImage& image) {
    Vec3 sum = Vec3::Zero();
    for (const auto& row : image.cells)
      for (const Vec3& cell : row) sum += cell;
    return sum;
  }
};

TEST_F(Touch, PadsAreTheFacesThatLookAtEachOther) {
  const std::vector<TactilePad> pads = this->pads();
  ASSERT_EQ(pads.size(), 2u);
  EXPECT_EQ(pads[0].body, kLeft);
  EXPECT_EQ(pads[1].body, kRight);
  for (const TactilePad& pad : pads) {
    EXPECT_NEAR(pad.width, 0.06, 1e-12);
    EXPECT_NEAR(pad.height, 0.04, 1e-12) << "without what carries the pad";
    EXPECT_LT(pad.X_BP.p.norm(), 1e-12);
    const Pose X_WP = X_WB[static_cast<std::size_t>(pad.body)] * pad.X_BP;
    EXPECT_LT((X_WP.R.col(1) - Vec3::UnitZ()).norm(), 1e-9) << "away from the palm";
    EXPECT_NEAR(X_WP.R.determinant(), 1, 1e-12);
  }
  const Vec3 left = (X_WB[kLeft] * pads[0].X_BP).R.col(2), right = (X_WB[kRight] * pads[1].X_BP).R.col(2);
  EXPECT_LT((left + Vec3::UnitX()).norm(), 1e-9);
  EXPECT_LT((right - Vec3::UnitX()).norm(), 1e-9);
}

TEST_F(Touch, WithoutAGripperThereIsNone) {
  model.effectors[0].gripper = {};
  EXPECT_TRUE(pads().empty());
}

TEST_F(Touch, AFingerWithoutShapesHasNone) {
  std::erase_if(model.geometries, [](const Geometry& geometry) { return geometry.body == kRight; });
  EXPECT_EQ(pads().size(), 1u);
}

/// Both links bend about their y axes, towards +x, by 140 degrees together.
TEST_F(Touch, TheTipOfABentFingerFeelsWithItsInnerSide) {
  const int lower = add("lower", multibody::JointType::Revolute, kPalm, Pose::translation({-0.05, 0, 0.05}));
  const int tip = add("tip", multibody::JointType::Revolute, lower, Pose::translation({0, 0, 0.06}));
  for (const int link : {lower, tip}) {
    model.tree.joints[static_cast<std::size_t>(link - 1)].axis = Vec3::UnitY();
    put(link, {0.008, 0.012, 0.022}, {0, 0, 0.022});
  }
  model.initialQ = VecX::Zero(4);
  model.effectors[0].gripper.joints = {lower - 1, tip - 1};
  model.effectors[0].gripper.open = {0, 0};
  model.effectors[0].gripper.closed = {1.22, 1.22};
  const std::vector<TactilePad> pads = this->pads();
  ASSERT_EQ(pads.size(), 2u);
  for (const TactilePad& pad : pads) {
    EXPECT_EQ(pad.X_BP.R.col(2), Vec3::UnitX());
    EXPECT_EQ(pad.X_BP.R.col(1), Vec3::UnitZ());
    EXPECT_NEAR(pad.width, 0.024, 1e-12);
    EXPECT_NEAR(pad.height, 0.044, 1e-12);
    EXPECT_LT((pad.X_BP.p - Vec3(0.008, 0, 0.022)).norm(), 1e-12);
  }
}

TEST_F(Touch, AForceStandsAtItsPlaceOnTheFaceAndInItsFrame) {
  const TactilePad pad = pads()[0];
  Contact contact;
  contact.a.body = kLeft;
  // On the left finger's face, 11 mm along its y, 13 mm towards the tip. Who looks at it along +x has +y at the left.
  contact.p_WC = X_WB[kLeft] * Vec3(0, 0.011, 0.013);
  contact.f_Bc_W = {5, 2, -3};
  const TactileImage image = tactileImage(pad, {contact}, X_WB);
  const auto column = static_cast<std::size_t>((-0.011 / 0.06 + 0.5) * kSide);
  const auto row = static_cast<std::size_t>((-0.013 / 0.04 + 0.5) * kSide);
  EXPECT_LT((image.cells[row][column] - Vec3(5, -2, -3)).norm(), 1e-9)
      << image.cells[row][column].transpose();
  EXPECT_LT((sumOf(image) - Vec3(5, -2, -3)).norm(), 1e-9) << "and nowhere else";
}

TEST_F(Touch, CellsSumToAllContactForcesOnTheFinger) {
  const TactilePad pad = pads()[1];
  std::vector<Contact> contacts(40);
  Vec3 total = Vec3::Zero();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double t = 0.1 * static_cast<double>(i);
    Contact& contact = contacts[i];
    const bool isOther = i % 3 == 1, isElsewhere = i % 7 == 3;
    contact.a.body = isOther ? kPalm : kRight;
    contact.b.body = isOther ? kRight : -1;
    if (isElsewhere) contact.a.body = kLeft, contact.b.body = -1;
    // On the face, beyond its edges, and behind it.
    contact.p_WC =
        X_WB[kRight] * Vec3(0.02 * std::sin(5 * t), 0.05 * std::sin(3 * t), 0.05 * std::cos(2 * t));
    contact.f_Bc_W = {std::cos(t), std::sin(2 * t), 1 + t};
    if (!isElsewhere) total += (isOther ? -1 : 1) * contact.f_Bc_W;
  }
  const Mat3 R_WP = X_WB[kRight].R * pad.X_BP.R;
  const Vec3 sum = sumOf(tactileImage(pad, contacts, X_WB));
  EXPECT_LT((R_WP * Vec3(sum[1], sum[2], -sum[0]) - total).norm(), 1e-12);
}

}  // namespace
}  // namespace slipstick
