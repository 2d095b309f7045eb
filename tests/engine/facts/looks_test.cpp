#include "engine/facts/looks.h"

#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"

namespace slipstick {
namespace {

const Color kRed{1, 0, 0, 1}, kBlue{0, 0, 1, 1};

/// A robot of two links whose name has a point, and a boundary.
Scene scene() {
  Scene scene;
  RobotSpec robot;
  robot.name = "arm.left";
  robot.description.file = "arm.urdf";
  for (const char* name : {"base", "hand"}) {
    LinkSpec link;
    link.name = name;
    robot.description.links.push_back(link);
  }
  JointSpec joint;
  joint.name = "fixed";
  joint.parent = "base";
  joint.child = "hand";
  robot.description.joints = {joint};
  scene.robots = {robot};
  BoundarySpec wall;
  wall.name = "wall";
  scene.boundaries = {wall};
  return scene;
}

Looks compiledLooks(const Scene& scene, const LookEdits& edits = {}) {
  const Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled ? looksOf(*compiled->model, edits) : Looks();
}

TEST(Looks, OfALinkGoOverThoseOfItsRobotAndItIsHiddenWithIt) {
  Scene s = scene();
  setLook(s, {ThingKind::Robot, "arm.left"}, {true, kRed});
  setLook(s, {ThingKind::Link, "arm.left.hand"}, {false, kBlue});
  EXPECT_EQ(lookOf(s, {ThingKind::Link, "arm.left.hand"}), (LookSpec{false, kBlue}));
  Looks looks = compiledLooks(s);
  EXPECT_EQ(looks.body(1), (LookSpec{true, kRed}));
  EXPECT_EQ(looks.body(2), (LookSpec{false, kBlue}));
  setLook(s, {ThingKind::Robot, "arm.left"}, {false, {}});
  setLook(s, {ThingKind::Link, "arm.left.hand"}, {true, kBlue});
  looks = compiledLooks(s);
  EXPECT_FALSE(looks.body(1).visible);
  EXPECT_FALSE(looks.body(2).visible);
  setLook(s, {ThingKind::Link, "arm.left.hand"}, {});
  EXPECT_TRUE(s.robots[0].linkLooks.empty()) << "the usual look is not written down";
}

TEST(Looks, ThatAPersonGivesTakeThePlaceOfTheScenes) {
  Scene s = scene();
  s.boundaries[0].look = {false, kRed};
  EXPECT_FALSE(compiledLooks(s).boundary(0).visible);
  const Looks looks = compiledLooks(
      s, {{{ThingKind::Boundary, "wall"}, {true, {}}}, {{ThingKind::Link, "arm.left.base"}, {false, {}}}});
  EXPECT_EQ(looks.boundary(0), LookSpec());
  EXPECT_FALSE(looks.body(1).visible);
  EXPECT_TRUE(looks.body(2).visible);
}

TEST(Looks, OfALinkThatIsNotThereAreAnErrorWithChoices) {
  Scene s = scene();
  s.robots[0].linkLooks["hnad"] = {false, {}};
  const Result<CompiledScene> compiled = compile(s);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, ErrorCode::UnknownName);
  EXPECT_NE(compiled.error().message().find("hand"), std::string::npos) << compiled.error().message();
}

}  // namespace
}  // namespace slipstick
