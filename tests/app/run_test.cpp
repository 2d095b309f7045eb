#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "tests/app/program_run.h"
#include "tests/support/comma_locale.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class RunVerb : public testing::ProgramTest {};

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
  return all;
}

TEST_F(RunVerb, ReportHasEveryDocumentedKey) {
  const Outcome outcome = run("run drop.yaml --report r.json --threads 1");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("drop: 20 steps"));
  const auto report = nlohmann::json::parse(testing::readText(path("r.json")));
  for (const char* key : {"scene",
                          "method",
                          "backend",
                          "runs_on",
                          "reproducible",
                          "threads",
                          "steps",
                          "simulated_s",
                          "wall_s",
                          "realtime_rate",
                          "ms_per_step",
                          "phases_ms",
                          "particles",
                          "active_nodes_mean",
                          "substeps_per_step",
                          "contacts",
                          "particle_contacts",
                          "solver",
                          "health",
                          "health_first_at_s",
                          "health_notes",
                          "momentum_error",
                          "state_hash",
                          "deformables",
                          "machine"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  for (const char* key : {"mean", "p50", "p99", "max"})
    EXPECT_TRUE(report["ms_per_step"].contains(key)) << key;
  for (const char* key : {"name", "iterations_mean", "iterations_max", "not_converged"}) {
    EXPECT_TRUE(report["solver"].contains(key)) << key;
  }
  for (const char* phase : {"control", "sort", "transfer", "contact", "device", "rigid", "snapshot"}) {
    EXPECT_TRUE(report["phases_ms"].contains(phase)) << phase;
  }
  EXPECT_EQ(report["scene"], "drop");
  EXPECT_EQ(report["steps"], 20);
  EXPECT_NEAR(report["simulated_s"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(report["particles"], 64);
  EXPECT_EQ(report["threads"], 1);
  EXPECT_EQ(report["health"]["NonFinite"], 0);
  EXPECT_GT(report["contacts"]["max"].get<int>(), 0) << "the cube falls 5 mm onto the table";
  EXPECT_EQ(report["particle_contacts"]["max"], report["contacts"]["max"]) << "nothing rigid meets here";
  EXPECT_GT(report["particle_contacts"]["mean"].get<double>(), 0);
  EXPECT_LT(report["deformables"][0]["center_m"][2].get<double>(), 0.055);
  EXPECT_EQ(report["state_hash"].get<std::string>().size(), 16u);
}

/// 6 m/s · 10 ms = 60 mm, through a ball of 16 mm and a plate of 4 mm.
TEST_F(RunVerb, SaysOnceWhichPairRaisedAFlagWhenFirstAndHowOften) {
  std::ofstream(path("fast.yaml")) << R"(slipstick: 1
gravity: [0, 0, 0]
time: {dt_ms: 10, duration: 0.3}
bodies:
  plate: {shapes: [{shape: box, size: [0.4, 0.4, 0.004]}]}
  ball: {base: free, mass: 0.02, position: [0, 0, 0.2], velocity: [0, 0, -6], shapes: [{shape: sphere, radius: 0.008}]}
)";
  const Outcome outcome = run("run fast.yaml --report f.json --record f.h5");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(
      outcome.err,
      "slipstick: fast: FastBody first at 0.040 s, in 1 of 30 steps: ball moves 60 mm towards plate in one "
      "step, at most 20 mm is safe: use time.dt_ms of 3.3 or less; shorten time.dt_ms, slow it down or make "
      "the thin "
      "part thicker\n");
  const Outcome replayed = run("replay f.h5 --check");
  EXPECT_EQ(replayed.status, 0);
  EXPECT_EQ(replayed.err, outcome.err);
  const auto report = nlohmann::json::parse(testing::readText(path("f.json")));
  EXPECT_EQ(report["health"]["FastBody"], 1);
  EXPECT_NEAR(report["health_first_at_s"]["FastBody"].get<double>(), 0.04, 1e-12);
  ASSERT_EQ(report["health_notes"].size(), 1u);
  const auto& note = report["health_notes"][0];
  EXPECT_EQ(note["flag"], "FastBody");
  EXPECT_EQ(note["body"], "ball");
  EXPECT_EQ(note["other"], "plate");
  EXPECT_NEAR(note["value"].get<double>(), 0.06, 1e-9);
  EXPECT_NEAR(note["limit"].get<double>(), 0.02, 1e-9);
}

TEST_F(RunVerb, CsvHasOneNamedColumnPerObservableAndOneRowPerStep) {
  const Outcome outcome = run("run drop.yaml --csv o.csv --quiet --duration 0.02");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
  std::stringstream file(testing::readText(path("o.csv")));
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = cells(line);
  const std::set<std::string> names(header.begin(), header.end());
  EXPECT_EQ(header.front(), "time [s]");
  EXPECT_EQ(names.size(), header.size()) << "two columns have the same name";
  for (const char* name :
       {"puck.x [m]", "puck.qw", "puck.vx [m/s]", "puck.contact.fx [N]", "puck.contact.mz [N m]",
        "cube.min_z [m]", "cube.volume [m^3]", "total.kinetic_energy [J]", "contacts"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  std::vector<std::vector<double>> rows;
  while (std::getline(file, line)) {
    rows.emplace_back();
    for (const std::string& cell : cells(line)) rows.back().push_back(std::stod(cell));
    EXPECT_EQ(rows.back().size(), header.size());
  }
  ASSERT_EQ(rows.size(), 5u) << "the start and four steps";
  const auto column =
      static_cast<std::size_t>(std::find(header.begin(), header.end(), "puck.vz [m/s]") - header.begin());
  EXPECT_NEAR(rows[4][column], -9.81 * 0.02, 1e-12);
  EXPECT_NEAR(rows[4][0], 0.02, 1e-15);
}

TEST_F(RunVerb, EqualRunsGiveEqualHashesAndSetChangesThem) {
  const auto hashOf = [this](const std::string& extra) {
    const Outcome outcome = run("run drop.yaml --quiet --report h.json " + extra);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(testing::readText(path("h.json")))["state_hash"].get<std::string>();
  };
  const std::string first = hashOf("--threads 1");
  EXPECT_EQ(hashOf("--threads 2"), first);
  EXPECT_NE(hashOf("--threads 1 --set gravity=[0,0,-5]"), first);
}

TEST_F(RunVerb, BadInputIsOneLineWithPlaceAndRemedyAndStatusOne) {
  const std::vector<std::string> bad = {
      "run no_such_scene",
      "run drop.yaml --set contact.fricton=1",
      "run drop.yaml --set nonsense",
      "run drop.yaml --set materials.gel.E=-5",
      "run drop.yaml --backend metal",
      "run drop.yaml --backend cuda",
      "run drop.yaml --method explicit",
      "run drop.yaml --set solver.method=explicit",
      "run drop.yaml --report missing_folder/r.json",
      "run drop.yaml --csv .",
  };
  for (const std::string& arguments : bad) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments;
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << arguments << '\n' << outcome.err;
    EXPECT_THAT(outcome.err, StartsWith("slipstick: ")) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("; ")) << arguments;  // what to do
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(RunVerb, AnUnknownSceneListsTheShippedOnes) {
  const Outcome outcome = run("run no_such_scene");
  EXPECT_THAT(outcome.err, HasSubstr("no_such_scene"));
  EXPECT_THAT(outcome.err, HasSubstr("dough_rolling"));
}

TEST_F(RunVerb, OutputsAreCheckedBeforeTheSceneIsLoaded) {
  const Outcome outcome = run("run no_such_scene --report missing_folder/r.json");
  EXPECT_THAT(outcome.err, HasSubstr("missing_folder"));
  run("run no_such_scene --report r.json");
  EXPECT_FALSE(std::filesystem::exists(path("r.json"))) << "the check leaves nothing behind";
}

TEST_F(RunVerb, WrongUsageIsStatusTwo) {
  for (const char* arguments : {"run", "run drop.yaml --no-such-option", "run drop.yaml --duration -1",
                                "run drop.yaml --threads x", "render drop.yaml --out a.png --size huge"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
  }
  EXPECT_EQ(run("--help").status, 0);
  EXPECT_EQ(run("--version").status, 0);
}

TEST_F(RunVerb, AFailedSimulationIsStatusThreeWithStepReasonAndRemedy) {
  // A speed beyond what a step's positions can hold: the first step is not finite.
  const Outcome outcome =
      run("run drop.yaml --quiet --report r.json --set deformables.cube.velocity=[0,0,1e100]");
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
  EXPECT_THAT(outcome.err,
              ::testing::AllOf(HasSubstr("step 1 "), HasSubstr("NonFinite"), HasSubstr("time.dt_ms")));
  EXPECT_EQ(nlohmann::json::parse(testing::readText(path("r.json")))["steps"], 0);
}

/// Files, and what the line says but for its times: the run is the same whatever sign a person's decimals have.
TEST_F(RunVerb, WritesTheSameNumbersUnderACommaLocale) {
  ASSERT_EQ(run("run drop.yaml --quiet --csv c.csv --threads 1").status, 0);
  const testing::CommaLocale comma;
  const Outcome outcome = run(
      "run drop.yaml --csv comma.csv --report r.json --threads 1 --set gravity=[0,0,-9.81] --duration 0.05",
      comma.environment());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("10 steps, 0.05 s simulated"));
  EXPECT_EQ(nlohmann::json::parse(testing::readText(path("r.json")))["simulated_s"], 0.05);
  const std::string all = testing::readText(path("c.csv")), part = testing::readText(path("comma.csv"));
  EXPECT_EQ(testing::lineCount(part), 12u);  // a header, the start and ten steps
  EXPECT_EQ(all.substr(0, part.size()), part);
}

}  // namespace
}  // namespace slipstick
