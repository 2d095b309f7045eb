// Whoever drives hears what has come of each try, once.
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/teleop/teleop.h"

namespace slipstick {
namespace {

/// A box to be lowered; each draw of the scene is a model of its own.
std::shared_ptr<const Model> boxModel() {
  Scene scene;
  scene.robots = {
      floatingBody("box", shape::Box{{0.1, 0.1, 0.1}}, 500, {Mat3::Identity(), {0, 0, 1}}, {1, 0, 0, 1})
          .value()};
  scene.task = TaskSpec{"Lower it.", 5, {}, {{"box.z", std::nullopt, 0.5, 0}}, {}, {}};
  return compile(scene)->model;
}

std::shared_ptr<const Snapshot> at(std::shared_ptr<const Model> model, std::uint64_t step, double height) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->model = std::move(model);
  snapshot->step = step;
  snapshot->time = 0.01 * static_cast<double>(step);
  snapshot->X_WB.resize(2);
  snapshot->X_WB[1].p.z() = height;
  snapshot->V_WB.resize(2);
  return snapshot;
}

TEST(ToldOutcomes, OfEveryTryWhateverItsModel) {
  Teleop teleop;
  std::vector<TaskOutcome> told;
  teleop.setOnChange([&] { told.push_back(teleop.task()->outcome()); });
  const auto first = boxModel(), second = boxModel();
  teleop.stepped(at(first, 0, 1));
  teleop.stepped(at(first, 1, 0.4));
  teleop.stepped(at(first, 2, 0.4));
  EXPECT_EQ(told, std::vector{TaskOutcome::Succeeded});
  EXPECT_EQ(teleop.task()->model(), first);
  teleop.stepped(at(second, 1, 1));
  teleop.stepped(at(second, 2, 0.4));
  const std::vector wanted{TaskOutcome::Succeeded, TaskOutcome::Running, TaskOutcome::Succeeded};
  EXPECT_EQ(told, wanted);
  EXPECT_EQ(teleop.task()->model(), second);
  // A reset of the same one.
  teleop.stepped(at(second, 0, 1));
  teleop.stepped(at(second, 1, 0.4));
  EXPECT_EQ(told.size(), 5u);
  EXPECT_EQ(told.back(), TaskOutcome::Succeeded);
}

}  // namespace
}  // namespace slipstick
