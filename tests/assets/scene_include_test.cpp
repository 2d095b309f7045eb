// Files that a scene includes, and the defaults of their entries.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/compile/compile.h"
#include "tests/assets/scene_facts.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::expectFault;

const std::string kBox =
    "{base: free, density: 500, position: [0, 0, 1], shapes: [{name: all, shape: box, size: [0.1, 0.1, "
    "0.1]}]}";

/// A folder of small files, and what opening one of them gives.
struct Included : ::testing::Test {
  Included() {
    std::string name = (fs::temp_directory_path() / "slipstick_include_XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~Included() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  fs::path put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
    return folder / name;
  }
  /// Of main.yaml.
  Result<assets::LoadedScene> open(const std::vector<std::string>& overrides = {}) const {
    return assets::loadScene((folder / "main.yaml").string(), {.overrides = overrides, .packagePaths = {}});
  }
  Scene scene(const std::vector<std::string>& overrides = {}) const {
    const Result<assets::LoadedScene> loaded = open(overrides);
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded ? loaded->scene : Scene{};
  }
  std::string fault(const std::vector<std::string>& overrides = {}) const {
    const Result<assets::LoadedScene> loaded = open(overrides);
    if (!loaded) return loaded.error().message();
    const Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
    return compiled ? "" : compiled.error().message();
  }
  fs::path folder;
};

std::vector<std::string> namesOf(const std::vector<RobotSpec>& robots) {
  std::vector<std::string> names;
  for (const RobotSpec& robot : robots) names.push_back(robot.name);
  return names;
}

TEST_F(Included, FilesGiveTheirBlocksAndTheSceneItselfGoesOverThem) {
  put("common.yaml", "title: common\ngravity: [0, 0, -1]\ntime: {dt_ms: 2, duration: 3}\nbodies:\n  a: " +
                         kBox + "\n  b: " + kBox + "\npair_rules: [{a: a, enabled: false}]\n");
  put("main.yaml",
      "include: common.yaml\ntitle: main\ntime: {dt_ms: 4}\nbodies:\n  b: {position: [0, 0, 5], contact: "
      "{friction: 0.3}}\n  c: " +
          kBox + "\npair_rules: [{a: c, enabled: false}]\n");
  const Scene s = scene();
  EXPECT_EQ(s.title, "main");
  EXPECT_EQ(s.gravity, Vec3(0, 0, -1));
  EXPECT_EQ(s.time.dt, 0.004);
  EXPECT_EQ(s.time.duration, 3);
  EXPECT_EQ(namesOf(s.robots), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(s.robots[1].X_PB.p, Vec3(0, 0, 5));
  EXPECT_EQ(s.robots[1].contact.friction, 0.3);
  EXPECT_DOUBLE_EQ(s.robots[1].description.links[0].mass, 0.5) << "all else as it is included";
  ASSERT_EQ(s.pairRules.size(), 2u) << "of lists all entries count, the included ones first";
  EXPECT_EQ(s.pairRules[0].a, "a");
  EXPECT_EQ(s.pairRules[1].a, "c");
}

TEST_F(Included, AnEmptyValueTakesAwayWhatIsIncluded) {
  put("common.yaml", "bodies:\n  a: " + kBox + "\n  b: " + kBox +
                         "\ntask: {text: t, success: [{observable: a.z, below: 0}]}\n");
  put("main.yaml", "include: common.yaml\nbodies: {a: ~}\ntask: ~\n");
  const Scene s = scene();
  EXPECT_EQ(namesOf(s.robots), std::vector<std::string>{"b"});
  EXPECT_FALSE(s.task);
}

TEST_F(Included, AKeyTakesThePlaceOfOneThatContradictsIt) {
  put("common.yaml", "bodies:\n  a: " + kBox + "\n");
  put("main.yaml", "include: common.yaml\nbodies: {a: {mass: 7, shapes: [{shape: sphere, radius: 0.1}]}}\n");
  EXPECT_EQ(scene().robots[0].description.links[0].mass, 7);
}

TEST_F(Included, FilesOfOtherFoldersFindTheirOwn) {
  put("parts/meshes/tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  put("parts/inner/deep.yaml", "bodies: {deep: {shapes: [{shape: mesh, file: ../meshes/tetra.obj}]}}\n");
  put("parts/part.yaml",
      "include: inner/deep.yaml\nbodies: {near: {shapes: [{shape: mesh, file: meshes/tetra.obj}]}}\n");
  const fs::path main = put("main.yaml", "include: [parts/part.yaml]\n");
  const Scene s = scene();
  EXPECT_EQ(namesOf(s.robots), (std::vector<std::string>{"deep", "near"}));
  const auto isSource = [&](const fs::path& file) {
    return std::any_of(s.sources.begin(), s.sources.end(),
                       [&](const fs::path& f) { return fs::equivalent(f, file); });
  };
  for (const char* file : {"main.yaml", "parts/part.yaml", "parts/inner/deep.yaml", "parts/meshes/tetra.obj"})
    EXPECT_TRUE(isSource(folder / file)) << file << " is watched, and goes into recordings";
}

TEST_F(Included, ErrorsNameTheFileAndLineThatTheyAreIn) {
  put("common.yaml", "bodies:\n  a: " + kBox + "\n  b:\n    base: fre\n    shapes: [{shape: plane}]\n");
  put("main.yaml", "# one\ninclude: common.yaml\nbodies:\n  c: {base: free, shapes: [{shape: plane}]}\n");
  expectFault(fault(), {"common.yaml:4, key 'bodies.b.base'", "'free'"});
  put("common.yaml", "bodies:\n  b:\n    shapes: [{shape: plane}]\n    attach_to: nowhere\n");
  put("main.yaml", "# one\ninclude: common.yaml\nbodies:\n  b: {visible: false}\n");
  expectFault(fault(), {"common.yaml:4", "nowhere"});
  put("main.yaml", "include: common.yaml\nbodies:\n  b:\n    attach_to: elsewhere\n");
  expectFault(fault(), {"main.yaml:4", "elsewhere"});
  put("common.yaml", "bodies: {a: {\n");
  expectFault(fault(), {"common.yaml:", "not YAML"});
}

TEST_F(Included, FilesThatAreNotThereOrNoScenesAreErrorsOfTheirLine) {
  put("main.yaml", "title: t\ninclude:\n  - nowhere.yaml\n");
  expectFault(fault(), {"main.yaml:3, key 'include'", "'nowhere.yaml' does not exist", "tried"});
  put("arm.urdf", "<robot name='r'><link name='a'/></robot>");
  put("main.yaml", "include: arm.urdf\n");
  expectFault(fault(), {"main.yaml:1", "is no scene", "robots"});
  put("list.yaml", "- 1\n");
  put("main.yaml", "include: list.yaml\n");
  expectFault(fault(), {"list.yaml:1", "not a scene"});
  put("main.yaml", "include: {file: list.yaml}\n");
  expectFault(fault(), {"main.yaml:1", "name of a file"});
  put("new.yaml", "title: n\nslipstick: 99\n");
  put("main.yaml", "include: new.yaml\nslipstick: 1\n");
  expectFault(fault(), {"new.yaml:2", "newer Slipstick"});
}

TEST_F(Included, CirclesDeepRowsAndCrowdsOfFilesAreRefused) {
  put("main.yaml", "include: a.yaml\n");
  put("a.yaml", "include: b.yaml\n");
  put("b.yaml", "title: b\ninclude: main.yaml\n");
  expectFault(fault(), {"b.yaml:2", "includes itself"});
  put("main.yaml", "include: main.yaml\n");
  expectFault(fault(), {"main.yaml:1", "includes itself"});
  put("main.yaml", "include: d0.yaml\n");
  for (int i = 0; i < 9; ++i)
    put("d" + std::to_string(i) + ".yaml",
        i < 8 ? "include: d" + std::to_string(i + 1) + ".yaml\n" : "title: end\n");
  expectFault(fault(), {"more than 8 deep"});
  put("d7.yaml", "title: end\n");
  EXPECT_EQ(fault(), "");
  std::string many = "include:\n";
  for (int i = 0; i < 64; ++i) {
    put("m" + std::to_string(i) + ".yaml", "title: m\n");
    many += "  - m" + std::to_string(i) + ".yaml\n";
  }
  put("main.yaml", many);
  expectFault(fault(), {"main.yaml:65", "more than 63 files"});
}

TEST_F(Included, AFileThatIsIncludedTwiceCountsOnce) {
  put("base.yaml", "bodies:\n  a: " + kBox + "\npair_rules: [{a: a, enabled: false}]\n");
  put("left.yaml", "include: base.yaml\nbodies: {a: {contact: {friction: 0.1}}}\n");
  put("right.yaml", "include: base.yaml\nbodies: {a: {visible: false}}\n");
  put("main.yaml", "include: [left.yaml, right.yaml]\n");
  const Scene s = scene();
  EXPECT_EQ(s.pairRules.size(), 1u);
  EXPECT_EQ(s.robots[0].contact.friction, 0.1);
  EXPECT_FALSE(s.robots[0].look.visible);
}

TEST_F(Included, AssignmentsReachWhatIsIncluded) {
  put("common.yaml",
      "bodies:\n  a: " + kBox + "\nmaterials: {gel: {model: hencky, E: 1e5, nu: 0.3, density: 500}}\n");
  put("other.yaml", "bodies:\n  z: " + kBox + "\n");
  put("main.yaml", "include: common.yaml\nmaterials: {gel: {nu: 0.2}}\n");
  const Scene s = scene({"bodies.a.position.z=4", "materials.gel.E=7", "bodies.a.shapes.all.size.x=0.3"});
  EXPECT_EQ(s.robots[0].X_PB.p, Vec3(0, 0, 4));
  EXPECT_EQ(s.materials[0].parameters.E, 7);
  EXPECT_EQ(s.materials[0].parameters.nu, 0.2);
  EXPECT_EQ(std::get<shape::Box>(s.robots[0].description.links[0].collisions[0].shape).halfExtents.x(), 0.15);
  EXPECT_EQ(namesOf(scene({"include=[common.yaml, other.yaml]"}).robots),
            (std::vector<std::string>{"a", "z"}));
  expectFault(fault({"materials.gel.nu=0.7"}), {"--set materials.gel.nu=0.7", "out of range"});
}

TEST_F(Included, DefaultsGoToTheEntriesOfTheirOwnFileThatDoNotSayMore) {
  put("common.yaml", "defaults: {bodies: {contact: {friction: 0.9}}}\nbodies:\n  a: " + kBox + "\n");
  put("main.yaml", R"(include: common.yaml
defaults:
  bodies: {base: free, density: 100, contact: {friction: 0.2, dissipation: 3}}
  shapes: {color: "#FF0000", contact: {rigid: {modulus: 5.0e6}}}
bodies:
  a: {visible: false}
  b: {shapes: [{shape: sphere, radius: 0.1}], position: [1, 0, 0]}
  c: {mass: 3, contact: {friction: 0.7}, shapes: [{shape: sphere, radius: 0.1, color: "#00FF00"}], position: [2, 0, 0]}
  d: {base: fixed, density: ~, shapes: [{shape: sphere, radius: 0.1}], position: [3, 0, 0]}
)");
  const Scene s = scene();
  ASSERT_EQ(s.robots.size(), 4u);
  EXPECT_EQ(s.robots[0].contact.friction, 0.9) << "what is included has the defaults of its own file";
  EXPECT_FALSE(s.robots[0].contact.dissipation) << "and those of its own file only";
  EXPECT_DOUBLE_EQ(s.robots[0].description.links[0].mass, 0.5);
  EXPECT_EQ(s.robots[1].contact.friction, 0.2);
  EXPECT_EQ(s.robots[1].contact.dissipation, 3);
  EXPECT_TRUE(s.robots[1].freeBase);
  EXPECT_EQ(s.robots[1].description.links[0].visuals[0].color, Color(1, 0, 0, 1));
  EXPECT_EQ(s.robots[1].description.links[0].collisions[0].contact.rigid.modulus, 5e6);
  EXPECT_EQ(s.robots[2].description.links[0].mass, 3) << "mass takes the place of density";
  EXPECT_EQ(s.robots[2].contact.friction, 0.7);
  EXPECT_EQ(s.robots[2].contact.dissipation, 3) << "blocks are merged key by key";
  EXPECT_EQ(s.robots[2].description.links[0].visuals[0].color, Color(0, 1, 0, 1));
  EXPECT_FALSE(s.robots[3].freeBase);
  EXPECT_EQ(s.robots[3].description.links[0].mass, 0);
  EXPECT_EQ(scene({"defaults.bodies.density=200"}).robots[1].description.links[0].mass,
            2 * s.robots[1].description.links[0].mass);
}

TEST_F(Included, DefaultsOfListsAndFaultsInDefaults) {
  put("main.yaml", R"(defaults:
  controllers: {kp: 7, kd: 8}
robots: {arm: {urdf: pendulum, position: [0, 0, 2]}}
controllers: [{kind: joint_path, robot: arm, joints: [hinge], keys: [{t: 0, q: [0]}], kd: 9}]
)");
  const Scene s = scene();
  const PdGains& gains = std::get<JointPathSpec>(s.controllers.at(0)).gains;
  EXPECT_EQ(gains.kp, std::vector<double>{7});
  EXPECT_EQ(gains.kd, std::vector<double>{9});
  put("main.yaml", "defaults:\n  body: {density: 1}\n");
  expectFault(fault(), {"main.yaml:2, key 'defaults'", "'body'", "bodies"});
  put("main.yaml", "defaults: {bodies: 3}\n");
  expectFault(fault(), {"main.yaml:1", "block of 'key: value' lines"});
  put("main.yaml", "defaults:\n  bodies:\n    desity: 1\nbodies: {a: {shapes: [{shape: plane}]}}\n");
  expectFault(fault(), {"main.yaml:3, key 'bodies.a.desity'", "density"});
}

TEST_F(Included, DefaultsThatMultiplyWithoutEndAreRefused) {
  std::string text = "defaults:\n  bodies: {";
  for (int i = 0; i < 2000; ++i) text += "k" + std::to_string(i) + ": 1, ";
  text += "}\nbodies:\n";
  for (int i = 0; i < 2000; ++i) text += "  b" + std::to_string(i) + ": {}\n";
  put("main.yaml", text);
  expectFault(fault(), {"300000 values"});
}

}  // namespace
}  // namespace slipstick
