#include "assets/scene_io.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "assets/limits.h"
#include "engine/compile/compile.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::faultOf;
using testing::kScene;
using testing::parsed;
using testing::varied;

TEST(SceneFormat, ReadsUnitsAndNamesAsWritten) {
  const Result<assets::LoadedScene> loaded = parsed(kScene);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  EXPECT_EQ(scene.title, "A box falls on a table");
  EXPECT_DOUBLE_EQ(scene.time.dt, 0.005);
  EXPECT_EQ(scene.time.substeps, 0);
  EXPECT_DOUBLE_EQ(*scene.contact.dissipation, 2);
  ASSERT_EQ(scene.robots.size(), 2u);
  EXPECT_EQ(scene.robots[0].name, "table");
  EXPECT_DOUBLE_EQ(scene.robots[1].description.links[0].mass, 1.0);
  EXPECT_EQ(scene.robots[1].velocity, Vec3(0, 0, -1));
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].parameters.model, MaterialModel::NeoHookean);
}

TEST(SceneFormat, AShapeHasAFinishOfItsOwn) {
  const std::string plain = "size: [0.1, 0.1, 0.1]}";
  const auto finishOf = [&](const std::string& keys) {
    const Result<assets::LoadedScene> loaded = parsed(varied(plain, "size: [0.1, 0.1, 0.1]" + keys + "}"));
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded ? loaded->scene.robots[1].description.links[0].visuals.at(0).finish : Finish{};
  };
  EXPECT_EQ(finishOf("").roughness, 0.5f);
  EXPECT_EQ(finishOf("").metallic, 0);
  const Finish brass = finishOf(", roughness: 0.3, metallic: 1");
  EXPECT_EQ(brass.roughness, 0.3f);
  EXPECT_EQ(brass.metallic, 1);
  expectFault(faultOf(varied(plain, "size: [0.1, 0.1, 0.1], roughness: 1.5}")), {"roughness", "1"});
}

/// The parameters of kScene's material when it is written so (cloth has no sampling).
Result<MaterialParameters> material(const std::string& text) {
  const std::string scene = varied("{model: neo_hookean, E: 1.0e5, nu: 0.3, density: 500}", text);
  const bool cloth = text.find("cloth") != std::string::npos;
  const Result<assets::LoadedScene> loaded =
      parsed(cloth ? varied("    sampling: {count: [4, 5, 6]}\n", "", scene) : scene);
  if (!loaded) return loaded.error();
  return loaded->scene.materials[0].parameters;
}

TEST(SceneFormat, EveryMaterialHasItsKeys) {
  const auto dough = material("{model: hencky_von_mises, E: 2e4, nu: 0.4, density: 900, yield_stress: 1e3}");
  ASSERT_TRUE(dough) << dough.error().message();
  EXPECT_DOUBLE_EQ(dough->yieldStress, 1e3);
  const auto sand =
      material("{model: drucker_prager, E: 1e6, nu: 0.3, density: 1600, friction_angle_deg: 33}");
  ASSERT_TRUE(sand) << sand.error().message();
  EXPECT_EQ(sand->model, MaterialModel::DruckerPrager);
  EXPECT_EQ(sand->sandHardening, (std::array<double, 4>{33, 0, 0, 0}));
  const auto hardening =
      material("{model: drucker_prager, E: 1e6, nu: 0.3, density: 1600, hardening_deg: [34, 8, 0.3, 11]}");
  ASSERT_TRUE(hardening) << hardening.error().message();
  EXPECT_EQ(hardening->sandHardening, (std::array<double, 4>{34, 8, 0.3, 11}));
  const auto snow = material(
      "{model: snow, E: 1e5, nu: 0.2, density: 400, critical_compression: 0.02, critical_stretch: 0.006, "
      "hardening: 8}");
  ASSERT_TRUE(snow) << snow.error().message();
  EXPECT_DOUBLE_EQ(snow->snowCompression, 0.02);
  EXPECT_DOUBLE_EQ(snow->snowStretch, 0.006);
  EXPECT_DOUBLE_EQ(snow->snowHardening, 8);
  const auto honey =
      material("{model: liquid, density: 1400, bulk_modulus: 2e5, exponent: 4, viscosity: 9, tension: true}");
  ASSERT_TRUE(honey) << honey.error().message();
  EXPECT_DOUBLE_EQ(honey->bulkModulus, 2e5);
  EXPECT_DOUBLE_EQ(honey->tait, 4);
  EXPECT_DOUBLE_EQ(honey->viscosity, 9);
  EXPECT_EQ(honey->largestJ, std::numeric_limits<double>::infinity());
  const auto water = material("{model: liquid, density: 1000, bulk_modulus: 1e5}");
  ASSERT_TRUE(water) << water.error().message();
  EXPECT_DOUBLE_EQ(water->tait, 7);
  EXPECT_DOUBLE_EQ(water->viscosity, 0);
  EXPECT_DOUBLE_EQ(water->largestJ, 1);
  const auto cloth = material(
      "{model: cloth, E: 1e5, nu: 0.3, density: 1000, thickness: 2e-3, normal_stiffness: 3e5, "
      "shear_stiffness: 400, "
      "layer_friction: 0.5, bending_stiffness: 1e-4}");
  ASSERT_TRUE(cloth) << cloth.error().message();
  EXPECT_DOUBLE_EQ(cloth->thickness, 2e-3);
  EXPECT_DOUBLE_EQ(cloth->normalStiffness, 3e5);
  EXPECT_DOUBLE_EQ(cloth->shearStiffness, 400);
  EXPECT_DOUBLE_EQ(cloth->layerFriction, 0.5);
  EXPECT_DOUBLE_EQ(cloth->bendingStiffness, 1e-4);
}

TEST(SceneFormat, KeysOfAnotherMaterialAndBadValuesNameTheLine) {
  const auto fault = [](const std::string& text) {
    const auto read = material(text);
    return read ? std::string() : read.error().message();
  };
  expectFault(fault("{model: liquid, E: 1e5, density: 1000, bulk_modulus: 1e5}"),
              {"test.yaml:6", "materials.gel.E", "'liquid' has no 'E'", "bulk_modulus, exponent, viscosity"});
  expectFault(fault("{model: neo_hookean, E: 1e5, nu: 0.3, density: 500, yield_stress: 1e3}"),
              {"has no 'yield_stress'"});
  expectFault(fault("{model: snow, E: 1e5, nu: 0.3, density: 500, friction_angle_deg: 30}"),
              {"has no 'friction_angle_deg'"});
  expectFault(fault("{model: cloth, E: 1e5, nu: 0.3, density: 500}"), {"'thickness' is missing"});
  expectFault(fault("{model: liquid, density: 1000}"), {"'bulk_modulus' is missing"});
  expectFault(fault("{model: drucker_prager, nu: 0.3, density: 1600}"), {"'E' is missing"});
  expectFault(fault("{model: drucker_prager, E: 1e5, nu: 0.3, density: 1600, friction_angle_deg: 91}"),
              {"out of range"});
  expectFault(
      fault("{model: drucker_prager, E: 1e5, nu: 0.3, density: 1600, friction_angle_deg: 30, hardening_deg: "
            "[35, 9, 0.2, 10]}"),
      {"contradict"});
  expectFault(fault("{model: drucker_prager, E: 1e5, nu: 0.3, density: 1600, hardening_deg: [35, 9]}"),
              {"4 numbers"});
  expectFault(fault("{model: snow, E: 1e5, nu: 0.3, density: 500, critical_compression: 1.5}"),
              {"out of range"});
  expectFault(fault("{model: liquid, density: 1000, bulk_modulus: -1}"), {"out of range"});
  expectFault(fault("{model: liquid, density: 1000, bulk_modulus: 1e5, exponent: 1}"), {"out of range"});
  expectFault(fault("{model: liquid, density: 1000, bulk_modulus: 1e5, viscosity: -1}"), {"out of range"});
  expectFault(
      faultOf(varied("{model: neo_hookean, E: 1.0e5, nu: 0.3, density: 500}",
                     "{model: drucker_prager, E: 1e5, nu: 0.3, density: 1600, friction_angle_deg: 90}")),
      {"test.yaml:6", "materials.gel.friction_angle_deg", "to below 90"});
}

/// The path of kScene with these lines added.
void loadPath(const std::string& lines, Path& path) {
  const Result<assets::LoadedScene> loaded = parsed(kScene + lines);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = compile(loaded->scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  path = compiled->model->paths.at(0);
}

TEST(SceneFormat, PathMovesAreVelocitiesAndDisplacementsWithRestsBetween) {
  Path path;
  ASSERT_NO_FATAL_FAILURE(
      loadPath("paths:\n  p:\n    start: {position: [1, 0, 0]}\n    moves:\n"
               "      - {from: 1, to: 2, velocity: [0, 0, -0.5]}\n"
               "      - {from: 3, to: 3.5, displacement: [0.2, 0, 0], rotation_deg: [0, 0, 90]}\n",
               path));
  EXPECT_LT((path.at(0.5).p - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((path.at(1.5).p - Vec3(1, 0, -0.25)).norm(), 1e-15);
  EXPECT_LT((path.at(2.7).p - Vec3(1, 0, -0.5)).norm(), 1e-15);
  EXPECT_LT((path.at(3.25).p - Vec3(1.1, 0, -0.5)).norm(), 1e-12);
  EXPECT_NEAR(Eigen::AngleAxisd(path.at(3.25).R).angle(), M_PI / 4, 1e-12);
  EXPECT_LT((path.at(99).R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-12);
}

TEST(SceneFormat, SmoothPathsStartAndEndAtRestAndArriveInTime) {
  Path path;
  ASSERT_NO_FATAL_FAILURE(
      loadPath("paths:\n  p:\n    interpolation: smooth\n    start: {position: [1, 0, 0]}\n    moves:\n"
               "      - {from: 1, to: 2, displacement: [1, 0, 0], rotation_deg: [0, 0, 90]}\n",
               path));
  EXPECT_LT((path.at(1).p - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((path.at(1.5).p - Vec3(1.5, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(Eigen::AngleAxisd(path.at(1.5).R).angle(), M_PI / 4, 1e-12);
  EXPECT_LT((path.at(2).p - Vec3(2, 0, 0)).norm(), 1e-12);
  EXPECT_LT((path.at(1.1).p - path.at(1).p).norm(), 0.01) << "minimum jerk: 0.00856 of the way after a tenth";
  EXPECT_LT((path.at(2).p - path.at(1.9).p).norm(), 0.01);
  EXPECT_NEAR((path.at(1.55).p - path.at(1.45).p).norm() / 0.1, 1.875, 0.02) << "the highest speed";
}

TEST(SceneFormat, SplinePathsRunThroughTheirKeysWithoutStoppingOrOvershooting) {
  Path path;
  ASSERT_NO_FATAL_FAILURE(
      loadPath("paths:\n  p:\n    interpolation: spline\n    start: {position: [0, 0, 0]}\n    moves:\n"
               "      - {from: 1, to: 2, displacement: [1, 0, 0.5]}\n"
               "      - {from: 2, to: 4, displacement: [2, 0, 0.5]}\n"
               "      - {from: 4, to: 5, displacement: [3, 0, -1]}\n",
               path));
  const auto speed = [&](double t) { return ((path.at(t + 1e-6).p - path.at(t - 1e-6).p) / 2e-6).eval(); };
  EXPECT_LT((path.at(2).p - Vec3(1, 0, 0.5)).norm(), 1e-12);
  EXPECT_LT((path.at(4).p - Vec3(3, 0, 1)).norm(), 1e-12);
  EXPECT_LT(speed(1).norm(), 1e-4) << "at rest at the start";
  EXPECT_LT(speed(5).norm(), 1e-4) << "and at the end";
  EXPECT_NEAR(speed(2).x(), 1, 1e-6) << "straight on through a key";
  EXPECT_NEAR(speed(4).x(), 9.0 / (5.0 / 3 + 4), 1e-5)
      << "harmonic mean of 1 and 3 m/s, weights 4 and 5 of 9";
  EXPECT_NEAR(speed(4).z(), 0, 1e-5) << "z turns round";
  for (double t = 1; t < 5; t += 0.01) {
    EXPECT_GE(path.at(t + 0.01).p.x(), path.at(t).p.x() - 1e-12);
    EXPECT_LE(path.at(t).p.z(), 1 + 1e-12);
  }
}

TEST(SceneFormat, UnknownKeyNamesLineAndNearestKey) {
  expectFault(faultOf(varied("contact: {friction: 0.4", "contact: {frictoin: 0.4")),
              {"test.yaml:4", "frictoin", "did you mean 'friction'?"});
}

TEST(SceneFormat, WrongTypeNanInfinityAndRangeNameTheLine) {
  expectFault(faultOf(varied("spacing: 0.02", "spacing: wide")), {"test.yaml:3", "'wide' is not a number"});
  expectFault(faultOf(varied("spacing: 0.02", "spacing: .nan")), {"test.yaml:3", "not a finite number"});
  expectFault(faultOf(varied("spacing: 0.02", "spacing: .inf")), {"test.yaml:3", "not a finite number"});
  expectFault(faultOf(varied("spacing: 0.02", "spacing: 0")), {"test.yaml:3", "out of range"});
  expectFault(faultOf(varied("dt_ms: 5", "dt_ms: -5")), {"test.yaml:2", "out of range"});
  expectFault(faultOf(varied("size: [0.1, 0.1, 0.1]", "size: [0.1, 0.1]")), {"test.yaml:11", "3 numbers"});
  expectFault(faultOf(varied("E: 1.0e5", "E: -1")), {"test.yaml:6", "materials.gel.E", "greater than 0"});
  expectFault(faultOf(varied("nu: 0.3", "nu: 0.5")), {"test.yaml:6", "materials.gel.nu", "to below 0.5"});
  expectFault(faultOf(varied("nu: 0.3", "nu: 0.7")), {"test.yaml:6", "out of range"});
  expectFault(faultOf(varied("density: 500", "density: 0")), {"test.yaml:6", "out of range"});
}

TEST(SceneFormat, MissingKeysRepeatedNamesAndContradictionsAreFaults) {
  expectFault(faultOf(varied("    material: gel\n", "")), {"'material' is missing"});
  expectFault(faultOf(varied("  block:", "  table:")), {"twice"});
  expectFault(faultOf(varied("density: 1000", "mass: 1\n    density: 1000")), {"contradict"});
  expectFault(faultOf(varied("    density: 1000\n", "")), {"no mass", "mass"});
  expectFault(faultOf(varied("shape: box, size: [1, 1, 0.1]", "shape: sphere, size: [1, 1, 0.1]")),
              {"has no 'size'"});
}

TEST(SceneFormat, SheetsHaveASizeAndACountOfVertices) {
  const std::string box = "shape: box\n    size: [0.1, 0.1, 0.1]";
  const std::string sampling = "    sampling: {count: [4, 5, 6]}\n";
  const std::string text =
      varied(sampling, "", varied(box, "shape: sheet\n    size: [0.3, 0.2]\n    count: [4, 3]"));
  const Result<assets::LoadedScene> loaded = parsed(text);
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_TRUE(loaded->scene.deformables[0].sheet);
  EXPECT_EQ(loaded->scene.deformables[0].sheet->size, Eigen::Vector2d(0.3, 0.2));
  EXPECT_EQ(loaded->scene.deformables[0].sheet->count, (std::array<int, 2>{4, 3}));

  expectFault(faultOf(varied("[0.3, 0.2]", "[0.3, 0.2, 0.1]", text)), {"test.yaml:11", "two lengths"});
  expectFault(faultOf(varied("[4, 3]", "[4]", text)), {"test.yaml:12", "two whole numbers"});
  expectFault(faultOf(varied("[4, 3]", "[4, 1]", text)), {"test.yaml:12", "out of range"});
  expectFault(faultOf(varied("[0.3, 0.2]", "[0.3, -1]", text)), {"test.yaml:11", "out of range"});
  expectFault(faultOf(varied(box, "shape: sheet\n    size: [0.3, 0.2]\n    count: [4, 3]")),
              {"has no 'sampling'"});
  expectFault(faultOf(varied(box, box + "\n    count: [4, 3]")), {"only the shape 'sheet' has a 'count'"});
}

TEST(SceneFormat, AClothHasNoSampling) {
  expectFault(faultOf(varied("model: neo_hookean", "model: cloth, thickness: 0.001")),
              {"sampling", "vertices and triangles", "finer mesh"});
}

TEST(SceneFormat, BrokenYamlNamesTheLine) {
  expectFault(faultOf(varied("grid: {spacing: 0.02}", "grid: {spacing: 0.02")), {"test.yaml:", "not YAML"});
  expectFault(faultOf("just a line"), {"not a scene"});
  expectFault(faultOf(""), {"not a scene"});
}

TEST(SceneFormat, AliasesThatUnfoldWithoutEndAreRefused) {
  std::string bomb = "bodies:\n  a: &a\n    shapes: &s\n";
  for (int i = 0; i < 1000; ++i) bomb += "      - {shape: sphere, radius: 1}\n";
  for (int i = 0; i < 1000; ++i) bomb += "  b" + std::to_string(i) + ": *a\n";
  expectFault(faultOf(bomb), {"300000 values"});
}

TEST(SceneFormat, TextsThatAreTooLargeOrTooDeepAreRefusedBeforeTheyAreBuilt) {
  namespace limits = assets::limits;
  const auto nested = [](int depth) {
    return "view: " + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  expectFault(faultOf(nested(limits::kYamlDepth)), {"test.yaml:1", "64 deep"});
  EXPECT_EQ(faultOf(nested(limits::kYamlDepth - 1)).find("deep"), std::string::npos);
  expectFault(faultOf(nested(100'000)), {"test.yaml:1", "64 deep"});
  std::string steps;
  for (int i = 0; i < 70; ++i) steps += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  expectFault(faultOf(steps), {"64 deep"});
  std::string wide = "view: [";
  for (std::size_t i = 0; i < limits::kYamlNodes; ++i) wide += "1,";
  expectFault(faultOf(wide + "1]"), {"test.yaml:1", "100000 keys and values"});
  expectFault(faultOf("# " + std::string(limits::kYamlBytes, 'x') + "\n" + kScene), {"512 KiB"});
  const auto file = testing::writeFile("large.yaml", std::string(limits::kYamlBytes + 1, '#'));
  expectFault(assets::loadScene(file.string()).error().message(), {"larger than 512 KiB"});
  expectFault(faultOf(kScene, {"view=" + std::string(100, '[') + std::string(100, ']')}),
              {"--set view", "64 deep"});
}

TEST(SceneFormat, MeshNamedInASceneMustExist) {
  const std::string text = varied("shape: box, size: [1, 1, 0.1]", "shape: mesh, file: nothing/here.obj");
  expectFault(faultOf(text), {"test.yaml:18", "nothing/here.obj", "does not exist", "tried"});
}

TEST(SceneFormat, RobotFileMustExist) {
  expectFault(faultOf(kScene + "robots:\n  arm: {urdf: nowhere.urdf}\n"), {"nowhere.urdf", "does not exist"});
}

TEST(SceneFormat, RigidContactStandsAtSceneBodyAndShape) {
  std::string text = varied("contact: {friction: 0.4", "contact: {rigid: {modulus: 2.0e6}, friction: 0.4");
  text = varied("contact: {friction: 0.7}",
                "contact: {rigid: {representation: point, stiffness: 5e4, enabled: false}}", text);
  text =
      varied("contact: {stiffness: 50}", "contact: {rigid: {representation: rigid, dissipation: 3}}", text);
  const Result<assets::LoadedScene> loaded = parsed(text);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  EXPECT_DOUBLE_EQ(scene.contact.rigid.modulus.value(), 2e6);
  EXPECT_FALSE(scene.contact.rigid.enabled.has_value());
  const RigidSurfaceSpec& table = scene.robots[0].contact.rigid;
  EXPECT_EQ(table.representation.value(), ContactRepresentation::Point);
  EXPECT_DOUBLE_EQ(table.stiffness.value(), 5e4);
  EXPECT_FALSE(table.enabled.value());
  const RigidSurfaceSpec& rail = scene.robots[0].description.links[0].collisions[1].contact.rigid;
  EXPECT_EQ(rail.representation.value(), ContactRepresentation::Rigid);
  EXPECT_DOUBLE_EQ(rail.dissipation.value(), 3);
}

TEST(SceneFormat, RestitutionStandsBesideFrictionAndInPairRules) {
  const std::string text = varied("contact: {friction: 0.7}", "contact: {friction: 0.7, restitution: 0.6}") +
                           "pair_rules:\n  - {a: table, b: block, restitution: 1}\n";
  const Result<assets::LoadedScene> loaded = parsed(text, {"contact.restitution=0.25"});
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  EXPECT_EQ(scene.contact.restitution, 0.25);
  EXPECT_EQ(scene.robots[0].contact.restitution, 0.6);
  EXPECT_FALSE(scene.robots[1].contact.restitution.has_value());
  ASSERT_EQ(scene.pairRules.size(), 1u);
  EXPECT_EQ(scene.pairRules[0].restitution, 1);
  EXPECT_FALSE(scene.pairRules[0].friction.has_value());
}

TEST(SceneFormat, RigidSolverHasItsOwnSettings) {
  const Result<assets::LoadedScene> loaded =
      parsed(kScene +
             "solver: {max_iterations: 9, geometry: frozen, rigid: {potential: sap, stiction_speed: 2e-4, "
             "stiction_softness: 1e-6, "
             "friction_rule: "
             "minimum, relative_tolerance: 1e-8, max_iterations: 7, lag_iterations: 0}}\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const RigidSolverSpec& solver = loaded->scene.rigidSolver;
  EXPECT_EQ(solver.potential, ContactPotentialName::Sap);
  EXPECT_EQ(solver.frictionRule, FrictionRule::Minimum);
  EXPECT_DOUBLE_EQ(solver.stictionSpeed, 2e-4);
  EXPECT_DOUBLE_EQ(solver.stictionSoftness, 1e-6);
  EXPECT_DOUBLE_EQ(solver.relativeTolerance, 1e-8);
  EXPECT_EQ(solver.maxIterations, 7);
  EXPECT_EQ(solver.lagIterations, 0);
  EXPECT_EQ(loaded->scene.solver.maxIterations, 9);
  EXPECT_EQ(loaded->scene.solver.geometry, SubstepGeometry::Frozen);
  const Result<assets::LoadedScene> overridden = parsed(kScene, {"solver.rigid.potential=similar"});
  ASSERT_TRUE(overridden) << overridden.error().message();
  EXPECT_EQ(overridden->scene.rigidSolver.potential, ContactPotentialName::Similar);
}

TEST(SceneFormat, PairRulesAndLoopsKeepTheirOrderAndKinds) {
  const Result<assets::LoadedScene> loaded = parsed(
      kScene +
      "pair_rules:\n  - {a: table, enabled: false}\n  - {a: table, b: block, enabled: true, friction: 0.1}\n"
      "welds: {w: {link_a: block, link_b: world, pose_a: {position: [1, 0, 0]}}}\n"
      "loops:\n  rod: {kind: distance, link_a: block, link_b: world, distance: 0.3}\n"
      "  pin: {kind: ball, link_a: block, link_b: table, pose_b: {position: [0, 0, 2]}}\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  ASSERT_EQ(scene.pairRules.size(), 2u);
  EXPECT_EQ(scene.pairRules[0].b, "*");
  EXPECT_FALSE(scene.pairRules[0].enabled.value());
  EXPECT_EQ(scene.pairRules[1].b, "block");
  EXPECT_DOUBLE_EQ(scene.pairRules[1].friction.value(), 0.1);
  ASSERT_EQ(scene.loops.size(), 3u);
  EXPECT_EQ(scene.loops[0].kind, LoopKind::Weld);
  EXPECT_EQ(scene.loops[0].X_LaA.p, Vec3(1, 0, 0));
  EXPECT_EQ(scene.loops[1].kind, LoopKind::Distance);
  EXPECT_DOUBLE_EQ(scene.loops[1].distance.value(), 0.3);
  EXPECT_EQ(scene.loops[2].kind, LoopKind::Ball);
  EXPECT_EQ(scene.loops[2].X_LbB.p, Vec3(0, 0, 2));
}

TEST(SceneFormat, PathsMoveBodiesAndControllersTurnJoints) {
  const auto file = testing::writeFile(
      "arm.urdf",
      "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link><joint name='j' type='continuous'><parent link='a'/><child "
      "link='b'/></joint></robot>");
  std::string text =
      varied("    base: free\n    density: 1000\n    position: [0, 0, 0.6]\n    velocity: [0, 0, -1]\n",
             "    path: lift\n");
  text +=
      "paths: {lift: {keys: [{t: 0, position: [0, 0, 1]}, {t: 1, position: [0, 0, 2]}]}}\n"
      "robots: {arm: {urdf: " +
      file.string() +
      ", joints: {j: 0.5}, velocities: {j: -2}}}\n"
      "controllers: [{kind: joint_velocity, robot: arm, joint: j, velocity: 3, kd: 7, from: 0.5}]\n";
  const Result<assets::LoadedScene> loaded = parsed(text);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  EXPECT_EQ(scene.robots[1].path, "lift");
  EXPECT_TRUE(scene.robots[1].freeBase);
  EXPECT_DOUBLE_EQ(scene.robots[1].description.links[0].mass, 1.0) << "1000 kg/m³ where the scene gives none";
  ASSERT_EQ(scene.robots[2].jointVelocities.size(), 1u);
  EXPECT_EQ(scene.robots[2].jointVelocities[0], (std::pair<std::string, double>("j", -2)));
  const auto& spec = std::get<JointVelocitySpec>(scene.controllers.at(0));
  EXPECT_EQ(spec.joint, "j");
  EXPECT_DOUBLE_EQ(spec.velocity, 3);
  EXPECT_DOUBLE_EQ(spec.kd, 7);
  EXPECT_DOUBLE_EQ(spec.from, 0.5);
  const Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
}

TEST(SceneFormat, BoundariesGrippersForcesAndDrawStyles) {
  const auto file = testing::writeFile(
      "finger.urdf",
      "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link><joint name='j' type='prismatic'><parent link='a'/><child link='b'/>"
      "<limit lower='0' upper='0.04' effort='50' velocity='1'/></joint></robot>");
  const std::string text =
      varied("    sampling: {count: [4, 5, 6]}\n", "    sampling: {count: [4, 5, 6]}\n    draw: surface\n") +
      "boundaries:\n"
      "  floor: {kind: separate, shape: plane, position: [0, 0, 0.1], friction: 0.4}\n"
      "  clamp: {kind: sticky, shape: box, size: [0.2, 0.2, 0.1], rpy_deg: [0, 0, 90], path: lift, from: "
      "0.5, "
      "until: 2}\n"
      "  ball: {kind: slip, shape: sphere, radius: 0.3}\n"
      "paths: {lift: {keys: [{t: 0}, {t: 1, position: [0, 0, 1]}]}}\n"
      "robots: {hand: {urdf: " +
      file.string() +
      "}}\n"
      "controllers:\n"
      "  - {kind: gripper, robot: hand, effort: 8, kd: 3, keys: [{t: 0, opening: 0.04}, {t: 1, opening: "
      "0}]}\n"
      "  - {kind: force, link: block, point: [0, 0.1, 0], keys: [{t: 0, force: [1, 2, 3]}, {t: 1, "
      "torque: [0, "
      "0, 4]}]}\n";
  const Result<assets::LoadedScene> loaded = parsed(text);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  EXPECT_EQ(scene.deformables[0].draw, DrawStyle::Surface);
  ASSERT_EQ(scene.boundaries.size(), 3u);
  EXPECT_EQ(scene.boundaries[0].kind, BoundaryKind::Separate);
  EXPECT_EQ(scene.boundaries[0].X_WS.p, Vec3(0, 0, 0.1));
  EXPECT_EQ(scene.boundaries[0].friction, 0.4);
  EXPECT_EQ(scene.boundaries[1].kind, BoundaryKind::Sticky);
  EXPECT_EQ(std::get<shape::Box>(scene.boundaries[1].shape).halfExtents, Vec3(0.1, 0.1, 0.05));
  EXPECT_NEAR(scene.boundaries[1].X_WS.R(1, 0), 1, 1e-12);
  EXPECT_EQ(scene.boundaries[1].path, "lift");
  EXPECT_EQ(scene.boundaries[1].from, 0.5);
  EXPECT_EQ(scene.boundaries[1].until, 2);
  EXPECT_EQ(scene.boundaries[2].kind, BoundaryKind::Slip);
  const auto& gripper = std::get<GripperSpec>(scene.controllers.at(0));
  EXPECT_TRUE(gripper.joints.empty());
  EXPECT_EQ(gripper.effort, 8);
  EXPECT_TRUE(gripper.gains.kp.empty());
  EXPECT_EQ(gripper.gains.kd, std::vector<double>{3});
  ASSERT_EQ(gripper.keys.size(), 2u);
  EXPECT_EQ(gripper.keys[0].opening, 0.04);
  const auto& force = std::get<LinkForceSpec>(scene.controllers.at(1));
  EXPECT_EQ(force.point, Vec3(0, 0.1, 0));
  EXPECT_EQ(force.keys.at(0).force, Vec3(1, 2, 3));
  EXPECT_EQ(force.keys.at(1).torque, Vec3(0, 0, 4));
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_EQ(compiled->model->deformables[0].draw, DrawStyle::Surface);
  EXPECT_EQ(compiled->model->boundaries.size(), 3u);
  EXPECT_EQ(compiled->model->controllers.size(), 2u);
}

TEST(SceneFormat, CamerasStandInTheWorldOrRideOnBodies) {
  const Result<assets::LoadedScene> loaded =
      parsed(kScene +
             "cameras:\n  still: {position: [1, 2, 3]}\n"
             "  rider: {body: block, position: [0, 0, 1], target: [0, 0, 2], up: [0, 1, 0], fov_deg: 70}\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->scene.cameras.size(), 2u);
  EXPECT_EQ(loaded->scene.cameras[0], (CameraSpec{"still", {1, 2, 3}, Vec3::Zero(), 40, "", Vec3::UnitZ()}));
  EXPECT_EQ(loaded->scene.cameras[1],
            (CameraSpec{"rider", {0, 0, 1}, {0, 0, 2}, 70, "block", Vec3::UnitY()}));
}

TEST(SceneFormat, FaultsOfBoundariesAndControllersNameThePlace) {
  const auto add = [](const std::string& lines) { return faultOf(kScene + lines); };
  expectFault(add("boundaries: {wall: {shape: plane}}\n"), {"kind"});
  expectFault(add("boundaries: {wall: {kind: stiky, shape: plane}}\n"), {"'sticky'"});
  expectFault(add("boundaries: {wall: {kind: slip, shape: capsule, radius: 1, length: 1}}\n"),
              {"boundary 'wall'", "use a plane, a box or a sphere"});
  expectFault(add("boundaries: {wall: {kind: slip, shape: plane, untill: 1}}\n"), {"until"});
  expectFault(add("boundaries: {wall: {kind: slip, shape: plane, friction: -1}}\n"), {"friction"});
  expectFault(add("boundaries: {wall: {kind: sticky, shape: plane, friction: 0.5}}\n"),
              {"boundary 'wall'", "holds without friction", "kind: separate"});
  expectFault(add("controllers: [{kind: force, link: block, force: [1, 0, 0]}]\n"), {"force"});
  expectFault(add("controllers: [{kind: force, link: block, keys: [{t: 1}, {t: 1}]}]\n"), {"increase"});
  expectFault(add("controllers: [{kind: gripper, robot: table, keys: [{t: 0, opening: 0}]}]\n"),
              {"no joint to drive"});
  expectFault(add("controllers: [{kind: gripper, robot: table, keys: [{t: 0, opening: 0}], effort: 0}]\n"),
              {"effort"});
}

TEST(SceneFormat, FaultsOfTheRigidKeysNameLineAndRemedy) {
  expectFault(faultOf(kScene + "solver: {rigid: {potential: sapp}}\n"),
              {"test.yaml:26", "solver.rigid.potential", "did you mean 'sap'?"});
  expectFault(faultOf(kScene + "solver: {rigid: {lag_iterations: 1.5}}\n"), {"not a whole number"});
  expectFault(faultOf(kScene + "solver: {rigid: {stiction_speed: 0}}\n"), {"out of range"});
  expectFault(faultOf(kScene + "solver: {rigid: {stiction_softness: 0}}\n"), {"out of range"});
  expectFault(faultOf(varied("contact: {friction: 0.7}", "contact: {rigid: {modulus: -1}}")),
              {"test.yaml:16", "modulus", "greater than 0"});
  expectFault(faultOf(varied("contact: {friction: 0.7}", "contact: {rigid: {representation: soft}}")),
              {"'soft' is not known", "compliant"});
  expectFault(faultOf(varied("contact: {friction: 0.7}", "contact: {rigid: {moduls: 1}}")),
              {"unknown key 'moduls'", "did you mean 'modulus'?"});
  expectFault(faultOf(kScene + "pair_rules: [{a: table}]\n"), {"test.yaml:26", "changes nothing"});
  for (const char* wrong : {"-0.1", "1.5", ".nan", ".inf"}) {
    const std::string e = "restitution: " + std::string(wrong);
    expectFault(faultOf(varied("contact: {friction: 0.7}", "contact: {" + e + "}")),
                {"test.yaml:16", "restitution"});
    expectFault(faultOf(kScene + "pair_rules: [{a: table, " + e + "}]\n"), {"test.yaml:26", "restitution"});
  }
  expectFault(faultOf(varied("contact: {friction: 0.7}", "contact: {restitution: bouncy}")),
              {"test.yaml:16", "restitution"});
  expectFault(faultOf(kScene + "pair_rules: [{a: table, b: jelly, restitution: 0.5}]\n"),
              {"test.yaml:26", "a pair with a deformable has no restitution", "remove it"});
  expectFault(faultOf(kScene + "pair_rules: [{a: tabel, enabled: false}]\n"), {"did you mean 'table'?"});
  expectFault(faultOf(kScene + "loops: {l: {link_a: block, link_b: world}}\n"), {"'kind' is missing"});
  expectFault(faultOf(kScene + "loops: {l: {kind: ball, link_a: block, link_b: world, distance: 1}}\n"),
              {"only a loop of the kind 'distance'"});
  expectFault(faultOf(varied("    base: free\n", "    base: fixed\n    path: p\n")),
              {"remove this key or 'path'"});
  expectFault(faultOf(varied("    base: free\n", "    path: p\n")), {"remove this key or 'path'"});
  expectFault(faultOf(kScene + "controllers: [{kind: joint_velocity, robot: arm, joint: j}]\n"),
              {"'velocity' is missing"});
  expectFault(
      faultOf(kScene + "controllers: [{kind: joint_velocity, robot: arm, joint: j, velocity: 1, kp: 3}]\n"),
      {"unknown key 'kp'"});
}

TEST(Overrides, ChangeValuesByDottedPath) {
  const Result<assets::LoadedScene> loaded =
      parsed(kScene, {"contact.friction=0.25", "time.dt_ms=2", "bodies.table.shapes.rail.radius=0.05",
                      "bodies.block.shapes.0.size=[0.2, 0.2, 0.2]", "solver.max_iterations=7"});
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  EXPECT_DOUBLE_EQ(*scene.contact.friction, 0.25);
  EXPECT_DOUBLE_EQ(scene.time.dt, 0.002);
  EXPECT_DOUBLE_EQ(std::get<shape::Capsule>(scene.robots[0].description.links[0].collisions[1].shape).radius,
                   0.05);
  EXPECT_DOUBLE_EQ(scene.robots[1].description.links[0].mass, 8);
  EXPECT_EQ(scene.solver.maxIterations, 7);
}

TEST(Overrides, UnknownPathsListWhatExistsThere) {
  expectFault(faultOf(kScene, {"materials.gle.E=1"}), {"--set materials.gle.E=1", "did you mean 'gel'?"});
  expectFault(faultOf(kScene, {"materials.something_else.E=1"}), {"known: gel"});
  expectFault(faultOf(kScene, {"contact.frictoin=1"}), {"--set contact.frictoin=1", "friction"});
  expectFault(faultOf(kScene, {"title.x=1"}), {"--set title.x=1", "single value"});
  expectFault(faultOf(kScene, {"contact.friction"}), {"path=value"});
  expectFault(faultOf(kScene, {"contact.friction=-1"}), {"--set contact.friction=-1", "out of range"});
  expectFault(faultOf(kScene, {"contact.friction=[1"}), {"--set contact.friction=[1"});
}

}  // namespace
}  // namespace slipstick
