// What is hidden is not there to see, to click or to cast a shadow; it acts as before.
#include "tests/render/rendered_world.h"

namespace slipstick::render {
namespace {

struct Looking : RenderedWorld {
  LookEdits edits;
  ThingName roller() const {
    return {ThingKind::Link, world.model->tree.bodies[static_cast<std::size_t>(world.roller)].name};
  }
  Frame frame() const {
    FrameInput input = inputOf(*world.model, *snapshot, options, selection);
    input.looks = std::make_shared<const Looks>(looksOf(*world.model, edits));
    return buildFrame(input);
  }
};

int differing(const Image& a, const Image& b, int least) {
  int count = 0;
  for (std::size_t i = 0; i + 3 < a.rgba.size(); i += 4)
    count += std::abs(a.rgba[i] - b.rgba[i]) + std::abs(a.rgba[i + 1] - b.rgba[i + 1]) > least;
  return count;
}

TEST_F(Looking, AHiddenBodyIsNeitherSeenNorItsShadow) {
  options.forces = false;
  const Image whole = draw(frame());
  Model without = *world.model;
  std::erase_if(without.visuals, [&](const Visual& visual) { return visual.body == world.roller; });
  edits[roller()] = {.visible = false, .color = {}};
  const Image hidden = draw(frame());
  EXPECT_GT(differing(whole, hidden, 20), 500) << "it was seen";
  world.model = std::make_shared<const Model>(without);
  offscreen->setModel(world.model);
  EXPECT_EQ(differing(hidden, draw(frame()), 2), 0) << "as if it had nothing to show: no shadow stays";
}

TEST_F(Looking, AHiddenDeformableIsNotDrawnAndDoesNotColourTheBar) {
  EXPECT_TRUE(frame().soft->bar.isShown());
  edits[{ThingKind::Deformable, world.model->deformables[0].name}] = {.visible = false, .color = {}};
  const Frame f = frame();
  EXPECT_TRUE(f.soft->spheres.empty());
  EXPECT_TRUE(f.soft->meshes.empty());
  EXPECT_FALSE(f.soft->bar.isShown());
}

TEST_F(Looking, ForcesAreDrawnWhileOneSideIsSeenAndNamedWhereNone) {
  const Frame all = frame();
  ASSERT_FALSE(all.contact->pairs.empty());
  edits[roller()] = {.visible = false, .color = {}};
  EXPECT_EQ(frame().contact->arrows.size(), all.contact->arrows.size()) << "the dough feels it";
  edits[{ThingKind::Deformable, world.model->deformables[0].name}] = {.visible = false, .color = {}};
  const Frame none = frame();
  EXPECT_TRUE(none.contact->arrows.empty());
  EXPECT_EQ(none.contact->morePairs, all.contact->morePairs + static_cast<int>(all.contact->pairs.size()));
}

TEST_F(Looking, AColourGoesOverThoseOfTheShapes) {
  options.forces = options.shadows = false;
  const Vec3 onBoard(-0.2, -0.17, 0.03);
  const auto name = world.model->tree.bodies[static_cast<std::size_t>(world.board)].name;
  const ThingName board{ThingKind::Link, name};
  edits[board] = {.visible = true, .color = Color(0, 0, 1, 1)};
  const Pixel blue = at(draw(frame()), onBoard);
  EXPECT_GT(blue.b, 2 * blue.r);
  edits[board].color = Color(1, 0, 0, 1);
  const Pixel red = at(draw(frame()), onBoard);
  EXPECT_GT(red.r, 2 * red.b) << "and follows at once";
  options.particleColor = ParticleColor::Plain;
  edits[{ThingKind::Deformable, world.model->deformables[0].name}] = {true, Color(0, 1, 0, 1)};
  EXPECT_EQ(frame().soft->spheres[0].color, Eigen::Vector3f(0, 1, 0));
}

TEST_F(Looking, CollisionShapesAreDrawnOverWhatOneSeesOrInItsPlace) {
  options.forces = false;
  const Image plain = draw(frame());
  options.collisionShapes = CollisionShapes::Over;
  EXPECT_GT(differing(plain, draw(frame()), 20), 2000);
  options.collisionShapes = CollisionShapes::Alone;
  const Image alone = draw(frame());
  const Pixel board = at(alone, Vec3(-0.2, -0.17, 0.03));
  EXPECT_GT(board.g, board.r) << "in their own green";
  EXPECT_GT(board.g, board.b - 4);
}

struct HiddenPick : InFramebuffer {
  slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
};

TEST_F(HiddenPick, WhatIsHiddenIsNotClicked) {
  ASSERT_NO_FATAL_FAILURE(prepare(world.model, 480, 320));
  const Camera camera = Camera::from(world.model->cameras.front());
  const std::shared_ptr<const Snapshot> snapshot = slipstick::testing::sampleSnapshot(world, 1.54);
  const Eigen::Vector2d uv = project(camera, 1.5, {-0.2, -0.17, 0.03});
  ViewOptions options;
  options.forces = false;
  LookEdits edits;
  const auto picked = [&] {
    FrameInput input = inputOf(*world.model, *snapshot, options);
    input.looks = std::make_shared<const Looks>(looksOf(*world.model, edits));
    renderer->draw(buildFrame(input), camera, options, {}, {framebuffer.name(), 480, 320, 1});
    return renderer->pick(uv.x(), uv.y());
  };
  ASSERT_TRUE(picked());
  EXPECT_EQ(picked()->selection, Selection(SelectedBody{world.board}));
  edits[{ThingKind::Link, world.model->tree.bodies[static_cast<std::size_t>(world.board)].name}].visible =
      false;
  EXPECT_FALSE(picked());
}

}  // namespace
}  // namespace slipstick::render
