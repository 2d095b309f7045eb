// Settings that a method has of its own, in a scene's file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/scene_io.h"
#include "assets/scene_writer.h"
#include "engine/compile/compile.h"
#include "engine/model/method_rows.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

assets::LoadOptions withHopper() {
  MethodRows rows;
  rows.name = "hopper";
  rows.settings = {{"height", "m", {0, 2}, 0.5, "how far it goes up in a step"}};
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

}  // namespace
}  // namespace slipstick
