#include "render/selection_names.h"

#include <gtest/gtest.h>

#include "tests/support/rigid_world.h"
#include "tests/support/sample_world.h"
#include "tests/support/soft_world.h"

namespace slipstick::render {
namespace {

TEST(SelectionNames, FindBodiesRobotsDeformablesAndPairs) {
  const auto world = slipstick::testing::sampleWorld();
  const auto named = [&](const char* words) { return selectionNamed(*world.model, words).value(); };
  EXPECT_EQ(named("roller").body, world.roller);
  EXPECT_EQ(named("pin.roller").body, world.roller);
  EXPECT_EQ(named("dough").deformable, 0);
  EXPECT_EQ(named("left_arm").robot, 0);
  EXPECT_EQ(named("dough+roller").pair, (ContactPair{world.roller, -1, 0}));
  EXPECT_EQ(named("roller+dough").pair, named("dough+roller").pair);
  const auto rigid = slipstick::testing::rigidWorld();
  EXPECT_EQ(selectionNamed(*rigid.model, "ground+lower").value().pair,
            (ContactPair{rigid.lower, rigid.ground, -1}));
}

TEST(SelectionNames, FindBoundariesAndLoops) {
  const auto soft = slipstick::testing::softWorld();
  EXPECT_EQ(selectionNamed(*soft.model, soft.model->boundaries[1].name).value().boundary, 1);
  const auto rigid = slipstick::testing::rigidWorld();
  EXPECT_EQ(selectionNamed(*rigid.model, "tether").value().loop, 0);
}

TEST(SelectionNames, SayWhatThereIsWhereANameIsUnknown) {
  const auto world = slipstick::testing::sampleWorld();
  const auto named = selectionNamed(*world.model, "doug");
  ASSERT_FALSE(named);
  EXPECT_NE(named.error().message().find("dough"), std::string::npos);
  EXPECT_FALSE(selectionNamed(*world.model, "dough+dough"));
}

}  // namespace
}  // namespace slipstick::render
