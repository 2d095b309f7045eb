// The robots and meshes that the project ships: what scenes rely on.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "assets/robot_io.h"
#include "engine/compile/compile.h"
#include "engine/geometry/sdf_grid.h"
#include "engine/multibody/kinematics.h"
#include "tests/support/load_robot.h"
#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

fs::path robotsDir() {
  return testing::sourceDir() / "assets/robots";
}
fs::path meshesDir() {
  return testing::sourceDir() / "assets/meshes";
}

std::vector<std::string> robotNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(robotsDir())) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

RobotDescription shippedRobot(const std::string& name) {
  const Result<assets::LoadedRobot> loaded = testing::loadRobot(robotsDir() / (name + ".urdf"));
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message();
    return {};
  }
  for (const Notice& notice : loaded->notices) ADD_FAILURE() << notice.where << ": " << notice.what;
  return loaded->robot;
}

/// Vertices at the same place are one vertex.
TriangleMesh shippedMesh(const std::string& file) {
  const Result<assets::LoadedMesh> loaded = assets::loadMesh(meshesDir() / file, Vec3::Constant(0.001));
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message();
    return {};
  }
  return *assets::collisionMesh(*loaded->mesh);
}

class ShippedRobots : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedRobots, LoadWithoutNoticesAndHaveInertiasThatBodiesOfTheirSizeHave) {
  const RobotDescription robot = shippedRobot(GetParam());
  ASSERT_FALSE(robot.links.empty());
  for (const LinkSpec& link : robot.links) {
    if (link.mass == 0) continue;
    Vec3 lower = Vec3::Constant(1e9), upper = -lower;
    for (const LinkGeometry& visual : link.visuals) {
      if (const auto* mesh = std::get_if<shape::Mesh>(&visual.shape)) {
        for (const Vec3& p : mesh->mesh->vertices) {
          lower = lower.cwiseMin(visual.X_BG * p);
          upper = upper.cwiseMax(visual.X_BG * p);
        }
      }
    }
    if (lower.x() > upper.x()) continue;  // drawn by primitives only
    const Vec3 margin = Vec3::Constant(1e-3), half = 0.5 * (upper - lower);
    EXPECT_TRUE(((link.com - lower + margin).array() > 0).all() &&
                ((upper + margin - link.com).array() > 0).all())
        << link.name << ": the centre of mass is outside, " << link.com.transpose();
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(link.inertia);
    const Vec3 moments = principal.eigenvalues();
    EXPECT_GT(moments[0], 0) << link.name;
    EXPECT_LE(moments[2], moments[0] + moments[1] + 1e-9) << link.name;
    // No part of the mass is farther away than the corners of the box around the link.
    EXPECT_LE(moments[2], link.mass * 4 * half.squaredNorm()) << link.name;
    EXPECT_GE(moments[2], 0.05 * link.mass * half.squaredNorm() / 3) << link.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedRobots, ::testing::ValuesIn(robotNames()),
                         [](const auto& name) { return name.param; });

int movable(const RobotDescription& robot, multibody::JointType type) {
  return static_cast<int>(std::count_if(robot.joints.begin(), robot.joints.end(),
                                        [&](const JointSpec& joint) { return joint.type == type; }));
}

/// Where a link's collision shape, a box, has its two faces across x, in the root's frame [m].
std::array<double, 2> extentAlongX(const CompiledScene& scene, const std::string& geometry) {
  const Model& model = *scene.model;
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  for (const Geometry& g : model.geometries) {
    if (!g.contactShape || g.name.find(geometry) == std::string::npos) continue;
    const auto bounds = g.contactShape->bounds(X_WB[static_cast<std::size_t>(g.body)] * g.X_BG);
    return {bounds.lower.x(), bounds.upper.x()};
  }
  ADD_FAILURE() << "no geometry " << geometry;
  return {};
}

CompiledScene opened(const RobotDescription& robot, double slide) {
  Scene scene;
  RobotSpec spec;
  spec.name = "gripper";
  spec.description = robot;
  spec.jointPositions = {{"left_slide", slide}};
  scene.robots = {spec};
  Result<CompiledScene> compiled = compile(scene);
  if (!compiled) {
    ADD_FAILURE() << compiled.error().message();
    return {};
  }
  return *compiled;
}

class Grippers : public ::testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(Grippers, TwoFingersOpenTogetherAndMeetInTheMiddle) {
  const auto [name, opening] = GetParam();
  const RobotDescription robot = shippedRobot(name);
  EXPECT_EQ(movable(robot, multibody::JointType::Prismatic), 2);
  for (const double slide : {0.0, opening / 2}) {
    const CompiledScene scene = opened(robot, slide);
    ASSERT_TRUE(scene.model);
    EXPECT_NEAR(extentAlongX(scene, "left_pad")[0], slide, 1e-8);
    EXPECT_NEAR(extentAlongX(scene, "right_pad")[1], -slide, 1e-8);
    EXPECT_GE(extentAlongX(scene, "left_pad")[1] - slide, 0.012 - 1e-9) << "too thin to stop cloth";
  }
  for (const JointSpec& joint : robot.joints)
    if (joint.type == multibody::JointType::Prismatic) {
      EXPECT_DOUBLE_EQ(2 * joint.upper, opening);
    }
}

INSTANTIATE_TEST_SUITE_P(Files, Grippers,
                         ::testing::Values(std::pair{"parallel_gripper", 0.11},
                                           std::pair{"cloth_gripper", 0.05}),
                         [](const auto& gripper) { return gripper.param.first; });

TEST(Hand16, HasFourFingersOfFourJointsWithRoundTips) {
  const RobotDescription hand = shippedRobot("hand16");
  EXPECT_EQ(movable(hand, multibody::JointType::Revolute), 16);
  double mass = 0;
  for (const LinkSpec& link : hand.links) mass += link.mass;
  EXPECT_NEAR(mass, 1.1, 0.2);
  for (const char* finger : {"index", "middle", "ring", "thumb"}) {
    const std::string tip = std::string(finger) + "_link_4";
    const auto link =
        std::find_if(hand.links.begin(), hand.links.end(), [&](const LinkSpec& l) { return l.name == tip; });
    ASSERT_NE(link, hand.links.end()) << tip;
    EXPECT_TRUE(std::holds_alternative<shape::Capsule>(link->collisions.at(0).shape)) << tip;
    for (int k = 1; k <= 4; ++k) {
      const std::string name = std::string(finger) + "_" + std::to_string(k);
      const auto joint = std::find_if(hand.joints.begin(), hand.joints.end(),
                                      [&](const JointSpec& j) { return j.name == name; });
      ASSERT_NE(joint, hand.joints.end()) << name;
      EXPECT_LT(joint->lower, 0) << name;
      EXPECT_GT(joint->upper, 0) << name;
    }
  }
}

/// Edges that only one triangle has, each in that triangle's direction: from → to.
std::map<int, int> openEdges(const TriangleMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const bool fresh = edges.insert({static_cast<int>(t[k]), static_cast<int>(t[(k + 1) % 3])}).second;
      EXPECT_TRUE(fresh) << "an edge with more than two triangles, or triangles that face different ways";
    }
  std::map<int, int> open;
  for (const auto& [a, b] : edges)
    if (!edges.contains({b, a})) {
      EXPECT_TRUE(open.emplace(a, b).second) << "two borders touch in a vertex";
    }
  return open;
}

TEST(TShirt, HasThePublishedSize) {
  const TriangleMesh shirt = shippedMesh("tshirt/tshirt.obj");
  const double vertices = static_cast<double>(shirt.vertices.size()),
               triangles = static_cast<double>(shirt.triangles.size());
  // Yu et al. 2025, VI-E.
  EXPECT_NEAR(vertices, 4171, 0.01 * 4171);
  EXPECT_NEAR(triangles, 7987, 0.01 * 7987);
  EXPECT_NEAR(vertices + triangles, 12158, 0.01 * 12158);
}

struct ShirtMesh {
  const char* name;
  double shortest, longest;  ///< that its edges may be [m]
};

class TShirts : public ::testing::TestWithParam<ShirtMesh> {
 protected:
  const TriangleMesh shirt_ = shippedMesh("tshirt/" + std::string(GetParam().name) + ".obj");
};

TEST_P(TShirts, HaveFourOpenings) {
  std::map<int, int> open = openEdges(shirt_);
  std::vector<std::size_t> loops;  // edges in each
  while (!open.empty()) {
    std::size_t length = 0;
    for (auto edge = open.begin(); edge != open.end(); ++length) {
      const int next = edge->second;
      open.erase(edge);
      edge = open.find(next);
    }
    loops.push_back(length);
  }
  std::sort(loops.begin(), loops.end());
  ASSERT_EQ(loops.size(), 4u) << "two sleeves, neck and waist";
  EXPECT_EQ(loops[0], loops[1]) << "the sleeves";
  EXPECT_GT(loops[3], loops[2]) << "the waist is wider than the neck";
}

TEST_P(TShirts, TrianglesAreEvenAndTheLayersLieApart) {
  double longest = 0, shortest = 1, lowestAngle = 180;
  for (const auto& t : shirt_.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vec3 &a = shirt_.vertices[t[k]], &b = shirt_.vertices[t[(k + 1) % 3]],
                 &c = shirt_.vertices[t[(k + 2) % 3]];
      longest = std::max(longest, (b - a).norm());
      shortest = std::min(shortest, (b - a).norm());
      lowestAngle =
          std::min(lowestAngle, std::acos((b - a).normalized().dot((c - a).normalized())) * 180 / M_PI);
    }
  EXPECT_LT(longest, GetParam().longest);
  EXPECT_GT(shortest, GetParam().shortest);
  EXPECT_GT(lowestAngle, 25);
  const auto [low, high] = std::minmax_element(shirt_.vertices.begin(), shirt_.vertices.end(),
                                               [](const Vec3& a, const Vec3& b) { return a.z() < b.z(); });
  EXPECT_NEAR(high->z() - low->z(), 0.005, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Shipped, TShirts,
                         ::testing::Values(ShirtMesh{"tshirt", 0.006, 0.021},
                                           ShirtMesh{"tshirt_coarse", 0.010, 0.036}),
                         [](const auto& mesh) { return std::string(mesh.param.name); });

class Vessels : public ::testing::TestWithParam<const char*> {};

TEST_P(Vessels, AreClosedSolidsWithWallsThatParticlesCannotPass) {
  const TriangleMesh mesh = shippedMesh("vessels/" + std::string(GetParam()) + ".obj");
  EXPECT_TRUE(openEdges(mesh).empty());
  const Result<std::shared_ptr<const SdfGrid>> sdf = SdfGrid::build(mesh);
  ASSERT_TRUE(sdf) << sdf.error().message();
  // Straight down through the middle of the floor, which is the only solid there.
  double thickness = 0;
  const double step = 2.5e-4;
  for (double z = -0.01; z < 0.03; z += step) thickness += (*sdf)->at(Vec3(0, 0, z)).distance < 0 ? step : 0;
  EXPECT_GT(thickness, 0.009);
  EXPECT_LT(thickness, 0.015);
}

INSTANTIATE_TEST_SUITE_P(Files, Vessels, ::testing::Values("mug", "bin", "tray", "scoop"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace slipstick
