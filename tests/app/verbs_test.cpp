#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/app/program_run.h"
#include "tests/support/sdf_needed.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Verbs : public testing::ProgramTest {};

TEST_F(Verbs, ScenesListsWhatShips) {
  const Outcome outcome = run("scenes");
  EXPECT_EQ(outcome.status, 0);
  for (const char* name : {"dough_rolling", "ball_on_slope", "hold", "impact"})
    EXPECT_THAT(outcome.out, HasSubstr(name));
}

TEST_F(Verbs, ScenesPrintsTheSchemaThatShips) {
  const Outcome outcome = run("scenes --schema");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, testing::readText(testing::sourceDir() / "assets" / "scene.schema.json"));
}

TEST_F(Verbs, CheckSaysWhatIsInARecording) {
  ASSERT_EQ(run("run drop.yaml --record r.h5").status, 0);
  const Outcome outcome = run("check r.h5");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("r.h5: recording of scene 'drop', 21 steps from 0 to 0.1 s, 0 commands"));
  const auto report = nlohmann::json::parse(run("check r.h5 --json").out);
  EXPECT_EQ(report["kind"], "recording");
  EXPECT_EQ(report["steps"], 21);
  std::ofstream(path("text.h5")) << "no recording";
  const Outcome refused = run("check text.h5");
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, ::testing::Not(HasSubstr("YAML")));
}

TEST_F(Verbs, AStepOfASecondAndTheGravityOfANeutronStarAreSlipsOfTheHand) {
  for (const char* slip : {"time.dt_ms=1000", "gravity.z=1e9"}) {
    const Outcome outcome = run(std::string("run drop.yaml --set ") + slip);
    EXPECT_EQ(outcome.status, 1) << slip;
    EXPECT_THAT(outcome.err, HasSubstr(slip == std::string("gravity.z=1e9") ? "gravity" : "dt_ms"));
  }
}

TEST_F(Verbs, ErrorsAreOneLineAndNoOrderToATerminal) {
  std::ofstream(path("s.yaml")) << "title: a\nsolver: {method: \"x\\e]0;y\\u0007\"}\n"
                                   "bodies: {a: {shapes: [{shape: plane}]}}\n";
  for (const std::string verb : {"check", "run"}) {
    const Outcome outcome = run(verb + " s.yaml");
    EXPECT_NE(outcome.status, 0) << verb;
    ASSERT_NE(outcome.err, "") << verb;
    const std::string line = outcome.err.substr(0, outcome.err.size() - 1);
    EXPECT_EQ(std::count_if(line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }), 0)
        << verb << ": " << line;
  }
}

TEST_F(Verbs, AFolderIsRefusedAndNeverTakenForWhatShips) {
  for (const char* folder : {"hold", "arm7.urdf", "drop.h5"}) std::filesystem::create_directory(path(folder));
  EXPECT_EQ(run("check hold").status, 0);
  EXPECT_EQ(run("check arm7.urdf").status, 0);
  for (const char* folder : {"./hold", "./arm7.urdf"}) {
    const Outcome outcome = run(std::string("check ") + folder);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("this is a folder"));
  }
  const Outcome recording = run("replay drop.h5");
  EXPECT_EQ(recording.status, 1);
  EXPECT_THAT(recording.err, HasSubstr("this is a folder"));
}

TEST_F(Verbs, CheckCountsWhatASceneHolds) {
  const Outcome outcome = run("check drop.yaml");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("64 particles"));
}

TEST_F(Verbs, CheckReadsRobotsAndMeshes) {
  std::ofstream(path("tetra.obj"))
      << "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const Outcome mesh = run("check tetra.obj");
  EXPECT_EQ(mesh.status, 0) << mesh.err;
  EXPECT_THAT(mesh.out, HasSubstr("4 triangles, 2 x 1 x 1 m, 333.3 kg at 1000 kg/m^3"));

  std::ofstream(path("arm.urdf"))
      << R"(<robot name="arm"><link name="base"/><link name="tip"><inertial><mass value="2"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <joint name="turn" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint></robot>)";
  const Outcome robot = run("check arm.urdf");
  EXPECT_EQ(robot.status, 0) << robot.err;
  EXPECT_THAT(robot.out, HasSubstr("robot 'arm', 2 links, 1 joints (1 movable), 2 kg"));
}

TEST_F(Verbs, CheckEndsEveryLineHoweverLongTheNamesAre) {
  const std::string name(200, 'l');  // the longest that there is
  std::ofstream(path("long.urdf")) << "<robot name='" << name << "'><link name='" << name << "'/></robot>";
  const Outcome outcome = run("check long.urdf");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("robot '" + name + "', 1 links"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  " + name + " "));
  EXPECT_THAT(outcome.out, HasSubstr("\ngeometry: 0 visuals"));
  EXPECT_EQ(outcome.out.back(), '\n');
}

TEST_F(Verbs, CheckReportsARobotForPeopleAndForPrograms) {
  SLIPSTICK_REQUIRE_SDF();
  std::ofstream(path("arm.sdf"))
      << R"(<sdf version="1.7"><model name="arm"><link name="base"/><link name="tip">
    <inertial><mass>2</mass></inertial><visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>
    <joint name="turn" type="revolute"><parent>base</parent><child>tip</child><axis><xyz>0 0 1</xyz>
    <limit><lower>-1.5</lower><upper>2</upper><effort>40</effort></limit></axis></joint><plugin name="p" filename="f"/></model></sdf>)";
  const Outcome text = run("check arm.sdf");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out, HasSubstr("robot 'arm', 2 links, 1 joints (1 movable), 3 kg"));
  EXPECT_THAT(text.out, HasSubstr("turn  revolute    base -> tip  -1.5 to 2 rad, 40 N m"));
  EXPECT_THAT(text.out, HasSubstr("note: arm.sdf:4, model 'arm': <plugin> is not used"));

  const Outcome json = run("check arm.sdf --json");
  ASSERT_EQ(json.status, 0) << json.err;
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report["kind"], "robot");
  EXPECT_EQ(report["links"][1]["name"], "tip");
  EXPECT_DOUBLE_EQ(report["links"][1]["mass_kg"].get<double>(), 2);
  EXPECT_EQ(report["links"][1]["visuals"], 1);
  EXPECT_DOUBLE_EQ(report["joints"][0]["effort_limit"].get<double>(), 40);
  EXPECT_TRUE(report["joints"][0]["velocity_limit"].is_null());
  EXPECT_EQ(report["joint_types"]["revolute"], 1);
  EXPECT_DOUBLE_EQ(report["total_mass_kg"].get<double>(), 3);
  EXPECT_FALSE(report["notices"].empty());

  const auto scene = nlohmann::json::parse(run("check drop.yaml --json").out);
  EXPECT_EQ(scene["kind"], "scene");
  EXPECT_EQ(scene["particles"], 64);
}

TEST_F(Verbs, CheckFailsWithOneLineForWhatCannotBeUsed) {
  std::ofstream(path("broken.urdf")) << "<robot name=\"r\"><link name=\"a\">";
  std::ofstream(path("broken.yaml")) << "time: {dt_ms: [";
  std::ofstream(path("broken.sdf"))
      << "<sdf version='1.7'><model name='m'><link name='a'/><link name='a'/></model></sdf>";
  std::ofstream(path("arm.xacro")) << "<robot name=\"r\"><link name=\"a\"/></robot>";
  for (const char* file : {"broken.urdf", "broken.sdf", "arm.xacro", "broken.yaml", "missing.stl"}) {
    const Outcome outcome = run(std::string("check ") + file);
    EXPECT_EQ(outcome.status, 1) << file;
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
    EXPECT_THAT(outcome.err, StartsWith("slipstick: "));
    EXPECT_THAT(outcome.err, HasSubstr(file));
  }
}

TEST_F(Verbs, BenchStatesTheMachineAndWritesRows) {
  const Outcome outcome = run("bench drop.yaml --steps 3 --json b.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("CUDA"));
  EXPECT_THAT(outcome.out, HasSubstr("drop "));
  const auto rows = nlohmann::json::parse(testing::readText(path("b.json")));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["steps"], 3);
  EXPECT_GT(rows[0]["ns_per_particle_substep"].get<double>(), 0);
}

TEST_F(Verbs, BenchPutsTheBytesOfTheTransfersBesideACopy) {
  const Outcome outcome = run("bench drop.yaml --steps 3 --threads 2 --json b.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ::testing::AllOf(HasSubstr("Copy in memory ("), HasSubstr("GB/s read and written"),
                                            HasSubstr("MB/step"), HasSubstr("copy")));
  const auto row = nlohmann::json::parse(testing::readText(path("b.json"))).at(0);
  const auto& transfer = row["transfer"];
  for (const char* key : {"gb_per_s", "copy_of_particles_gb_per_s", "copy_in_memory_gb_per_s"})
    EXPECT_GT(transfer[key].get<double>(), 0) << key;
  // 80 floats of each of the 64 particles and, beside them, the nodes.
  const double particles = 1e-6 * row["substeps_per_step"].get<double>() * 64 * 80 * 4;
  EXPECT_GT(transfer["mb_per_step"].get<double>(), particles);
  EXPECT_NEAR(transfer["gb_per_s"].get<double>() * row["phases_ms"]["transfer"].get<double>(),
              transfer["mb_per_step"].get<double>(), 1e-9);

  const Outcome other = run("bench drop.yaml --steps 1 --backend reference --json r.json");
  ASSERT_EQ(other.status, 0) << other.err;
  EXPECT_FALSE(nlohmann::json::parse(testing::readText(path("r.json"))).at(0).contains("transfer"))
      << "it keeps its particles in another form";
}

TEST_F(Verbs, BenchTimesTheStepsFromAMomentOn) {
  const Outcome outcome = run("bench drop.yaml --steps 4 --from 0.06 --json late.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Outcome whole = run("run drop.yaml --duration 0.08 --report whole.json");
  ASSERT_EQ(whole.status, 0) << whole.err;
  const auto late = nlohmann::json::parse(testing::readText(path("late.json"))).at(0);
  EXPECT_EQ(late["steps"], 4);
  EXPECT_EQ(late["from_s"], 0.06);
  EXPECT_EQ(late["state_hash"], nlohmann::json::parse(testing::readText(path("whole.json")))["state_hash"]);
}

TEST_F(Verbs, BenchComparesTwoProgramsByTurns) {
  const std::string other = testing::program().string();
  const Outcome outcome =
      run("bench drop.yaml --steps 7 --from 0.05 --compare '" + other + "' --json turns.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("ratio"));
  const auto rows = nlohmann::json::parse(testing::readText(path("turns.json")));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["steps"], 7);
  EXPECT_GT(rows[0]["new"]["contacts_mean"].get<double>(), 0);
  EXPECT_EQ(rows[0]["new"]["contacts_mean"], rows[0]["old"]["contacts_mean"]);
  const double old = rows[0]["old"]["ms_per_step"]["mean"], now = rows[0]["new"]["ms_per_step"]["mean"];
  EXPECT_DOUBLE_EQ(rows[0]["ratio"]["mean"], old / now);
}

TEST_F(Verbs, BenchComparesRigidScenesByTurns) {
  const Outcome outcome =
      run("bench rigid_arm7 --compare '" + testing::program().string() + "' --json turns.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(testing::readText(path("turns.json")));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["scene"], "rigid_arm7");
  EXPECT_GT(rows[0]["steps"].get<int>(), 0);
  EXPECT_GT(rows[0]["ratio"]["p50"].get<double>(), 0);
}

TEST_F(Verbs, BenchSaysWhatIsWrongWithTheOtherProgram) {
  const Outcome silent = run("bench drop.yaml --steps 2 --compare /bin/true");
  EXPECT_EQ(silent.status, 1);
  EXPECT_THAT(silent.err, HasSubstr("/bin/true: does not take turns"));
  std::ofstream(path("babbler")) << "#!/bin/sh\necho ready\nread turn\necho '[1, 2]'\n";
  std::filesystem::permissions(path("babbler"), std::filesystem::perms::owner_all);
  const Outcome babbling = run("bench drop.yaml --steps 2 --compare ./babbler");
  EXPECT_EQ(babbling.status, 1);
  EXPECT_THAT(babbling.err, HasSubstr("./babbler: does not take turns"));
  const Outcome older = run("bench rigid_arm7 --compare /bin/true");
  EXPECT_EQ(older.status, 1);
  EXPECT_THAT(older.err, ::testing::AllOf(HasSubstr("/bin/true: does not take turns on rigid_arm7"),
                                          HasSubstr("takes rigid scenes")));
  const Outcome missing = run("bench drop.yaml --steps 2 --compare ./nothing");
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, HasSubstr("./nothing: cannot be started"));
}

TEST_F(Verbs, RenderDrawsAPngOffScreen) {
  const Outcome outcome = run("render drop.yaml --out p.png --size 160x90 --to 0.02");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(testing::readText(path("p.png")), StartsWith("\x89PNG"));
}

TEST_F(Verbs, RenderWritesOnePngPerFrameInSimulatedTime) {
  const Outcome outcome = run("render drop.yaml --out frames --size 160x90 --fps 50 --from 0.02 --to 0.1");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("frames"))) {
    EXPECT_THAT(testing::readText(entry.path()), StartsWith("\x89PNG"));
    ++count;
  }
  EXPECT_EQ(count, 5u);
}

TEST_F(Verbs, RenderRefusesUnknownCamerasAndPartsBeforeSimulating) {
  const Outcome camera = run("render drop.yaml --out p.png --camera nowhere");
  EXPECT_EQ(camera.status, 1);
  EXPECT_THAT(camera.err, HasSubstr("--camera nowhere"));
  const Outcome part = run("render drop.yaml --out p.png --show contacts,unicorns");
  EXPECT_EQ(part.status, 1);
  EXPECT_THAT(part.err, HasSubstr("choose from: forces, contact, split"));
  const Outcome color = run("render drop.yaml --out p.png --color-by mood");
  EXPECT_EQ(color.status, 1);
  EXPECT_THAT(color.err, HasSubstr("choose from: auto, material, stress, pressure"));
  EXPECT_FALSE(std::filesystem::exists(path("p.png")));
}

/// Width and height from a PNG's header.
std::pair<int, int> pngSize(const std::string& png) {
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(png.at(at + i));
    return value;
  };
  return {number(16), number(20)};
}

TEST_F(Verbs, RenderPutsStillsSideBySide) {
  const Outcome outcome = run("render drop.yaml --out s.png --size 160x90 --stills 0,0.02,0.04 --surface");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(pngSize(testing::readText(path("s.png"))), (std::pair{3 * 160 + 2 * 3, 90}));
  EXPECT_EQ(run("render drop.yaml --out s.png --stills 0 --to 1").status, 2);
  const Outcome video = run("render drop.yaml --out s.mp4 --stills 0");
  EXPECT_EQ(video.status, 1);
  EXPECT_THAT(video.err, HasSubstr("ends in .png"));
}

TEST_F(Verbs, RenderDrawsTheSameMomentDifferentlyAsAsked) {
  std::set<std::string> pictures;
  for (const char* look :
       {"--surface", "--particles", "--surface --color-by speed", "--particles --color-by material"}) {
    const Outcome outcome =
        run(std::string("render drop.yaml --out p.png --size 160x90 --to 0.02 --show no-hud ") + look);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    pictures.insert(testing::readText(path("p.png")));
  }
  EXPECT_EQ(pictures.size(), 4u);
  EXPECT_EQ(run("render drop.yaml --out p.png --surface --particles").status, 2);
}

TEST_F(Verbs, TheStudioRefusesAddressesAtWhichItCannotListen) {
  for (const auto& [words, what] :
       {std::pair("--poses-at nowhere",
                  "--poses-at nowhere: this is no address that starts with tcp:// or ipc://"),
        {"--states-at tcp://127.0.0.1:99999", "--states-at tcp://127.0.0.1:99999: a port is a whole number"},
        {"--poses-at ipc:///tmp/a --states-at ipc:///tmp/a",
         "--states-at ipc:///tmp/a: poses and states cannot have the same address"}}) {
    const Outcome outcome = run(std::string("drop.yaml ") + words);
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_THAT(outcome.err, HasSubstr(what));
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
  }
  const Outcome help = run("--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("--poses-at ADDRESS"));
  EXPECT_THAT(help.out, HasSubstr("--states-at ADDRESS"));
}

TEST_F(Verbs, TheStudioSaysWhatToDoWithoutADisplay) {
  const Outcome outcome = run("drop.yaml", "env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("slipstick render"));
  EXPECT_EQ(testing::lineCount(outcome.err), 1u);
}

}  // namespace
}  // namespace slipstick
