#include "engine/runtime/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/facts/pair_force.h"
#include "tests/support/failing_allocation.h"
#include "tests/support/rigid_world.h"

namespace slipstick {
namespace {

std::shared_ptr<const Observables> named(const std::vector<std::string>& names) {
  Observables observables;
  for (const std::string& name : names)
    observables.push_back({name, "m", [](const Snapshot& s) { return s.time; }});
  return std::make_shared<const Observables>(std::move(observables));
}

/// Two observables: the step, and its square.
void addSteps(Columns& columns, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t step = from; step < to; ++step) {
    const auto x = static_cast<double>(step);
    columns.add(std::array{x, x * x});
  }
}

std::shared_ptr<const Columns> shared(const Columns& columns) {
  return std::make_shared<const Columns>(columns);
}

TEST(Columns, HoldEveryStepThroughManyChunks) {
  Columns columns(named({"x", "xx"}), 10);
  addSteps(columns, 10, 510);
  EXPECT_EQ(columns.firstStep(), 10u);
  EXPECT_EQ(columns.endStep(), 510u);
  for (std::uint64_t step = 10; step < 510; ++step) {
    EXPECT_EQ(columns.value(0, step), static_cast<double>(step));
    EXPECT_EQ(columns.value(1, step), static_cast<double>(step * step));
  }
}

TEST(Columns, ACopyStaysAsItWas) {
  Columns columns(named({"x", "xx"}), 0);
  addSteps(columns, 0, 100);
  const Columns copy = columns;
  addSteps(columns, 100, 200);
  EXPECT_EQ(copy.endStep(), 100u);
  EXPECT_EQ(copy.value(0, 99), 99);
  EXPECT_EQ(columns.value(0, 150), 150);
}

TEST(Columns, WhereThereIsRoomAddingAsksForNone) {
  Columns columns(named({"x", "xx"}), 0);
  for (std::uint64_t step = 0; step < 200; ++step) {
    columns.makeRoom({});
    const testing::FailingAllocation failing(0);
    addSteps(columns, step, step + 1);
    ASSERT_FALSE(failing.happened()) << step;
  }
  EXPECT_EQ(columns.value(1, 150), 150 * 150);
}

TEST(RunColumns, JoinTheModelsOfARunByName) {
  Columns before(named({"box.x", "ball.x"}), 0), after(named({"ball.x", "cone.x"}), 5);
  addSteps(before, 0, 9);
  addSteps(after, 5, 9);
  // The run left the first part after step 4.
  const RunColumns run({{shared(before), 0, 5}, {shared(after), 5, 9}});
  EXPECT_EQ(run.firstStep(), 0u);
  EXPECT_EQ(run.endStep(), 9u);
  ASSERT_EQ(run.names().size(), 3u);
  EXPECT_EQ(run.names()[0].column(), "box.x [m]");
  EXPECT_EQ(run.names()[2].name, "cone.x");
  const std::vector<double> ball = run.values("ball.x", 3, 7);
  EXPECT_EQ(ball, (std::vector<double>{9, 16, 5, 6}));
  const std::vector<double> box = run.values("box.x", 4, 100);
  ASSERT_EQ(box.size(), 5u);
  EXPECT_EQ(box[0], 4);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_TRUE(std::isnan(box[i]));
  EXPECT_TRUE(run.values("ball.x", 20, 30).empty());
}

TEST(RunColumns, HaveTheForcesOfEveryPairInEveryStep) {
  const testing::RigidWorld world = testing::rigidWorld();
  const auto observables = named({"time"});
  Columns columns(observables, 0, world.model);
  std::vector<std::vector<PairForce>> forces;
  for (int step = 0; step < 200; ++step) {  // through several chunks
    const auto snapshot = rigidSnapshot(world, step * world.model->time.dt);
    forces.push_back(pairForces(*world.model, snapshot->contacts));
    columns.add(std::array{0.0}, pairRowsOf(*world.model, snapshot->contacts));
  }
  const RunColumns run({{shared(columns), 0, 200}});
  ASSERT_GE(columns.pairs().size(), 2u);
  EXPECT_EQ(run.names().size(), 1 + columns.pairs().size() * PairRow::kQuantities.size());
  for (const ContactPair& pair : columns.pairs()) {
    const std::string name = columns.pairName(pair);
    const std::vector<double> normal = run.values(name + ".normal", 0, 200),
                              friction = run.values(name + ".friction", 0, 200);
    EXPECT_EQ(run.unitOf(name + ".slip_speed"), "m/s");
    for (std::size_t step = 0; step < 200; ++step) {
      const auto found = std::find_if(forces[step].begin(), forces[step].end(),
                                      [&](const PairForce& force) { return force.pair == pair; });
      EXPECT_EQ(normal[step], found == forces[step].end() ? 0 : found->normalSum) << name << " " << step;
      EXPECT_EQ(friction[step], found == forces[step].end() ? 0 : found->friction.norm());
    }
  }
  EXPECT_FALSE(run.unitOf("nobody+nothing.normal"));
}

TEST(RunColumns, GiveTheLengthOfAVectorBetweenBars) {
  Columns columns(named({"box.fx", "box.fy", "box.fz"}), 0);
  columns.add(std::array{2.0, 3.0, 6.0});
  const RunColumns run({{shared(columns), 0, 1}});
  EXPECT_EQ(run.values("|box.f|", 0, 1), std::vector<double>{7});
  EXPECT_EQ(run.unitOf("|box.f|"), "m");
}

}  // namespace
}  // namespace slipstick
