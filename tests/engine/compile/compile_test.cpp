#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/compile/compile.h"
#include "engine/compile/sampling.h"
#include "engine/compile/shape_mass.h"
#include "engine/model/model.h"
#include "engine/model/shape_thickness.h"
#include "engine/model/state.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RobotSpec body(const std::string& name, const Shape& shape, double mass, bool freeBase) {
  RobotSpec spec;
  spec.name = name;
  spec.freeBase = freeBase;
  LinkSpec link;
  link.mass = mass;
  link.inertia = mass * Mat3::Identity();
  LinkGeometry element;
  element.shape = shape;
  link.collisions.push_back(element);
  spec.description.links = {link};
  return spec;
}

/// A robot of two links on a revolute joint; its tip is 1 m along x at q = 0.
RobotSpec arm(const std::string& name) {
  RobotSpec spec;
  spec.name = name;
  for (const char* link : {"base", "upper", "tip"}) {
    LinkSpec l;
    l.name = link;
    l.mass = 1;
    l.inertia = Mat3::Identity();
    spec.description.links.push_back(l);
  }
  const auto joint = [](const char* jointName, multibody::JointType type, const char* parent,
                        const char* child) {
    JointSpec j;
    j.name = jointName;
    j.type = type;
    j.parent = parent;
    j.child = child;
    return j;
  };
  JointSpec shoulder = joint("shoulder", multibody::JointType::Revolute, "base", "upper");
  shoulder.axis = Vec3::UnitZ();
  shoulder.lower = -1;
  shoulder.upper = 1;
  JointSpec wrist = joint("wrist", multibody::JointType::Fixed, "upper", "tip");
  wrist.X_PJ = Pose::translation({1, 0, 0});
  spec.description.joints = {shoulder, wrist};
  return spec;
}

Scene basicScene() {
  Scene scene;
  scene.name = "basic";
  scene.materials.push_back({"gel", {.E = 2e4, .nu = 0.3, .density = 800}});
  DeformableSpec cube;
  cube.name = "cube";
  cube.material = "gel";
  cube.shape = shape::Box{Vec3(0.05, 0.06, 0.07)};
  cube.X_WD = Pose::translation({0, 0, 1});
  scene.deformables.push_back(cube);
  scene.robots.push_back(body("ground", shape::Plane{}, 0, false));
  return scene;
}

std::string faultOf(const Scene& scene) {
  const Result<CompiledScene> compiled = compile(scene);
  return compiled ? "" : compiled.error().message();
}

void expectFault(const Scene& scene, const std::string& part) {
  const std::string message = faultOf(scene);
  EXPECT_NE(message.find(part), std::string::npos) << "expected '" << part << "' in '" << message << "'";
}

TEST(Compile, ParticleVolumesAndMassesSumToTheShapes) {
  Scene scene = basicScene();
  for (const Shape& shape : {Shape(shape::Box{Vec3(0.05, 0.06, 0.07)}), Shape(shape::Sphere{0.08}),
                             Shape(shape::Capsule{0.05, 0.1}), Shape(shape::Cylinder{0.06, 0.1})})
    for (const SamplingSpec::Kind kind : {SamplingSpec::Kind::Lattice, SamplingSpec::Kind::Poisson}) {
      scene.deformables[0].shape = shape;
      scene.deformables[0].sampling.kind = kind;
      const Result<CompiledScene> compiled = compile(scene);
      ASSERT_TRUE(compiled) << compiled.error().message();
      double volume = 0, mass = 0;
      for (std::size_t p = 0; p < compiled->model->nodeCount(); ++p) {
        volume += compiled->model->nodes.volume[p];
        mass += compiled->model->nodes.mass[p];
      }
      const double expected = massProperties(shape)->volume;
      EXPECT_NEAR(volume, expected, 1e-9 * expected);
      EXPECT_NEAR(mass, 800 * expected, 1e-6 * 800 * expected);
      EXPECT_NEAR(static_cast<double>(compiled->model->nodeCount()), 8 * expected / 8e-6,
                  0.12 * 8 * expected / 8e-6);
    }
}

TEST(Compile, SpinningDeformableMovesAsARigidBody) {
  Scene scene = basicScene();
  scene.deformables[0].velocity = {1, 2, 3};
  scene.deformables[0].angularVelocity = {0, 0, 4};
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled);
  const SoftNodes& p = compiled->model->nodes;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const Vec3 arm = p.x[i] - Vec3(0, 0, 1);
    EXPECT_LT((p.v[i] - Vec3(1, 2, 3) - Vec3(0, 0, 4).cross(arm)).norm(), 1e-12);
    EXPECT_LT((p.velocityGradient[i] * arm - Vec3(0, 0, 4).cross(arm)).norm(), 1e-12);
  }
}

TEST(Compile, ContactLawFallsBackFromGeometryToBodyToScene) {
  Scene scene = basicScene();
  scene.contact.friction = 0.1;
  RobotSpec table = body("table", shape::Sphere{0.1}, 0, false);
  table.contact.friction = 0.2;
  table.contact.stiffness = 70;
  LinkGeometry rough;
  rough.name = "rough";
  rough.shape = shape::Sphere{0.1};
  table.description.links[0].collisions.push_back(rough);
  table.description.links[0].collisions[1].contact.friction = 0.3;
  table.description.links[0].collisions[1].contact.stiffnessFactor = 2;
  scene.robots.push_back(table);
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Model& model = *compiled->model;
  ASSERT_EQ(model.geometries.size(), 3u);
  EXPECT_DOUBLE_EQ(model.contactLaw(0, 0).friction, 0.1);
  EXPECT_DOUBLE_EQ(model.contactLaw(0, 0).stiffness, 2e4 * model.deformables[0].spacing);
  EXPECT_DOUBLE_EQ(model.contactLaw(0, 1).friction, 0.2);
  EXPECT_DOUBLE_EQ(model.contactLaw(0, 1).stiffness, 70);
  EXPECT_DOUBLE_EQ(model.contactLaw(0, 2).friction, 0.3);
  EXPECT_DOUBLE_EQ(model.contactLaw(0, 2).stiffness, 2 * 2e4 * model.deformables[0].spacing);
}

TEST(Compile, FreeBodyStartsAtItsPoseAndVelocity) {
  Scene scene = basicScene();
  RobotSpec ball = body("ball", shape::Sphere{0.1}, 2, true);
  ball.X_PB = Pose::fromRpy({0.1, 0.2, 0.3}, {1, 2, 3});
  ball.velocity = {4, 5, 6};
  ball.angularVelocity = {7, 8, 9};
  scene.robots.push_back(ball);
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Model& model = *compiled->model;
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  multibody::computeVelocities(model.tree, model.initialQ, model.initialV, X_WB, V_WB);
  const auto i = static_cast<std::size_t>(model.findBody("ball"));
  EXPECT_LT((X_WB[i].R - ball.X_PB.R).norm() + (X_WB[i].p - ball.X_PB.p).norm(), 1e-12);
  EXPECT_LT((V_WB[i].v - ball.velocity).norm() + (V_WB[i].w - ball.angularVelocity).norm(), 1e-12);
}

TEST(Compile, RobotsHangFromLinksOfOthersWhateverTheirOrder) {
  Scene scene = basicScene();
  RobotSpec tool = body("tool", shape::Sphere{0.01}, 0.1, false);
  tool.attachTo = "arm.tip";
  tool.X_PB = Pose::translation({0.5, 0, 0});
  scene.robots.push_back(tool);
  scene.robots.push_back(arm("arm"));
  scene.robots.back().jointPositions = {{"shoulder", 0.5}};
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  std::vector<Pose> X_WB;
  multibody::computePoses(compiled->model->tree, compiled->model->initialQ, X_WB);
  const Vec3 p = X_WB[static_cast<std::size_t>(compiled->model->findBody("tool"))].p;
  EXPECT_LT((p - 1.5 * Vec3(std::cos(0.5), std::sin(0.5), 0)).norm(), 1e-12);
  scene.robots[1].attachTo = "tool";
  expectFault(scene, "'tool'");
  scene.robots[1].attachTo = "arm.tipp";
  expectFault(scene, "did you mean 'arm.tip'?");
}

TEST(Compile, EndEffectorStartsAtItsPathOrSaysHowFarItStays) {
  Scene scene = basicScene();
  scene.robots.push_back(arm("arm"));
  scene.paths.push_back(
      {"p", {{0, Vec3(std::cos(0.7), std::sin(0.7), 0), Quat(Eigen::AngleAxisd(0.7, Vec3::UnitZ()))}}});
  scene.controllers.push_back(EndEffectorPathSpec{"arm", "tip", "p", {}, {}});
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_NEAR(compiled->model->initialQ[0], 0.7, 1e-3);
  EXPECT_EQ(std::get<EndEffectorPath>(compiled->model->controllers[0]).joints, std::vector<int>{2});
  scene.paths[0].keys[0].p.z() = 0.25;
  expectFault(scene, "mm");
}

TEST(Compile, ParticlesThatStartInsideARigidShapeAreNoted) {
  Scene scene = basicScene();
  scene.deformables[0].X_WD.p.z() = 0.06;
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled);
  ASSERT_EQ(compiled->notices.size(), 1u);
  const std::string& what = compiled->notices[0].what;
  EXPECT_NE(what.find("of its "), std::string::npos) << what;
  EXPECT_NE(what.find("particles start inside 'ground', up to "), std::string::npos) << what;
  EXPECT_NE(what.find("enabled: false"), std::string::npos) << what;
}

/// Of every shape: how many particles, of how many, and how deep.
TEST(Compile, ParticlesInsideAnyShapeAreCounted) {
  auto tetrahedron = std::make_shared<TriangleMesh>();
  tetrahedron->vertices = {{-1, -1, -1}, {4, -1, -1}, {-1, 4, -1}, {-1, -1, 4}};
  tetrahedron->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  for (const Shape& shape :
       {Shape(shape::Sphere{0.3}), Shape(shape::Box{Vec3::Constant(0.3)}), Shape(shape::Capsule{0.3, 0.2}),
        Shape(shape::Cylinder{0.3, 0.6}), Shape(shape::Ellipsoid{Vec3(0.3, 0.35, 0.4)}),
        Shape(shape::Mesh{tetrahedron})}) {
    Scene scene = basicScene();
    scene.robots[0] = body("lump", shape, 0, false);
    scene.robots[0].X_PB = scene.deformables[0].X_WD;
    Result<CompiledScene> compiled = compile(scene);
    ASSERT_TRUE(compiled) << compiled.error().message();
    const std::string all = std::to_string(compiled->model->nodeCount());
    ASSERT_EQ(compiled->notices.size(), 1u);
    EXPECT_EQ(
        compiled->notices[0].what.find(all + " of its " + all + " particles start inside 'lump', up to "), 0u)
        << compiled->notices[0].what;
    scene.robots[0].contact.enabled = false;
    compiled = compile(scene);
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(compiled->notices.empty());
  }
}

TEST(Compile, AGridTooCoarseForTheThinnestPartIsNoted) {
  const auto noticeOf = [](const Shape& shape, MaterialModel model = MaterialModel::NeoHookean) {
    Scene scene = basicScene();
    scene.deformables[0].shape = shape;
    scene.materials[0].parameters.model = model;
    const Result<CompiledScene> compiled = compile(scene);
    EXPECT_TRUE(compiled) << compiled.error().message();
    return compiled && !compiled->notices.empty() ? compiled->notices[0].what : std::string();
  };
  const auto expectNotice = [](const std::string& notice, const std::string& thickness,
                               const std::string& h) {
    EXPECT_NE(notice.find("thinnest part is " + thickness), std::string::npos) << notice;
    EXPECT_NE(notice.find("cells of 20.0 mm"), std::string::npos) << notice;
    EXPECT_NE(notice.find("at most " + h), std::string::npos) << notice;
  };
  EXPECT_EQ(noticeOf(shape::Box{Vec3(0.1, 0.1, 0.0201)}), "");
  expectNotice(noticeOf(shape::Box{Vec3(0.1, 0.1, 0.015)}), "30.0 mm", "15.0 mm");
  expectNotice(noticeOf(shape::Sphere{0.018}), "36.0 mm", "18.0 mm");
  expectNotice(noticeOf(shape::Capsule{0.015, 0.2}), "30.0 mm", "15.0 mm");
  expectNotice(noticeOf(shape::Cylinder{0.1, 0.025}), "25.0 mm", "12.5 mm");
  expectNotice(noticeOf(shape::Ellipsoid{Vec3(0.1, 0.017, 0.1)}), "34.0 mm", "17.0 mm");
}

TEST(Compile, FewParticlesPerCellAreNoted) {
  const auto noticesOf = [](int count, MaterialModel model = MaterialModel::NeoHookean) {
    Scene scene = basicScene();
    scene.gridSpacing = 0.02;
    scene.deformables[0].shape = shape::Box{Vec3::Constant(0.05)};
    scene.deformables[0].sampling = {};
    scene.deformables[0].sampling.count = std::array{count, count, count};
    scene.materials[0].parameters.model = model;
    const Result<CompiledScene> compiled = compile(scene);
    EXPECT_TRUE(compiled) << compiled.error().message();
    return compiled ? compiled->notices : std::vector<Notice>();
  };
  EXPECT_TRUE(noticesOf(8).empty()) << "4.1 per cell";
  EXPECT_TRUE(noticesOf(7, MaterialModel::Liquid).empty()) << "they have no stiffness";
  const std::vector<Notice> few = noticesOf(7);
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few[0].level, Notice::Level::Info);
  EXPECT_EQ(few[0].what.find("2.7 particles per cell of 20.0 mm"), 0u) << few[0].what;
  EXPECT_NE(few[0].what.find("at least 22.7 mm"), std::string::npos) << few[0].what;
}

TEST(Compile, LiquidsTouchWithTheirBulkModulus) {
  Scene scene = basicScene();
  MaterialParameters& m = scene.materials[0].parameters;
  m.model = MaterialModel::Liquid;
  m.bulkModulus = 3e5;
  m.E = kNan;  // a liquid has none
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Model& model = *compiled->model;
  EXPECT_DOUBLE_EQ(model.contactLaw(0, 0).stiffness, 3e5 * model.deformables[0].spacing);
}

TEST(Compile, EveryBadMaterialIsAnErrorWithItsRemedy) {
  const auto with = [](MaterialModel model, const auto& change) {
    Scene scene = basicScene();
    scene.materials[0].parameters.model = model;
    change(scene.materials[0].parameters);
    return scene;
  };
  using P = MaterialParameters;
  using enum MaterialModel;
  for (const MaterialModel model : {FixedCorotated, HenckyVonMises, DruckerPrager, Snow, Cloth}) {
    expectFault(with(model, [](P& p) { p.E = 0; }), "write E in Pa");
    expectFault(with(model, [](P& p) { p.E = kNan; }), "E is not positive");
    expectFault(with(model, [](P& p) { p.nu = 0.5; }), "0.49");
    expectFault(with(model, [](P& p) { p.nu = -1; }), "Poisson");
  }
  expectFault(with(HenckyVonMises, [](P& p) { p.yieldStress = 0; }), "write yield_stress");
  for (const std::array<double, 4>& h : std::vector<std::array<double, 4>>{{90, 0, 0, 0},
                                                                           {-1, 0, 0, 0},
                                                                           {kNan, 0, 0, 0},
                                                                           {35, 9, 0.2, 40},
                                                                           {35, 200, 0.2, 10},
                                                                           {35, 9, -0.2, 10},
                                                                           {35, 9, 0, 10},
                                                                           {95, 9, 0.2, 10}})
    expectFault(with(DruckerPrager, [&](P& p) { p.sandHardening = h; }), "friction_angle_deg such as 35");
  EXPECT_EQ(faultOf(with(DruckerPrager, [](P& p) { p.sandHardening = {0, 0, 0, 0}; })), "");
  EXPECT_EQ(faultOf(with(DruckerPrager, [](P& p) { p.sandHardening = {35, 9, 0.2, 10}; })), "");
  expectFault(with(Snow, [](P& p) { p.snowCompression = 1; }), "critical_compression such as");
  expectFault(with(Snow, [](P& p) { p.snowCompression = 0; }), "critical compression");
  expectFault(with(Snow, [](P& p) { p.snowStretch = -0.1; }), "critical_stretch such as");
  expectFault(with(Snow, [](P& p) { p.snowHardening = -1; }), "hardening such as");
  expectFault(with(Liquid, [](P& p) { p.bulkModulus = 0; }), "write bulk_modulus in Pa");
  expectFault(with(Liquid, [](P& p) { p.tait = 1; }), "exponent such as 7");
  expectFault(with(Liquid, [](P& p) { p.viscosity = -1e-3; }), "write viscosity in Pa s");
  expectFault(with(Liquid, [](P& p) { p.largestJ = 0.9; }), "tension");
  expectFault(with(Liquid, [](P& p) { p.density = kNan; }), "density");
  expectFault(with(Cloth, [](P& p) { p.thickness = 0; }), "write thickness in m");
  expectFault(with(Cloth, [](P& p) { p.normalStiffness = 0; }), "write normal_stiffness in Pa");
  expectFault(with(Cloth, [](P& p) { p.shearStiffness = -1; }), "write shear_stiffness in Pa");
  expectFault(with(Cloth, [](P& p) { p.layerFriction = -1; }), "write layer_friction");
  expectFault(with(Cloth, [](P& p) { p.bendingStiffness = -1; }), "write bending_stiffness");
}

BoundarySpec boundary(const std::string& name, const Shape& shape) {
  BoundarySpec spec;
  spec.name = name;
  spec.shape = shape;
  return spec;
}

TEST(Compile, BoundariesFollowTheirPaths) {
  Scene scene = basicScene();
  scene.paths.push_back({"up",
                         {{0, Vec3::Zero(), Quat::Identity()}, {2, Vec3(0, 0, 1), Quat::Identity()}},
                         Interpolation::Linear});
  scene.boundaries = {boundary("wall", shape::Plane{}), boundary("clamp", shape::Box{Vec3::Constant(0.1)})};
  scene.boundaries[1].kind = BoundaryKind::Separate;
  scene.boundaries[1].path = "up";
  scene.boundaries[1].X_WS = Pose::translation({1, 0, 0});
  scene.boundaries[1].from = 0.5;
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_TRUE(compiled->notices.empty());
  const Model& model = *compiled->model;
  ASSERT_EQ(model.boundaries.size(), 2u);
  EXPECT_EQ(model.boundaries[1].kind, BoundaryKind::Separate);
  EXPECT_EQ(model.boundaries[1].from, 0.5);
  EXPECT_EQ(model.boundaryPose(model.boundaries[1], 1).p, Vec3(1, 0, 0.5));
  EXPECT_EQ(model.boundaryPose(model.boundaries[0], 1).p, Vec3(0, 0, 0));
}

TEST(Compile, ABoundaryThatHoldsNoNodeIsNoted) {
  Scene scene = basicScene();
  scene.gridSpacing = 0.02;
  scene.boundaries = {boundary("sheet", shape::Box{Vec3(0.1, 0.1, 0.005)})};
  const auto notices = [&](double z) {
    scene.boundaries[0].X_WS = Pose::translation({0, 0, z});
    return compile(scene)->notices;
  };
  EXPECT_TRUE(notices(0.042).empty()) << "a layer of nodes at z = 0.04";
  ASSERT_EQ(notices(0.05).size(), 1u);
  EXPECT_NE(notices(0.05)[0].what.find("holds no node"), std::string::npos);
}

TEST(Compile, FaultsOfBoundaries) {
  const auto with = [](const auto& change) {
    Scene scene = basicScene();
    scene.boundaries = {boundary("wall", shape::Box{Vec3::Constant(0.1)})};
    change(scene.boundaries[0]);
    return scene;
  };
  ASSERT_EQ(faultOf(with([](BoundarySpec&) {})), "");
  expectFault(with([](BoundarySpec& b) {
                b.shape = shape::Capsule{0.1, 1};
              }),
              "use a plane, a box or a sphere");
  expectFault(with([](BoundarySpec& b) { b.shape = shape::Sphere{0}; }), "radius");
  expectFault(with([](BoundarySpec& b) { b.shape = shape::Box{Vec3(1, kNan, 1)}; }), "size");
  expectFault(with([](BoundarySpec& b) { b.X_WS.p.x() = kNan; }), "pose");
  expectFault(with([](BoundarySpec& b) { b.until = 0; }), "before it begins");
  expectFault(with([](BoundarySpec& b) { b.from = kNan; }), "before it begins");
  expectFault(with([](BoundarySpec& b) { b.path = "none"; }), "path 'none'");
  Scene twice = with([](BoundarySpec&) {});
  twice.boundaries.push_back(twice.boundaries[0]);
  expectFault(twice, "two boundaries");
}

TEST(Compile, PairRulesSwitchADeformableAgainstRigidThings) {
  Scene scene = basicScene();
  scene.robots.push_back(body("post", shape::Box{Vec3::Constant(0.1)}, 0, false));
  scene.deformables.push_back(scene.deformables[0]);
  scene.deformables[1].name = "other";
  scene.pairRules = {{"cube", "*", {}, 0.9}, {"post", "cube", false, {}}, {"*", "post", false, 0.1}};
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Model& model = *compiled->model;
  const auto law = [&](std::size_t deformable, std::size_t geometry) -> const ContactLaw& {
    return model.contactLaw(deformable, geometry);
  };
  EXPECT_TRUE(law(0, 0).enabled);
  EXPECT_EQ(law(0, 0).friction, 0.9);
  EXPECT_FALSE(law(0, 1).enabled);
  EXPECT_EQ(law(0, 1).friction, 0.9) << "'*' means rigid things: the last rule is not about the cube";
  EXPECT_TRUE(law(1, 1).enabled) << "nor about the other deformable";
  EXPECT_EQ(law(1, 0).friction, 0.5);

  scene.robots[1].contact.enabled = false;
  scene.pairRules = {{"other", "post", true, {}}};
  const Result<CompiledScene> opposite = compile(scene);
  ASSERT_TRUE(opposite);
  EXPECT_FALSE(opposite->model->contactLaw(0, 1).enabled);
  EXPECT_TRUE(opposite->model->contactLaw(1, 1).enabled) << "a rule can switch contact on";

  scene.pairRules = {{"cube", "other", false, {}}};
  expectFault(scene, "meet each other on the grid");
  scene.pairRules = {{"cube", "pots", false, {}}};
  expectFault(scene, "did you mean 'post'?");
  scene.pairRules = {{"cub", "post", false, {}}};
  expectFault(scene, "did you mean 'cube'?");
  scene.pairRules = {{"cube", "post", {}, -1}};
  expectFault(scene, "friction");
  scene.robots[1].name = "cube";
  scene.pairRules = {{"cube", "ground", false, {}}};
  expectFault(scene, "both called 'cube'");
}

TEST(Compile, ARobotsFileWithoutVisualsShowsItsCollisionShapes) {
  Scene scene;
  scene.robots = {arm("bare")};
  RobotDescription& file = scene.robots[0].description;
  file.file = "bare.urdf";
  for (LinkSpec& link : file.links) {
    link.visuals.clear();
    link.collisions = {{}};
    link.collisions[0].shape = shape::Sphere{0.02};
    link.collisions[0].X_BG = Pose::translation({0.1, 0, 0});
  }
  Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  ASSERT_EQ(compiled->model->visuals.size(), file.links.size());
  EXPECT_EQ(compiled->model->visuals[0].X_BV.p, Vec3(0.1, 0, 0));
  ASSERT_EQ(compiled->notices.size(), 1u);
  EXPECT_NE(compiled->notices[0].what.find("no link has a visual"), std::string::npos);
  file.links[1].visuals = {{}};
  compiled = compile(scene);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->model->visuals.size(), 1u) << "the others are meant to be without";
  EXPECT_TRUE(compiled->notices.empty());
  file.links[1].visuals.clear();
  file.file.clear();
  EXPECT_TRUE(compile(scene)->model->visuals.empty()) << "a scene's own bodies are as visible as it says";
}

/// Files that say where their joints start are believed, and nothing is moved without a word.
TEST(Compile, AStartOutsideLimitsIsWhereTheFileSaysAndIsSaid) {
  Scene scene;
  scene.robots = {arm("arm")};
  RobotSpec& robot = scene.robots[0];
  robot.isHeld = true;
  JointSpec& shoulder = robot.description.joints[0];
  ASSERT_EQ(shoulder.name, "shoulder");
  shoulder.lower = 0.4, shoulder.upper = 1;
  const auto compiled = [&] {
    Result<CompiledScene> result = compile(scene);
    EXPECT_TRUE(result) << result.error().message();
    return std::move(*result);
  };
  const auto saidOf = [](const CompiledScene& c) {
    std::string all;
    for (const Notice& n : c.notices) all += n.where + ": " + n.what + "\n";
    return all;
  };
  const CompiledScene within = compiled();
  EXPECT_EQ(within.model->initialQ[0], 0.4) << "the file says no start";
  EXPECT_NE(
      saidOf(within).find("joint 'shoulder': it starts at 0.4 rad: 0 is outside its limits of 0.4 to 1 rad"),
      std::string::npos)
      << saidOf(within);
  robot.jointPositions = {{"shoulder", 0}};
  const CompiledScene written = compiled();
  EXPECT_EQ(written.model->initialQ[0], 0);
  EXPECT_NE(saidOf(written).find(
                "joint 'shoulder': it starts at 0 rad as its file says, outside its limits of 0.4 to 1"),
            std::string::npos)
      << saidOf(written);
  EXPECT_EQ(State::initial(*written.model).drives.at(0).goal, 0.4) << "nobody is held where no one may be";
  robot.jointPositions = {{"shoulder", -0.5}};
  EXPECT_EQ(compiled().model->initialQ[0], -0.5);
  robot.jointPositions = {{"shoulder", 0.5}};
  EXPECT_EQ(saidOf(compiled()).find("it starts at"), std::string::npos);
}

TEST(Compile, LoopsOfARobotsFileAreClosedWhereverItIsPlaced) {
  Scene scene;
  scene.robots = {arm("left"), arm("right")};
  LoopSpec toWorld{
      LoopKind::Ball, "pin", "tip", Pose::translation({0.1, 0, 0}), "", Pose::translation({1, 2, 3}), {}};
  LoopSpec within{LoopKind::Weld, "glue", "base", {}, "tip", {}, {}};
  scene.robots[1].description.loops = {toWorld, within};
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Model& model = *compiled->model;
  ASSERT_EQ(model.loops.size(), 2u);
  EXPECT_EQ(model.loops[0].name, "right.pin");
  EXPECT_EQ(model.loops[0].bodyA, model.findBody("right.tip"));
  EXPECT_EQ(model.loops[0].bodyB, 0);
  EXPECT_EQ(model.loops[0].X_BbB.p, Vec3(1, 2, 3));
  EXPECT_EQ(model.loops[1].bodyA, model.findBody("right.base"));
  scene.robots[1].description.loops[0].linkA = "tpi";
  const Result<CompiledScene> broken = compile(scene);
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message().find("robot 'right', ball loop 'pin'"), std::string::npos)
      << broken.error().message();
}

TEST(Compile, EveryBadValueIsAnErrorWithItsPlace) {
  const auto with = [](const auto& change) {
    Scene scene = basicScene();
    scene.robots.push_back(arm("arm"));
    change(scene);
    return scene;
  };
  ASSERT_EQ(faultOf(with([](Scene&) {})), "");
  expectFault(with([](Scene& s) { s.time.dt = 0; }), "time step");
  expectFault(with([](Scene& s) { s.time.dt = kNan; }), "time step");
  expectFault(with([](Scene& s) { s.time.dt = 1; }), "longer than 100 ms");
  expectFault(with([](Scene& s) { s.gravity.z() = 1e9; }), "gravity is not from -10000 to 10000");
  expectFault(with([](Scene& s) { s.gridSpacing = -0.1; }), "grid spacing");
  expectFault(with([](Scene& s) { s.gravity.x() = kNan; }), "gravity");
  expectFault(with([](Scene& s) { s.materials[0].parameters.E = -1; }), "E is not positive");
  expectFault(with([](Scene& s) { s.materials[0].parameters.nu = 0.5; }), "Poisson");
  expectFault(with([](Scene& s) { s.materials[0].parameters.nu = -1; }), "Poisson");
  expectFault(with([](Scene& s) { s.materials[0].parameters.density = 0; }), "density");
  expectFault(with([](Scene& s) { s.deformables[0].material = "gle"; }), "did you mean 'gel'?");
  expectFault(with([](Scene& s) { s.deformables[0].shape = shape::Sphere{1e-5}; }), "no particle");
  expectFault(with([](Scene& s) { s.deformables[0].shape = shape::Plane{}; }), "half-space");
  expectFault(with([](Scene& s) { s.deformables[0].shape = shape::Box{Vec3::Constant(1e4)}; }), "20 million");
  expectFault(with([](Scene& s) { s.deformables[0].velocity.y() = kNan; }), "not a number");
  expectFault(with([](Scene& s) { s.deformables.push_back(s.deformables[0]); }), "two deformables");
  expectFault(with([](Scene& s) { s.materials.push_back(s.materials[0]); }), "two materials");
  expectFault(with([](Scene& s) { s.robots[1].name = "ground"; }), "taken");
  expectFault(with([](Scene& s) { s.robots[0].freeBase = true; }), "no mass");
  expectFault(with([](Scene& s) { s.robots[1].description.links[1].mass = kNan; }), "mass");
  expectFault(with([](Scene& s) { s.robots[1].description.links[1].inertia(2, 2) = 5; }), "inertia");
  expectFault(with([](Scene& s) {
                s.robots[1].jointPositions = {{"sholder", 0}};
              }),
              "did you mean 'shoulder'?");
  expectFault(with([](Scene& s) { s.robots[1].jointPositions = {{"shoulder", kNan}}; }), "is not a number");
  expectFault(with([](Scene& s) { s.robots[1].description.joints[1].parent = "tip"; }), "cycle");
  expectFault(with([](Scene& s) { s.robots[1].description.joints[0].mimic = "shoulder"; }), "circle");
  expectFault(with([](Scene& s) { s.contact.friction = -1; }), "friction");
  expectFault(
      with([](Scene& s) {
        s.paths.push_back({"p", {{0, Vec3::Zero(), Quat::Identity()}, {0, Vec3::Zero(), Quat::Identity()}}});
      }),
      "increase");
  expectFault(with([](Scene& s) {
                s.loops.push_back({LoopKind::Weld, "w", "arm.tip", {}, "arm.tpi", {}, {}});
              }),
              "did you mean 'arm.tip'?");
  expectFault(with([](Scene& s) {
                s.controllers.push_back(JointEffortSpec{"amr", "shoulder", 1, 0});
              }),
              "did you mean 'arm'?");
  expectFault(with([](Scene& s) {
                s.controllers.push_back(EndEffectorPathSpec{"arm", "tip", "none", {}, {}});
              }),
              "path 'none'");
  expectFault(with([](Scene& s) {
                s.controllers.push_back(JointPathSpec{"arm", {"shoulder"}, {{0, {0.1}}}, {}, {{1, 2}, {1}}});
              }),
              "2 gains for 1 joints");
}

}  // namespace
}  // namespace slipstick
