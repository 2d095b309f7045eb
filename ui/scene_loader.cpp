#include "ui/scene_loader.h"

namespace slipstick::ui {
namespace {

Result<OpenedScene> openScene(const StudioServices& services, const MakeStepper& makeStepper,
                              const std::string& source, const std::function<void()>& onPublish) {
  LoadProgress progress;
  auto loaded = services.load(source, progress);
  if (!loaded) return loaded.error();
  auto simulation = SimulationThread::create(loaded->model, makeStepper, onPublish);
  if (!simulation) return simulation.error();
  return OpenedScene{std::move(simulation).value(), std::move(loaded->notices)};
}

}  // namespace

SceneLoader::SceneLoader(const StudioServices& services, std::function<void()> onPublish, Finished onFinished)
    : services_(services),
      makeStepper_(services.makeStepper),
      onPublish_(std::move(onPublish)),
      onFinished_(std::move(onFinished)) {}

void SceneLoader::load(const std::string& source) {
  if (loading_)
    waiting_ = source;
  else
    start(source);
}

void SceneLoader::start(const std::string& source) {
  loading_ = true;
  worker_ = std::jthread([this, source, makeStepper = makeStepper_] {
    // A std::function must be copyable, so the move-only result travels in a shared box.
    auto box = std::make_shared<Result<OpenedScene>>(openScene(services_, makeStepper, source, onPublish_));
    QMetaObject::invokeMethod(
        this, [this, source, box] { finish(source, std::move(*box)); }, Qt::QueuedConnection);
  });
}

void SceneLoader::finish(const std::string& source, Result<OpenedScene> result) {
  loading_ = false;
  if (waiting_) {
    const std::string next = *std::exchange(waiting_, std::nullopt);
    start(next);
    return;
  }
  onFinished_(source, std::move(result));
}

}  // namespace slipstick::ui
