// What friction holds creeps as assets/scene_format.md says, and no faster.
//
// Friction is regularised: at the slip speed v a contact with the bound μ n₀ exerts μ n₀ v/√(v² + v_s²). A body whose
// contacts all slip alike, and that uses the share x of the friction which it could have, so creeps at
//   v = v_s x/√(1 − x²),
// whatever its mass, the force that presses it and the step. Dry friction of joints yields by v_s x at most.
#include <cmath>
#include <cstdio>
#include <optional>

#include "tests/support/long_runs.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kG = 9.81;

std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}

struct CreepScene {
  std::string name;
  double mass = 0, grip = 0;  ///< [kg], [N]; grip 0: nothing grips
  double used = 0;            ///< x: friction used over its limit, at its most
  Scene scene;                ///< without time step and solver
  bool soft = false;          ///< particles creep
};

LinkSpec linkOf(const std::string& name, double mass, const Vec3& moments) {
  LinkSpec link;
  link.name = name;
  link.mass = mass;
  link.inertia = moments.asDiagonal();
  return link;
}

RobotSpec bodyOf(const std::string& name, double mass, const Shape& shape, const Pose& X, double size) {
  RobotSpec body;
  body.name = name;
  LinkSpec link = linkOf("", mass, Vec3::Constant(mass * size * size / 6));
  LinkGeometry geometry;
  geometry.shape = shape;
  link.collisions = {geometry};
  body.description.links = {link};
  body.freeBase = mass > 0;
  body.X_PB = X;
  return body;
}

JointSpec jointOf(const std::string& name, multibody::JointType type, const std::string& parent,
                  const std::string& child, const Vec3& axis) {
  JointSpec joint;
  joint.name = name, joint.type = type, joint.parent = parent, joint.child = child, joint.axis = axis;
  joint.lower = -3, joint.upper = 3;
  return joint;
}

/// A panel that slides along x towards the middle, and up and down on a column. At a distance from the middle, with its face.
RobotSpec padOf(double side, double distance) {
  constexpr double half = 0.0165;
  using multibody::JointType;
  RobotSpec pad;
  pad.name = side < 0 ? "left" : "right";
  LinkSpec panel = linkOf("panel", 0.0933, {2.5e-4, 1.0e-4, 1.6e-4});
  LinkGeometry geometry;
  geometry.shape = shape::Box{Vec3(half, 0.07, 0.055)};
  panel.collisions = {geometry};
  pad.description.links = {linkOf("base", 0, Vec3::Zero()), linkOf("column", 1, Vec3::Constant(1e-3)), panel};
  pad.description.joints = {jointOf("z", JointType::Prismatic, "base", "column", Vec3::UnitZ()),
                            jointOf("x", JointType::Prismatic, "column", "panel", Vec3(-side, 0, 0))};
  pad.X_PB.p = Vec3(side * (distance + half), 0, 0.15);
  return pad;
}

/// Two pads that press what is between them, and keep their height or go where the keys say.
void addPads(double distance, double effort, Scene& scene, const std::vector<double>& heights = {0}) {
  for (const double side : {-1.0, 1.0}) {
    scene.robots.push_back(padOf(side, distance));
    const std::string& name = scene.robots.back().name;
    JointEffortSpec press;
    press.robot = name, press.joint = "x", press.effort = effort;
    scene.controllers.push_back(press);
    JointPathSpec column;
    column.robot = name, column.joints = {"z"};
    column.gains = {{1e7}, {1}};
    column.interpolation = Interpolation::Smooth;
    for (std::size_t k = 0; k < heights.size(); ++k)
      column.keys.push_back({0.25 * static_cast<double>(k), {heights[k]}});
    scene.controllers.push_back(column);
  }
}

/// A rod between two pads.
CreepScene rodPinched(double mass, double grip) {
  constexpr double mu = 0.6;
  CreepScene s{"rod pinched", mass, grip, mass * kG / (2 * mu * grip), {}};
  s.scene.contact.friction = mu;
  s.scene.robots = {bodyOf("rod", mass, shape::Capsule{0.005, 0.06},
                           Pose::fromRpy({0.5 * M_PI, 0, 0}, {0, 0, 0.15}), 0.06)};
  addPads(0.005, grip, s.scene);
  return s;
}

/// An elastic cube between two panels, as in hold.yaml. It is as large as its mass makes it, and squeezed by a twentieth.
CreepScene cubeHeld(double mass, double grip) {
  constexpr double mu = 0.8, density = 400, strain = 0.05;
  const double side = std::cbrt(mass / density);
  CreepScene s{"cube held by hold", mass, grip, mass * kG / (2 * mu * grip), {}, true};
  s.scene.gridSpacing = side / 4;
  s.scene.contact.friction = mu, s.scene.contact.dissipation = 10;
  s.scene.materials = {{"foam", {.E = grip / (side * side * strain), .nu = 0.3, .density = density}}};
  DeformableSpec cube;
  cube.name = "cube", cube.material = "foam";
  cube.shape = shape::Box{Vec3::Constant(side / 2)};
  cube.X_WD.p = Vec3(0, 0, 0.15);
  cube.sampling.count = std::array<int, 3>{6, 6, 6};
  s.scene.deformables = {cube};
  addPads(0.5 * side * 5 / 6, grip,
          s.scene);  // at the outermost particles, half a lattice cell inside the faces
  return s;
}

/// A box on a plane, where gravity pulls along it.
CreepScene boxOnSlope(double mass, double used) {
  constexpr double mu = 0.5;
  const double angle = std::atan(used * mu);
  CreepScene s{"box on a slope", mass, 0, used, {}};
  s.scene.gravity = {0, kG * std::sin(angle), -kG * std::cos(angle)};
  s.scene.contact.friction = mu;
  s.scene.robots = {
      bodyOf("ground", 0, shape::Plane{}, {}, 0),
      bodyOf("rod", mass, shape::Box{Vec3::Constant(0.05)}, Pose::translation({0, 0, 0.05}), 0.1)};
  return s;
}

/// A box between two panels that swing up and down.
CreepScene gripperShaken(double mass, double grip) {
  constexpr double mu = 0.8, way = 0.01, quarter = 0.25;
  // A smooth move from rest to rest accelerates by 10/√3 way/duration² at most (a polynomial of degree 5).
  const double most = kG + 10 / std::sqrt(3) * way / (quarter * quarter);
  CreepScene s{"gripper shaken", mass, grip, mass * most / (2 * mu * grip), {}};
  s.scene.contact.friction = mu;
  s.scene.robots = {
      bodyOf("rod", mass, shape::Box{Vec3::Constant(0.025)}, Pose::translation({0, 0, 0.15}), 0.05)};
  addPads(0.025, grip, s.scene, {0, way, 0, way, 0, way, 0, way, 0});
  return s;
}

/// Two links of half the mass each, held out by dry friction in their joints.
CreepScene armHeld(double mass, double used) {
  constexpr double length = 0.3;
  const double half = mass / 2;
  CreepScene s{"arm held by dry friction", mass, 0, used, {}};
  RobotSpec arm;
  arm.name = "arm";
  arm.description.links = {linkOf("base", 0, Vec3::Zero())};
  for (const bool first : {true, false}) {
    LinkSpec link = linkOf(first ? "upper" : "lower", half, Vec3::Constant(half * length * length / 12));
    link.com = Vec3(length / 2, 0, 0);
    arm.description.links.push_back(link);
    JointSpec joint = jointOf(first ? "shoulder" : "elbow", multibody::JointType::Revolute,
                              first ? "base" : "upper", link.name, Vec3::UnitY());
    joint.X_PJ.p = Vec3(first ? 0 : length, 0, 0);
    joint.dryFriction = half * kG * (first ? 2 * length : length / 2) / used;
    arm.description.joints.push_back(joint);
  }
  s.scene.robots = {arm};
  return s;
}

struct Creep {
  double speed = 0;    ///< how fast it creeps [m/s], [rad/s]
  double formula = 0;  ///< at most
  double moved = 0;    ///< since the start [m], [rad]
  double iterations = 0;
  int most = 0;
  bool converged = true;
};

struct Way {
  double dt_ms = 2;
  std::string method = "async", potential = "lagged";
  std::optional<double> softness = {};  ///< σ, where it is not the default
};

/// Where it is: what creeps, along the way that it creeps.
double placeOf(const testing::SceneRun& run, const CreepScene& scene) {
  const Snapshot& s = run.snapshot();
  if (scene.soft) {
    double sum = 0;
    for (const Vec3& x : run.state().soft.x) sum -= x.z();
    return sum / static_cast<double>(run.state().soft.x.size());
  }
  if (scene.name.starts_with("arm")) return s.q[0];
  const auto body = [&](const std::string& name) {
    for (std::size_t b = 0; b < s.X_WB.size(); ++b)
      if (run.model().tree.bodies[b].name.starts_with(name)) return s.X_WB[b].p;
    ADD_FAILURE() << "no body " << name;
    return Vec3(Vec3::Zero());
  };
  const Vec3 p = body("rod");
  return scene.name.starts_with("box") ? p.y() : body("left.panel").z() - p.z();
}

ContactPotentialName potentialOf(const std::string& name) {
  if (name == "sap") return ContactPotentialName::Sap;
  return name == "similar" ? ContactPotentialName::Similar : ContactPotentialName::Lagged;
}

Creep creepOf(const CreepScene& scene, const Way& way) {
  Creep creep;
  Scene varied = scene.scene;
  varied.time.dt = 1e-3 * way.dt_ms;
  varied.rigidSolver.potential = potentialOf(way.potential);
  if (way.softness) varied.stictionSoftness = varied.rigidSolver.stictionSoftness = *way.softness;
  testing::SceneRun run(varied, StepperOptions{.method = way.method, .threads = 1});
  if (!run.ok()) return creep;
  const bool joint = scene.name.starts_with("arm");
  const double x = scene.used,
               vs = scene.soft ? run.model().stictionSpeed : run.model().rigidSolver.stictionSpeed;
  creep.formula = joint ? vs * x : vs * x / std::sqrt(1 - x * x);
  // Whole swings; soft things also ring, which means leave out.
  const double begin = scene.soft ? 2 : 1, end = scene.soft ? 4 : 2, window = scene.soft ? 0.2 : 0;
  double sum[2] = {0, 0}, time[2] = {0, 0};
  int count[2] = {0, 0}, steps = 0;
  const auto look = [&](int at) {
    sum[at] += placeOf(run, scene), time[at] += run.snapshot().time, ++count[at];
  };
  const double start = placeOf(run, scene);
  run.runTo(end, [&](const Snapshot& s) {
    const StepReport& report = s.report;
    const int n = scene.soft ? report.contactIterationsMean : report.rigidIterations;
    creep.iterations += n, ++steps;
    creep.most = std::max(creep.most, scene.soft ? report.contactIterationsMax : n);
    creep.converged &= !has(report.health, Health::NotConverged);
    if (std::abs(s.time - begin) < window / 2 + 1e-9) look(0);
    if (s.time > end - window - 1e-9) look(1);
  });
  creep.iterations /= steps;
  creep.moved = placeOf(run, scene) - start;
  creep.speed = (sum[1] / count[1] - sum[0] / count[0]) / (time[1] / count[1] - time[0] / count[0]);
  return creep;
}

std::string describe(const CreepScene& scene, const Way& way) {
  return scene.name + ", " + text(scene.mass) + " kg, " + text(scene.grip) + " N, x = " + text(scene.used) +
         ", " + text(way.dt_ms) + " ms, " + way.method + ", " + way.potential;
}

/// A little more than what the stop test of the solve leaves open.
constexpr double kLeast = 2e-8;  // [m/s], [rad/s]
constexpr double kNear = 0.03, kSoftNear = 0.3;

void expectAsTheFormulaSays(const CreepScene& scene, const Way& way) {
  SCOPED_TRACE(describe(scene, way));
  ASSERT_LE(scene.used, 0.9);
  const Creep creep = creepOf(scene, way);
  EXPECT_TRUE(creep.converged);
  // SAP, `implicit` and joints creep linearly, and less than that.
  const bool exact = way.potential != "sap" && !scene.soft && !scene.name.starts_with("arm") &&
                     !scene.name.starts_with("gripper");
  if (exact) {
    EXPECT_NEAR(creep.speed, creep.formula, kNear * creep.formula + kLeast);
  } else {
    EXPECT_LE(creep.speed, (1 + (scene.soft ? kSoftNear : kNear)) * creep.formula + kLeast);
    EXPECT_GE(creep.speed, -kLeast - (scene.soft ? 0.1 * creep.formula : 0));
  }
}

TEST(Creep, OfAPinchedRodIsThatOfTheFormulaWhateverItsMassTheGripAndTheStep) {
  for (const char* potential : {"lagged", "similar"})
    for (const double dt : {2.0, 10.0})
      for (const auto& [mass, grip] : {std::pair(0.05, 20.0), {0.001, 200.0}, {0.001, 5.0}, {10.0, 200.0}})
        expectAsTheFormulaSays(rodPinched(mass, grip), {.dt_ms = dt, .potential = potential});
}

TEST(Creep, OfABoxOnASlopeIsThatOfTheFormula) {
  for (const double dt : {2.0, 10.0})
    for (const double mass : {0.001, 1.0, 10.0})
      for (const double used : {0.2, 0.9}) expectAsTheFormulaSays(boxOnSlope(mass, used), {.dt_ms = dt});
  expectAsTheFormulaSays(boxOnSlope(1, 0.5), {.potential = "similar"});
  expectAsTheFormulaSays(boxOnSlope(1, 0.5), {.potential = "sap"});
}

TEST(Creep, OfAShakenGripIsThatOfItsLargestLoadAtMost) {
  for (const char* potential : {"lagged", "similar", "sap"})
    expectAsTheFormulaSays(gripperShaken(0.5, 20), {.potential = potential});
}

TEST(Creep, OfAnArmThatDryFrictionHoldsIsNotSeenInAMinute) {
  for (const double dt : {2.0, 10.0})
    for (const double mass : {0.001, 1.0, 10.0}) {
      const CreepScene scene = armHeld(mass, 0.9);
      expectAsTheFormulaSays(scene, {.dt_ms = dt});
      EXPECT_LT(60 * creepOf(scene, {.dt_ms = dt}).speed, 1e-5) << "[rad] " << describe(scene, {.dt_ms = dt});
    }
}

TEST(Creep, OfASoftCubeIsThatOfTheFormulaUnderEveryMethod) {
  expectAsTheFormulaSays(cubeHeld(0.4, 10), {2, "async"});
  for (const char* method : {"strong", "implicit"}) expectAsTheFormulaSays(cubeHeld(0.4, 10), {10, method});
}

TEST(Creep, WhereTheLoadIsMoreThanFrictionHoldsItSlides) {
  for (const double dt : {2.0, 10.0}) {
    // a = g sin − μ g cos, tan = 1.2 μ
    const double angle = std::atan(1.2 * 0.5), slides = kG * (std::sin(angle) - 0.5 * std::cos(angle));
    const Creep creep = creepOf(boxOnSlope(1, 1.2), {.dt_ms = dt});
    EXPECT_NEAR(creep.speed, 1.5 * slides, 0.02 * 1.5 * slides) << "mean of the second second, from rest";
    EXPECT_GT(creepOf(rodPinched(1, 7), {.dt_ms = dt}).speed, 0.1) << "x = 1.17";
  }
  EXPECT_GT(creepOf(armHeld(1, 1.2), {}).moved, 0.5) << "[rad], until it hangs steeply enough";
}

/// σ is a number of the model: a larger one rules, as in the tables of tests/data/mpm, but of a joint up to v_s x only.
TEST(Creep, FollowsTheSoftnessOfStictionWhereThatIsMore) {
  EXPECT_GT(creepOf(rodPinched(0.05, 20), {.dt_ms = 10, .softness = 1e-3}).speed, 2.5e-5)
      << "σ w Δt W/4 per point";
  EXPECT_NEAR(creepOf(armHeld(1, 0.5), {.dt_ms = 10, .softness = 1e-3}).speed, 1e-4 * 0.5, 1e-7);
}

/// A part of the table of tests/benchmarks/results/creep.md.
void printTable(const std::vector<CreepScene>& scenes) {
  std::printf(
      "| | kg | N | x | ms | method | potential | creep | formula | ratio | iterations, mean and most |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const CreepScene& scene : scenes)
    for (const double dt : {0.5, 2.0, 10.0})
      for (const char* method : {"async", "strong", "implicit"})
        for (const char* potential : {"lagged", "similar", "sap"}) {
          const bool isLagged = potential == std::string("lagged"), isFirst = method == std::string("async");
          if (scene.used > 0.9 || (!isLagged && (scene.soft || !isFirst))) continue;
          const Creep c = creepOf(scene, {dt, method, potential});
          std::printf("| %s | %g | %g | %.3g | %g | %s | %s | %.3g | %.3g | %.3f | %.2f, %d%s |\n",
                      scene.name.c_str(), scene.mass, scene.grip, scene.used, dt, method, potential, c.speed,
                      c.formula, c.speed / c.formula, c.iterations, c.most,
                      c.converged ? "" : ", not converged");
          std::fflush(stdout);
        }
}

constexpr double kMasses[] = {0.001, 0.05, 1, 10}, kGrips[] = {5, 20, 200};

TEST(Creep, FullRunTableOfRigidThings) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  std::vector<CreepScene> scenes;
  for (const double mass : kMasses) {
    for (const double grip : kGrips)
      for (const auto& make : {rodPinched, gripperShaken}) scenes.push_back(make(mass, grip));
    for (const double used : {0.2, 0.9})
      for (const auto& make : {boxOnSlope, armHeld}) scenes.push_back(make(mass, used));
  }
  printTable(scenes);
}

TEST(Creep, FullRunTableOfSoftThings) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  std::vector<CreepScene> scenes;
  for (const double mass : kMasses)
    for (const double grip : kGrips) scenes.push_back(cubeHeld(mass, grip));
  printTable(scenes);
}

}  // namespace
}  // namespace slipstick
