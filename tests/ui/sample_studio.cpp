#include "tests/ui/sample_studio.h"

#include <QElapsedTimer>
#include <QTest>
#include <chrono>
#include <thread>

#include "engine/model/state.h"

namespace slipstick::testing {
namespace {

/// Moves no physics: counts time, applies commands, and shows the sample world of that time.
class SampleStepper : public Stepper {
 public:
  SampleStepper(SampleWorld world, std::shared_ptr<SampleControl> control)
      : world_(std::move(world)), control_(std::move(control)) {}
  std::string_view method() const override { return "sample"; }
  std::string_view backendName() const override { return "sample"; }

  StepReport step(State& state, std::span<const Command> commands, Snapshot& snapshot) override {
    ++control_->stepsBegun;
    for (const Command& command : commands) apply(command, *world_.model, state);
    {
      const std::scoped_lock lock(control_->mutex);
      control_->commands.insert(control_->commands.end(), commands.begin(), commands.end());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(control_->stepSleep_ms));
    ++state.step;
    state.time = static_cast<double>(state.step) * world_.model->time.dt;
    observe(state, snapshot);
    return snapshot.report;
  }

  void observe(const State& state, Snapshot& snapshot) override {
    snapshot = *sampleSnapshot(world_, state.time);
    snapshot.step = state.step;
    snapshot.stateHash = hashOf(state);
  }

 private:
  SampleWorld world_;
  std::shared_ptr<SampleControl> control_;
};

}  // namespace

ui::StudioServices sampleServices(std::shared_ptr<SampleControl> control) {
  const SampleWorld world = sampleWorld();
  ui::StudioServices services;
  services.load = [world](const std::string& name) -> Result<ui::StudioServices::Loaded> {
    if (name != "sample")
      return Error{ErrorCode::FileNotFound, "the file does not exist", name, "check the path"};
    return ui::StudioServices::Loaded{
        world.model,
        {{Notice::Level::Warning, "sample.yaml:3", "mesh 'hand.stl' is missing, drawn as a box"}}};
  };
  services.makeStepper = [world, control](std::shared_ptr<const Model>) -> Result<std::unique_ptr<Stepper>> {
    return std::unique_ptr<Stepper>(std::make_unique<SampleStepper>(world, control));
  };
  services.shippedScenes = {{"sample", "Two arms hold a pin over dough", "sample.yaml"}};
  services.deviceLine = "CPU · sample";
  return services;
}

bool eventually(const std::function<bool()>& condition) {
  constexpr int kPatience_ms = 20000;
  QElapsedTimer clock;
  clock.start();
  while (!condition()) {
    if (clock.elapsed() > kPatience_ms) return false;
    QTest::qWait(10);
  }
  return true;
}

SampleWindow::SampleWindow(QSize size) : window_(sampleServices(control_), size, false) {
  window_.show();
  window_.session().open("sample");
  SIM_REQUIRE(eventually([this] { return window_.session().isOpen(); }));
  QApplication::setActiveWindow(&window_);
  SIM_REQUIRE(QTest::qWaitForWindowExposed(&window_));
}

void SampleWindow::runTo(double time) {
  session().runUntil(time);
  SIM_REQUIRE(eventually([this] { return !session().status().playing; }));
  session().goLive();
}

std::vector<double> SampleWindow::frictionCommands(int geometry) {
  const std::scoped_lock lock(control_->mutex);
  std::vector<double> values;
  for (const Command& command : control_->commands)
    if (const auto* set = std::get_if<SetFriction>(&command); set && set->geometry == geometry)
      values.push_back(set->friction);
  return values;
}

}  // namespace slipstick::testing
