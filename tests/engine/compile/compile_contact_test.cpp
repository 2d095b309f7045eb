// Which rigid geometries meet, and with what friction.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compile/compile.h"
#include "engine/model/model.h"
#include "engine/model/world_link.h"

namespace slipstick {
namespace {

LinkSpec link(const std::string& name, const Shape& shape) {
  LinkSpec spec;
  spec.name = name;
  spec.mass = 1;
  spec.inertia = 0.01 * Mat3::Identity();
  LinkGeometry geometry;
  geometry.shape = shape;
  spec.collisions.push_back(geometry);
  return spec;
}

RobotSpec single(const std::string& name, const Shape& shape, bool isFree, const Vec3& p) {
  RobotSpec robot;
  robot.name = name;
  robot.description.links = {link("", shape)};
  robot.freeBase = isFree;
  robot.X_PB.p = p;
  return robot;
}

JointSpec hinge(const std::string& name, const std::string& parent, const std::string& child, const Vec3& p) {
  JointSpec joint;
  joint.name = name;
  joint.type = multibody::JointType::Continuous;
  joint.parent = parent;
  joint.child = child;
  joint.X_PJ.p = p;
  return joint;
}

/// A ground, two free boxes and a fixed three-link arm whose links are boxes of 20 cm, 30 cm apart.
Scene workshop() {
  Scene scene;
  scene.name = "workshop";
  const shape::Box box{Vec3(0.1, 0.1, 0.1)};
  scene.robots = {single("ground", shape::Plane{}, false, Vec3(0, 0, -1)),
                  single("crate", box, true, Vec3(2, 0, 0)), single("parcel", box, true, Vec3(3, 0, 0))};
  RobotSpec arm;
  arm.name = "arm";
  arm.description.links = {link("base", box), link("upper", box), link("lower", box)};
  arm.description.joints = {hinge("shoulder", "base", "upper", Vec3(0, 0, 0.3)),
                            hinge("elbow", "upper", "lower", Vec3(0, 0, 0.3))};
  scene.robots.push_back(arm);
  return scene;
}

/// Geometries in the order of workshop().
enum : int { kGround, kCrate, kParcel, kBase, kUpper, kLower };

std::shared_ptr<const Model> compiled(const Scene& scene) {
  Result<CompiledScene> result = compile(scene);
  EXPECT_TRUE(result) << (result ? "" : result.error().message());
  return result ? result->model : nullptr;
}

TEST(RigidPairs, EverythingMeetsButNeighboursAndWhatCannotMove) {
  const auto model = compiled(workshop());
  ASSERT_TRUE(model);
  const auto meet = [&](int a, int b) { return model->rigidPairLaw(a, b).enabled; };
  EXPECT_TRUE(meet(kGround, kCrate));
  EXPECT_TRUE(meet(kParcel, kCrate));
  EXPECT_TRUE(meet(kCrate, kBase));
  EXPECT_TRUE(meet(kBase, kLower)) << "links with a link between them";
  EXPECT_TRUE(meet(kGround, kUpper)) << "the ground is no neighbour, though both hang from the world";
  EXPECT_FALSE(meet(kBase, kUpper));
  EXPECT_FALSE(meet(kUpper, kLower));
  EXPECT_FALSE(meet(kGround, kBase)) << "neither can move";
  EXPECT_EQ(meet(kCrate, kGround), meet(kGround, kCrate));
}

TEST(RigidPairs, WeldedBodiesDoNotMeet) {
  Scene scene = workshop();
  scene.loops.push_back({LoopKind::Weld, "glue", "crate", Pose::translation({1, 0, 0}), "parcel", {}, {}});
  EXPECT_FALSE(compiled(scene)->rigidPairLaw(kCrate, kParcel).enabled);
  scene.loops.front() = {LoopKind::Distance, "tether", "crate", {}, "parcel", {}, {}};
  EXPECT_TRUE(compiled(scene)->rigidPairLaw(kCrate, kParcel).enabled);
}

TEST(RigidPairs, TheLastRuleThatFitsDecides) {
  Scene scene = workshop();
  scene.pairRules = {{"*", "ground", false, {}}, {"crate", "ground", true, 0.9}, {"arm", "arm", true, {}}};
  const auto model = compiled(scene);
  EXPECT_FALSE(model->rigidPairLaw(kGround, kParcel).enabled);
  EXPECT_TRUE(model->rigidPairLaw(kGround, kCrate).enabled);
  EXPECT_EQ(model->rigidPairLaw(kGround, kCrate).friction, 0.9);
  EXPECT_TRUE(model->rigidPairLaw(kUpper, kLower).enabled) << "a rule can let neighbours meet";
  scene.pairRules = {{"crat", "ground", false, {}}};
  const Result<CompiledScene> unknown = compile(scene);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message().find("did you mean 'crate'?"), std::string::npos);
}

TEST(RigidPairs, FrictionOfAPairFollowsTheScenesRule) {
  Scene scene = workshop();
  scene.robots[kCrate].contact.friction = 0.2;
  scene.robots[kParcel].contact.friction = 0.8;
  const auto friction = [&](FrictionRule rule) {
    scene.rigidSolver.frictionRule = rule;
    return compiled(scene)->rigidPairLaw(kCrate, kParcel).friction;
  };
  EXPECT_DOUBLE_EQ(friction(FrictionRule::Harmonic), 2 * 0.2 * 0.8 / 1.0);
  EXPECT_DOUBLE_EQ(friction(FrictionRule::Geometric), 0.4);
  EXPECT_DOUBLE_EQ(friction(FrictionRule::Mean), 0.5);
  EXPECT_DOUBLE_EQ(friction(FrictionRule::Minimum), 0.2);
  EXPECT_DOUBLE_EQ(friction(FrictionRule::Maximum), 0.8);
  EXPECT_EQ(combinedFriction(FrictionRule::Harmonic, 0, 0), 0);
}

TEST(RigidPairs, OfTwoRestitutionsTheLargerCountsAndRulesComeFirst) {
  Scene scene = workshop();
  EXPECT_FALSE(compiled(scene)->hasRestitution());
  scene.robots[kCrate].contact.restitution = 0.2;
  scene.robots[kParcel].contact.restitution = 0.8;
  const auto restitution = [&](int a, int b) { return compiled(scene)->rigidPairLaw(a, b).restitution; };
  EXPECT_EQ(restitution(kCrate, kParcel), 0.8);
  EXPECT_EQ(restitution(kParcel, kCrate), 0.8);
  EXPECT_EQ(restitution(kGround, kCrate), 0.2);
  EXPECT_EQ(restitution(kGround, kUpper), 0);
  scene.pairRules = {{"crate", "*", {}, {}, 0.5}, {"crate", "parcel", {}, 0.3, 0.0}, {"*", "*", true, {}}};
  EXPECT_EQ(restitution(kCrate, kParcel), 0) << "less than both";
  EXPECT_EQ(restitution(kGround, kCrate), 0.5);
  EXPECT_EQ(restitution(kGround, kParcel), 0.8) << "a rule that does not name it";
  EXPECT_TRUE(compiled(scene)->hasRestitution());
  scene.robots[kCrate].contact.restitution = 1.01;
  const Result<CompiledScene> wrong = compile(scene);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find("the restitution is not from 0 to 1"), std::string::npos);
}

TEST(RigidPairs, ShapesOfOneRobotThatOverlapAtTheStartNeverMeetAndThatIsSaid) {
  Scene scene = workshop();
  scene.robots.back().description.joints[1].X_PJ.p =
      Vec3(0, 0, -0.25);  // the lower link reaches into the base
  const Result<CompiledScene> result = compile(scene);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->model->rigidPairLaw(kBase, kLower).enabled);
  bool said = false;
  for (const Notice& notice : result->notices)
    said |= notice.what.find("overlap at the start") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(RigidPairs, ThingsThatStartInsideEachOtherAreNamed) {
  const auto noticeAt = [](double distance) {
    Scene scene = workshop();
    scene.robots[kParcel].X_PB.p = Vec3(2 + distance, 0, 0);
    const Result<CompiledScene> result = compile(scene);
    std::string said;
    for (const Notice& notice : result->notices)
      if (notice.what.find("inside each other") != std::string::npos) said += notice.where + notice.what;
    return said;
  };
  const double edge = 0.2;
  EXPECT_EQ(noticeAt(edge - 0.0005), "");
  const std::string said = noticeAt(edge - 0.02);
  EXPECT_NE(said.find("'crate"), std::string::npos) << said;
  EXPECT_NE(said.find("'parcel"), std::string::npos) << said;
  EXPECT_NE(said.find("mm inside each other"), std::string::npos) << said;
}

/// A file with a world of its own: a floor, a crate on it and a hinged flap, which all overlap at the start.
TEST(RigidPairs, WhatHangsFromAWorldThatAFileBringsMeetsItAndTheRest) {
  const shape::Box box{Vec3(0.1, 0.1, 0.1)};
  Scene scene;
  scene.name = "model";
  RobotSpec model;
  model.name = "model";
  model.description.links = {link(kWorldLink, shape::Plane{}), link("crate", box), link("flap", box),
                             link("tongue", box)};
  model.description.links[0].mass = 0;
  JointSpec floats = hinge("floats", kWorldLink, "crate", Vec3(0, 0, 0.05));
  floats.type = multibody::JointType::Floating;
  model.description.joints = {floats, hinge("flaps", kWorldLink, "flap", Vec3(0.1, 0, 0.05)),
                              hinge("bends", "flap", "tongue", Vec3(0.05, 0, 0.1))};
  scene.robots = {model};
  const auto compiledModel = compiled(scene);
  ASSERT_TRUE(compiledModel);
  const auto meet = [&](int a, int b) { return compiledModel->rigidPairLaw(a, b).enabled; };
  enum { kFloor, kLoose, kFlap, kTongue };
  EXPECT_TRUE(meet(kFloor, kLoose));
  EXPECT_TRUE(meet(kFloor, kFlap)) << "a hinge to the world makes no neighbours";
  EXPECT_TRUE(meet(kLoose, kFlap)) << "two mechanisms";
  EXPECT_FALSE(meet(kFlap, kTongue)) << "neighbours";
  scene.robots[0].description.links[0].name = "base";
  for (JointSpec& joint : scene.robots[0].description.joints)
    if (joint.parent == kWorldLink) joint.parent = "base";
  const auto robot = compiled(scene);
  EXPECT_FALSE(robot->rigidPairLaw(kFloor, kFlap).enabled) << "of a robot the base is a neighbour";
}

TEST(RigidPairs, ASurfaceThatIsSwitchedOffPassesThroughEverything) {
  Scene scene = workshop();
  scene.robots[kCrate].contact.rigid.enabled = false;
  const auto model = compiled(scene);
  EXPECT_FALSE(model->geometries[kCrate].contactShape);
  EXPECT_TRUE(model->geometries[kParcel].contactShape);
}

TEST(RigidSurface, BadValuesAreFaults) {
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    Scene scene = workshop();
    scene.robots[kCrate].contact.rigid.modulus = bad;
    const Result<CompiledScene> result = compile(scene);
    ASSERT_FALSE(result) << bad;
    EXPECT_NE(result.error().message().find("modulus"), std::string::npos);
  }
}

}  // namespace
}  // namespace slipstick
