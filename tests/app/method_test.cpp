// What run, check and recordings say of the method that steps a scene, and of a body that is too light for it.
#include <gmock/gmock.h>
#include <hdf5.h>

#include <nlohmann/json.hpp>

#include "app/stepping.h"
#include "assets/recording/hdf5_file.h"
#include "assets/scene_format.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A slider without inertial above a block of foam, which the reader gives 1 g.
const char* const kSlider = R"(<robot name="press"><link name="base"/><link name="tip">
<collision><geometry><box size="0.05 0.05 0.02"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>)";

const char* const kPress = R"(title: a press without inertia
time: {dt_ms: 5, duration: 0.02}
grid: {spacing: 0.02}
materials: {foam: {model: neo_hookean, E: 1e5, nu: 0.3, density: 100}}
deformables: {block: {material: foam, shape: box, size: [0.06, 0.06, 0.06], position: [0, 0, 0.03]}}
robots: {press: {urdf: press.urdf, position: [0, 0, 0.08]}}
)";

const char* const kWords = "press.tip (1 g, assumed) is too light for async at 5 ms";

struct MethodWords : testing::ProgramTest {
  MethodWords() {
    std::ofstream(path("press.urdf")) << kSlider;
    std::ofstream(path("press.yaml")) << kPress;
  }
  nlohmann::json report() const { return nlohmann::json::parse(testing::readText(path("r.json"))); }
};

TEST_F(MethodWords, ARunSaysThatItsMethodWasChosenAndWhichBodyDecided) {
  const Outcome outcome = run("run press.yaml --report r.json --record r.h5");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(std::string("press: stepped by strong, as ") + kWords));
  EXPECT_THAT(outcome.err, Not(HasSubstr("forces may be wrong")));
  EXPECT_EQ(report()["method"], "strong");
  EXPECT_EQ(report()["method_choice"]["by"], "auto");
  EXPECT_EQ(report()["method_choice"]["body"], "press.tip");
  EXPECT_EQ(report()["method_choice"]["mass_assumed"], true);
  EXPECT_GT(report()["method_choice"]["share"], report()["method_choice"]["limit"]);
  EXPECT_TRUE(report()["method_choice"]["warning"].is_null());
  EXPECT_EQ(report()["assumed_masses"], nlohmann::json({"press.tip"}));

  const assets::hdf5::Handle file(H5Fopen(path("r.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  EXPECT_EQ(assets::hdf5::readText(file.id(), "method").value(), "strong");
  EXPECT_THAT(assets::hdf5::readText(file.id(), "method_choice").value(), HasSubstr("press.tip (1 g"));
  EXPECT_EQ(run("replay r.h5 --check --quiet").status, 0);
}

TEST_F(MethodWords, WhatASceneForcesIsAWarning) {
  const std::string words = std::string(kWords) + ": forces may be wrong; use strong";
  for (const char* forced : {"--method async", "--set solver.method=async"}) {
    const Outcome outcome = run(std::string("run press.yaml --report r.json ") + forced);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(words));
    EXPECT_EQ(report()["method"], "async");
    EXPECT_EQ(report()["method_choice"]["warning"], words);
  }
  EXPECT_EQ(report()["method_choice"]["by"], "scene");
  EXPECT_THAT(run("check press.yaml --set solver.method=async").out, HasSubstr(words));
  EXPECT_THAT(run("check press.yaml").out, HasSubstr(std::string("method: strong, as ") + kWords));
  // A mass that the scene gives is nobody's guess.
  EXPECT_THAT(run("run press.yaml --method async --set robots.press.links.tip.mass=0.002").err,
              HasSubstr("press.tip (2 g) is too light"));
}

TEST_F(MethodWords, RestitutionThatTheMethodIgnoresIsSaidOnce) {
  const std::string ignored = "contact.restitution is ignored by ", why = ": its contact is compliant; ";
  for (const std::string method : {"async", "strong", "implicit"}) {
    const Outcome outcome = run("run press.yaml --set contact.restitution=0.5 --method " + method);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::size_t said = outcome.err.find("press: " + ignored + method + why);
    ASSERT_NE(said, std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find(ignored, said + 20), std::string::npos) << "once";
  }
  EXPECT_THAT(run("check press.yaml --set contact.restitution=0.5").out, HasSubstr(ignored + "strong" + why));
  EXPECT_THAT(run("check press.yaml").out, Not(HasSubstr("restitution")));
  EXPECT_THAT(run("run press.yaml").err, Not(HasSubstr("restitution")));
  EXPECT_THAT(run("run press.yaml --set contact.restitution=0").err, Not(HasSubstr("restitution")));
}

TEST_F(MethodWords, AutoOnTheCommandLineChoosesForAnyScene) {
  EXPECT_EQ(run("run press.yaml --quiet --report r.json --set solver.method=implicit --method auto").status,
            0);
  EXPECT_EQ(report()["method"], "strong");
  EXPECT_EQ(report()["method_choice"]["by"], "auto");
  EXPECT_EQ(run("run press.yaml --quiet --report r.json --set robots.press.links.tip.mass=1000").status, 0);
  EXPECT_EQ(report()["method"], "async");
  EXPECT_THAT(report()["method_choice"]["why"], HasSubstr("every body is heavy"));
}

/// The settings that a method has of its own stand in a scene's `solver`, under the method's name.
TEST(Methods, AreNotNamedAsAKeyOfTheSolver) {
  const std::vector<std::string> keys = assets::keyNamesOf("solver");
  ASSERT_THAT(keys, Contains("method"));
  for (const MethodEntry& method : app::stepping().methods()) EXPECT_THAT(keys, Not(Contains(method.name)));
}

}  // namespace
}  // namespace slipstick
