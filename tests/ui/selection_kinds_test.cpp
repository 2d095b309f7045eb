#include "ui/selection_kinds.h"

#include <gtest/gtest.h>

#include "tests/support/rigid_world.h"
#include "tests/support/sample_world.h"
#include "tests/support/soft_world.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

using render::SelectedBody;
using render::SelectedBoundary;
using render::SelectedDeformable;
using render::SelectedLoop;
using render::SelectedRobot;
using render::Selection;

TEST(SelectionKinds, HaveNamesExceptASingleContact) {
  const auto world = testing::sampleWorld();
  const Model& model = *world.model;
  const std::string& roller = model.tree.bodies[static_cast<std::size_t>(world.roller)].name;
  EXPECT_EQ(nameOf(model, SelectedBody{world.roller}), roller);
  EXPECT_EQ(nameOf(model, SelectedRobot{0}), model.robots[0].name);
  EXPECT_EQ(nameOf(model, SelectedDeformable{0}), "dough");
  EXPECT_EQ(nameOf(model, ContactPair{{world.roller}, {-1, 0}}), roller + "+dough");
  EXPECT_EQ(nameOf(model, ContactKey{{.body = 1, .geometry = 0}, {.deformable = 0, .element = 1}}), "");
  EXPECT_EQ(nameOf(model, {}), "");
}

TEST(SelectionKinds, HaveIconsWhereTheyAreInTheTree) {
  const auto world = testing::sampleWorld();
  EXPECT_EQ(iconOf(*world.model, {}), "scene");
  EXPECT_EQ(iconOf(*world.model, SelectedBody{world.leftFlange}), "link");
  EXPECT_EQ(iconOf(*world.model, SelectedRobot{0}), "robot");
  EXPECT_EQ(iconOf(*world.model, ContactPair{{world.roller}, {-1, 0}}), "");
  const auto rigid = testing::rigidWorld();
  EXPECT_EQ(iconOf(*rigid.model, SelectedBody{rigid.ball}), "body") << "it is alone";
  const auto soft = testing::softWorld();
  EXPECT_EQ(iconOf(*soft.model, SelectedDeformable{soft.cloth}), "cloth");
  EXPECT_EQ(iconOf(*soft.model, SelectedDeformable{soft.dough}), "particles");
}

TEST(SelectionKinds, OfOneThingHaveItsLook) {
  const auto rigid = testing::rigidWorld();
  const auto soft = testing::softWorld();
  EXPECT_EQ(thingOf(*rigid.model, SelectedBody{rigid.ball})->kind, ThingKind::Robot);
  EXPECT_EQ(thingOf(*soft.model, SelectedDeformable{soft.dough})->kind, ThingKind::Deformable);
  EXPECT_EQ(thingOf(*soft.model, SelectedBoundary{soft.floor})->kind, ThingKind::Boundary);
  EXPECT_FALSE(thingOf(*rigid.model, SelectedBody{0})) << "the world";
  EXPECT_FALSE(thingOf(*rigid.model, SelectedLoop{0}));
  EXPECT_FALSE(thingOf(*rigid.model, ContactPair{{rigid.upper}, {rigid.lower}}));
  EXPECT_FALSE(thingOf(*rigid.model, {}));
}

TEST(SelectionKinds, ThatStandAloneCanBeRemoved) {
  const auto world = testing::sampleWorld();
  EXPECT_TRUE(canBeRemoved(*world.model, SelectedRobot{0}));
  EXPECT_TRUE(canBeRemoved(*world.model, SelectedDeformable{0}));
  EXPECT_FALSE(canBeRemoved(*world.model, SelectedBody{world.leftFlange}));
  const auto rigid = testing::rigidWorld();
  EXPECT_TRUE(canBeRemoved(*rigid.model, SelectedBody{rigid.ball}));
  EXPECT_FALSE(canBeRemoved(*rigid.model, SelectedLoop{0}));
  EXPECT_FALSE(canBeRemoved(*rigid.model, {}));
}

TEST(SelectionKinds, ArePlottedWhereTheyHaveObservables) {
  const auto soft = testing::softWorld();
  const Model& model = *soft.model;
  const std::vector<QString> labels = bodyLabels(model);
  EXPECT_EQ(plotsOf(model, {}, labels).size(), 1u) << "energies of the scene";
  EXPECT_EQ(plotsOf(model, SelectedDeformable{soft.cloth}, labels).size(), 2u);
  EXPECT_EQ(plotsOf(model, SelectedBoundary{soft.ball}, labels).size(), 1u);
  EXPECT_TRUE(plotsOf(model, ContactKey{{.body = 1, .geometry = 0}, {.deformable = 0, .element = 1}}, labels)
                  .empty());
}

}  // namespace
}  // namespace slipstick::ui
