// Ways through the branches of a run, and how far two of them are one.
#include "engine/runtime/way.h"

#include <gtest/gtest.h>

namespace slipstick {
namespace {

const Way kMain = {{0, 0}};
const Way kChild = {{0, 0}, {1, 13}};  // from step 12 of the main branch
const Way kGrandchild = {{0, 0}, {1, 13}, {2, 16}};

TEST(Ways, HaveTheirStepsUpToWhereOneLeavesTheOther) {
  EXPECT_EQ(commonStep(kMain, 30, kChild, 20), 12u);
  EXPECT_EQ(commonStep(kChild, 20, kMain, 30), 12u);
  EXPECT_EQ(commonStep(kChild, 20, kGrandchild, 40), 15u);
  EXPECT_EQ(commonStep(kMain, 30, kGrandchild, 40), 12u);
}

TEST(Ways, HaveNoMoreInCommonThanTheShorterOneHas) {
  EXPECT_EQ(commonStep(kMain, 30, kMain, 25), 25u);
  EXPECT_EQ(commonStep(kMain, 5, kChild, 20), 5u) << "it has not come to where the other one leaves it";
  EXPECT_EQ(commonStep(kChild, 13, kGrandchild, 40), 13u);
}

TEST(Ways, OfDifferentStartsHaveNothingInCommon) {
  EXPECT_FALSE(commonStep(kMain, 30, {{3, 0}}, 30));
  EXPECT_FALSE(commonStep(kMain, 30, {}, 0));
}

TEST(Ways, KnowWhoseAStepIs) {
  EXPECT_EQ(legWith(kGrandchild, 0).branch, 0u);
  EXPECT_EQ(legWith(kGrandchild, 12).branch, 0u);
  EXPECT_EQ(legWith(kGrandchild, 13).branch, 1u);
  EXPECT_EQ(legWith(kGrandchild, 100).branch, 2u);
}

}  // namespace
}  // namespace slipstick
