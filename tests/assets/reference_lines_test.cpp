// Where one key of a scene names another thing that is not there, the error says the line of the place that refers, and
// the nearest name that exists, however late the fault is found.
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

using testing::expectFault;

/// A scene in which everything is referred to; each reference stands on a line of its own.
const std::string kScene = R"(title: references
grid: {spacing: 0.05}
materials:
  dough: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 500}
deformables:
  lump:
    material: dough
    shape: box
    size: [0.1, 0.1, 0.1]
    position: [0, 0, 1]
paths:
  circle: {keys: [{t: 0, position: [0.4, 0, 0.5]}, {t: 1, position: [0.4, 0, 0.6]}]}
boundaries:
  wall:
    kind: sticky
    shape: plane
    path: circle
    position: [0, 0, -1]
bodies:
  table:
    shapes: [{name: top, shape: plane}]
  lamp:
    attach_to: table
    shapes: [{shape: sphere, radius: 0.1, position: [0, 0, 3]}]
  mover:
    path: circle
    shapes: [{shape: sphere, radius: 0.01}]
robots:
  arm:
    urdf: pendulum
    position: [3, 0, 2]
    joints:
      hinge: 0.1
    velocities:
      hinge: 0.2
    links:
      rod: {contact: {friction: 0.3}}
welds:
  clamp:
    link_a: lamp
    link_b: table
loops:
  tether:
    kind: distance
    distance: 1
    link_a: world
    link_b: lamp
pair_rules:
  - a: lump
    b: table
    friction: 0.2
  - a: table
    b: mover
    enabled: false
controllers:
  - kind: joint_effort
    robot: arm
    joint: hinge
    effort: 0.1
  - kind: force
    link: lamp
    keys: [{t: 0, force: [0, 0, 1]}, {t: 1}]
cameras:
  rider:
    position: [0, 0, 1]
    up: [0, 1, 0]
    body: arm.rod
)";

/// "test.yaml:7", of the line that holds a text.
std::string placeOf(const std::string& text, const std::string& scene) {
  const std::size_t at = scene.find(text);
  const auto end = scene.begin() + static_cast<std::ptrdiff_t>(at);
  return "test.yaml:" + std::to_string(1 + std::count(scene.begin(), end, '\n')) + ",";
}

struct Reference {
  const char* name;
  std::string written;  ///< the line as it is, without its indentation
  std::string broken;   ///< and with a name that does not exist
  std::string remedy;
};

class ReferenceLines : public ::testing::TestWithParam<Reference> {};

TEST(ReferenceLinesScene, IsValid) {
  const Result<assets::LoadedScene> loaded = testing::parsed(kScene);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
  EXPECT_TRUE(compiled) << compiled.error().message();
}

TEST_P(ReferenceLines, TheErrorSaysWhereAndWhatWasMeant) {
  const auto& [name, written, broken, remedy] = GetParam();
  const std::string scene = testing::varied("\n" + written + "\n", "\n" + broken + "\n", kScene);
  expectFault(testing::faultOf(scene), {placeOf(broken, scene), remedy});
}

INSTANTIATE_TEST_SUITE_P(
    EveryKind, ReferenceLines,
    ::testing::Values(
        Reference{"Material", "    material: dough", "    material: dogh", "did you mean 'dough'?"},
        Reference{"PathOfABoundary", "    path: circle\n    position: [0, 0, -1]",
                  "    path: circel\n    position: [0, 0, -1]", "did you mean 'circle'?"},
        Reference{"PathOfABody", "    path: circle\n    shapes: [{shape: sphere, radius: 0.01}]",
                  "    path: circl\n    shapes: [{shape: sphere, radius: 0.01}]", "did you mean 'circle'?"},
        Reference{"AttachTo", "    attach_to: table", "    attach_to: tabel", "did you mean 'table'?"},
        Reference{"ShippedRobot", "    urdf: pendulum", "    urdf: pendulom", "did you mean 'pendulum'?"},
        Reference{"JointPosition", "      hinge: 0.1", "      hinje: 0.1", "did you mean 'hinge'?"},
        Reference{"JointVelocity", "      hinge: 0.2", "      hing: 0.2", "did you mean 'hinge'?"},
        Reference{"LinkOfARobot", "      rod: {contact: {friction: 0.3}}",
                  "      rot: {contact: {friction: 0.3}}", "did you mean 'rod'?"},
        Reference{"LinkOfAWeld", "    link_a: lamp", "    link_a: lmp", "did you mean 'lamp'?"},
        Reference{"OtherLinkOfAWeld", "    link_b: table", "    link_b: tables", "did you mean 'table'?"},
        Reference{"LinkOfALoop", "    link_a: world", "    link_a: wrld", "did you mean 'world'?"},
        Reference{"OtherLinkOfALoop", "    link_b: lamp", "    link_b: lam", "did you mean 'lamp'?"},
        Reference{"PairRuleOfADeformable", "  - a: lump", "  - a: lumb", "did you mean 'lump'?"},
        Reference{"PairRuleWithADeformable", "    b: table", "    b: tablet", "did you mean 'table'?"},
        Reference{"PairRule", "    b: mover", "    b: movr", "did you mean 'mover'?"},
        Reference{"RobotOfAController", "    robot: arm", "    robot: arn", "did you mean 'arm'?"},
        Reference{"JointOfAController", "    joint: hinge", "    joint: hnge", "did you mean 'hinge'?"},
        Reference{"LinkOfAForce", "    link: lamp", "    link: lampp", "did you mean 'lamp'?"},
        Reference{"BodyOfACamera", "    body: arm.rod", "    body: arm.rot", "did you mean 'arm.rod'?"}),
    [](const auto& reference) { return std::string(reference.param.name); });

/// Controllers with lists, and those that need an arm.
TEST(ReferenceLinesOfServos, AreThoseOfTheEntry) {
  const std::string scene = R"(title: servos
paths:
  lift: {keys: [{t: 0, position: [0.4, 0, 0.5]}]}
robots:
  arm: {urdf: arm7}
controllers:
  - kind: joint_path
    robot: arm
    joints:
      - joint_1
      - joint_2
    keys: [{t: 0, q: [0, 0]}]
  - kind: end_effector_path
    robot: arm
    link: flange
    path: lift
)";
  const auto faultWith = [&](const std::string& from, const std::string& to) {
    return testing::faultOf(testing::varied(from, to, scene));
  };
  expectFault(faultWith("- joint_2", "- joint_22"),
              {"test.yaml:11, controller 0", "did you mean 'joint_2'?"});
  expectFault(faultWith("link: flange", "link: flang"),
              {"test.yaml:15, controller 1", "did you mean 'arm.flange'?"});
  expectFault(faultWith("path: lift", "path: left"), {"test.yaml:16, controller 1", "did you mean 'lift'?"});
}

TEST(ReferenceLinesOfOverrides, AreTheAssignment) {
  expectFault(testing::faultOf(kScene, {"deformables.lump.material=dogh"}),
              {"--set deformables.lump.material=dogh, ", "did you mean 'dough'?"});
  expectFault(testing::faultOf(kScene, {"bodies.table.shapes.top.color=green"}),
              {"--set bodies.table.shapes.top.color=green: "});
}

TEST(ReferenceLinesOfBodies, ACircleOfAttachmentsIsNamedAsOne) {
  const std::string scene =
      "bodies:\n  a:\n    attach_to: b\n    shapes: [{shape: plane}]\n"
      "  b:\n    attach_to: a\n    shapes: [{shape: plane}]\n";
  expectFault(testing::faultOf(scene), {"test.yaml:3, ", "in a circle", "attach one of them to 'world'"});
}

TEST(ReferenceLinesOfNotices, AreThoseOfTheFile) {
  const Result<assets::LoadedScene> loaded = testing::parsed(
      testing::varied("  lump:\n    material: dough\n    shape: box\n    size: [0.1, 0.1, 0.1]",
                      "  lump:\n    material: dough\n    shape: box\n    size: [0.1, 0.1, 0.02]", kScene));
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
  ASSERT_TRUE(compiled) << compiled.error().message();
  ASSERT_FALSE(compiled->notices.empty());
  EXPECT_EQ(compiled->notices.front().where, "test.yaml:7, deformable 'lump'");
}

}  // namespace
}  // namespace slipstick
