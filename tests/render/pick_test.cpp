#include <gtest/gtest.h>

#include "render/egl_context.h"
#include "render/gl_handles.h"
#include "tests/render/rendered_world.h"

namespace slipstick::render {
namespace {

struct Pick : InFramebuffer {
  static constexpr int kWidth = 480, kHeight = 320;
  slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
  std::shared_ptr<const Snapshot> snapshot = slipstick::testing::sampleSnapshot(world, 1.54);
  Camera camera = Camera::from(world.model->cameras.front());
  ViewOptions options;

  void SetUp() override { ASSERT_NO_FATAL_FAILURE(prepare(world.model, kWidth, kHeight)); }
  std::optional<Picked> pick(const Vec3& p, Pickable pickable = Pickable::All) {
    const Frame frame = buildFrame(inputOf(*world.model, *snapshot, options, {}));
    renderer->draw(frame, camera, options, {}, {framebuffer.name(), kWidth, kHeight, 1});
    const Eigen::Vector2d uv = project(camera, 1.5, p);
    return renderer->pick(uv.x(), uv.y(), pickable);
  }
};

TEST_F(Pick, FindsTheBodyAndThePointOnItsSurface) {
  const Vec3 onBoard(-0.2, -0.17, 0.03);
  const auto picked = pick(onBoard);
  ASSERT_TRUE(picked);
  EXPECT_EQ(picked->selection, Selection(SelectedBody{world.board}));
  EXPECT_LT((picked->p_W - onBoard).norm(), 0.006);
}

TEST_F(Pick, FindsTheDeformableUnderThePointer) {
  options.forces = false;
  const auto picked = pick({0, -0.06, 0.07});
  ASSERT_TRUE(picked);
  EXPECT_EQ(picked->selection, Selection(SelectedDeformable{0}));
  EXPECT_FALSE(std::holds_alternative<SelectedBody>(picked->selection));
  EXPECT_NEAR(picked->p_W.y(), -0.062, 0.015);
}

TEST_F(Pick, AnArrowGivesWhatItSums) {
  const Frame frame = buildFrame(inputOf(*world.model, *snapshot, options, {}));
  ASSERT_FALSE(frame.contact->arrows.empty());
  const Arrow& net = frame.contact->arrows.front();
  const auto picked = pick((net.from + 0.7f * net.vector).cast<double>());
  ASSERT_TRUE(picked);
  ASSERT_TRUE(std::holds_alternative<ContactPair>(picked->selection));
  EXPECT_EQ(std::get<ContactPair>(picked->selection),
            frame.contact->pairs[static_cast<std::size_t>(net.pair)].force.pair);
  EXPECT_FALSE(std::holds_alternative<ContactKey>(picked->selection));
}

TEST_F(Pick, AHandReachesThroughArrowsToWhatTheyCover) {
  const Frame frame = buildFrame(inputOf(*world.model, *snapshot, options, {}));
  int through = 0;
  for (const Arrow& arrow : frame.contact->arrows) {
    const Vec3 tip = (arrow.from + 0.7f * arrow.vector).cast<double>();
    const auto pointedAt = pick(tip), held = pick(tip, Pickable::Surfaces);
    ASSERT_TRUE(pointedAt);
    EXPECT_TRUE(std::holds_alternative<ContactPair>(pointedAt->selection));
    if (!held) continue;  // the tip stands out of what it touches
    ++through;
    EXPECT_FALSE(std::holds_alternative<ContactPair>(held->selection));
    EXPECT_TRUE(std::holds_alternative<SelectedBody>(held->selection) ||
                std::holds_alternative<SelectedDeformable>(held->selection));
  }
  EXPECT_GT(through, 0);
}

TEST_F(Pick, FindsTheContactByItsArrow) {
  const Contact c = snapshot->contacts.front();
  auto one = std::make_shared<Snapshot>(*snapshot);
  one->contacts = {c};
  snapshot = one;
  options.contactView = ContactView::Points;
  const Frame frame = buildFrame(inputOf(*world.model, *snapshot, options, {}));
  ASSERT_FALSE(frame.contact->arrows.empty());
  const Arrow& arrow = frame.contact->arrows.front();
  const auto picked = pick((arrow.from + 0.7f * arrow.vector).cast<double>());
  ASSERT_TRUE(picked);
  ASSERT_TRUE(std::holds_alternative<ContactKey>(picked->selection));
  EXPECT_EQ(std::get<ContactKey>(picked->selection), c.key());
}

TEST_F(Pick, FindsNothingOnTheGroundOrOutside) {
  EXPECT_FALSE(pick({-0.1, -0.5, 0}));
  EXPECT_FALSE(renderer->pick(1.5, 0.5));
}

TEST_F(Pick, FindsNothingBeforeTheFirstFrame) {
  EXPECT_FALSE(renderer->pick(0.5, 0.5));
}

}  // namespace
}  // namespace slipstick::render
