// The table by which methods are compared: what a run has not come to is not said of it.
#include "engine/runtime/method_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"

namespace slipstick {
namespace {

std::shared_ptr<const Model> boxModel() {
  Scene scene;
  scene.robots = {
      floatingBody("box", shape::Box{{0.1, 0.1, 0.1}}, 500, {Mat3::Identity(), {0, 0, 1}}, {1, 0, 0, 1})
          .value()};
  return compile(scene)->model;
}

/// A run up to a time in which something presses the box with 2 N all the while.
MethodRun pressed(const std::string& method, const std::shared_ptr<const Model>& model, double until) {
  MethodRun run;
  run.method = method;
  run.tally = MethodTally(model);
  for (std::uint64_t step = 0; model->time.dt * static_cast<double>(step) < until + 1e-9; ++step) {
    Snapshot snapshot;
    snapshot.model = model;
    snapshot.step = step;
    snapshot.time = model->time.dt * static_cast<double>(step);
    snapshot.contactWrench.resize(2);
    snapshot.contactWrench[1].force = {0, 0, 2};
    run.tally.add(snapshot, 0.001);
  }
  return run;
}

TEST(MethodTable, ARunThatHasNotComeToTheWindowSaysNothingOfIt) {
  const auto model = boxModel();
  std::vector<MethodRun> runs;
  runs.push_back(pressed("async", model, 1));
  runs.push_back(pressed("strong", model, 0.6));
  runs.push_back(pressed("implicit", model, 0.1));
  runs.push_back(pressed("stopped at its start", model, 0));
  const MethodTable table = tabulate(runs, 0.5, 1);
  const auto row = [&](const std::string& name) {
    const auto found = std::find_if(table.rows.begin(), table.rows.end(),
                                    [&](const auto& line) { return line.name.starts_with(name); });
    return found == table.rows.end() ? std::vector<std::string>{} : found->values;
  };
  EXPECT_EQ(row("|mean force| on box"), (std::vector<std::string>{"2", "2", "-", "-"}));
  EXPECT_EQ(row("deepest contact, mean").at(2), "-");
  EXPECT_EQ(row("slip, mean by force").at(2), "-");
  // Steps from 0.50 s to 1.00 s and to 0.60 s, of 10 ms each.
  EXPECT_EQ(row("simulated of that window"), (std::vector<std::string>{"0.51", "0.11", "0", "0"}));
  for (const char* name :
       {"energy gained", "energy at the end", "momentum error", "ms per step", "ms per simulated"}) {
    EXPECT_NE(row(name).at(2), "-") << name;
    EXPECT_EQ(row(name).at(3), "-") << name;
  }
}

}  // namespace
}  // namespace slipstick
