// stack, sliding_box, pizza_saver, newton_cradle, rigid_ball_on_slope, box_in_hole,
// cracked_ramp: rigid contact with known answers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

const Pose& poseOf(const testing::SceneRun& run, const std::string& body) {
  return run.snapshot().X_WB[static_cast<std::size_t>(run.model().findBody(body))];
}

const Velocity& velocityOf(const testing::SceneRun& run, const std::string& body) {
  return run.snapshot().V_WB[static_cast<std::size_t>(run.model().findBody(body))];
}

double angleBetween(const Mat3& a, const Mat3& b) {
  return Eigen::AngleAxisd(a.transpose() * b).angle();
}

std::string list(const Vec3& v) {
  char text[120];
  std::snprintf(text, sizeof text, "[%.15g, %.15g, %.15g]", v.x(), v.y(), v.z());
  return text;
}

struct StackState {
  double sideways = 0;  ///< farthest from where the box began [m]
  double tilt = 0;      ///< of the boxes' z axes [rad]
  double yaw = 0;       ///< [rad]
  double height = 0;    ///< largest difference from that of boxes that do not deform [m]
};

StackState stateOf(const testing::SceneRun& run, const std::vector<Vec3>& start) {
  StackState state;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Pose& X = poseOf(run, "box_" + std::to_string(i + 1));
    state.sideways = std::max(state.sideways, (X.p - start[i]).head<2>().norm());
    state.tilt = std::max(state.tilt, std::acos(std::min(1.0, X.R(2, 2))));
    state.yaw = std::max(state.yaw, std::abs(std::atan2(X.R(1, 0), X.R(0, 0))));
    state.height = std::max(state.height, std::abs(0.2 * static_cast<double>(i) + 0.1 - X.p.z()));
  }
  return state;
}

/// Runs the stack for 8 s and says how it stands.
void runStack(const char* name, const std::vector<std::string>& overrides) {
  testing::SceneRun run("stack", overrides);
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run.model().time.dt, 0.01);
  std::vector<Vec3> start;
  for (int i = 1; i <= 10; ++i) start.push_back(poseOf(run, "box_" + std::to_string(i)).p);
  run.runTo(8);
  const StackState state = stateOf(run, start);
  EXPECT_LT(state.sideways, 1e-3);
  EXPECT_LT(state.tilt, 1e-3);
  EXPECT_LT(state.yaw, 1e-3);
  EXPECT_LT(state.height, 1.5e-3);
  EXPECT_LT(velocityOf(run, "box_10").v.norm(), 1e-3) << "[m/s] it no longer sways";
  EXPECT_EQ(run.health(), 0u);
  std::printf("  %s: after 8 s %.1e m sideways, %.1e rad tilted, %.1e rad turned, %.1e m lower\n", name,
              state.sideways, state.tilt, state.yaw, state.height);
}

TEST(Stack, OfTenBoxesStillStandsAfterEightSeconds) {
  runStack("stack", {});
}

TEST(Stack, ThatIsBuiltCarelesslyStandsToo) {
  const double offset[10][2] = {{1, -2}, {-2, 1},  {2, 2}, {0, -1}, {-1, 2},
                                {2, -1}, {-2, -2}, {1, 1}, {0, 2},  {-1, -1}};
  std::vector<std::string> overrides;
  for (int i = 0; i < 10; ++i)
    overrides.push_back("bodies.box_" + std::to_string(i + 1) +
                        ".position=" + list({1e-3 * offset[i][0], 1e-3 * offset[i][1], 0.15 + 0.2 * i}));
  runStack("stack, off by up to 3 mm", overrides);
}

/// The other convex laws: the dropped stack stays one, and no energy comes from nowhere.
TEST(Stack, StandsUnderEveryContactPotential) {
  for (const char* potential : {"similar", "sap"}) {
    testing::SceneRun run("stack", {"solver.rigid.potential=" + std::string(potential)});
    ASSERT_TRUE(run.ok());
    const auto energy = [](const Snapshot& s) { return s.totals.kineticEnergy + s.totals.potentialEnergy; };
    const double start = energy(run.snapshot());
    double most = start;
    run.runTo(8, [&](const Snapshot& s) { most = std::max(most, energy(s)); });
    EXPECT_LE(most, start * (1 + 1e-9)) << potential;
    EXPECT_LT(poseOf(run, "box_10").p.head<2>().norm(), 1e-3) << potential;
    // SAP never lets R_n fall below w/4π² (near-rigid): each of four points gives way by R_n (Δt + τ) γ. The
    // Delassus estimate w at a face's centre is 2/m for the ground's contact and 4/m between boxes.
    const double g = 9.81, dt = run.model().time.dt, tau = run.model().rigidSolver.relaxationTime;
    const bool sap = run.model().rigidSolver.potential == ContactPotentialName::Sap;
    const double sunk = sap ? (10 * 2 + 45 * 4) / 4.0 * g * dt * (dt + tau) / (4 * M_PI * M_PI) : 1e-3;
    EXPECT_NEAR(poseOf(run, "box_10").p.z(), 1.9 - sunk, 1e-3) << potential;
    EXPECT_LT(velocityOf(run, "box_10").v.norm(), 1e-3) << potential;
    EXPECT_EQ(run.health(), 0u) << potential;
  }
}

/// Text of a scene with a heavy box on a light one.
std::string heavyOnLight(double ratio) {
  return "time: {dt_ms: 10, duration: 4}\ncontact: {friction: 0.5}\nbodies:\n"
         "  ground: {shapes: [{shape: plane}]}\n"
         "  light: {base: free, mass: 1, position: [0, 0, 0.1], shapes: [{shape: box, size: [0.2, 0.2, "
         "0.2]}]}\n"
         "  heavy: {base: free, mass: " +
         std::to_string(ratio) + ", position: [0, 0, 0.3], shapes: [{shape: box, size: [0.2, 0.2, 0.2]}]}\n";
}

TEST(Stack, IsStableWithAThousandTimesTheMassOnTop) {
  const Result<assets::LoadedScene> loaded = assets::parseScene(heavyOnLight(1000), ".", "heavy_on_light");
  ASSERT_TRUE(loaded) << loaded.error().message();
  testing::SceneRun run(loaded->scene);
  ASSERT_TRUE(run.ok());
  double shaking = 0;
  run.runTo(4, [&](const Snapshot& s) {
    for (const Velocity& V : s.V_WB)
      if (s.time > 2) shaking = std::max(shaking, V.v.norm());
  });
  const Pose &light = poseOf(run, "light"), &heavy = poseOf(run, "heavy");
  // Pressure over modulus is the depth over half an edge: once in the box on the plane, twice between two
  // boxes.
  const double depth = 1000 * 9.81 / (0.2 * 0.2) / 1e7 * 0.1;
  EXPECT_LT(shaking, 1e-4) << "[m/s] later than 2 s";
  EXPECT_LT(heavy.p.head<2>().norm(), 1e-3);
  EXPECT_GT(heavy.R(2, 2), std::cos(1e-3)) << "tilted";
  EXPECT_NEAR(light.p.z(), 0.1 - depth, 0.1 * depth);
  EXPECT_NEAR(heavy.p.z(), 0.3 - 3 * depth, 0.3 * depth) << "patches fade at the rim: a little deeper";
  EXPECT_EQ(run.health(), 0u);
  std::printf(
      "  1000 : 1 stack: heavy box %.1e m sideways, sunk by %.2e m (formula %.2e), moves at %.1e m/s after 2 "
      "s\n",
      heavy.p.head<2>().norm(), 0.3 - heavy.p.z(), 3 * depth, shaking);
}

TEST(SlidingBox, StopsAfterItsEnergyIsSpentOnFriction) {
  for (const double mu : {0.2, 0.3, 0.6}) {
    testing::SceneRun run("sliding_box", {"contact.friction=" + std::to_string(mu), "time.duration=1.5"});
    ASSERT_TRUE(run.ok());
    const double v0 = velocityOf(run, "box").v.x(),
                 expected = v0 * v0 / (2 * mu * run.model().gravity.norm());
    run.runTo(run.model().time.duration);
    const double moved = poseOf(run, "box").p.x();
    EXPECT_NEAR(moved, expected, 0.01 * expected) << "mu " << mu;
    EXPECT_LT(velocityOf(run, "box").v.norm(), 1e-3);
    EXPECT_EQ(run.health(), 0u);
    std::printf("  sliding_box: mu %.1f stops at %.4f m, formula %.4f m (%.2f %%)\n", mu, moved, expected,
                100 * (moved / expected - 1));
  }
}

/// The box at rest on a slope of 30 degrees, made by tilting gravity.
testing::SceneRun boxOnSlope(double mu) {
  const double g = 9.81;
  return testing::SceneRun("sliding_box",
                           {"contact.friction=" + std::to_string(mu), "bodies.box.velocity=[0, 0, 0]",
                            "gravity=" + list({g * std::sin(30 * kDegree), 0, -g * std::cos(30 * kDegree)})});
}

TEST(SlidingBox, SticksJustBelowTheFrictionAngleAndSlidesJustAbove) {
  const double tangent = std::tan(30 * kDegree);
  testing::SceneRun sticks = boxOnSlope(1.02 * tangent);
  ASSERT_TRUE(sticks.ok());
  sticks.runTo(1);
  const double atOne = poseOf(sticks, "box").p.x();
  sticks.runTo(3);
  const double creep = (poseOf(sticks, "box").p.x() - atOne) / 2;
  const double x = 1 / 1.02,
               allowed = 1.3 * sticks.model().rigidSolver.stictionSpeed * x / std::sqrt(1 - x * x);
  EXPECT_LT(creep, allowed);
  EXPECT_GT(creep, 0) << "regularised friction creeps";
  EXPECT_LT(atOne, 5e-3);

  testing::SceneRun slides = boxOnSlope(0.98 * tangent);
  ASSERT_TRUE(slides.ok());
  slides.runTo(1);
  const double moved = poseOf(slides, "box").p.x(), expected = 0.5 * 0.02 * 9.81 * std::sin(30 * kDegree);
  EXPECT_NEAR(moved, expected, 0.03 * expected);
  std::printf(
      "  box on a slope: creeps at %.2e m/s at mu = 1.02 tan (allowed %.2e); slides %.4f m at 0.98, formula "
      "%.4f m\n",
      creep, allowed, moved, expected);
}

TEST(PizzaSaver, HoldsTwentyNewtonMetresAndTurnsUnderThirtySix) {
  testing::SceneRun run("pizza_saver");
  ASSERT_TRUE(run.ok());
  double friction = 0, normal = 0;
  int samples = 0;
  run.runTo(2, [&](const Snapshot& s) {
    if (s.time < 1) return;
    ++samples;
    for (const Contact& c : s.contacts) {
      friction += c.frictionForce().norm() / 3;
      normal += c.normalForce() / 3;
    }
  });
  const double held = angleBetween(poseOf(run, "disk.disk").R, Mat3::Identity());
  EXPECT_NEAR(friction / samples, 20 / 4.5, 1e-3 * 20 / 4.5);
  EXPECT_NEAR(normal / samples, 10, 0.01);
  EXPECT_LT(held, 1e-3);
  run.runTo(3);
  const double turned = angleBetween(poseOf(run, "disk.disk").R, Mat3::Identity()) - held;
  const double expected = 0.5 * (36 - 30) / 3.375;
  EXPECT_NEAR(turned, expected, 0.02 * expected);
  EXPECT_EQ(run.health(), 0u);
  std::printf(
      "  pizza_saver: %.4f N friction and %.4f N per foot, held within %.1e rad, then turned %.4f rad "
      "(formula %.4f)\n",
      friction / samples, normal / samples, held, turned, expected);
}

TEST(NewtonCradle, PassesTheBlowToTheLastBall) {
  testing::SceneRun run("newton_cradle");
  ASSERT_TRUE(run.ok());
  const auto energy = [](const Snapshot& s) { return s.totals.kineticEnergy + s.totals.potentialEnergy; };
  const double start = energy(run.snapshot()), angle = run.snapshot().q[0];
  double gain = 0, highest = 0, others = 0;
  run.runTo(0.75, [&](const Snapshot& s) {
    gain = std::max(gain, energy(s) - start);
    if (-s.q[4] < highest) return;
    highest = -s.q[4];
    others = s.q.head<4>().cwiseAbs().maxCoeff();
  });
  EXPECT_GT(highest, 0.85 * angle);
  EXPECT_LT(others, 0.15 * angle);
  EXPECT_LT(gain, 1e-3 * std::abs(start));
  std::printf(
      "  newton_cradle: the first ball falls from %.3f rad, the last rises to %.3f rad, the others then "
      "stand within %.3f\n",
      angle, highest, others);
}

class RigidBallOnSlope : public ::testing::TestWithParam<double> {};

TEST_P(RigidBallOnSlope, TravelsAsTheFormulaSays) {
  const double mu = GetParam(), slope = 45 * kDegree, g = 9.81, t = 1;
  testing::SceneRun run("rigid_ball_on_slope", {"contact.friction=" + std::to_string(mu)});
  ASSERT_TRUE(run.ok());
  const Vec3 start = poseOf(run, "ball").p;
  run.runTo(t);
  const double moved = (poseOf(run, "ball").p - start).norm();
  const bool slips = mu <= 2.0 / 7 * std::tan(slope);
  const double expected =
      g * t * t * (slips ? 0.5 * (std::sin(slope) - mu * std::cos(slope)) : 5.0 / 14 * std::sin(slope));
  EXPECT_NEAR(moved, expected, 0.01 * expected);
  EXPECT_EQ(run.health(), 0u);
  std::printf("  rigid_ball_on_slope: mu %.1f moves %.4f m, formula %.4f m (%.2f %%)\n", mu, moved, expected,
              100 * (moved / expected - 1));
}

INSTANTIATE_TEST_SUITE_P(Friction, RigidBallOnSlope, ::testing::Values(0.0, 0.2, 0.3, 0.6));

TEST(BoxInHole, FallsThroughOntoTheFloor) {
  testing::SceneRun run("box_in_hole");
  ASSERT_TRUE(run.ok());
  run.runTo(run.model().time.duration);
  const Pose& X = poseOf(run, "box");
  EXPECT_NEAR(X.p.z(), 0.04995, 2e-4);
  EXPECT_LT(X.p.head<2>().norm(), 2e-4);
  EXPECT_LT(angleBetween(X.R, Mat3::Identity()), 5e-3);
  EXPECT_LT(velocityOf(run, "box").v.norm(), 1e-3);
  EXPECT_EQ(run.health(), 0u);
  std::printf("  box_in_hole: rests %.1e m from the floor's height, tilted %.1e rad\n", X.p.z() - 0.04995,
              angleBetween(X.R, Mat3::Identity()));
}

TEST(CrackedRamp, LetsTheBoxSlideToTheEnd) {
  testing::SceneRun run("cracked_ramp");
  ASSERT_TRUE(run.ok());
  const double angle = 25 * kDegree, mu = 0.2, g = 9.81, end = 0.9;
  const Mat3 R = poseOf(run, "ramp").R;
  const auto along = [&] { return R.col(0).dot(poseOf(run, "box").p - poseOf(run, "ramp").p); };
  const double start = along();
  double tilt = 0;
  run.runTo(end, [&](const Snapshot& s) {
    if (s.time > 0.3) tilt = std::max(tilt, angleBetween(R, s.X_WB.back().R));
  });
  // It falls 20 mm onto the ramp, loses μ times its speed into it, and slides on.
  const double fall = std::sqrt(2 * 0.02 / (g * std::cos(angle))), left = end - fall;
  const double speed = fall * g * (std::sin(angle) - mu * std::cos(angle));
  const double expected = 0.5 * g * std::sin(angle) * fall * fall + speed * left +
                          0.5 * g * (std::sin(angle) - mu * std::cos(angle)) * left * left;
  EXPECT_NEAR(along() - start, expected, 0.03 * expected);
  EXPECT_GT(along(), 0.3) << "[m] beyond the crack";
  EXPECT_LT(tilt, 0.02);
  EXPECT_EQ(run.health(), 0u);
  std::printf(
      "  cracked_ramp: slid %.4f m in %.1f s (without crack %.4f m), never more than %.1e rad off the ramp\n",
      along() - start, end, expected, tilt);
}

}  // namespace
}  // namespace slipstick
