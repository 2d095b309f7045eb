// Settings that a method has of its own, in a scene's file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/scene_io.h"
#include "assets/scene_schema.h"
#include "assets/scene_writer.h"
#include "engine/compile/compile.h"
#include "engine/model/method_rows.h"
#include "tests/assets/schema_check.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

assets::LoadOptions withHopper() {
  MethodRows rows;
  rows.name = "hopper";
  rows.settings = {{"height", "m", {0, 2}, 0.5, "how far it goes up in a step"},
                   {.key = "legs",
                    .unit = "",
                    .range = {.lower = 0, .openLower = true},
                    .usual = 2,
                    .description = "that it stands on",
                    .isWhole = true}};
  assets::LoadOptions options;
  options.methods = std::make_shared<const AllMethodRows>(std::vector{rows});
  return options;
}

Result<assets::LoadedScene> read(const std::string& text, const assets::LoadOptions& options = withHopper()) {
  return assets::parseScene(text, ::testing::TempDir(), "hop.yaml", options);
}

TEST(MethodSettings, StandInABlockOfTheMethodsName) {
  const Result<assets::LoadedScene> scene = read("solver: {method: hopper, hopper: {height: 1.5}}\n");
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->scene.methodSettings,
            (std::vector<MethodSettingSpec>{{.method = "hopper", .key = "height", .value = 1.5}}));
  const Result<CompiledScene> compiled = assets::compileLoaded(*scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_EQ(valueOf(*compiled->model, "solver.hopper.height", compiled->model->tuning), ParameterValue{1.5});
}

TEST(MethodSettings, AreWrittenAsTheyWereRead) {
  const Result<assets::LoadedScene> scene = read("solver: {hopper: {height: 1.5}}\n");
  ASSERT_TRUE(scene) << scene.error().message();
  const Result<std::string> text = assets::writeScene(scene->scene, ::testing::TempDir());
  ASSERT_TRUE(text) << text.error().message();
  const Result<assets::LoadedScene> again = read(*text);
  ASSERT_TRUE(again) << again.error().message() << *text;
  EXPECT_EQ(again->scene.methodSettings, scene->scene.methodSettings);
}

TEST(MethodSettings, AreSetOverAScenesOwn) {
  assets::LoadOptions options = withHopper();
  options.overrides = {"solver.hopper.height=0.25"};
  const Result<assets::LoadedScene> scene = read("solver: {hopper: {height: 1.5}}\n", options);
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->scene.methodSettings.at(0).value, 0.25);
  const Result<assets::LoadedScene> unsaid = read("title: jumps\n", options);
  ASSERT_TRUE(unsaid) << unsaid.error().message();
  EXPECT_EQ(unsaid->scene.methodSettings.at(0).value, 0.25);
  for (const char* unknown :
       {"solver.hoper.height=0.25", "solver.hopper.height.x=1", "solver.rigd.stiction_speed=1"}) {
    options.overrides = {unknown};
    EXPECT_EQ(read("title: jumps\n", options).error().code, ErrorCode::UnknownName) << unknown;
  }
}

TEST(MethodSettings, AreThoseOfTheProgramsMethodsWithinTheirRanges) {
  EXPECT_THAT(read("solver: {hopper: {heigth: 1}}\n").error().message(), HasSubstr("height"));
  EXPECT_THAT(read("solver: {hopper: {height: 3}}\n").error().message(), HasSubstr("solver.hopper.height"));
  EXPECT_THAT(read("solver: {hopper: {height: 1}}\n", {}).error().message(), HasSubstr("hopper"));
}

/// What the schema has against a scene: "" where it takes it.
std::string faultOf(const std::string& text, const AllMethodRows* methods) {
  const testing::SchemaCheck check(testing::Json::parse(assets::sceneSchema(methods)));
  return check.fault(testing::jsonOf(assets::parseYaml(text, "hop.yaml").value()));
}

bool isTaken(const std::string& text) {
  const Result<assets::LoadedScene> scene = read(text);
  return scene && assets::compileLoaded(*scene);
}

TEST(MethodSettings, AreInTheSchemaAsTheProgramTakesThem) {
  const auto hopper = withHopper().methods;
  for (const char* taken :
       {"method: hopper, hopper: {height: 1.5, legs: 4}", "hopper: {legs: 1e3}", "hopper: {}"}) {
    const std::string text = std::string("solver: {") + taken + "}\n";
    EXPECT_EQ(faultOf(text, hopper.get()), "") << text;
    EXPECT_TRUE(isTaken(text)) << text;
    EXPECT_NE(faultOf(text, nullptr), "") << text << " of a program without that method";
  }
  for (const char* refused :
       {"hopper: {height: 3}", "hopper: {height: -1}", "hopper: {height: far}", "hopper: {legs: 1.5}",
        "hopper: {legs: 0}", "hopper: {heigth: 1}", "hoper: {height: 1}"}) {
    const std::string text = std::string("solver: {") + refused + "}\n";
    EXPECT_NE(faultOf(text, hopper.get()), "") << text;
    EXPECT_FALSE(isTaken(text)) << text;
  }
}

TEST(MethodSettings, HaveTheirUnitsRangesDefaultsAndMeaningsInTheSchema) {
  const auto schema = testing::Json::parse(assets::sceneSchema(withHopper().methods.get()));
  EXPECT_EQ(schema["$defs"]["solver.hopper"]["properties"], testing::Json::parse(R"({
    "height": {"anyOf": [{"type": "number", "minimum": 0.0, "maximum": 2.0}, {"type": "null"}],
               "description": "[m] how far it goes up in a step; default: 0.5", "default": 0.5},
    "legs": {"anyOf": [{"type": "integer", "exclusiveMinimum": 0.0}, {"type": "null"}],
             "description": "that it stands on; default: 2", "default": 2.0}})"));
}

}  // namespace
}  // namespace slipstick
