// slipstick compare: one scene under several methods.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Compare = testing::ProgramTest;

TEST_F(Compare, TabulatesEveryMethodAndWritesReportCsvAndPicture) {
  const Outcome outcome =
      run("compare drop.yaml --methods async,strong,implicit --from 0.08 --report r.json --csv t.csv --out "
          "f.png --dpi 72 "
          "--at 0.05,0.1 --set implicit:time.dt_ms=10");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("0.08 to 0.1 s"), HasSubstr("|mean force| on table [N]"),
                                 HasSubstr("momentum error"), HasSubstr("0 of 20"), HasSubstr("0 of 10")));
  const nlohmann::json report = nlohmann::json::parse(testing::readText(path("r.json")));
  ASSERT_EQ(report["runs"].size(), 3u);
  const char* names[] = {"async", "strong", "implicit"};
  for (std::size_t i = 0; i < 3; ++i) {
    const nlohmann::json& method = report["runs"][i];
    EXPECT_EQ(method["method"], names[i]);
    EXPECT_EQ(method["steps"], i == 2 ? 10 : 20);
    EXPECT_NEAR(method["simulated_s"].get<double>(), 0.1, 1e-9);
    EXPECT_GT(method["ms_per_simulated_s"].get<double>(), 0);
    EXPECT_LT(method["momentum_error"].get<double>(), 1e-5);
    ASSERT_TRUE(method["forces"].contains("table")) << names[i];
    EXPECT_LT(method["forces"]["table"]["mean_N"][2].get<double>(), 0) << "it is pressed down";
    EXPECT_FALSE(method["forces"].contains("puck")) << "nothing touches it";
  }
  EXPECT_EQ(report["runs"][2]["set"][0], "time.dt_ms=10");
  // Nothing rigid moves in it: frozen or not is the same.
  EXPECT_LT(report["runs"][1]["forces"]["table"]["differs_from_first"].get<double>(), 0.01);

  const std::string csv = testing::readText(path("t.csv"));
  EXPECT_EQ(testing::lineCount(csv), 1u + 2 * 21 + 11);
  EXPECT_THAT(csv, AllOf(HasSubstr("run,time [s],energy.kinetic [J]"), HasSubstr("table.contact.fz [N]"),
                         HasSubstr("\nimplicit,0.1,")));
  EXPECT_THAT(testing::readText(path("f.png")), HasSubstr("PNG"));
}

/// A method against itself: what one number of the scene changes.
TEST_F(Compare, HoldsRunsOfOneMethodAgainstEachOther) {
  const Outcome outcome =
      run("compare drop.yaml --runs a=async,b=async,c=strong --set b:materials.gel.E=2e4 --set time.dt_ms=10 "
          "--set "
          "async:grid.spacing=0.05 --report r.json --csv t.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json report = nlohmann::json::parse(testing::readText(path("r.json")));
  ASSERT_EQ(report["runs"].size(), 3u);
  const char* const names[] = {"a", "b", "c"};
  const char* const methods[] = {"async", "async", "strong"};
  const std::vector<std::string> own[] = {
      {"grid.spacing=0.05"}, {"grid.spacing=0.05", "materials.gel.E=2e4"}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(report["runs"][i]["run"], names[i]);
    EXPECT_EQ(report["runs"][i]["method"], methods[i]);
    EXPECT_EQ(report["runs"][i]["set"].get<std::vector<std::string>>(), own[i]);
    EXPECT_EQ(report["runs"][i]["dt_ms"], 10);
  }
  EXPECT_THAT(testing::readText(path("t.csv")), AllOf(HasSubstr("\na,0.1,"), HasSubstr("\nb,0.1,")));
}

TEST_F(Compare, SaysWhichRunCannotBe) {
  EXPECT_THAT(run("compare drop.yaml --runs a=async,a=strong").err, HasSubstr("two runs have one name"));
  EXPECT_THAT(run("compare drop.yaml --runs async").err, HasSubstr("NAME=METHOD"));
  EXPECT_THAT(run("compare drop.yaml --runs =async").err, HasSubstr("NAME=METHOD"));
  EXPECT_THAT(run("compare drop.yaml --runs a=euler").err,
              AllOf(HasSubstr("no such method"), HasSubstr("async, strong")));
  EXPECT_THAT(run("compare drop.yaml --runs 'a b=async'").err, HasSubstr("letters"));
  EXPECT_THAT(run("compare drop.yaml --runs a=async --set c:time.dt_ms=10").err,
              AllOf(HasSubstr("there is no run 'c'"), HasSubstr("the runs are a")));
  EXPECT_EQ(run("compare drop.yaml --runs a=async --methods strong").status, 2);
}

TEST_F(Compare, LeavesOutWhatCannotStepTheSceneUnlessItIsNamed) {
  const std::string sliding = "compare sliding.yaml --duration 0.01 ";
  std::ofstream(path("sliding.yaml")) << R"(time: {dt_ms: 5, duration: 0.01}
grid: {spacing: 0.05}
materials:
  gel: {model: neo_hookean, E: 1e4, nu: 0.3, density: 300}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 0.05]}
boundaries:
  floor: {kind: slip, friction: 0.3, shape: box, size: [1, 1, 0.2], position: [0, 0, -0.1]}
)";
  const Outcome all = run(sliding);
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.err, AllOf(HasSubstr("implicit is left out"), HasSubstr("boundary 'floor'")));
  EXPECT_THAT(all.out, AllOf(HasSubstr("async"), HasSubstr("strong"), Not(HasSubstr("implicit"))));
  const Outcome named = run(sliding + "--methods async,implicit");
  EXPECT_EQ(named.status, 1);
  EXPECT_THAT(named.err, HasSubstr("boundary 'floor'"));
  EXPECT_EQ(named.out, "");
}

TEST_F(Compare, SaysWhatCannotBe) {
  EXPECT_THAT(run("compare drop.yaml --methods async,euler").err, HasSubstr("euler"));
  EXPECT_EQ(run("compare drop.yaml --at 0.1").status, 2) << "of no picture";
  EXPECT_THAT(run("compare drop.yaml --out f.gif").err, HasSubstr("--out f.gif"));
  EXPECT_THAT(run("compare drop.yaml --from 0.1 --to 0.05").err, HasSubstr("--to after --from"));
  EXPECT_THAT(run("compare drop.yaml --out f.png --at 3").err, HasSubstr("0.1 s"));
  EXPECT_THAT(run("compare drop.yaml --out f.png --camera nowhere").err, HasSubstr("nowhere"));
  EXPECT_THAT(run("compare drop.yaml --set strong:time.dt=1").err, HasSubstr("time.dt"));
  EXPECT_THAT(run("compare drop.yaml --csv nowhere/t.csv").err, HasSubstr("nowhere"));
}

}  // namespace
}  // namespace slipstick
