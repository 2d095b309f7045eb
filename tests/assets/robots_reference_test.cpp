// Robot files against the tables of Drake's parser (tests/data/rigid/robots): masses, joints, limits, poses,
// M and gravity forces, of the robots that ship and of two files written to be hard to read; where they lie
// beside the project, also of robots of others.
#include <cmath>
#include <map>

#include "assets/robot_io.h"
#include "engine/compile/compile.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "tests/assets/scene_text.h"
#include "tests/support/load_robot.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kMassTolerance = 1e-12;  // [kg]
constexpr double kTolerance = 1e-9;       // poses [m], rotation matrices, M, forces

TEST(OtherRobots, EveryOneLoadsAndCompiles) {
  SLIPSTICK_REQUIRE_OTHER_ROBOTS();
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(testing::otherRobotsDir())) {
    const bool isSdf = entry.path().extension() == ".sdf" && assets::readsSdf();
    if (entry.path().extension() != ".urdf" && !isSdf) continue;
    const Result<assets::LoadedModel> loaded = assets::loadModel(entry.path().string());
    EXPECT_TRUE(loaded) << loaded.error().message();
    ++count;
  }
  EXPECT_GT(count, 0);
}

/// One robot, fixed at the identity, beside its reference.
struct Compared {
  json reference;
  RobotDescription robot;
  std::shared_ptr<const Model> model;

  /// @param table  relative to tests/data
  /// @param root   what the file that it names is relative to
  Compared(const std::string& table, const fs::path& root) {
    reference = testing::readData(table);
    const Result<assets::LoadedRobot> loaded =
        testing::loadRobot(root / reference["file"].get<std::string>());
    if (!loaded) {
      ADD_FAILURE() << loaded.error().message();
      return;
    }
    robot = loaded->robot;
    Scene scene;
    RobotSpec spec;
    spec.name = "r";
    spec.description = robot;
    for (JointSpec& joint : spec.description.joints) joint.armature = 0;  // the reference's M has no rotors
    for (LinkSpec& link : spec.description.links) link.collisions.clear();
    scene.robots.push_back(spec);
    const Result<CompiledScene> compiled = compile(scene);
    if (!compiled) {
      ADD_FAILURE() << compiled.error().message();
      return;
    }
    model = compiled->model;
  }
  std::string name() const { return reference["file"]; }
  const JointSpec* joint(const std::string& wanted) const {
    for (const JointSpec& candidate : robot.joints)
      if (candidate.name == wanted) return &candidate;
    return nullptr;
  }
  /// Index of the first velocity of a reference joint.
  int velocityIndex(const std::string& jointName) const {
    return model->tree.joints[static_cast<std::size_t>(model->findJoint("r." + jointName))].vStart;
  }
};

/// The tables of a folder of tests/data.
/// Of the files that this build reads.
std::vector<std::string> tablesIn(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(testing::dataDir() / folder)) {
    if (entry.path().stem().string().ends_with("_sdf") && !assets::readsSdf()) continue;
    if (entry.path().extension() == ".json") files.push_back(folder + "/" + entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What the file itself names: not the root that stands for the world, nor the massless carrier of a joint
/// whose frame is not its child's.
bool isOfTheFile(const std::string& name) {
  return name != "world" && !name.ends_with("::frame") && !name.ends_with("::offset");
}

void expectCountsAndMasses(const Compared& c) {
  std::size_t links = 0, visuals = 0, collisions = 0;
  std::map<std::string, int> types;
  double total = 0;
  for (const LinkSpec& link : c.robot.links) {
    links += isOfTheFile(link.name) ? 1 : 0;
    visuals += link.visuals.size();
    collisions += link.collisions.size();
    total += link.mass;
    if (c.reference["link_masses"].contains(link.name))
      EXPECT_NEAR(link.mass, c.reference["link_masses"][link.name].get<double>(), kMassTolerance)
          << link.name;
    else
      EXPECT_FALSE(isOfTheFile(link.name)) << link.name;
  }
  for (const JointSpec& joint : c.robot.joints) {
    constexpr std::array<const char*, 7> kNames = {"fixed", "revolute", "continuous", "prismatic",
                                                   "ball",  "planar",   "floating"};
    if (isOfTheFile(joint.name)) ++types[kNames[static_cast<std::size_t>(joint.type)]];
  }
  EXPECT_EQ(links, c.reference["num_links_without_world"].get<std::size_t>());
  EXPECT_EQ(visuals, c.reference["visual_elements_in_file"].get<std::size_t>());
  EXPECT_EQ(collisions, c.reference["collision_elements_in_file"].get<std::size_t>());
  EXPECT_EQ(json(types), c.reference["joint_types_in_file"].is_null() ? json::object()
                                                                      : c.reference["joint_types_in_file"]);
  EXPECT_NEAR(total, c.reference["total_mass"].get<double>(), kMassTolerance * 100);
}

void expectJoints(const Compared& c) {
  const auto expect = [&](const char* key, std::size_t i, double value) {
    const json& number = c.reference[key][i];
    if (number.is_number())
      EXPECT_NEAR(value, number.get<double>(), kTolerance) << "joint " << i << ", " << key;
    else
      EXPECT_TRUE(std::isinf(value)) << "joint " << i << ", " << key;
  };
  const auto names = c.reference.value("joint_order", std::vector<std::string>{});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const JointSpec* joint = c.joint(names[i]);
    ASSERT_TRUE(joint) << names[i];
    expect("position_lower", i, joint->lower);
    expect("position_upper", i, joint->upper);
    expect("velocity_upper", i, joint->velocityLimit);
    expect("damping", i, joint->damping);
  }
  const auto actuated = c.reference.value("actuated_joints", std::vector<std::string>{});
  for (std::size_t i = 0; i < actuated.size(); ++i) {
    ASSERT_TRUE(c.joint(actuated[i])) << actuated[i];
    expect("actuator_effort_limits", i, c.joint(actuated[i])->effortLimit.upper);
    expect("actuator_reflected_inertia", i, c.joint(actuated[i])->armature);
  }
}

void expectPose(const Compared& c, const json& pose) {
  const auto names = c.reference["joint_order"].get<std::vector<std::string>>();
  const multibody::Tree& tree = c.model->tree;
  VecX q = tree.zeroPosition();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int joint = c.model->findJoint("r." + names[i]);
    ASSERT_GE(joint, 0) << names[i];
    q[tree.joints[static_cast<std::size_t>(joint)].qStart] = pose["q"][i].get<double>();
  }
  std::vector<Pose> X_WB;
  multibody::computePoses(tree, q, X_WB);
  for (const auto& [name, wanted] : pose["links"].items()) {
    const int body = c.model->findBody("r." + name);
    ASSERT_GE(body, 0) << name;
    const Pose& X = X_WB[static_cast<std::size_t>(body)];
    const auto& p = wanted["position"];
    const auto& r = wanted["quaternion_wxyz"];
    EXPECT_LT((X.p - Vec3(p[0], p[1], p[2])).norm(), kTolerance) << name;
    EXPECT_LT((X.R - Quat(r[0], r[1], r[2], r[3]).toRotationMatrix()).norm(), kTolerance) << name;
  }
  const VecX zero = VecX::Zero(tree.nv);
  const VecX hold = multibody::inverseDynamics(tree, q, zero, zero, Vec3(0, 0, -9.81));
  MatX M;
  multibody::computeMassMatrix(tree, X_WB, M);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int row = c.velocityIndex(names[i]);
    EXPECT_NEAR(-hold[row], pose["gravity_force"][i].get<double>(), kTolerance) << names[i];
    if (!pose.contains("mass_matrix")) continue;
    for (std::size_t k = 0; k < names.size(); ++k)
      EXPECT_NEAR(M(row, c.velocityIndex(names[k])), pose["mass_matrix"][i][k].get<double>(), kTolerance)
          << names[i] << ", " << names[k];
  }
}

/// Files without movable joints: centre of mass and inertia about the link's origin.
void expectBodies(const Compared& c) {
  for (const LinkSpec& link : c.robot.links) {
    const json bodies = c.reference.value("bodies", json::object());
    if (!bodies.contains(link.name)) continue;
    const json& wanted = bodies[link.name];
    const Mat3 about = link.inertia + link.mass * (link.com.squaredNorm() * Mat3::Identity() -
                                                   link.com * link.com.transpose());
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(link.com[i], wanted["com"][static_cast<std::size_t>(i)].get<double>(), kTolerance)
          << link.name;
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(about(i, k),
                    wanted["inertia_about_origin"][static_cast<std::size_t>(i)][static_cast<std::size_t>(k)]
                        .get<double>(),
                    kTolerance)
            << link.name;
    }
  }
}

void expectFactsOfTables(const std::string& folder, const fs::path& root) {
  for (const std::string& table : tablesIn(folder)) {
    SCOPED_TRACE(table);
    const Compared compared(table, root);
    if (!compared.model) continue;
    expectCountsAndMasses(compared);
    expectJoints(compared);
    expectBodies(compared);
  }
}

/// @return how many poses were compared
int expectPosesOfTables(const std::string& folder, const fs::path& root) {
  int poses = 0;
  for (const std::string& table : tablesIn(folder)) {
    SCOPED_TRACE(table);
    const Compared compared(table, root);
    if (!compared.model || !compared.reference.contains("zero_pose")) continue;
    expectPose(compared, compared.reference["zero_pose"]);
    for (const json& pose : compared.reference["random_poses"]) expectPose(compared, pose);
    poses += 1 + static_cast<int>(compared.reference["random_poses"].size());
  }
  return poses;
}

const std::string kOwnTables = "rigid/robots", kOtherTables = "rigid/other_robots";

TEST(RobotFiles, EveryShippedRobotHasATable) {
  for (const auto& entry : fs::directory_iterator(testing::sourceDir() / "assets/robots")) {
    if (entry.path().extension() != ".urdf" && entry.path().extension() != ".sdf") continue;
    const std::string table =
        entry.path().stem().string() + "_" + entry.path().extension().string().substr(1) + ".json";
    EXPECT_TRUE(fs::exists(testing::dataDir() / kOwnTables / table)) << table;
  }
}

TEST(RobotFiles, MassesCountsJointsAndLimitsAreThoseOfTheReference) {
  expectFactsOfTables(kOwnTables, testing::sourceDir());
}

TEST(RobotFiles, PosesMassMatrixAndGravityForcesAreThoseOfTheReference) {
  const int tables = assets::readsSdf() ? 12 : 11;
  EXPECT_EQ(expectPosesOfTables(kOwnTables, testing::sourceDir()), tables * 6);
}

TEST(OtherRobots, MassesCountsJointsAndLimitsAreThoseOfTheReference) {
  SLIPSTICK_REQUIRE_OTHER_ROBOTS();
  expectFactsOfTables(kOtherTables, testing::otherRobotsDir());
}

TEST(OtherRobots, PosesMassMatrixAndGravityForcesAreThoseOfTheReference) {
  SLIPSTICK_REQUIRE_OTHER_ROBOTS();
  EXPECT_GT(expectPosesOfTables(kOtherTables, testing::otherRobotsDir()), 0);
}

}  // namespace
}  // namespace slipstick
