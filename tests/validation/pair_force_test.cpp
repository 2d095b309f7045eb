// Forces of pairs: their sum against the wrench of the solver, and the friction that would hold a pair
// against formulas.
#include "engine/facts/pair_force.h"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>

#include "engine/facts/holding_friction.h"
#include "engine/runtime/pair_history.h"
#include "engine/runtime/simulation_thread.h"
#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

constexpr double kG = 9.81;

// ---- the sum over pairs is the wrench of the solve

/// A soft cube under a rolling ball on the ground, beside a stack of two crates.
std::string pile(const std::string& substeps) {
  return R"(
time: {dt_ms: 1, substeps: )" +
         substeps + R"(}
grid: {spacing: 0.02}
contact: {friction: 0.5}
materials:
  foam: {model: fixed_corotated, E: 3.0e4, nu: 0.3, density: 400}
deformables:
  cube: {material: foam, shape: box, size: [0.08, 0.08, 0.08], position: [0, 0, 0.042],
         sampling: {kind: lattice, count: [7, 7, 7]}}
bodies:
  ground: {shapes: [{shape: plane}]}
  ball: {base: free, mass: 0.3, position: [0.01, 0, 0.112], velocity: [0.4, 0.1, 0],
         shapes: [{shape: sphere, radius: 0.03}]}
  lower: {base: free, mass: 2, position: [0.3, 0, 0.05], velocity: [0, 0.6, 0],
          shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]}
  upper: {base: free, mass: 1, position: [0.31, 0.01, 0.15], shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]}
)";
}

/// How far, relative to what adds up in it, the wrenches of pairs are from those of the solve, over a run.
struct Difference {
  double force = 0, torque = 0;
  std::set<ContactPair> pairs;
};

Difference differenceOver(testing::SceneRun& run, double until) {
  Difference difference;
  while (run.snapshot().time < until) {
    const std::vector<Pose> start = run.snapshot().X_WB;
    run.step();
    const Snapshot& s = run.snapshot();
    const std::vector<PairForce> forces = pairForces(run.model(), s.contacts);
    for (std::size_t b = 0; b < start.size(); ++b) {
      const int body = static_cast<int>(b);
      Wrench sum = s.contactRemainder[b];
      double force = 1e-9, torque = 1e-9;
      for (const PairForce& f : forces) {
        if (!f.pair.hasBody(body)) continue;
        sum += (f.pair.a.body == body ? f : f.onOther()).about(start[b].p);
        difference.pairs.insert(f.pair);
      }
      for (const Contact& c : s.contacts) {
        if (c.a.body != body && c.b.body != body) continue;
        force += c.f_Bc_W.norm();
        torque += (c.p_WC - start[b].p).norm() * c.f_Bc_W.norm();
      }
      const Wrench& solved = s.contactWrench[b];
      difference.force = std::max(difference.force, (sum.force - solved.force).norm() / force);
      difference.torque = std::max(difference.torque, (sum.torque - solved.torque).norm() / torque);
    }
  }
  return difference;
}

TEST(PairForces, SumToTheWrenchOfTheSolve) {
  testing::SceneRun run(testing::sceneOf(pile("1")));
  ASSERT_TRUE(run.ok());
  const Difference one = differenceOver(run, 0.15);
  EXPECT_EQ(one.pairs.size(), 4u) << "two soft and two rigid pairs have touched";
  EXPECT_LT(one.force, 1e-9);
  EXPECT_LT(one.torque, 1e-9);

  testing::SceneRun fine(testing::sceneOf(pile("4")));
  ASSERT_TRUE(fine.ok());
  const Difference four = differenceOver(fine, 0.15);
  EXPECT_LT(four.force, 1e-9);
  EXPECT_LT(four.torque, 1e-9) << "what the mean of a contact's places loses is in the remainder";
  std::printf("  pairs against wrenches: 1 substep %.1e, %.1e; 4 substeps %.1e, %.1e\n", one.force,
              one.torque, four.force, four.torque);
}

/// Under strong, contacts of rigid bodies come and go within a step: the ball and the crates fall, roll and slide.
TEST(PairForces, SumToTheWrenchOfTheSolveWhereBodiesMoveWithTheSubsteps) {
  for (const char* method : {"strong", "implicit"}) {
    testing::SceneRun run(testing::sceneOf(pile("4")), {.method = method});
    ASSERT_TRUE(run.ok());
    const Difference difference = differenceOver(run, 0.15);
    EXPECT_LT(difference.force, 1e-9) << method;
    EXPECT_LT(difference.torque, 1e-9) << method;
  }
}

TEST(PairForces, AreSortedSplitAndCountWhatSlips) {
  testing::SceneRun run(testing::sceneOf(pile("1")));
  ASSERT_TRUE(run.ok());
  run.runTo(0.05);
  const std::vector<PairForce> forces = pairForces(run.model(), run.snapshot().contacts);
  ASSERT_GE(forces.size(), 3u);
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const PairForce& f = forces[i];
    if (i > 0) {
      EXPECT_LE(f.force.norm(), forces[i - 1].force.norm());
    }
    EXPECT_LT((f.normal + f.friction - f.force).norm(), 1e-12 * (f.normalSum + 1));
    EXPECT_LE(f.friction.norm(), f.sticking + f.slipping + 1e-12);
    EXPECT_LE(f.sticking + f.slipping, f.frictionBound * (1 + 1e-9));
    EXPECT_NEAR(f.frictionBound, 0.5 * f.normalSum, 1e-3 * f.normalSum);
    contacts += f.contacts.size();
  }
  EXPECT_EQ(contacts, run.snapshot().contacts.size());
  const int lower = run.model().findBody("lower"), ground = run.model().findBody("ground");
  const PairForce slides = pairForce(run.model(), run.snapshot().contacts, {{lower}, {ground}});
  EXPECT_GT(slides.slippingContacts, 0);
  EXPECT_EQ(slides.slippingContacts, slides.touching);
  EXPECT_EQ(slides.sticking, 0);
  EXPECT_NEAR(slides.normal.z(), slides.normalSum, 1e-6 * slides.normalSum)
      << "the ground presses it upwards";
  EXPECT_LT(slides.friction.y(), 0) << "and brakes it";
  EXPECT_NEAR(slides.centerOfPressure.z(), 0, 1e-3);
}

// ---- which friction would hold it

/// Steps of the last 50 ms of a run, as a window has them.
std::vector<std::shared_ptr<const Snapshot>> lastSteps(testing::SceneRun& run, double until) {
  const double dt = run.model().time.dt;
  const int stride = std::max(1, static_cast<int>(std::round(0.01 / dt)));
  run.runTo(until - 0.05);
  std::vector<std::shared_ptr<const Snapshot>> steps;
  int count = 0;
  const auto keep = [&](const Snapshot& s) {
    if (count++ % stride != 0) return;
    auto copy = std::make_shared<Snapshot>(s);
    copy->model = run.sharedModel();
    steps.push_back(std::move(copy));
  };
  keep(run.snapshot());
  run.runTo(until, keep);
  return steps;
}

std::string slope(double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  return "[" + std::to_string(kG * std::sin(angle)) + ", 0, " + std::to_string(-kG * std::cos(angle)) + "]";
}

LinkForceSpec steadyForce(const std::string& link, const Vec3& point, const Vec3& force) {
  return {link, point, {{0, force, Vec3::Zero()}, {9, force, Vec3::Zero()}}};
}

TEST(HoldingFriction, OfABlockThatSlidesDownASlopeIsTheTangentOfItsAngle) {
  for (const double degrees : {20.0, 30.0, 40.0}) {
    testing::SceneRun run("sliding_box", {"contact.friction=0.2", "bodies.box.velocity=[0, 0, 0]",
                                          "gravity=" + slope(degrees)});
    ASSERT_TRUE(run.ok());
    const ContactPair pair{{run.model().findBody("box")}, {run.model().findBody("ground")}};
    const HoldingFriction answer = holdingFriction(lastSteps(run, 0.4), pair);
    ASSERT_TRUE(answer.holdingFriction) << answer.why;
    const double expected = std::tan(degrees * std::numbers::pi / 180);
    EXPECT_NEAR(*answer.holdingFriction, expected, 0.02 * expected);
    EXPECT_LT(answer.marginPart, 0.02) << "it slides: friction is at its bound";
    EXPECT_GE(answer.margin, 0);
    std::printf("  slope of %.0f degrees, mu 0.2: %.4f would hold it, tan %.4f\n", degrees,
                *answer.holdingFriction, expected);
  }
}

TEST(HoldingFriction, IsTheSameFromTheHistoryOfALiveRun) {
  testing::SceneRun scene("sliding_box",
                          {"contact.friction=0.2", "bodies.box.velocity=[0, 0, 0]", "gravity=" + slope(30)});
  ASSERT_TRUE(scene.ok());
  Result<std::unique_ptr<SimulationThread>> run = SimulationThread::create(
      scene.sharedModel(),
      [](const std::shared_ptr<const Model>& model) { return testing::stepping().makeStepper(model, {}); });
  ASSERT_TRUE(run);
  (*run)->runUntil(1.2);
  (*run)->waitUntilIdle();
  const ContactPair pair{{scene.model().findBody("box")}, {scene.model().findBody("ground")}};
  PairHistory history(pair);
  const std::vector<PairHistory::Sample> samples = history.upTo(**run, 1100);
  ASSERT_GE(samples.size(), 55u);
  EXPECT_NEAR(samples.front().time, 0.1, 0.02);
  const double normal = kG * std::cos(std::numbers::pi / 6), tangent = std::tan(std::numbers::pi / 6);
  for (const PairHistory::Sample& s : samples) {
    EXPECT_NEAR(s.normal, normal, 0.02 * normal);
    EXPECT_NEAR(s.friction, 0.2 * normal, 0.02 * normal);
    EXPECT_NEAR(s.slipSpeed, kG * std::cos(std::numbers::pi / 6) * (tangent - 0.2) * s.time, 0.05);
    EXPECT_EQ(s.slippingPart, 1);
  }
  const HoldingFriction answer = PairHistory::holdingFriction(**run, 1100, pair);
  ASSERT_TRUE(answer.holdingFriction) << answer.why;
  EXPECT_NEAR(*answer.holdingFriction, tangent, 0.02 * tangent);
}

TEST(HoldingFriction, OfABlockThatSticksIsWhatItUsesAndTheMarginIsTheRest) {
  testing::SceneRun run("sliding_box",
                        {"contact.friction=0.8", "bodies.box.velocity=[0, 0, 0]", "gravity=" + slope(30)});
  ASSERT_TRUE(run.ok());
  const ContactPair pair{{run.model().findBody("box")}, {run.model().findBody("ground")}};
  const HoldingFriction answer = holdingFriction(lastSteps(run, 0.5), pair);
  ASSERT_TRUE(answer.holdingFriction) << answer.why;
  const double tangent = std::tan(std::numbers::pi / 6), normal = kG * std::cos(std::numbers::pi / 6);
  EXPECT_NEAR(*answer.holdingFriction, tangent, 0.02 * tangent);
  EXPECT_NEAR(answer.margin, (0.8 - tangent) * normal, 0.02 * normal);
  EXPECT_NEAR(answer.marginPart, 1 - tangent / 0.8, 0.02);
}

TEST(HoldingFriction, OfABlockThatIsPulledSteadilyIsItsPresentRatio) {
  Scene scene = testing::sceneOf(R"(
time: {dt_ms: 1}
contact: {friction: 0.3}
bodies:
  ground: {shapes: [{shape: plane}]}
  box: {base: free, mass: 1, position: [0, 0, 0.05], velocity: [0.5, 0, 0],
        shapes: [{shape: box, size: [0.2, 0.2, 0.1]}]}
)");
  const Vec3 pull(0.3 * kG, 0, 0);  // as large as friction: neither faster nor slower
  scene.controllers = {steadyForce("box", Vec3(0, 0, -0.05), pull)};
  testing::SceneRun run(scene);
  ASSERT_TRUE(run.ok());
  const ContactPair pair{{run.model().findBody("box")}, {run.model().findBody("ground")}};
  const auto steps = lastSteps(run, 0.4);
  EXPECT_GT(pairForce(run.model(), run.snapshot().contacts, pair).slippingContacts, 0);
  const HoldingFriction answer = holdingFriction(steps, pair);
  ASSERT_TRUE(answer.holdingFriction) << answer.why;
  EXPECT_NEAR(*answer.holdingFriction, 0.3, 0.02 * 0.3);
}

TEST(HoldingFriction, IsLessThanThePresentRatioWhereTheSlipIsBeingBraked) {
  testing::SceneRun run("sliding_box", {"contact.friction=0.3", "gravity=" + slope(5)});
  ASSERT_TRUE(run.ok());
  const ContactPair pair{{run.model().findBody("box")}, {run.model().findBody("ground")}};
  const HoldingFriction answer = holdingFriction(lastSteps(run, 0.2), pair);
  ASSERT_TRUE(answer.holdingFriction) << answer.why;
  EXPECT_NEAR(*answer.holdingFriction, std::tan(5 * std::numbers::pi / 180), 0.01 * 0.3);
}

TEST(HoldingFriction, OfTwoFreeBodiesTakesIntoAccountThatBothAreMoved) {
  // Pressed together with 20 N far from everything, one sliding on the other: nothing would keep them apart
  // in speed.
  Scene scene = testing::sceneOf(R"(
time: {dt_ms: 1}
gravity: [0, 0, 0]
contact: {friction: 0.2}
bodies:
  light: {base: free, mass: 1, position: [0, 0, 0.025], velocity: [1, 0, 0],
          shapes: [{shape: box, size: [0.4, 0.4, 0.05]}]}
  heavy: {base: free, mass: 3, position: [0, 0, 0.075], shapes: [{shape: box, size: [0.4, 0.4, 0.05]}]}
)");
  const Vec3 up(0, 0, 20), down(0, 0, -20);
  scene.controllers = {steadyForce("light", Vec3::Zero(), up), steadyForce("heavy", Vec3::Zero(), down)};
  testing::SceneRun run(scene);
  ASSERT_TRUE(run.ok());
  const auto steps = lastSteps(run, 0.1);
  const ContactPair pair{{run.model().findBody("heavy")}, {run.model().findBody("light")}};
  EXPECT_GT(pairForce(run.model(), run.snapshot().contacts, pair).slippingContacts, 0);
  const HoldingFriction answer = holdingFriction(steps, pair);
  ASSERT_TRUE(answer.holdingFriction) << answer.why;
  EXPECT_NEAR(*answer.holdingFriction, 0, 0.05 * 0.2)
      << "they tilt a little by then; 0.07 for the heavy one alone";
}

TEST(HoldingFriction, OfASoftCubeThatSlidesDownASlopeIsTheTangentOfItsAngle) {
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 2}
gravity: )" + slope(25) + R"(
grid: {spacing: 0.02}
contact: {friction: 0.15}
materials:
  foam: {model: fixed_corotated, E: 2.0e5, nu: 0.3, density: 400}
deformables:
  cube: {material: foam, shape: box, size: [0.12, 0.12, 0.08], position: [0, 0, 0.0401],
         sampling: {kind: lattice, count: [10, 10, 7]}}
bodies:
  ground: {shapes: [{shape: plane}]}
)"));
  ASSERT_TRUE(run.ok());
  const ContactPair pair{{run.model().findBody("ground")}, {-1, 0}};
  auto steps = lastSteps(run, 0.5);
  const HoldingFriction answer = holdingFriction(steps, pair);
  ASSERT_TRUE(answer.holdingFriction) << answer.why;
  const double expected = std::tan(25 * std::numbers::pi / 180);
  EXPECT_GT(run.snapshot().deformables[0].velocity.x(), 0.3) << "it slides";
  EXPECT_NEAR(*answer.holdingFriction, expected, 0.05 * expected);
  // The same of something that flows.
  auto liquid = std::make_shared<Model>(run.model());
  liquid->deformables[0].material.model = MaterialModel::Liquid;
  auto last = std::make_shared<Snapshot>(*steps.back());
  last->model = liquid;
  steps.back() = last;
  EXPECT_FALSE(holdingFriction(steps, pair).holdingFriction);
  EXPECT_NE(holdingFriction(steps, pair).why.find("flows"), std::string::npos);
  std::printf("  soft cube on 25 degrees, mu 0.15: %.4f would hold it, tan %.4f\n", *answer.holdingFriction,
              expected);
}

/// Two panels on slides, each pressed with 10 N towards the other.
std::string press(const std::string& between) {
  return R"(
time: {dt_ms: 1}
contact: {friction: 0.1}
robots:
  left: {urdf: ../robots/slider.urdf, position: [-0.0565, 0, 0.15]}
  right: {urdf: ../robots/slider.urdf, position: [0.0565, 0, 0.15], rpy_deg: [0, 0, 180]}
controllers:
  - {kind: joint_effort, robot: left, joint: slide, effort: 10}
  - {kind: joint_effort, robot: right, joint: slide, effort: 10}
)" + between;
}

TEST(HoldingFriction, IsSharedByTheTwoPanelsThatPressABox) {
  testing::SceneRun run(testing::sceneOf(press(
      "bodies: {box: {base: free, mass: 0.5, position: [0, 0, 0.15], shapes: [{shape: box, size: [0.08, "
      "0.08, 0.08]}]}}\n")));
  ASSERT_TRUE(run.ok());
  const auto steps = lastSteps(run, 0.1);
  const int box = run.model().findBody("box");
  const double expected = 0.5 * kG / 2 / 10;
  for (const char* panel : {"left.panel", "right.panel"}) {
    const int other = run.model().findBody(panel);  // where both can move, the later one counts as the body
    const HoldingFriction answer = holdingFriction(steps, {{std::max(box, other)}, {std::min(box, other)}});
    ASSERT_TRUE(answer.holdingFriction) << answer.why;
    EXPECT_NEAR(*answer.holdingFriction, expected, 0.02 * expected);
  }
}

TEST(HoldingFriction, OfTwoPanelsThatOnlyPressEachOtherIsWhatTheyUse) {
  testing::SceneRun run(testing::sceneOf(press("")));
  ASSERT_TRUE(run.ok());
  const auto steps = lastSteps(run, 0.6);
  const int left = run.model().findBody("left.panel"), right = run.model().findBody("right.panel");
  const HoldingFriction links = holdingFriction(steps, {{right}, {left}});
  ASSERT_TRUE(links.holdingFriction) << links.why;
  EXPECT_NEAR(*links.holdingFriction, 0, 1e-3);
  EXPECT_NEAR(links.margin, 0.1 * 10, 0.01);
  EXPECT_FALSE(holdingFriction(steps, {{left}, {0}}).holdingFriction);
  EXPECT_EQ(holdingFriction(steps, {{left}, {0}}).why, "nothing is pressed");
}

TEST(HoldingFriction, CannotBeSaidWhereJointsHoldBothSidesOfWhatSlips) {
  // A panel on a slide along the ground that dips 0.1 mm into it.
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 1}
contact: {friction: 0.1}
bodies:
  ground: {shapes: [{shape: plane}]}
robots:
  slide: {urdf: ../robots/slider.urdf, position: [0, 0, 0.0549]}
controllers:
  - {kind: joint_velocity, robot: slide, joint: slide, velocity: 0.2, kd: 1.0e6}
)"));
  ASSERT_TRUE(run.ok());
  const auto steps = lastSteps(run, 0.3);
  const ContactPair pair{{run.model().findBody("slide.panel")}, {run.model().findBody("ground")}};
  ASSERT_GT(pairForce(run.model(), run.snapshot().contacts, pair).slippingContacts, 0);
  const HoldingFriction answer = holdingFriction(steps, pair);
  EXPECT_FALSE(answer.holdingFriction);
  EXPECT_NE(answer.why.find("joints hold both sides"), std::string::npos) << answer.why;
  EXPECT_LT(answer.marginPart, 0.02) << "the margin is a fact of the contacts alone";
}

}  // namespace
}  // namespace slipstick
