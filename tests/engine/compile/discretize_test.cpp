// What becomes of soft bodies where their method makes nodes of its own.
#include "engine/compile/discretize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/method_change.h"
#include "engine/model/method_choice.h"
#include "engine/model/method_rows.h"
#include "engine/model/soft_surface.h"
#include "engine/model/tuned_model.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

/// What the method below keeps of a body.
struct Stiffness final : Discretization {
  double modulus = 0;  ///< [Pa]
  std::shared_ptr<const Discretization> with(const MaterialParameters& material) const override {
    if (material.E == modulus) return nullptr;
    auto other = std::make_shared<Stiffness>();
    other->modulus = material.E;
    return other;
  }
};

/// Four corners and the surface between them, whatever the shape is; spheres it refuses.
Result<DeformableNodes> asTetrahedron(Compilation& c, const DeformableSpec& spec,
                                      const MaterialParameters& material) {
  if (std::holds_alternative<shape::Sphere>(spec.shape))
    return c.invalid(elementOf(spec).at("shape"), "a sphere has no corners", "write shape: box");
  DeformableNodes nodes;
  nodes.points = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  nodes.volumes.assign(4, 1.0 / 24);
  nodes.spacing = 1;
  nodes.resolution = 1e-3;
  nodes.surface = std::make_shared<const SurfaceMesh>(
      SurfaceMesh{.vertices = 4, .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}, .spacing = 0.7});
  auto stiffness = std::make_shared<Stiffness>();
  stiffness->modulus = material.E;
  nodes.discretization = std::move(stiffness);
  return nodes;
}

MethodRows rowsOf(const std::string& method, Discretize discretize = nullptr) {
  MethodRows rows;
  rows.name = method;
  rows.discretize = discretize;
  return rows;
}

/// Two methods with particles, and one with tetrahedra.
std::shared_ptr<const AllMethodRows> methods() {
  return std::make_shared<const AllMethodRows>(
      std::vector{rowsOf("grains"), rowsOf("pebbles"), rowsOf("tetrahedra", asTetrahedron)});
}

Scene softBox(const std::string& method) {
  Scene scene;
  scene.name = "soft box";
  scene.methods = methods();
  scene.solver.method = method;
  scene.materials = {{"jelly", {}}};
  DeformableSpec box;
  box.name = "box";
  box.material = "jelly";
  box.shape = shape::Box{{0.05, 0.05, 0.05}};
  box.X_WD.p = {0, 0, 2};
  box.angularVelocity = {0, 0, 3};
  scene.deformables = {box};
  return scene;
}

std::shared_ptr<const Model> modelOf(const Scene& scene) {
  Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled->model;
}

double modulusOf(const Model& model) {
  return dynamic_cast<const Stiffness&>(*model.deformables.at(0).discretization).modulus;
}

TEST(Discretize, AMethodMakesNodesOfItsOwn) {
  const auto model = modelOf(softBox("tetrahedra"));
  ASSERT_EQ(model->nodeCount(), 4u);
  const Deformable& box = model->deformables[0];
  EXPECT_EQ(box.end - box.begin, 4);
  EXPECT_EQ(model->nodes.x[1], Vec3(1, 0, 2));
  EXPECT_EQ(model->nodes.v[1], Vec3(0, 3, 0)) << "of the turning body";
  EXPECT_EQ(model->nodes.mass[0], box.material.density / 24);
  EXPECT_EQ(surfaceOf(box).triangles.size(), 4u);
  EXPECT_FALSE(surfaceOf(box).isSheet);
  EXPECT_EQ(model->resolutionOf(0), 1e-3);
  EXPECT_EQ(modulusOf(*model), box.material.E);
}

TEST(Discretize, WithoutOneTheyAreParticles) {
  const auto model = modelOf(softBox("grains"));
  EXPECT_GT(model->nodeCount(), 4u);
  EXPECT_TRUE(surfaceOf(model->deformables[0]).triangles.empty());
  EXPECT_EQ(model->resolutionOf(0), model->gridSpacing);
}

TEST(Discretize, WhatItRefusesStopsTheSceneAtItsPlace) {
  Scene scene = softBox("tetrahedra");
  scene.deformables[0].shape = shape::Sphere{0.1};
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.error().message(), HasSubstr("deformable 'box'"));
  EXPECT_THAT(compiled.error().message(), HasSubstr("write shape: box"));
}

TEST(Discretize, FollowsAMaterialThatIsChanged) {
  const auto model = modelOf(softBox("tetrahedra"));
  Tuning tuning = model->tuning;
  tuning.materials[0].E = 777;
  EXPECT_EQ(modulusOf(*tunedModel(*model, tuning)), 777);
  tuning.materials[0].E = model->tuning.materials[0].E;
  EXPECT_EQ(tunedModel(*model, tuning)->deformables[0].discretization, model->deformables[0].discretization);
}

TEST(MethodChange, ToOneWithTheSameNodesKeepsThem) {
  const auto grains = modelOf(softBox("grains"));
  EXPECT_EQ(withNodesOf(grains, "pebbles").value(), grains);
  const auto pebbles = withMethod(grains, "pebbles").value();
  EXPECT_EQ(pebbles->solver.method, "pebbles");
  EXPECT_EQ(pebbles->nodes.x, grains->nodes.x);
}

TEST(MethodChange, ToOneWithOthersCompilesAgain) {
  const auto grains = modelOf(softBox("grains"));
  EXPECT_FALSE(hasNodesOf(*grains, "tetrahedra"));
  const auto tetrahedra = withMethod(grains, "tetrahedra").value();
  EXPECT_EQ(tetrahedra->nodeCount(), 4u);
  EXPECT_EQ(tetrahedra->solver.method, "tetrahedra");
  EXPECT_EQ(tetrahedra->scene, grains->scene);
  EXPECT_EQ(withMethod(tetrahedra, "grains").value()->nodes.x, grains->nodes.x);
}

TEST(MethodChange, OfNodesAloneLeavesTheChoice) {
  const auto grains = modelOf(softBox("grains"));
  const auto tetrahedra = withNodesOf(grains, "tetrahedra").value();
  EXPECT_EQ(tetrahedra->nodeCount(), 4u);
  EXPECT_EQ(tetrahedra->solver.method, "grains");
}

TEST(MethodChange, WithoutASceneSaysWhy) {
  Model model = *modelOf(softBox("grains"));
  model.scene = nullptr;
  const auto changed = withMethod(std::make_shared<const Model>(model), "tetrahedra");
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message(), HasSubstr("made for another method than tetrahedra"));
}

}  // namespace
}  // namespace slipstick
