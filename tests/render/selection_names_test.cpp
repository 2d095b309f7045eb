#include "render/selection_names.h"

#include <gtest/gtest.h>

#include "engine/model/method_rows.h"
#include "tests/support/rigid_world.h"
#include "tests/support/sample_world.h"
#include "tests/support/soft_world.h"

namespace slipstick::render {
namespace {

TEST(SelectionNames, FindBodiesRobotsDeformablesAndPairs) {
  const auto world = slipstick::testing::sampleWorld();
  const auto named = [&](const char* words) { return selectionNamed(*world.model, words).value(); };
  EXPECT_EQ(named("roller"), Selection(SelectedBody{world.roller}));
  EXPECT_EQ(named("pin.roller"), Selection(SelectedBody{world.roller}));
  EXPECT_EQ(named("dough"), Selection(SelectedDeformable{0}));
  EXPECT_EQ(named("left_arm"), Selection(SelectedRobot{0}));
  EXPECT_EQ(named("dough+roller"), Selection(ContactPair{{world.roller}, {-1, 0}}));
  EXPECT_EQ(named("roller+dough"), named("dough+roller"));
  const auto rigid = slipstick::testing::rigidWorld();
  EXPECT_EQ(selectionNamed(*rigid.model, "ground+lower").value(),
            Selection(ContactPair{{rigid.lower}, {rigid.ground}}));
}

TEST(SelectionNames, FindBoundariesAndLoops) {
  const auto soft = slipstick::testing::softWorld();
  EXPECT_EQ(selectionNamed(*soft.model, soft.model->boundaries[1].name).value(),
            Selection(SelectedBoundary{1}));
  const auto rigid = slipstick::testing::rigidWorld();
  EXPECT_EQ(selectionNamed(*rigid.model, "tether").value(), Selection(SelectedLoop{0}));
}

/// What comes of a selection in a model of which the first body, robot, deformable, boundary and loop have gone.
TEST(SelectionNames, MeanTheSameInAnotherModel) {
  const auto names = [](auto& list, std::initializer_list<const char*> all) {
    for (const char* name : all) list.emplace_back().name = name;
  };
  Model before, model;
  names(before.tree.bodies, {"crate", "ball"});
  names(model.tree.bodies, {"ball"});
  names(before.robots, {"arm", "hand"});
  names(model.robots, {"hand"});
  names(before.deformables, {"water", "dough"});
  names(model.deformables, {"dough"});
  names(before.boundaries, {"floor"});
  names(model.boundaries, {"floor"});
  names(before.loops, {"tether"});
  names(model.loops, {"tether"});
  const auto same = [&](const Selection& selection) { return sameSelection(before, model, selection); };
  EXPECT_EQ(same(SelectedBody{2}), Selection(SelectedBody{1}));
  EXPECT_EQ(same(SelectedBody{1}), Selection());
  EXPECT_EQ(same(SelectedRobot{1}), Selection(SelectedRobot{0}));
  EXPECT_EQ(same(SelectedDeformable{1}), Selection(SelectedDeformable{0}));
  EXPECT_EQ(same(SelectedDeformable{0}), Selection());
  EXPECT_EQ(same(ContactPair{{2}, {-1, 1}}), Selection(ContactPair{{1}, {-1, 0}}));
  EXPECT_EQ(same(ContactPair{{2}, {1}}), Selection());
  EXPECT_EQ(same(SelectedBoundary{0}), Selection());
  EXPECT_EQ(same(SelectedLoop{0}), Selection());
  EXPECT_EQ(same(ContactKey{{.body = 1, .geometry = 0}, {.deformable = 0, .element = 7}}), Selection())
      << "its numbers mean others";
}

TEST(SelectionNames, SayWhatThereIsWhereANameIsUnknown) {
  const auto world = slipstick::testing::sampleWorld();
  const auto named = selectionNamed(*world.model, "doug");
  ASSERT_FALSE(named);
  EXPECT_NE(named.error().message().find("dough"), std::string::npos);
  EXPECT_FALSE(selectionNamed(*world.model, "dough+dough"));
}

TEST(SelectionNames, TwoDeformablesAreAPairWhereTheMethodTellsTheirContacts) {
  Model model = *slipstick::testing::sampleWorld().model;
  EXPECT_FALSE(selectionNamed(model, "dough+dough"));
  auto rows = std::make_shared<MethodRows>();
  rows->softContacts = true;
  model.own = rows;
  const Selection self = ContactPair{{-1, 0}, {-1, 0}};
  EXPECT_EQ(selectionNamed(model, "dough+dough").value(), self);
  EXPECT_EQ(sameSelection(model, model, self), self);
}

}  // namespace
}  // namespace slipstick::render
