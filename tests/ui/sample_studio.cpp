#include "tests/ui/sample_studio.h"

#include <QElapsedTimer>
#include <QTest>
#include <chrono>
#include <thread>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/foundation/stopping.h"
#include "engine/model/state.h"
#include "tests/support/ground.h"
#include "tests/support/initial_state.h"
#include "tests/support/stepping.h"

namespace slipstick::testing {
namespace {

/// Moves no physics: counts time, applies commands, and shows the sample world of that time.
class SampleStepper : public Stepper {
 public:
  using Show = std::function<std::shared_ptr<const Snapshot>(double time)>;
  SampleStepper(std::shared_ptr<const Model> model, Show show, std::shared_ptr<SampleControl> control)
      : model_(std::move(model)),
        show_(std::move(show)),
        control_(std::move(control)),
        state_(testing::initialState(*model_)) {}
  std::string_view method() const override { return "sample"; }
  std::string_view backendName() const override { return "sample"; }
  std::string runsOn() const override { return "CPU · sample"; }

  StepReport step(std::span<const Command> commands, Snapshot& snapshot, Detail detail,
                  const std::stop_token& stop) override {
    ++control_->stepsBegun;
    before_ = state_;
    for (const Command& command : commands) apply(command, *model_, state_);
    {
      const std::scoped_lock lock(control_->mutex);
      control_->commands.insert(control_->commands.end(), commands.begin(), commands.end());
    }
    constexpr int kSlice_ms = 5;  // a test may end the step early
    for (int waited = 0; waited < control_->stepSleep_ms; waited += kSlice_ms) {
      if (stop.stop_requested()) state_ = before_;
      throwIfStopped(stop);
      std::this_thread::sleep_for(std::chrono::milliseconds(kSlice_ms));
    }
    ++state_.step;
    state_.time = static_cast<double>(state_.step) * model_->time.dt;
    observe(snapshot, detail);
    return snapshot.report;
  }

  void observe(Snapshot& snapshot, Detail) override {
    snapshot = *show_(state_.time);
    snapshot.step = state_.step;
    snapshot.stateHash = hashOf(state_);
  }
  void save(State& state) const override { state = state_; }
  void restore(const State& state) override { state_ = state; }
  void takeBack() noexcept override { std::swap(state_, before_); }

 private:
  std::shared_ptr<const Model> model_;
  Show show_;
  std::shared_ptr<SampleControl> control_;
  State state_, before_;
};

/// A crate that falls onto the ground; compiled from a scene, so that it can be edited, and really simulated.
std::shared_ptr<const Model> editableScene() {
  Scene scene;
  scene.name = "editable";
  const Pose X_WB{Mat3::Identity(), {0, 0, 0.2}};
  scene.robots = {ground(),
                  floatingBody("crate", shape::Box{Vec3::Constant(0.1)}, 500, X_WB, {1, 1, 1, 1}).value()};
  return compile(scene).value().model;
}

}  // namespace

ui::StudioServices sampleServices(std::shared_ptr<SampleControl> control) {
  const SampleWorld world = sampleWorld();
  const RigidWorld crates = rigidWorld();
  const SoftWorld soft = softWorld(16);
  ui::StudioServices services;
  services.load = [=](const std::string& name, LoadProgress&) -> Result<ui::StudioServices::Loaded> {
    if (name == "crates") return ui::StudioServices::Loaded{crates.model, {}};
    if (name == "soft") return ui::StudioServices::Loaded{soft.model, {}};
    if (name == "editable") return ui::StudioServices::Loaded{editableScene(), {}};
    if (name != "sample")
      return Error{ErrorCode::FileNotFound, "the file does not exist", name, "check the path"};
    return ui::StudioServices::Loaded{
        world.model,
        {{Notice::Level::Warning, "sample.yaml:3", "mesh 'hand.stl' is missing, drawn as a box"}}};
  };
  services.makeStepper = [=](std::shared_ptr<const Model> model) -> Result<std::unique_ptr<Stepper>> {
    if (model->scene) return stepping().makeStepper(model, StepperOptions{.threads = 1});
    SampleStepper::Show show = [world](double time) { return sampleSnapshot(world, time); };
    if (model == soft.model) show = [soft](double time) { return softSnapshot(soft, time); };
    if (model == crates.model) show = [crates](double time) { return rigidSnapshot(crates, time); };
    return std::unique_ptr<Stepper>(std::make_unique<SampleStepper>(model, show, control));
  };
  services.shippedScenes = {{"sample", "Two arms hold a pin over dough", "sample.yaml"}};
  services.openableSuffixes = {"yaml", "urdf"};
  services.deviceLine = "CPU · sample";
  return services;
}

bool eventually(const std::function<bool()>& condition) {
  constexpr int kPatience_ms = 60000;  // with sanitizers on a busy machine
  QElapsedTimer clock;
  clock.start();
  while (!condition()) {
    if (clock.elapsed() > kPatience_ms) return false;
    QTest::qWait(10);
  }
  return true;
}

SampleWindow::SampleWindow(QSize size, const QString& scene)
    : window_(sampleServices(control_), size, false) {
  window_.show();
  window_.session().opener().open(scene);
  SIM_REQUIRE(eventually([this] { return window_.session().isOpen(); }));
  QApplication::setActiveWindow(&window_);
  SIM_REQUIRE(QTest::qWaitForWindowExposed(&window_));
}

void SampleWindow::runTo(double time) {
  session().transport().runUntil(time);
  SIM_REQUIRE(eventually([this] { return !session().run().status().playing; }));
  session().moment().goLive();
}

std::vector<double> SampleWindow::frictionCommands(int geometry) {
  const std::string path = frictionPath(*session().model(), geometry);
  const std::scoped_lock lock(control_->mutex);
  std::vector<double> values;
  for (const Command& command : control_->commands)
    if (const auto* set = std::get_if<SetParameter>(&command); set && set->path == path)
      values.push_back(set->value.at(0));
  return values;
}

}  // namespace slipstick::testing
