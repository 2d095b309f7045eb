// Every robot file beside the project falls onto the ground and comes to rest somehow: nothing becomes
// non-finite, and the energy never exceeds that of the start.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "assets/robot_checks.h"
#include "assets/robot_io.h"
#include "engine/compile/compile.h"
#include "engine/multibody/kinematics.h"
#include "tests/support/load_robot.h"
#include "tests/support/test_paths.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::SceneRun;

constexpr double kHeight = 0.3;           // [m] of the lowest collision shape
constexpr double kStep = 2e-3;            // [s]
constexpr double kDuration = 2;           // [s]
constexpr double kRelativeGrowth = 1e-6;  // of the energy at the start
constexpr double kTinyGrowth = 1e-9;      // [J]

/// Robots of others: those beside the project, or below the folders of $SLIPSTICK_ROBOTS, which colons part; one empty path
/// where there are none.
std::vector<std::string> robotFiles() {
  const char* variable = std::getenv("SLIPSTICK_ROBOTS");
  std::stringstream folders(variable ? variable : testing::otherRobotsDir().string());
  std::vector<std::string> files;
  std::error_code missing;
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const auto& entry : fs::recursive_directory_iterator(folder, missing)) {
      const fs::path& path = entry.path();
      if (path.extension() == ".urdf" || path.extension() == ".sdf") files.push_back(path.string());
    }
  std::sort(files.begin(), files.end());
  return files.empty() ? std::vector<std::string>{""} : files;
}

/// Whether every root, with what is fixed to it, has mass. One that has none is meant to stand, in the files of Bullet.
bool canBeFree(const RobotDescription& robot) {
  std::map<std::string, std::string> base;  // the root of what is rigid, or the link by itself
  std::set<std::string> roots;
  for (const LinkSpec& link : robot.links) base[link.name] = link.name, roots.insert(link.name);
  for (const JointSpec& joint : robot.joints) roots.erase(joint.child);
  for (bool again = true; again;) {
    again = false;
    for (const JointSpec& joint : robot.joints)
      if (joint.type == multibody::JointType::Fixed && base[joint.child] != base[joint.parent])
        base[joint.child] = base[joint.parent], again = true;
  }
  std::map<std::string, double> mass;
  for (const LinkSpec& link : robot.links) mass[base[link.name]] += link.mass;
  return std::all_of(roots.begin(), roots.end(), [&](const std::string& root) { return mass[root] > 0; });
}

/// Movable joints to the world are a robot's own base: it cannot be let go.
bool hangsFromWorld(const RobotDescription& robot) {
  return robot.links.front().name == "__model__";
}

Scene fallingScene(const RobotDescription& robot, double z) {
  Scene scene;
  scene.name = "fall";
  scene.time.dt = kStep;
  scene.time.duration = kDuration;
  RobotSpec ground;
  ground.name = "ground";
  ground.description.links = {LinkSpec{}};
  LinkGeometry plane;
  plane.shape = shape::Plane{};
  ground.description.links[0].collisions = {plane};
  RobotSpec spec;
  spec.name = "robot";
  spec.description = robot;
  // What slides along x of its model is turned downwards.
  spec.freeBase = !hangsFromWorld(robot) && canBeFree(robot);
  std::vector<Notice> notices;
  if (spec.freeBase)  // as a scene does
    assets::settleFreeBase(
        spec.description, {}, [](const std::string& link) { return link; }, notices);
  if (hangsFromWorld(robot)) spec.X_PB = Pose::fromRpy(Vec3(0, M_PI / 2, 0), Vec3::Zero());
  spec.X_PB.p.z() = z;
  scene.robots = {ground, spec};
  return scene;
}

/// The lowest point of the boxes around the robot's collision shapes when its base is at z = 0; 0 if it has
/// none.
double lowestPoint(const RobotDescription& robot) {
  Result<CompiledScene> compiled = compile(fallingScene(robot, 0));
  if (!compiled) {
    ADD_FAILURE() << compiled.error().message();
    return 0;
  }
  const Model& model = *compiled->model;
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  double lowest = 0;
  for (const Geometry& geometry : model.geometries)
    if (geometry.contactShape && !std::holds_alternative<shape::Plane>(geometry.shape))
      lowest = std::min(
          lowest, geometry.contactShape->bounds(X_WB[static_cast<std::size_t>(geometry.body)] * geometry.X_BG)
                      .lower.z());
  return lowest;
}

/// Of gravity, springs and motion, rotors included.
double energyOf(const Model& model, const Snapshot& snapshot) {
  double energy =
      snapshot.totals.kineticEnergy + snapshot.totals.potentialEnergy + snapshot.totals.elasticEnergy;
  for (const multibody::Joint& joint : model.tree.joints)
    for (int i = 0; i < multibody::velocityCount(joint.type); ++i)
      energy += 0.5 * joint.armature * snapshot.v[joint.vStart + i] * snapshot.v[joint.vStart + i];
  return energy;
}

class RobotsFall : public ::testing::TestWithParam<std::string> {};

TEST_P(RobotsFall, WithoutGainingEnergy) {
  if (GetParam().empty()) SLIPSTICK_REQUIRE_OTHER_ROBOTS();
  const Result<assets::LoadedRobot> loaded = testing::loadRobot(GetParam());
  if (!loaded && std::getenv("SLIPSTICK_ROBOTS")) GTEST_SKIP() << "refused: " << loaded.error().message();
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene scene = fallingScene(loaded->robot, kHeight - lowestPoint(loaded->robot));
  SceneRun run(scene);
  ASSERT_TRUE(run.ok());
  if (run.model().tree.nv == 0) GTEST_SKIP() << "it stands: nothing of it can move";
  const double start = energyOf(run.model(), run.snapshot());
  const double most = start + kRelativeGrowth * std::abs(start) + kTinyGrowth;
  double highest = start, when = 0;
  int contacts = 0;
  double fastest = 0;
  run.runTo(kDuration, [&](const Snapshot& snapshot) {
    const double energy = energyOf(run.model(), snapshot);
    if (energy > highest) {
      highest = energy;
      when = snapshot.time;
    }
    fastest = std::max(fastest, snapshot.totals.kineticEnergy);
    contacts = std::max(contacts, snapshot.report.rigidContacts);
    ASSERT_TRUE(snapshot.q.allFinite() && snapshot.v.allFinite()) << "at t = " << snapshot.time;
  });
  EXPECT_LE(highest, most) << "at t = " << when << " s, start " << start << " J";
  EXPECT_FALSE(has(run.health(), Health::NotConverged));
  const bool stands = !scene.robots[1].freeBase && !hangsFromWorld(loaded->robot);
  const bool canTouch = std::any_of(run.model().geometries.begin(), run.model().geometries.end(),
                                    [](const Geometry& g) { return g.body > 1 && g.contactShape; });
  if (stands) return;  // perhaps in balance
  EXPECT_GT(fastest, 0) << "it did not fall";
  if (canTouch) {
    EXPECT_GT(contacts, 0) << "it never reached the ground";
  }
}

INSTANTIATE_TEST_SUITE_P(Files, RobotsFall, ::testing::ValuesIn(robotFiles()), [](const auto& file) {
  std::string name = file.param.empty() ? "missing" : fs::path(file.param).filename().string();
  if (std::getenv("SLIPSTICK_ROBOTS"))
    name += "_" + std::to_string(file.index);  // many are called model.urdf
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace slipstick
