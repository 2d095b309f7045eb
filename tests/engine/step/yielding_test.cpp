// Which bodies contact can move: neither those that are fixed to the world nor those on a path.
#include "engine/step/yielding.h"

#include <gtest/gtest.h>

namespace slipstick {
namespace {

using multibody::JointType;

/// 1 a floor that is fixed to the world, 2 a free body with 3 fixed to it, 4 a body on a path with 5 fixed to it, 6 an arm
/// on a hinge of 4.
struct Yielding : ::testing::Test {
  Yielding() {
    add(JointType::Fixed, 0, 0);
    add(JointType::Floating, 0, 2);
    add(JointType::Fixed, 2, 2);
    const int carried = add(JointType::Floating, 0, 4);
    add(JointType::Fixed, 4, 4);
    add(JointType::Revolute, 4, 6);
    model.prescribed = {{.joint = model.tree.bodies[static_cast<std::size_t>(carried)].joint, .path = 0}};
  }
  int add(JointType type, int parent, int group) {
    multibody::Joint joint;
    joint.type = type;
    joint.parent = parent;
    model.compositeOf.push_back(group);
    return model.tree.add({.name = "body", .mass = 1}, joint);
  }
  Model model = [] {
    Model world;
    world.compositeOf = {0};
    return world;
  }();
};

TEST_F(Yielding, WhatIsFixedToTheWorldDoesNot) {
  EXPECT_FALSE(yieldsToForces(model, 0));
  EXPECT_FALSE(yieldsToForces(model, 1));
  EXPECT_FALSE(isPrescribed(model, 0));
  EXPECT_FALSE(isPrescribed(model, 1));
}

TEST_F(Yielding, WhatIsFreeDoesWithAllThatIsFixedToIt) {
  for (const int body : {2, 3}) {
    EXPECT_TRUE(yieldsToForces(model, body)) << body;
    EXPECT_FALSE(isPrescribed(model, body)) << body;
  }
}

TEST_F(Yielding, WhatIsOnAPathDoesNotNorDoesWhatIsFixedToIt) {
  for (const int body : {4, 5}) {
    EXPECT_FALSE(yieldsToForces(model, body)) << body;
    EXPECT_TRUE(isPrescribed(model, body)) << body;
  }
}

TEST_F(Yielding, AnArmOnWhatIsOnAPathDoes) {
  EXPECT_TRUE(yieldsToForces(model, 6));
  EXPECT_FALSE(isPrescribed(model, 6));
}

TEST_F(Yielding, WithoutPathsAllThatCanMoveDoes) {
  model.prescribed.clear();
  for (const int body : {2, 3, 4, 5, 6}) EXPECT_TRUE(yieldsToForces(model, body)) << body;
  EXPECT_FALSE(yieldsToForces(model, 1));
}

TEST_F(Yielding, EveryPathCounts) {
  model.prescribed.push_back({.joint = 1, .path = 1});  // that of body 2
  for (const int body : {2, 3, 4, 5}) EXPECT_TRUE(isPrescribed(model, body)) << body;
  EXPECT_FALSE(isPrescribed(model, 6));
}

}  // namespace
}  // namespace slipstick
