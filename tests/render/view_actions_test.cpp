#include "render/view_actions.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "render/force_scale.h"
#include "tests/support/sample_world.h"

namespace slipstick::render {
namespace {

TEST(ViewActions, HaveNamesAndKeysOfTheirOwn) {
  std::set<std::string_view> names, keys;
  for (const ViewAction& action : viewActions()) {
    EXPECT_TRUE(names.insert(action.name).second) << action.name;
    EXPECT_TRUE(action.key.empty() || keys.insert(action.key).second) << action.key;
    EXPECT_FALSE(action.title.empty()) << action.name;
  }
  for (const ViewStep& step : viewSteps())
    for (const std::string_view key : {step.upKey, step.downKey}) EXPECT_TRUE(keys.insert(key).second) << key;
}

TEST(ViewActions, GoThroughAllTheirStatesAndChangeNothingElse) {
  for (const ViewAction& action : viewActions()) {
    ViewOptions options;
    std::set<int> seen;
    for (int i = 0; i < action.states(); ++i) {
      seen.insert(action.state(options));
      action.toNext(options);
    }
    EXPECT_EQ(static_cast<int>(seen.size()), action.states()) << action.name;
    EXPECT_EQ(options, ViewOptions{}) << action.name;
  }
}

TEST(ViewActions, HaveAWordForEveryState) {
  for (const ViewAction& action : viewActions())
    for (int state = 0; state < action.states(); ++state) {
      const std::string name(action.name);
      const std::string word =
          action.isSwitch() ? (state == 1 ? name : "no-" + name)
                            : name + "=" + std::string(action.choices[static_cast<std::size_t>(state)].name);
      ViewOptions options;
      ASSERT_TRUE(applyViewWord(word, options)) << word;
      EXPECT_EQ(action.state(options), state) << word;
    }
}

TEST(ViewActions, WrongWordsAreRefusedWithWhatThereIs) {
  ViewOptions options;
  for (const char* word : {"unicorns", "no-contact", "contact", "contact=sideways", "forces=1", ""}) {
    const Result<void> applied = applyViewWord(word, options);
    ASSERT_FALSE(applied) << word;
    EXPECT_NE(applied.error().message().find("choose from"), std::string::npos) << word;
  }
  EXPECT_EQ(options, ViewOptions{});
}

TEST(ViewSteps, TurnUpAndDownWithinTheirRange) {
  for (const ViewStep& step : viewSteps()) {
    ViewOptions options;
    const double before = options.*step.number;
    step.turn(options, +1);
    EXPECT_GT(options.*step.number, before) << step.up;
    step.turn(options, -1);
    EXPECT_NEAR(options.*step.number, before, 1e-12) << step.down;
    for (int i = 0; i < 200; ++i) step.turn(options, -1);
    EXPECT_EQ(options.*step.number, step.least) << step.down;
    for (int i = 0; i < 400; ++i) step.turn(options, +1);
    EXPECT_EQ(options.*step.number, step.most) << step.up;
  }
}

TEST(ViewSteps, ArrowsGetLongerByTheStep) {
  const auto world = slipstick::testing::sampleWorld();
  ViewOptions options;
  const double length = forceScale(*world.model, options, 30).length(30);
  options.arrowLength = 2;
  EXPECT_NEAR(forceScale(*world.model, options, 30).length(30), 2 * length, 1e-12);
}

}  // namespace
}  // namespace slipstick::render
