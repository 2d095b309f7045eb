// Every step is audited: energy that contact gave, bodies too fast for the step, shapes too thin for the contact.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "engine/facts/health_note.h"
#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

using testing::sceneOf;
using testing::SceneRun;

/// The first note with a flag that a run raises until `end`; the flag NotConverged where none did.
struct Raised {
  HealthNote note;
  std::uint64_t step = 0;  ///< in which
  int steps = 0;           ///< with the flag
  bool any() const { return steps > 0; }
};

Raised firstRaised(SceneRun& run, Health flag, double end) {
  Raised raised;
  run.runTo(end, [&](const Snapshot& s) {
    if (!has(s.report.health, flag)) return;
    for (const HealthNote& note : s.healthNotes)
      if (note.flag == flag && raised.steps++ == 0) raised.note = note, raised.step = s.step;
  });
  return raised;
}

Raised firstRaised(const std::string& yaml, Health flag, double end, const StepperOptions& options = {}) {
  SceneRun run(sceneOf(yaml), options);
  return run.ok() ? firstRaised(run, flag, end) : Raised{};
}

// ------------------------------------------------------------------------------------------ energy

/// A ball of 8.4 g meets a pad of gel at 4 m/s.
std::string ballOnGel(const std::string& dt_ms, const std::string& density = "2000") {
  return "slipstick: 1\n"
         "time: {dt_ms: " +
         dt_ms +
         ", duration: 0.2}\n"
         "grid: {spacing: 0.01}\n"
         "contact: {friction: 0.3}\n"
         "materials: {gel: {model: neo_hookean, E: 1.0e5, nu: 0.4, density: 1000}}\n"
         "deformables:\n"
         "  pad: {material: gel, shape: box, size: [0.12, 0.12, 0.04], position: [0, 0, 0.02]}\n"
         "bodies:\n"
         "  floor: {shapes: [{shape: plane}]}\n"
         "  ball: {base: free, density: " +
         density +
         ", position: [0, 0, 0.09], velocity: [0, 0, -4], shapes: [{shape: sphere, radius: 0.01}]}\n";
}

/// A cup of 6 g, upside down, is put onto a soft cushion.
std::string cupOnCushion(const std::string& dt_ms) {
  return "slipstick: 1\n"
         "time: {dt_ms: " +
         dt_ms +
         ", duration: 1}\n"
         "grid: {spacing: 0.01}\n"
         "contact: {friction: 0.5}\n"
         "materials: {foam: {model: neo_hookean, E: 5.0e4, nu: 0.3, density: 100}}\n"
         "deformables:\n"
         "  cushion: {material: foam, shape: box, size: [0.12, 0.12, 0.04], position: [0, 0, 0.02]}\n"
         "bodies:\n"
         "  floor: {shapes: [{shape: plane}]}\n"
         "  cup: {base: free, mass: 0.006, position: [0, 0, 0.0705], shapes: [{shape: cylinder, radius: "
         "0.03, "
         "length: 0.06}]}\n";
}

/// 27 times its energy comes out of the pad at 10 ms, where what it brought is what it may take.
TEST(EnergyAudit, FlagsABallThatAsyncThrowsOffGel) {
  for (const char* backend : {"cpu", "reference"}) {
    const Raised raised =
        firstRaised(ballOnGel("10"), Health::EnergyGained, 0.05, {.method = "async", .backend = backend});
    ASSERT_TRUE(raised.any()) << backend;
    EXPECT_LE(raised.step, 3u) << backend;
    EXPECT_GT(raised.note.value, 20 * raised.note.limit) << backend;
    EXPECT_EQ(raised.note.deformable, 0);
    EXPECT_EQ(raised.note.body, 2);
  }
}

TEST(EnergyAudit, IsSilentAboutTheSameBallWhereItsEnergyNeverRises) {
  const std::pair<const char*, const char*> healthy[] = {
      {"strong", "10"}, {"strong", "5"}, {"async", "2"}, {"async", "1"}};
  for (const auto& [method, dt] : healthy)
    EXPECT_FALSE(firstRaised(ballOnGel(dt), Health::EnergyGained, 0.1, {.method = method}).any())
        << method << " at " << dt << " ms";
}

TEST(EnergyAudit, FlagsACupThatAsyncThrowsOffACushion) {
  SceneRun thrown(sceneOf(cupOnCushion("10")), {.method = "async"});
  ASSERT_TRUE(thrown.ok());
  const Raised raised = firstRaised(thrown, Health::EnergyGained, 0.3);
  ASSERT_TRUE(raised.any());
  const auto [name, other] = namesOf(thrown.model(), raised.note);
  EXPECT_EQ(name, "cup");
  EXPECT_EQ(other, "cushion");
  SceneRun held(sceneOf(cupOnCushion("10")), {.method = "strong"});
  ASSERT_TRUE(held.ok());
  EXPECT_FALSE(firstRaised(held, Health::EnergyGained, 0.3).any());
}

/// Two fingers, of 50 g and of 1 g, close on a cube of foam with 5 N, at 5 ms.
class LightFinger : public ::testing::Test {
 protected:
  LightFinger()
      : file_(std::filesystem::temp_directory_path() /
              ("light_finger_" + std::to_string(getpid()) + ".urdf")) {
    std::ofstream(file_) << R"(<robot name="gripper">
  <link name="palm"/>
  <link name="heavy">
    <inertial><mass value="0.05"/><inertia ixx="4e-5" iyy="4e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.01 0.03 0.06"/></geometry></collision>
  </link>
  <link name="light">
    <inertial><mass value="0.001"/><inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.01 0.03 0.06"/></geometry></collision>
  </link>
  <joint name="left" type="prismatic">
    <parent link="palm"/><child link="heavy"/><origin xyz="-0.05 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.5"/>
  </joint>
  <joint name="right" type="prismatic">
    <parent link="palm"/><child link="light"/><origin xyz="0.05 0 0"/><axis xyz="-1 0 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.5"/>
  </joint>
</robot>)";
  }
  ~LightFinger() override { std::filesystem::remove(file_); }

  Scene scene() const {
    return sceneOf(
        "slipstick: 1\n"
        "time: {dt_ms: 5, duration: 0.8}\n"
        "grid: {spacing: 0.01}\n"
        "contact: {friction: 0.8}\n"
        "materials: {foam: {model: neo_hookean, E: 1.0e5, nu: 0.3, density: 100}}\n"
        "deformables:\n"
        "  cube: {material: foam, shape: box, size: [0.05, 0.05, 0.05], position: [0, 0, 0.025]}\n"
        "bodies:\n"
        "  floor: {shapes: [{shape: plane}]}\n"
        "robots:\n"
        "  grip: {urdf: " +
        file_.string() +
        ", position: [0, 0, 0.035]}\n"
        "controllers:\n"
        "  - {kind: gripper, robot: grip, joints: [left, right], effort: 5, keys: [{t: 0, opening: 0}, {t: "
        "0.4, opening: "
        "0.03}]}\n");
  }

 private:
  std::filesystem::path file_;
};

TEST_F(LightFinger, IsNamedUnderAsyncAsWhatGainsTheMost) {
  SceneRun run(scene(), {.method = "async"});
  ASSERT_TRUE(run.ok());
  std::map<std::string, double> gained;  // by body, over the limit
  run.runTo(0.5, [&](const Snapshot& s) {
    for (const HealthNote& note : s.healthNotes) {
      double& most = gained[namesOf(run.model(), note).first];
      if (note.flag == Health::EnergyGained) most = std::max(most, note.value / note.limit);
    }
  });
  EXPECT_GT(gained["grip.light"], 10);
  for (const auto& [name, most] : gained) EXPECT_LE(most, gained["grip.light"]) << name;
}

TEST_F(LightFinger, GainsNothingUnderStrong) {
  SceneRun run(scene(), {.method = "strong"});
  ASSERT_TRUE(run.ok());
  EXPECT_FALSE(firstRaised(run, Health::EnergyGained, 0.5).any());
}

/// heavy_on_soft by the cube's density and Δt, where README.md has that async gains energy or flies off, and where it does not.
TEST(EnergyAudit, IsThatOfTheTableOfAHeavyCubeOnASoftOne) {
  const auto raised = [](const char* density, const char* dt_ms) {
    SceneRun run("heavy_on_soft",
                 {std::string("bodies.heavy_cube.density=") + density, std::string("time.dt_ms=") + dt_ms},
                 {.method = "async"});
    return run.ok() && firstRaised(run, Health::EnergyGained, 0.1).any();
  };
  using Row = std::pair<const char*, const char*>;
  for (const auto& [density, dt_ms] :
       {Row("100", "10"), Row("100", "5"), Row("1000", "5"), Row("15000", "10")})
    EXPECT_TRUE(raised(density, dt_ms)) << density << " kg/m3 at " << dt_ms << " ms";
  for (const auto& [density, dt_ms] : {Row("1000", "1"), Row("15000", "5"), Row("100000", "5")})
    EXPECT_FALSE(raised(density, dt_ms)) << density << " kg/m3 at " << dt_ms << " ms";
}

/// Flags belong to what a step depends on: from a saved state on they are the same.
TEST(EnergyAudit, GoesOnFromASavedStateAsIfNothingHadBeen) {
  SceneRun run(sceneOf(cupOnCushion("10")), {.method = "async"});
  ASSERT_TRUE(run.ok());
  std::vector<State> states;
  std::vector<std::vector<HealthNote>> notes;
  int flagged = 0;
  for (int step = 0; step < 20; ++step) {
    states.push_back(run.state());
    run.step();
    notes.push_back(run.snapshot().healthNotes);
    flagged += !notes.back().empty();
  }
  ASSERT_GT(flagged, 0);
  const auto again = testing::stepperOf(run.sharedModel(), {.method = "async"});
  for (std::size_t from = 0; from < states.size(); ++from) {
    Snapshot snapshot;
    again->restore(states[from]);
    again->step({}, snapshot);
    EXPECT_EQ(snapshot.healthNotes, notes[from]) << "step " << from;
  }
}

// ------------------------------------------------------------------------------------------ energy of rigid pairs

std::string rigidScene(const std::string& potential, const std::string& dt_ms, const std::string& bodies) {
  return "slipstick: 1\n"
         "time: {dt_ms: " +
         dt_ms +
         ", duration: 2}\n"
         "solver: {rigid: {potential: " +
         potential +
         "}}\n"
         "contact: {friction: 0.5}\n"
         "bodies:\n"
         "  floor: {shapes: [{shape: plane}]}\n" +
         bodies;
}

/// Ten of 2 kg, of which the first is pushed over.
std::string dominoes() {
  std::string bodies;
  for (int i = 0; i < 10; ++i)
    bodies += "  domino_" + std::to_string(i) + ": {base: free, mass: 2, position: [" +
              std::to_string(0.15 * i) + ", 0, 0.2], " + (i == 0 ? "angular_velocity: [0, 3, 0], " : "") +
              "shapes: [{shape: box, size: [0.05, 0.2, 0.4]}]}\n";
  return bodies;
}

/// Boxes, balls and rods fall onto each other.
std::string pile() {
  const char* const shapes[] = {"shape: box, size: [0.2, 0.12, 0.08]", "shape: sphere, radius: 0.06",
                                "shape: capsule, radius: 0.03, length: 0.2",
                                "shape: cylinder, radius: 0.06, length: 0.1"};
  std::string bodies;
  for (int i = 0; i < 12; ++i)
    bodies += "  thing_" + std::to_string(i) + ": {base: free, density: 800, position: [" +
              std::to_string(0.04 * (i % 3)) + ", " + std::to_string(0.03 * (i % 2)) + ", " +
              std::to_string(0.13 + 0.16 * i) + "], rpy_deg: [" + std::to_string(25 * i) + ", " +
              std::to_string(40 * i) + ", 0], shapes: [{" + shapes[i % 4] + "}]}\n";
  return bodies;
}

class RigidPairs : public ::testing::TestWithParam<const char*> {
 protected:
  static void expectSilent(const char* what, const std::string& dt_ms, const std::string& bodies) {
    SceneRun run(sceneOf(rigidScene(GetParam(), dt_ms, bodies)));
    ASSERT_TRUE(run.ok());
    std::size_t touching = 0;
    run.runTo(2, [&](const Snapshot& s) {
      touching = std::max<std::size_t>(touching, static_cast<std::size_t>(s.report.rigidPairs));
      for (const HealthNote& note : s.healthNotes)
        if (note.flag == Health::EnergyGained)
          ADD_FAILURE() << what << " at " << dt_ms << " ms, step " << s.step << ": "
                        << noteText(run.model(), note);
    });
    EXPECT_GE(touching, 10u) << what;
  }
};

TEST_P(RigidPairs, GainNothingWhereThingsFallAndTopple) {
  for (const char* dt_ms : {"5", "2", "1"}) {
    expectSilent("dominoes", dt_ms, dominoes());
    expectSilent("pile", dt_ms, pile());
  }
}

TEST_P(RigidPairs, GainNothingInAStack) {
  SceneRun run("stack", {"solver.rigid.potential=" + std::string(GetParam())});
  ASSERT_TRUE(run.ok());
  EXPECT_FALSE(firstRaised(run, Health::EnergyGained, 3).any());
}

/// Two balls of 1 kg at rest, which nothing drives, are put into each other behind everybody's back. Their springs throw them
/// apart, with energy that nobody paid: a pair that had nothing may gain nothing.
TEST_P(RigidPairs, AreFlaggedWhereTheyOverlapFromNowhereAndAreThrownApart) {
  SceneRun run(sceneOf(
      "slipstick: 1\n"
      "gravity: [0, 0, 0]\n"
      "time: {dt_ms: 10, duration: 2}\n"
      "solver: {rigid: {potential: " +
      std::string(GetParam()) +
      "}}\n"
      "bodies:\n"
      "  a: {base: free, mass: 1, position: [0, 0, 0], shapes: [{shape: sphere, radius: 0.05}]}\n"
      "  b: {base: free, mass: 1, position: [0.2, 0, 0], shapes: [{shape: sphere, radius: 0.05}]}\n"));
  ASSERT_TRUE(run.ok());
  EXPECT_FALSE(firstRaised(run, Health::EnergyGained, 0.1).any()) << "apart";
  VecX q = run.state().q;
  q[7] = 0.095;
  run.restart(q, run.state().v);
  const Raised raised = firstRaised(run, Health::EnergyGained, 0.5);
  ASSERT_TRUE(raised.any());
  EXPECT_EQ(raised.step, 11u) << "the first step in which they touch";
  EXPECT_EQ(namesOf(run.model(), raised.note), std::pair(std::string("a"), std::string("b")));
  const Totals& totals = run.snapshot().totals;
  EXPECT_LT(raised.note.value, totals.kineticEnergy * (1 + 1e-9)) << "they gain until they part";
  EXPECT_EQ(raised.note.limit, 0);
}

INSTANTIATE_TEST_SUITE_P(Potentials, RigidPairs, ::testing::Values("lagged", "similar", "sap"));

// ------------------------------------------------------------------------------------------ fast bodies

/// A ball of 16 mm on its way to a fixed plate of 4 mm, without gravity.
std::string ballAndPlate(const std::string& dt_ms, const std::string& position, const std::string& velocity) {
  return "slipstick: 1\n"
         "gravity: [0, 0, 0]\n"
         "time: {dt_ms: " +
         dt_ms +
         ", duration: 0.3}\n"
         "bodies:\n"
         "  plate: {shapes: [{shape: box, size: [0.4, 0.4, 0.004]}]}\n"
         "  ball: {base: free, mass: 0.02, position: " +
         position + ", velocity: " + velocity + ", shapes: [{shape: sphere, radius: 0.008}]}\n";
}

/// 6 m/s · 10 ms = 60 mm; they overlap along 16 + 4 = 20 mm.
TEST(FastBodies, SaysThePairAndTheStepThatWouldDo) {
  SceneRun run(sceneOf(ballAndPlate("10", "[0, 0, 0.2]", "[0, 0, -6]")));
  ASSERT_TRUE(run.ok());
  const Raised raised = firstRaised(run, Health::FastBody, 0.3);
  ASSERT_EQ(raised.steps, 1);
  EXPECT_NEAR(raised.note.value, 0.060, 1e-9);
  EXPECT_NEAR(raised.note.limit, 0.020, 1e-9);
  EXPECT_EQ(
      noteText(run.model(), raised.note),
      "ball moves 60 mm towards plate in one step, at most 20 mm is safe: use time.dt_ms of 3.3 or less");
}

TEST(FastBodies, AreNoneAtTheStepThatWouldDo) {
  SceneRun run(sceneOf(ballAndPlate("3.3", "[0, 0, 0.2]", "[0, 0, -6]")));
  ASSERT_TRUE(run.ok());
  EXPECT_FALSE(firstRaised(run, Health::FastBody, 0.1).any());
  EXPECT_GT(run.snapshot().X_WB[2].p.z(), 0) << "it was held";
}

TEST(FastBodies, AreOnlyThoseWhoseWayMeetsSomething) {
  const std::pair<const char*, const char*> ways[] = {
      {"[0.3, 0, 0.2]", "[0, 0, -6]"},         // beside it
      {"[-0.5, 0, 0.0101]", "[6, 0, 0]"},      // along its face
      {"[-0.5, 0, 0.0101]", "[6, 0, -0.01]"},  // along its face, and onto it at last
      {"[0, 0, 0.2]", "[0, 0, 6]"},            // away from it
      {"[-0.5, 0, 0]", "[6, 0, 0]"},           // against its edge: 400 mm of plate are in the way
  };
  for (const auto& [position, velocity] : ways)
    EXPECT_FALSE(firstRaised(ballAndPlate("10", position, velocity), Health::FastBody, 0.3).any())
        << position << " " << velocity;
}

/// Of two that move, and of one that is pushed by a path.
TEST(FastBodies, AreJudgedByHowTheyMoveAgainstEachOther) {
  const std::string pair =
      "slipstick: 1\n"
      "gravity: [0, 0, 0]\n"
      "time: {dt_ms: 10, duration: 0.3}\n"
      "bodies:\n"
      "  a: {base: free, mass: 0.02, position: [0, 0, 0.205], velocity: [0, 0, -1.4], shapes: [{shape: "
      "sphere, radius: 0.006}]}\n"
      "  b: {base: free, mass: 0.02, position: [0, 0, 0], velocity: [0, 0, 1.4], shapes: [{shape: sphere, "
      "radius: 0.006}]}\n";
  const Raised raised = firstRaised(pair, Health::FastBody, 0.2);
  ASSERT_TRUE(raised.any());
  EXPECT_NEAR(raised.note.value, 0.028, 1e-9);
  EXPECT_NEAR(raised.note.limit, 0.024, 1e-9);
}

/// A ball of 12 mm crosses a slab of 10 mm: 22 mm may be, 10 m/s · 10 ms = 100 mm.
TEST(FastBodies, AreSaidOfRigidOnSoft) {
  const std::string scene =
      "slipstick: 1\n"
      "gravity: [0, 0, 0]\n"
      "time: {dt_ms: 10, duration: 0.1}\n"
      "grid: {spacing: 0.01}\n"
      "materials: {gel: {model: neo_hookean, E: 1.0e4, nu: 0.4, density: 1000}}\n"
      "deformables:\n"
      "  slab: {material: gel, shape: box, size: [0.1, 0.1, 0.01], position: [0, 0, 0]}\n"
      "bodies:\n"
      "  ball: {base: free, mass: 5, position: [0, 0, 0.15], velocity: [0, 0, -10], shapes: [{shape: sphere, "
      "radius: 0.006}]}\n";
  const Raised raised = firstRaised(scene, Health::FastBody, 0.05, {.method = "async"});
  ASSERT_TRUE(raised.any());
  EXPECT_NEAR(raised.note.value, 0.1, 1e-3);
  EXPECT_NEAR(raised.note.limit, 0.022, 1e-4);
}

}  // namespace
}  // namespace slipstick
