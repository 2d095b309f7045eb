// What a frame shows of other moments: ghosts and trails.
#include <gtest/gtest.h>

#include <algorithm>

#include "render/ghost_parts.h"
#include "render/trails.h"
#include "tests/render/frame_input.h"
#include "tests/support/sample_world.h"

namespace slipstick::render {
namespace {

struct OtherMoments : ::testing::Test {
  slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
  std::shared_ptr<const Model> model = world.model;
  std::shared_ptr<const Snapshot> at(double time) const {
    auto snapshot = std::make_shared<Snapshot>(*slipstick::testing::sampleSnapshot(world, time));
    snapshot->model = model;
    return snapshot;
  }
  FrameInput input(double time) const {
    FrameInput input;
    input.model = model;
    input.snapshot = at(time);
    return input;
  }
  /// Every observable up to a step.
  RunColumns columns(std::uint64_t last) const {
    const auto observables = std::make_shared<const Observables>(observablesOf(*model));
    Columns columns(observables, 0);
    for (std::uint64_t step = 0; step <= last; ++step)
      columns.add(valuesOf(*observables, *at(static_cast<double>(step) * model->time.dt)));
    return RunColumns({{std::make_shared<const Columns>(columns), 0, last + 1}});
  }
};

TEST_F(OtherMoments, AGhostHasThePosesAndParticlesOfItsMoment) {
  FrameInput in = input(1.5);
  const auto then = at(0.5);
  in.ghosts = {then};
  const Frame frame = buildFrame(in);
  ASSERT_EQ(frame.ghosts.size(), 1u);
  const Ghost& ghost = frame.ghosts[0];
  ASSERT_EQ(ghost.X_WB.size(), then->X_WB.size());
  const auto roller = static_cast<std::size_t>(world.roller);
  EXPECT_EQ(ghost.X_WB[roller].p, then->X_WB[roller].p);
  EXPECT_NE(ghost.X_WB[roller].p, frame.X_WB[roller].p);
  EXPECT_EQ(ghost.particles.size(), then->particles.size());
  EXPECT_GT(ghost.radius, 0);
}

TEST_F(OtherMoments, AGhostOfManyParticlesIsThinnedAndKeepsTheirExtent) {
  auto many = std::make_shared<Snapshot>(*at(0.5));
  many->particles.assign(70000, Eigen::Vector3f::Zero());
  for (std::size_t i = 0; i < many->particles.size(); ++i)
    many->particles[i].x() = static_cast<float>(i) / 70000.f;
  FrameInput in = input(1.5);
  in.ghosts = {many};
  const std::vector<Eigen::Vector3f> left = buildFrame(in).ghosts.at(0).particles;
  EXPECT_LE(left.size(), kMaxGhostParticles);
  EXPECT_GT(left.size(), kMaxGhostParticles / 2);
  EXPECT_LT(left.front().x(), 0.01f);
  EXPECT_GT(left.back().x(), 0.99f);
}

TEST_F(OtherMoments, AGhostOfOtherBodiesIsLeftOut) {
  FrameInput in = input(1.5);
  auto changed = std::make_shared<Model>(*model);
  changed->tree.bodies.back().name = "another";
  auto other = std::make_shared<Snapshot>(*at(0.5));
  other->model = changed;
  in.ghosts = {other};
  in.besides = {{other, {1, 0, 0}}};
  EXPECT_TRUE(buildFrame(in).ghosts.empty());
}

TEST_F(OtherMoments, AGhostOfTheSameBodiesUnderAnotherMethodIsDrawn) {
  FrameInput in = input(1.5);
  auto other = std::make_shared<Snapshot>(*at(0.5));
  other->model = std::make_shared<const Model>(*model);
  in.ghosts = {other};
  EXPECT_EQ(buildFrame(in).ghosts.size(), 1u);
}

TEST_F(OtherMoments, RunsBesideHaveTheirOwnColoursBeforeThoseOfGhosts) {
  FrameInput in = input(1.5);
  in.ghosts = {at(0.5)};
  const Eigen::Vector3f usual = buildFrame(in).ghosts.at(0).color;
  in.besides = {{at(1), {1, 0, 0}}, {at(1.2), {0, 1, 0}}};
  const std::vector<Ghost> ghosts = buildFrame(in).ghosts;
  ASSERT_EQ(ghosts.size(), 3u);
  EXPECT_EQ(ghosts[0].color, Eigen::Vector3f(1, 0, 0));
  EXPECT_EQ(ghosts[1].color, Eigen::Vector3f(0, 1, 0));
  EXPECT_EQ(ghosts[2].color, usual);
}

TEST_F(OtherMoments, ATrailLeadsOverTheLastSecondToTheCentreOfMass) {
  FrameInput in = input(1.5);
  in.selection = SelectedBody{world.roller};
  const std::vector<Trailed> things = trailedOf(in);
  ASSERT_EQ(things.size(), 1u);
  const auto step = static_cast<std::uint64_t>(std::llround(1.5 / model->time.dt));
  const std::vector<Trail> trails = trailsOf(columns(step + 20), things, step, model->time.dt);
  ASSERT_EQ(trails.size(), 1u);
  const auto roller = static_cast<std::size_t>(world.roller);
  const auto centerAt = [&](double time) {
    return Eigen::Vector3f((at(time)->X_WB[roller] * model->tree.bodies[roller].com).cast<float>());
  };
  EXPECT_LT((trails[0].points.back() - centerAt(1.5)).norm(), 1e-5f);
  EXPECT_LT((trails[0].points.front() - centerAt(0.5)).norm(), 0.02f);
  EXPECT_GT((trails[0].points.front() - trails[0].points.back()).norm(), 0.01f);

  in.trails = trails;
  EXPECT_TRUE(buildFrame(in).trails.empty());  // switched off
  in.options.trails = true;
  EXPECT_EQ(buildFrame(in).trails.size(), 1u);
}

TEST_F(OtherMoments, WithoutASelectionWhatTouchesAndWhatIsSoftLeavesTrails) {
  FrameInput in = input(1.5);
  std::vector<std::string> names;
  for (const Trailed& thing : trailedOf(in)) names.push_back(thing.name);
  const std::string roller = model->tree.bodies[static_cast<std::size_t>(world.roller)].name;
  EXPECT_NE(std::find(names.begin(), names.end(), roller), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), model->deformables[0].name), names.end());
  const auto moving =
      std::count_if(names.begin(), names.end(), [](const std::string& name) { return name == "world"; });
  EXPECT_EQ(moving, 0);
}

TEST(Trails, FadeTowardsThePast) {
  Trail trail;
  for (int i = 0; i < 5; ++i) trail.points.emplace_back(static_cast<float>(i), 0.f, 0.f);
  const std::vector<Stroke> strokes = strokesOf({trail}, palette::kAxis);
  ASSERT_EQ(strokes.size(), 4u);
  EXPECT_EQ(strokes[0].from.x(), 0);
  EXPECT_EQ(strokes[3].to.x(), 4);
  for (std::size_t i = 0; i + 1 < strokes.size(); ++i)
    EXPECT_LT(strokes[i].color.w(), strokes[i + 1].color.w());
  EXPECT_EQ(Eigen::Vector3f(strokes[3].color.head<3>()), linear(palette::kAxis));
}

}  // namespace
}  // namespace slipstick::render
