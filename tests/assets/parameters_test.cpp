// The table of parameters against the scene files that it names: what it calls a number is what the file
// calls it.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compile/compile.h"
#include "engine/model/model.h"
#include "engine/model/tuned_model.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

/// A scene with every block that has parameters.
const std::string kEverything = R"(
contact: {friction: 0.4}
materials:
  dough: {model: hencky_von_mises, density: 1000, E: 2.0e4, nu: 0.4, yield_stress: 1000}
  sand: {model: drucker_prager, density: 1600, E: 1.0e6, nu: 0.3, friction_angle_deg: 33}
  hard_sand: {model: drucker_prager, density: 1600, E: 1.0e6, nu: 0.3, hardening_deg: [35, 9, 0.2, 10]}
  snow: {model: snow, density: 400, E: 1.4e5, nu: 0.2}
  honey: {model: liquid, density: 1400, bulk_modulus: 1.5e5, viscosity: 5}
  cotton: {model: cloth, density: 1000, E: 1.0e5, nu: 0.3, thickness: 1.0e-3, bending_stiffness: 1.0e-5}
deformables:
  lump: {material: dough, shape: box, size: [0.04, 0.04, 0.04], position: [0, 0, 0.1]}
  drop: {material: honey, shape: box, size: [0.04, 0.04, 0.04], position: [1, 0, 0.1]}
bodies:
  ground: {shapes: [{shape: plane}]}
  crate:
    base: free
    mass: 2
    position: [0, 0, 0.5]
    shapes:
      - {shape: box, size: [0.1, 0.1, 0.1]}
      - {name: lid, shape: box, size: [0.1, 0.1, 0.02], position: [0, 0, 0.06], contact: {friction: 0.9}}
robots:
  hand: {urdf: ../robots/parallel_gripper.urdf, position: [0, 0, 1]}
  slide: {urdf: ../robots/slider.urdf, position: [0, 1, 1]}
pair_rules:
  - {a: lump, b: ground, friction: 0.7}
  - {a: hand, b: ground, restitution: 0.5}
boundaries:
  wall: {kind: separate, shape: plane, position: [0, 0, -1], friction: 0.3}
controllers:
  - {kind: gripper, robot: hand, keys: [{t: 0, opening: 0.02}]}
  - {kind: joint_velocity, robot: slide, joint: slide, velocity: 0.1}
)";

/// A value that the parameter may have and does not have now.
ParameterValue other(const Parameter& parameter, const Tuning& tuning) {
  ParameterValue value = valueOf(parameter, tuning);
  if (value.empty()) value = {0.25};
  const bool isWhole =
      std::holds_alternative<int*>(parameter.kind->slot(const_cast<Tuning&>(tuning), parameter.index));
  for (double& x : value) x = isWhole ? x + 3 : (x == 0 ? 0.125 : 0.875 * x);
  return value;
}

std::string textOf(const ParameterValue& value) {
  std::string text;
  for (const double x : value) {
    char number[40];
    std::snprintf(number, sizeof number, "%.17g", x);
    text += (text.empty() ? "" : ", ") + std::string(number);
  }
  return value.size() == 1 ? text : "[" + text + "]";
}

std::vector<ParameterValue> allValues(const Model& model, const Tuning& tuning) {
  std::vector<ParameterValue> values;
  for (const Parameter& parameter : model.parameters) values.push_back(valueOf(parameter, tuning));
  return values;
}

/// Every number of the laws, one after the other.
std::vector<double> numbersOf(const Laws& laws) {
  std::vector<double> all;
  for (const ContactLaw& law : laws.contact)
    all.insert(all.end(), {double(law.enabled), law.friction, law.stiffness, law.dissipation});
  for (const SurfaceProperties& s : laws.surfaces)
    all.insert(all.end(), {s.modulus, s.stiffness, s.dissipation});
  all.insert(all.end(), laws.friction.begin(), laws.friction.end());
  all.insert(all.end(), laws.restitution.begin(), laws.restitution.end());
  for (const ServoLaw& servo : laws.servos) {
    all.insert(all.end(), servo.kp.begin(), servo.kp.end());
    all.insert(all.end(), servo.kd.begin(), servo.kd.end());
    all.push_back(servo.effortLimit);
  }
  return all;
}

std::shared_ptr<const Model> modelOf(const std::vector<std::string>& overrides) {
  const Result<assets::LoadedScene> loaded = testing::parsed(kEverything, overrides);
  EXPECT_TRUE(loaded) << loaded.error().message();
  if (!loaded) return nullptr;
  const Result<CompiledScene> compiled = compile(loaded->scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled ? compiled->model : nullptr;
}

TEST(Parameters, ASceneWrittenWithANumberIsTheSceneThatGetsItLater) {
  const auto model = modelOf({});
  ASSERT_TRUE(model);
  EXPECT_GT(model->parameters.size(), 80u);
  for (const Parameter& parameter : model->parameters) {
    // A key of the file would contradict the one that it takes the place of.
    if (parameter.path == "materials.hard_sand.hardening_deg") continue;
    Tuning tuning = model->tuning;
    const ParameterValue value = other(parameter, tuning);
    const Result<void> set = setParameter(*model, parameter.path, value, tuning);
    ASSERT_TRUE(set) << set.error().message();
    EXPECT_EQ(valueOf(parameter, tuning), value) << parameter.path;
    const auto written = modelOf({parameter.path + "=" + textOf(value)});
    ASSERT_TRUE(written) << parameter.path;
    EXPECT_EQ(allValues(*written, written->tuning), allValues(*model, tuning)) << parameter.path;
    EXPECT_EQ(numbersOf(lawsOf(*written, written->tuning)), numbersOf(lawsOf(*model, tuning)))
        << parameter.path;
  }
}

TEST(Parameters, EditsOfPlacesFurtherInGoOverThoseFurtherOut) {
  const auto model = modelOf({});
  ASSERT_TRUE(model);
  const auto geometry = [&](const std::string& name) {
    for (std::size_t g = 0; g < model->geometries.size(); ++g)
      if (model->geometries[g].name == name) return g;
    ADD_FAILURE() << name;
    return std::size_t{0};
  };
  Tuning tuning = model->tuning;
  const auto frictionOf = [&](const std::string& name) {
    return lawsOf(*model, tuning).friction[geometry(name)];
  };
  const auto set = [&](const std::string& path, const ParameterValue& value) {
    const Result<void> done = setParameter(*model, path, value, tuning);
    EXPECT_TRUE(done) << done.error().message();
  };
  EXPECT_EQ(frictionOf("crate.0"), 0.4);
  set("contact.friction", {0.1});
  EXPECT_EQ(frictionOf("crate.0"), 0.1);
  set("bodies.crate.contact.friction", {0.2});
  EXPECT_EQ(frictionOf("crate.0"), 0.2);
  EXPECT_EQ(frictionOf("crate.lid"), 0.9) << "the shape's own counts";
  set("bodies.crate.shapes.lid.contact.friction", {});
  EXPECT_EQ(frictionOf("crate.lid"), 0.2) << "and where it is taken back, the body's";
  const std::size_t pair = geometry("ground");
  EXPECT_EQ(lawsOf(*model, tuning).contact[pair].friction, 0.7) << "a pair rule goes over all of them";
  set("pair_rules.0.friction", {0.6});
  EXPECT_EQ(lawsOf(*model, tuning).contact[pair].friction, 0.6);
  set("materials.dough.E", {4e4});
  EXPECT_DOUBLE_EQ(lawsOf(*model, tuning).contact[pair].stiffness, 4e4 * model->deformables[0].spacing);
  set("contact.stiffness", {123});
  set("contact.stiffness_factor", {2});
  EXPECT_DOUBLE_EQ(lawsOf(*model, tuning).contact[pair].stiffness, 8e4 * model->deformables[0].spacing)
      << "one of the two takes the place of the other";
}

TEST(Parameters, RestitutionFallsBackAsFrictionDoesAndOfAPairTheRuleDecides) {
  const auto model = modelOf({});
  ASSERT_TRUE(model);
  int ground = -1, crate = -1, lid = -1, finger = -1;
  for (std::size_t g = 0; g < model->geometries.size(); ++g) {
    const std::string& name = model->geometries[g].name;
    if (name == "ground") ground = static_cast<int>(g);
    if (name == "crate.0") crate = static_cast<int>(g);
    if (name == "crate.lid") lid = static_cast<int>(g);
    if (name.starts_with("hand.left_finger")) finger = static_cast<int>(g);
  }
  ASSERT_TRUE(ground >= 0 && crate >= 0 && lid >= 0 && finger >= 0);
  EXPECT_EQ(model->rigidPairLaw(ground, crate).restitution, 0);
  EXPECT_EQ(model->rigidPairLaw(ground, finger).restitution, 0.5);
  EXPECT_EQ(valueOf(*model, "pair_rules.1.friction", model->tuning), ParameterValue()) << "it names none";
  Tuning tuning = model->tuning;
  for (const auto& [path, value] : {std::pair("contact.restitution", 0.1),
                                    {"bodies.crate.shapes.lid.contact.restitution", 0.8},
                                    {"pair_rules.1.restitution", 0.0}})
    ASSERT_TRUE(setParameter(*model, path, {value}, tuning)) << path;
  EXPECT_NE(hashOf(tuning), hashOf(model->tuning));
  const auto tuned = tunedModel(*model, tuning);
  EXPECT_EQ(tuned->rigidPairLaw(ground, crate).restitution, 0.1);
  EXPECT_EQ(tuned->rigidPairLaw(ground, lid).restitution, 0.8) << "the larger of the two";
  EXPECT_EQ(tuned->rigidPairLaw(ground, finger).restitution, 0) << "a rule goes over both";
}

TEST(Parameters, OneEntryOfAListHasItsOwnPath) {
  const auto model = modelOf({});
  ASSERT_TRUE(model);
  Tuning tuning = model->tuning;
  ASSERT_TRUE(setParameter(*model, "gravity.z", {-1.62}, tuning));
  ASSERT_TRUE(setParameter(*model, "gravity.0", {0.5}, tuning));
  EXPECT_EQ(tuning.gravity, Vec3(0.5, 0, -1.62));
  EXPECT_EQ(modelOf({"gravity.z=-1.62", "gravity.0=0.5"})->tuning.gravity, tuning.gravity);
}

TEST(Parameters, AFaultSaysWhereAndWhatToDo) {
  const auto model = modelOf({});
  ASSERT_TRUE(model);
  const auto faultOf = [&](const std::string& path, const ParameterValue& value) {
    Tuning tuning = model->tuning;
    const Result<void> set = setParameter(*model, path, value, tuning);
    EXPECT_EQ(allValues(*model, tuning), allValues(*model, model->tuning)) << "nothing is half set";
    return set ? std::string("none") : set.error().message();
  };
  EXPECT_NE(faultOf("materials.dogh.E", {1}).find("did you mean 'materials.dough.E'?"), std::string::npos);
  EXPECT_NE(faultOf("time.dt_ms", {1}).find("no number of this name"), std::string::npos);
  EXPECT_NE(faultOf("materials.dough.E", {-1}).find("materials.dough.E: Young's modulus E is not positive"),
            std::string::npos);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Parameter& parameter : model->parameters) {
    ParameterValue value = other(parameter, model->tuning);
    value[0] = nan;
    EXPECT_NE(faultOf(parameter.path, value), "none") << parameter.path;
    EXPECT_NE(faultOf(parameter.path, ParameterValue(7, 1.0)), "none") << parameter.path;
  }
  EXPECT_NE(faultOf("materials.dough.E", {}), "none");
  EXPECT_NE(faultOf("solver.max_iterations", {2.5}), "none");
  EXPECT_NE(faultOf("materials.hard_sand.hardening_deg", {35, 9, 0, 10}), "none");
  EXPECT_NE(faultOf("gravity.w", {1}), "none");
}

TEST(Parameters, LinksOfARobotHaveTheirOwnContact) {
  const auto model = modelOf({"robots.hand.links.left_finger.contact.friction=0.05"});
  ASSERT_TRUE(model);
  const Laws laws = lawsOf(*model, model->tuning);
  int left = 0;
  for (std::size_t g = 0; g < model->geometries.size(); ++g) {
    const bool isLeft = model->geometries[g].name.starts_with("hand.left_finger");
    left += isLeft;
    EXPECT_EQ(laws.friction[g] == 0.05, isLeft) << model->geometries[g].name;
  }
  EXPECT_GT(left, 0);
  const Result<assets::LoadedScene> wrong =
      testing::parsed(kEverything, {"robots.hand.links.left_fingr.contact.friction=0.05"});
  ASSERT_TRUE(wrong);
  EXPECT_NE(compile(wrong->scene).error().message().find("left_finger"), std::string::npos);
}

}  // namespace
}  // namespace slipstick
