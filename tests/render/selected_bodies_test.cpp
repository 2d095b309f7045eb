#include "render/selected_bodies.h"

#include <gtest/gtest.h>

#include "tests/support/rigid_world.h"

namespace slipstick::render {
namespace {

using slipstick::testing::rigidWorld;

std::vector<int> chosen(const Model& model, const Selection& selection) {
  const std::vector<bool> selected = selectedBodies(model, selection);
  std::vector<int> bodies;
  for (std::size_t b = 0; b < selected.size(); ++b)
    if (selected[b]) bodies.push_back(static_cast<int>(b));
  return bodies;
}

TEST(SelectedBodies, AreThoseOfABodyARobotAndALoop) {
  const auto world = rigidWorld();
  const Model& model = *world.model;
  EXPECT_EQ(chosen(model, SelectedBody{world.bar}), std::vector{world.bar});
  const Robot& robot = model.robots[1];
  EXPECT_EQ(chosen(model, SelectedRobot{1}).front(), robot.firstBody);
  EXPECT_EQ(chosen(model, SelectedRobot{1}).size(),
            static_cast<std::size_t>(robot.endBody - robot.firstBody));
  EXPECT_EQ(chosen(model, SelectedLoop{0}), (std::vector{world.upper, world.ball}));
}

TEST(SelectedBodies, AreNoneOfOtherThingsAndOfWhatIsNotThere) {
  const Model& model = *rigidWorld().model;
  for (const Selection& selection : std::initializer_list<Selection>{
           {},
           SelectedDeformable{0},
           SelectedBoundary{0},
           ContactKey{{.body = 1, .geometry = 0}, {.deformable = 0, .element = 1}},
           ContactPair{{1}, {2}},
           SelectedBody{1000},
           SelectedRobot{1000},
           SelectedLoop{-1}})
    EXPECT_TRUE(chosen(model, selection).empty()) << selection.index();
}

TEST(SelectedBodies, HaveAnOutlineAsDeformablesAndBoundariesHave) {
  for (const Selection& selection : std::initializer_list<Selection>{
           SelectedBody{1}, SelectedRobot{0}, SelectedDeformable{0}, SelectedBoundary{0}, SelectedLoop{0}})
    EXPECT_TRUE(hasOutline(selection)) << selection.index();
  for (const Selection& selection : std::initializer_list<Selection>{
           {},
           ContactKey{{.body = 1, .geometry = 0}, {.deformable = 0, .element = 1}},
           ContactPair{{1}, {2}}})
    EXPECT_FALSE(hasOutline(selection)) << selection.index();
}

}  // namespace
}  // namespace slipstick::render
