// Scene → YAML → Scene is the identity.
#include "assets/scene_writer.h"

#include <gtest/gtest.h>

#include <random>

#include "assets/scene_file.h"
#include "assets/scene_io.h"
#include "engine/compile/scene_edit.h"
#include "engine/facts/looks.h"
#include "engine/model/parameters.h"
#include "tests/assets/scene_facts.h"
#include "tests/support/comma_locale.h"
#include "tests/support/sanitizers.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

/// Reads a scene from what was written of it, and says what differs, or why it could not be written or read.
std::string changedBy(const Result<std::string>& written, const Scene& scene, const fs::path& folder) {
  if (!written) return written.error().message();
  Result<assets::LoadedScene> read = assets::parseScene(*written, folder, scene.name);
  if (!read) return read.error().message() + "\n" + *written;
  read->scene.name = scene.name;
  return testing::SceneFacts::difference(scene, read->scene);
}

std::string changedByWriting(const Scene& scene, const fs::path& folder) {
  return changedBy(assets::writeScene(scene, folder), scene, folder);
}

/// Into the text of its file, with its comments and its order.
std::string changedBySaving(const Scene& scene) {
  const fs::path folder = scene.file.parent_path();
  return changedBy(assets::textOfScene(scene, {}, folder), scene, folder);
}

TEST(SceneWriter, WritesEveryShippedSceneAsItWasRead) {
  for (const assets::ShippedScene& shipped : assets::shippedScenes()) {
    const Result<assets::LoadedScene> loaded = assets::loadScene(shipped.name);
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(changedByWriting(loaded->scene, shipped.file.parent_path()), "") << shipped.name;
    EXPECT_EQ(changedByWriting(loaded->scene, ::testing::TempDir()), "")
        << shipped.name << " in another folder";
  }
}

/// One change that a person could make, whatever it is.
class RandomEdit {
 public:
  explicit RandomEdit(unsigned seed) : random_(seed) {}

  void apply(Scene& scene) {
    switch (pick(15)) {
      case 0:
        scene.gravity = vector(10);
        break;
      case 1:
        scene.contact.friction = positive(2);
        break;
      case 2:
        if (!scene.materials.empty()) any(scene.materials).parameters.E = positive(1e6);
        break;
      case 3:
        if (!scene.materials.empty()) any(scene.materials).parameters.nu = 0.01 + positive(0.45);
        break;
      case 4:
      case 5:
        spawn(scene);
        break;
      case 6:
        if (!scene.deformables.empty()) soften(scene);
        break;
      case 7:
        remove(scene);
        break;
      case 8:
        scene.cameras.push_back(
            {"view " + std::to_string(pick(1000)), vector(3), vector(1), 10 + positive(80), {}});
        if (pick(2) == 0) scene.cameras.back().up = vector(1);
        if (pick(2) == 0 && !scene.robots.empty()) scene.cameras.back().body = any(scene.robots).name;
        break;
      case 9:
        if (!scene.robots.empty()) move(any(scene.robots));
        break;
      case 10:
        if (!scene.robots.empty()) any(scene.robots).contact.rigid.dissipation = positive(50);
        if (!scene.robots.empty()) any(scene.robots).contact.restitution = positive(1);
        break;
      case 11:
        scene.groundHeight = pick(3) == 0 ? std::nullopt : std::optional(positive(2) - 1);
        scene.opensOnAll = pick(2) == 0;
        scene.title = "a \"title\": with #, {odd} [signs] \\ and \xc3\xa9 " + std::to_string(pick(100));
        break;
      case 13:
        recolor(scene);
        break;
      case 12:
        scene.pairRules.push_back(
            {"*", scene.robots.empty() ? "*" : any(scene.robots).name, {}, positive(1)});
        if (pick(2) == 0) scene.pairRules.back().restitution = positive(1);
        break;
      default:
        scene.paths.push_back({"path_" + std::to_string(scene.paths.size()),
                               {{0, vector(1), rotation()}, {positive(2) + 0.1, vector(1), rotation()}},
                               static_cast<Interpolation>(pick(3))});
    }
  }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  double positive(double most) { return std::uniform_real_distribution<double>(1e-6, most)(random_); }
  Vec3 vector(double most) {
    std::uniform_real_distribution<double> of(-most, most);
    return {of(random_), of(random_), of(random_)};
  }
  Quat rotation() { return Quat(Eigen::AngleAxisd(positive(3), vector(1).normalized())); }
  Color color() {
    const auto part = [this] { return static_cast<float>(positive(1)); };
    return {part(), part(), part(), pick(2) == 0 ? 1 : part()};
  }
  template <class T>
  T& any(std::vector<T>& list) {
    return list[static_cast<std::size_t>(pick(static_cast<int>(list.size())))];
  }

  void spawn(Scene& scene) {
    const Shape shapes[] = {shape::Box{Vec3(positive(1), positive(1), positive(1))},
                            shape::Sphere{positive(1)}, shape::Cylinder{positive(1), positive(1)},
                            shape::Capsule{positive(1), positive(1)},
                            shape::Ellipsoid{Vec3(positive(1), positive(1), positive(1))}};
    Pose X_WB;
    X_WB.p = vector(2);
    if (pick(2) == 0) X_WB.R = rotation().toRotationMatrix();
    Result<RobotSpec> body =
        floatingBody(pick(2) == 0 ? "a thing" : "thing", shapes[pick(5)], positive(2000), X_WB, color());
    ASSERT_TRUE(body) << body.error().message();
    Result<Scene> with = edited(scene, SpawnBody{std::move(*body), true});
    ASSERT_TRUE(with) << with.error().message();
    scene = std::move(*with);
  }

  void soften(Scene& scene) {
    DeformableSpec& d = any(scene.deformables);
    d.color = color();
    d.velocity = vector(1);
    d.X_WD.p += vector(0.1);
    d.apicDamping = positive(1);
    d.draw = static_cast<DrawStyle>(pick(2));
  }

  LookSpec look() { return {pick(2) == 0, pick(2) == 0 ? std::optional(color()) : std::nullopt}; }

  void recolor(Scene& scene) {
    if (!scene.boundaries.empty()) any(scene.boundaries).look = look();
    if (!scene.deformables.empty()) any(scene.deformables).visible = pick(2) == 0;
    if (scene.robots.empty()) return;
    RobotSpec& robot = any(scene.robots);
    robot.look = look();
    if (!robot.description.file.empty())
      setLook(scene, {ThingKind::Link, robot.name + "." + any(robot.description.links).name}, look());
  }

  void remove(Scene& scene) {
    if (scene.robots.empty()) return;
    Result<Scene> without = edited(scene, Remove{any(scene.robots).name});
    if (without) scene = std::move(*without);
  }

  void move(RobotSpec& robot) {
    if (!robot.path.empty()) return;
    robot.X_PB.p = vector(1);
    if (pick(2) == 0) robot.X_PB.R = rotation().toRotationMatrix();
    if (robot.freeBase) robot.velocity = vector(1), robot.angularVelocity = vector(3);
    if (robot.description.file.empty()) return;
    robot.isHeld = pick(2) == 0;
    if (!robot.description.joints.empty())
      robot.jointPositions = {{robot.description.joints[0].name, positive(1)}};
    robot.jointNumbers.clear();
    for (const std::string& key : keysOf(ParameterBlock::Joint))
      for (const JointSpec& joint : robot.description.joints)
        if (pick(3) == 0) robot.jointNumbers.push_back({joint.name, key, positive(10)});
  }

  std::mt19937 random_;
};

TEST(SceneWriter, WritesAThousandRandomEditsAsTheyAre) {
  // Most of them where reading is cheap: the robots of the others bring meshes of their own.
  const std::pair<const char*, int> scenes[] = {
      {"stack", 500}, {"pendulum", 300}, {"hold", 150}, {"dough_rolling", 25}, {"sand_scoop", 25}};
#ifdef SLIPSTICK_ASAN
  const int share = 10;  // all of them take minutes there
#else
  const int share = 1;
#endif
  int edits = 0;
  for (const auto& [name, all] : scenes) {
    const int count = all / share;
    const Result<assets::LoadedScene> loaded = assets::loadScene(name);
    ASSERT_TRUE(loaded) << loaded.error().message();
    Scene scene = loaded->scene;
    RandomEdit edit(20261124);
    for (int i = 0; i < count; ++i, ++edits) {
      if (i % 20 == 0) scene = loaded->scene;
      edit.apply(scene);
      ASSERT_EQ(changedByWriting(scene, scene.file.parent_path()), "") << name << ", edit " << i;
      if (i % 5 > 0) continue;
      ASSERT_EQ(changedBySaving(scene), "") << name << ", edit " << i << ", into its file";
    }
  }
  EXPECT_GE(edits, 990 / share);
}

/// Every list of four: seen, felt, both or neither, with a name or known by their place.
TEST(SceneWriter, KeepsThePlacesOfShapesWithoutAName) {
  constexpr const char* kKinds[] = {"",
                                    ", collides: false",
                                    ", visible: false",
                                    ", visible: false, collides: false",
                                    ", name: N",
                                    ", name: N, collides: false",
                                    ", name: N, visible: false"};
  constexpr int kCount = std::size(kKinds), kLists = kCount * kCount * kCount * kCount;
  for (int list = 0; list < kLists; ++list) {
    std::string text = "bodies:\n  body:\n    density: 1\n    shapes:\n";
    for (int place = 0, left = list; place < 4; ++place, left /= kCount) {
      std::string kind = kKinds[left % kCount];
      if (const std::size_t n = kind.find('N'); n != std::string::npos)
        kind[n] = static_cast<char>('a' + place);
      text += "      - {shape: sphere, radius: " + std::to_string(place + 1) + kind + "}\n";
    }
    const Result<assets::LoadedScene> loaded = assets::parseScene(text, "", "body");
    if (!loaded) continue;  // of what is not there there is no mass
    ASSERT_EQ(changedByWriting(loaded->scene, ""), "") << text;
  }
}

TEST(SceneWriter, SaysWhatNoFileCanSay) {
  Scene scene;
  scene.name = "mesh";
  RobotSpec body;
  body.name = "thing";
  LinkSpec link;
  LinkGeometry mesh;
  mesh.shape = shape::Mesh{std::make_shared<TriangleMesh>()};
  link.visuals = {mesh};
  body.description.links = {link};
  scene.robots = {body};
  const Result<std::string> written = assets::writeScene(scene, ".");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().where, "thing");
}

TEST(SceneFile, SaysThatALaterVersionNeedsANewerProgram) {
  EXPECT_TRUE(assets::parseScene("slipstick: 1\n", ".", "now"));
  const Result<assets::LoadedScene> later =
      assets::parseScene("title: later\nslipstick: 7\n", ".", "later.yaml");
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, ErrorCode::Unsupported);
  EXPECT_NE(later.error().message().find("later.yaml:2"), std::string::npos) << later.error().message();
  EXPECT_NE(later.error().remedy.find("newer Slipstick"), std::string::npos);
}

TEST(SceneWriter, WritesPointsUnderACommaLocale) {
  const Result<assets::LoadedScene> loaded = assets::loadScene("dough_rolling");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<std::string> usual = assets::writeScene(loaded->scene, ".");
  const testing::CommaLocale comma;
  const Result<std::string> written = assets::writeScene(loaded->scene, ".");
  ASSERT_TRUE(usual && written);
  EXPECT_EQ(*written, *usual);
  EXPECT_EQ(changedBySaving(loaded->scene), "");
}

}  // namespace
}  // namespace slipstick
