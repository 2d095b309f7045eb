// The table of verbs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/verb.h"

namespace slipstick::app {
namespace {

TEST(VerbTable, HasEachVerbOnceWithASummaryAndWhatItDoes) {
  std::set<std::string> names;
  for (const Verb& verb : verbs()) {
    EXPECT_TRUE(names.insert(verb.name).second) << verb.name;
    EXPECT_FALSE(verb.summary.empty()) << verb.name;
    EXPECT_NE(verb.offer, nullptr) << verb.name;
  }
  EXPECT_THAT(names, ::testing::IsSupersetOf({"run", "render", "export", "check"}));
}

TEST(VerbTable, HidesOnlyWhatTheProgramSaysToItself) {
  for (const Verb& verb : verbs()) EXPECT_EQ(verb.isHidden, verb.name == "read-meshes") << verb.name;
}

}  // namespace
}  // namespace slipstick::app
