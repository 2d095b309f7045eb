// Malformed commands, by each of the ways into a run: they are left out and counted, and nothing else happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/runtime/command_gate.h"
#include "engine/runtime/headless_run.h"
#include "tests/engine/runtime/fake_stepper.h"
#include "tests/support/bad_commands.h"

namespace slipstick {
namespace {

using testing::badCommands;
using ::testing::HasSubstr;

constexpr std::size_t kCount = 1000;

/// Gives all its commands in one step.
struct ListPilot final : Pilot {
  std::vector<Command> list;
  void addCommands(const std::shared_ptr<const Snapshot>&, std::vector<Command>& commands) override {
    commands.insert(commands.end(), list.begin(), list.end());
    list.clear();
  }
};

struct CommandGate : ::testing::Test {
  std::shared_ptr<Model> model = testing::oneBodyModel();
  std::shared_ptr<testing::FakeBehaviour> behaviour = std::make_shared<testing::FakeBehaviour>();
  std::unique_ptr<SimulationThread> owner =
      SimulationThread::create(model, testing::makeFakeStepper(behaviour)).value();
  SimulationThread& thread = *owner;

  void stepOnce() {
    thread.stepOnce();
    thread.waitUntilIdle();
  }
};

TEST_F(CommandGate, KeepsWhatIsGoodInItsOrder) {
  std::vector<Command> commands = badCommands(20, 1);
  commands.insert(commands.begin() + 7, SetParameter{"gravity.x", {1}});
  commands.push_back(Release{});
  DroppedCommands dropped;
  dropBadCommands(commands, *model, model->tuning, dropped);
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<SetParameter>(commands[0]));
  EXPECT_TRUE(std::holds_alternative<Release>(commands[1]));
  EXPECT_EQ(dropped.count, 20u);
}

TEST_F(CommandGate, PostRefusesThem) {
  for (const Command& command : badCommands(kCount, 2)) EXPECT_FALSE(thread.post(command));
  stepOnce();
  EXPECT_EQ(behaviour->commands, 0u);
  EXPECT_EQ(thread.status().lastStep, 1u);
}

TEST_F(CommandGate, LeavesOutThoseOfAPilot) {
  const auto pilot = std::make_shared<ListPilot>();
  pilot->list = badCommands(kCount, 3);
  pilot->list.insert(pilot->list.begin() + 500, SetParameter{"gravity.x", {2}});
  thread.setPilot(pilot);
  stepOnce();
  EXPECT_EQ(behaviour->commands, 1u);
  EXPECT_EQ(thread.status().lastStep, 1u);
  EXPECT_EQ(thread.status().dropped.count, kCount);
  EXPECT_THAT(thread.status().dropped.why, HasSubstr("there is no effector"));
  // What the log has can be replayed.
  stepOnce();
  thread.resumeFrom(0, 1);
  thread.waitUntilIdle();
  EXPECT_EQ(thread.status().error, "");
}

/// As `run --actions` and `replay` do.
TEST_F(CommandGate, LeavesOutThoseOfAPlayback) {
  auto run = HeadlessRun::of(model, testing::makeFakeStepper(behaviour)(model).value()).value();
  State start = State::initial(*model);
  ASSERT_TRUE(run->restore(start));
  std::vector<Command> commands = badCommands(kCount, 4);
  commands.push_back(SetParameter{"gravity.x", {2}});
  ASSERT_TRUE(run->step(commands, Detail::Facts));
  EXPECT_EQ(run->applied().size(), 1u);
  EXPECT_EQ(run->dropped().count, kCount);
  EXPECT_EQ(run->snapshot().step, 1u);
  EXPECT_EQ(behaviour->commands, 1u);
}

}  // namespace
}  // namespace slipstick
