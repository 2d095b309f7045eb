// MJCF files against MuJoCo (tests/data/mjcf, and the models of the package dm_control where tests/run has installed it):
// degrees of freedom, masses, and the mass matrix where the file puts the joints.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "assets/mjcf_io.h"
#include "engine/compile/compile.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using multibody::JointType;
using nlohmann::json;

constexpr double kTolerance = 1e-8;  // of the whole mass; of the largest entry of the mass matrix

bool endsWith(const std::string& name, const char* suffix) {
  return name.ends_with(suffix);
}

/// Of the file's own, without the carriers and fixed joints that stand for several joints or none.
std::vector<double> massesOf(const RobotDescription& robot) {
  std::vector<double> masses;
  for (std::size_t i = 1; i < robot.links.size(); ++i)  // the first is the world
    if (!endsWith(robot.links[i].name, "::frame")) masses.push_back(robot.links[i].mass);
  return masses;
}

std::vector<const JointSpec*> jointsOf(const RobotDescription& robot) {
  std::vector<const JointSpec*> joints;
  for (const JointSpec& joint : robot.joints)
    if (joint.type != JointType::Fixed) joints.push_back(&joint);
  return joints;
}

std::string typeOf(JointType type) {
  return type == JointType::Floating    ? "free"
         : type == JointType::Ball      ? "ball"
         : type == JointType::Prismatic ? "slide"
                                        : "hinge";
}

std::shared_ptr<const Model> modelOf(const RobotDescription& robot) {
  Scene scene;
  RobotSpec spec;
  spec.name = "r";
  spec.description = robot;
  for (LinkSpec& link : spec.description.links) link.collisions.clear();
  scene.robots.push_back(std::move(spec));
  const Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled ? compiled->model : nullptr;
}

/// Our velocities per velocity of MuJoCo: of a free joint it takes the linear one in W first, then the angular one in the
/// body's axes; here the angular one comes first, both in the joint's frame.
MatX fromMujoco(const Model& model, const std::vector<const JointSpec*>& joints,
                const std::vector<Pose>& X_WB) {
  MatX T = MatX::Zero(model.tree.nv, model.tree.nv);
  int column = 0;
  for (const JointSpec* spec : joints) {
    const multibody::Joint& joint =
        model.tree.joints[static_cast<std::size_t>(model.findJoint("r." + spec->name))];
    const int n = multibody::velocityCount(joint.type);
    if (joint.type == JointType::Floating) {
      T.block<3, 3>(joint.vStart, column + 3).setIdentity();
      T.block<3, 3>(joint.vStart + 3, column) =
          X_WB[static_cast<std::size_t>(joint.child)].R.transpose();  // J is where the body is
    } else {
      T.block(joint.vStart, column, n, n).setIdentity();
    }
    column += n;
  }
  return T;
}

MatX massMatrixOfMujoco(const json& rows) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  MatX M(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k <= i; ++k)
      M(i, k) = M(k, i) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)].get<double>();
  return M;
}

struct Errors {
  double mass = 0;    ///< largest of a body, of the whole mass
  double matrix = 0;  ///< largest of an entry, of the largest entry
};

Errors compare(const RobotDescription& robot, const json& reference) {
  Errors errors;
  const std::vector<double> masses = massesOf(robot);
  const auto wanted = reference["masses"].get<std::vector<double>>();
  EXPECT_EQ(masses.size(), wanted.size());
  double total = 0;
  for (const double m : wanted) total += m;
  for (std::size_t i = 0; i < std::min(masses.size(), wanted.size()); ++i)
    errors.mass = std::max(errors.mass, std::abs(masses[i] - wanted[i]) / std::max(total, 1e-300));
  const std::vector<const JointSpec*> joints = jointsOf(robot);
  std::vector<std::string> types;
  for (const JointSpec* joint : joints) types.push_back(typeOf(joint->type));
  EXPECT_EQ(types, reference["joints"].get<std::vector<std::string>>());
  const std::shared_ptr<const Model> model = modelOf(robot);
  if (!model) return errors;
  EXPECT_EQ(model->tree.nv, reference["nv"].get<int>());
  if (model->tree.nv != reference["nv"].get<int>() || model->tree.nv == 0) return errors;
  std::vector<Pose> X_WB;
  multibody::computePoses(model->tree, model->tree.zeroPosition(), X_WB);
  MatX M;
  multibody::computeMassMatrix(model->tree, X_WB, M);
  const MatX T = fromMujoco(*model, joints, X_WB), theirs = massMatrixOfMujoco(reference["mass_matrix"]);
  errors.matrix = (T.transpose() * M * T - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
  return errors;
}

void expectAsMujoco(const fs::path& file, const json& reference) {
  const Result<assets::LoadedMjcf> loaded = assets::loadMjcf(file);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Errors errors = compare(loaded->robot, reference);
  std::printf("%s: nv %d, masses within %.1e, mass matrix within %.1e\n", file.filename().c_str(),
              reference["nv"].get<int>(), errors.mass, errors.matrix);
  EXPECT_LE(errors.mass, kTolerance);
  EXPECT_LE(errors.matrix, kTolerance);
}

TEST(MjcfReference, FreedomsMassesAndMassMatricesOfOurModelsAreThoseOfMujoco) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(testing::dataDir() / "mjcf")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename());
    const json reference = testing::readData("mjcf/" + entry.path().filename().string());
    expectAsMujoco(entry.path().parent_path() / reference["file"].get<std::string>(), reference);
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(MjcfReference, EveryOneOfOurModelsCompilesWithItsContacts) {
  for (const auto& entry : fs::directory_iterator(testing::dataDir() / "mjcf")) {
    if (entry.path().extension() != ".xml") continue;
    const Result<assets::LoadedModel> loaded = assets::loadModel(entry.path().string());
    EXPECT_TRUE(loaded) << loaded.error().message();
  }
}

/// Where tests/run leaves what MuJoCo says of dm_control's models.
fs::path tableOfDmControl() {
  const char* table = std::getenv("SLIPSTICK_DM_CONTROL");
  return table ? fs::path(table)
               : testing::program().parent_path().parent_path() / "readers" / "dm_control.json";
}

/// Files that MuJoCo opens and this program does not: parts of other files, and what the reasons say.
TEST(MjcfReference, ModelsOfDmControlAreThoseOfMujocoOrRefusedWithAReason) {
  if (!fs::exists(tableOfDmControl()))
    GTEST_SKIP() << tableOfDmControl()
                 << " is missing: tests/run makes it with the packages mujoco and dm_control";
  std::ifstream stream(tableOfDmControl());
  const json table = json::parse(stream);
  int opened = 0;
  for (const json& entry : table["models"]) {
    SCOPED_TRACE(entry["name"].get<std::string>());
    const fs::path file = entry["file"].get<std::string>();
    const Result<assets::LoadedMjcf> loaded = assets::loadMjcf(file);
    if (!loaded) {
      std::printf("%s: refused: %s\n", entry["name"].get<std::string>().c_str(),
                  loaded.error().message().c_str());
      testing::expectFault(loaded.error().message(), {});
      const bool isPart = loaded.error().what.find("has no <worldbody>") != std::string::npos;
      EXPECT_TRUE(isPart || entry.contains("error")) << loaded.error().message();
      continue;
    }
    if (entry.contains("error")) continue;  // opened here although MuJoCo refuses it
    ++opened;
    expectAsMujoco(file, entry);
  }
  EXPECT_GE(opened, 20);
}

}  // namespace
}  // namespace slipstick
