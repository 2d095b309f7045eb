// What is drawn of contact is what acts: sums at all three distances, on made and on simulated worlds.
#include <gtest/gtest.h>

#include "render/frame.h"
#include "tests/render/frame_input.h"
#include "tests/support/rigid_world.h"
#include "tests/support/sample_world.h"
#include "tests/validation/scene_run.h"

namespace slipstick::render {
namespace {

/// Integral of what a pair's surfaces show: colours times the top of their bar, linear over each triangle
/// [N].
double paintedForce(const ContactParts& parts, int pair) {
  const double unit = parts.pressureBar.unit == "kPa" ? 1e3 : parts.pressureBar.unit == "MPa" ? 1e6 : 1;
  double force = 0;
  for (const PatchSurface& patch : parts.patches) {
    if (patch.pair != pair) continue;
    for (std::size_t i = 0; i + 2 < patch.triangles.size(); i += 3) {
      const Eigen::Vector4f &a = patch.triangles[i], &b = patch.triangles[i + 1], &c = patch.triangles[i + 2];
      const Vec3 ab = (b - a).head<3>().cast<double>(), ac = (c - a).head<3>().cast<double>();
      force += ab.cross(ac).norm() / 2 * static_cast<double>(a.w() + b.w() + c.w()) / 3;
    }
  }
  return force * parts.pressureBar.max * unit;
}

/// A simulated step with the poses at its start, about which its wrenches are.
struct Step {
  const Model& model;
  const Snapshot& snapshot;
  std::vector<Pose> start;  ///< empty: a snapshot made by hand, of which only forces are known
};

Step stepTo(slipstick::testing::SceneRun& run, double time) {
  std::vector<Pose> start;
  while (run.snapshot().time < time - 1e-9) {
    start = run.snapshot().X_WB;
    run.step();
  }
  return {run.model(), run.snapshot(), start};
}

void expectSums(const Frame& frame, const Step& step, int body) {
  const auto b = static_cast<std::size_t>(body);
  const Vec3 origin = step.start.empty() ? Vec3(0, 0, 0) : step.start[b].p;
  Wrench shown;
  Vec3 arrows = Vec3::Zero(), drawn = Vec3::Zero();
  double scale = 1e-9, lever = 0;
  for (const PairView& pair : frame.contact->pairs) {
    EXPECT_EQ(pair.force.side.body, body);
    const Wrench all = pair.drawn + pair.remainder;  // about the pair's centre of pressure
    const Vec3 arm = pair.force.centerOfPressure - origin;
    shown += {all.force, all.torque + arm.cross(all.force)};
    drawn += pair.drawn.force;
    scale += pair.force.normalSum;
    lever = std::max(lever, arm.norm() + pair.force.extent);
  }
  for (const Arrow& arrow : frame.contact->arrows) arrows += arrow.force;
  EXPECT_LT((arrows - drawn).norm(), 1e-12 * scale);
  const Snapshot& s = step.snapshot;
  if (b < s.contactRemainder.size()) shown += s.contactRemainder[b];
  EXPECT_LT((shown.force - s.contactWrench[b].force).norm(), 1e-9 * scale);
  if (step.start.empty()) return;
  EXPECT_LT((shown.torque - s.contactWrench[b].torque).norm(), 1e-9 * scale * lever);
}

/// At every distance and threshold, split or not, with rings of moments and without: what is drawn and the
/// remainders are the wrench on each body that touches.
void checkAllDistances(const Step& step) {
  int checked = 0;
  for (std::size_t b = 0; b < step.model.tree.bodies.size(); ++b) {
    if (step.snapshot.contactWrench[b].force.norm() < 1e-6) continue;
    for (const ContactView view :
         {ContactView::Automatic, ContactView::Pairs, ContactView::Footprints, ContactView::Points})
      for (const double threshold : {0.0, 0.05, 1e9}) {
        ViewOptions options;
        options.contactView = view;
        options.forceThreshold = threshold;
        options.splitForces = options.moments = threshold != 0.05;
        const Selection selection = SelectedBody{static_cast<int>(b)};
        const Frame frame = buildFrame(inputOf(step.model, step.snapshot, options, selection));
        EXPECT_EQ(frame.contact->pairs.empty(), false);
        expectSums(frame, step, static_cast<int>(b));
        ++checked;
      }
  }
  EXPECT_GE(checked, 12);
}

/// What particles press is painted to the last newton. Surfaces of two bodies carry what the solver's
/// quadrature of the same pressure carries, and damping beside it.
void checkFootprints(const Model& model, const Snapshot& snapshot, double rigidTolerance) {
  ViewOptions options;
  options.contactView = ContactView::Footprints;
  options.everyContact = true;
  const Frame frame = buildFrame(inputOf(model, snapshot, options));
  int painted = 0;
  for (std::size_t i = 0; i < frame.contact->pairs.size(); ++i) {
    const PairView& pair = frame.contact->pairs[i];
    const double tolerance = !pair.force.pair.isRigid() ? 1e-6 : rigidTolerance;
    EXPECT_NEAR(pair.footprintForce, pair.force.normalSum, tolerance * pair.force.normalSum);
    // Once more from the triangles, whose corners are single precision.
    EXPECT_NEAR(paintedForce(*frame.contact, static_cast<int>(i)), pair.footprintForce,
                1e-4 * pair.footprintForce);
    painted += pair.footprintForce > 0;
  }
  EXPECT_GT(painted, 0);
}

TEST(ContactSums, OfTheSampleWorld) {
  const auto world = slipstick::testing::sampleWorld();
  const auto snapshot = slipstick::testing::sampleSnapshot(world, 1.54, true);
  checkAllDistances({*world.model, *snapshot, {}});
  checkFootprints(*world.model, *snapshot, 0);
}

TEST(ContactSums, OfRigidBodies) {
  const auto world = slipstick::testing::rigidWorld();
  const auto snapshot = slipstick::testing::rigidSnapshot(world, 1);
  checkAllDistances({*world.model, *snapshot, {}});
  checkFootprints(*world.model, *snapshot, 1e-4);  // patches made for these loads, in single precision
}

TEST(ContactSums, OfACubeHeldByTwoPanels) {
  slipstick::testing::SceneRun run("hold");
  ASSERT_TRUE(run.ok());
  checkAllDistances(stepTo(run, 0.02));
  checkFootprints(run.model(), run.snapshot(), 0);
}

TEST(ContactSums, OfDoughUnderARoller) {
  slipstick::testing::SceneRun run("dough_rolling");
  ASSERT_TRUE(run.ok());
  checkAllDistances(stepTo(run, 0.8));
  checkFootprints(run.model(), run.snapshot(), 0.05);
}

TEST(ContactSums, OfAStackAtRest) {
  slipstick::testing::SceneRun run("stack");
  ASSERT_TRUE(run.ok());
  checkAllDistances(stepTo(run, 0.8));
  // At rest there is no damping: what differs is the pressure at the end of the step and that at its start.
  checkFootprints(run.model(), run.snapshot(), 0.02);
}

TEST(ContactSums, PiecesOfFrictionAndNormalForceThatNoArrowShowsAreNamed) {
  const auto world = slipstick::testing::sampleWorld();
  const auto snapshot = slipstick::testing::sampleSnapshot(world, 1.54, true);
  ViewOptions options;
  options.contactView = ContactView::Points;
  options.forceThreshold = 0.6;
  const Selection selection = SelectedBody{world.roller};
  const auto parts = buildFrame(inputOf(*world.model, *snapshot, options, selection)).contact;
  ASSERT_EQ(parts->pairs.size(), 1u);
  const PairView& pair = parts->pairs[0];
  EXPECT_GT(pair.remainderContacts, 0);
  EXPECT_GT(pair.remainderForce, 0);
  EXPECT_GT(pair.arrows, 0);
  for (const Arrow& arrow : parts->arrows) EXPECT_GT(arrow.force.norm(), 0.6);
}

}  // namespace
}  // namespace slipstick::render
