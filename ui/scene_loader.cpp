#include "ui/scene_loader.h"

#include "engine/foundation/guarded.h"

namespace slipstick::ui {
namespace {

Result<OpenedScene> openScene(const StudioServices& services, const MakeStepper& makeStepper,
                              const std::string& source, LoadProgress& progress,
                              const std::function<void()>& onPublish) {
  // Before it is read: what is written from now on is another one.
  const QString file = QString::fromStdString(source);
  const FileState state = isSceneFile(file) ? FileState::of(file) : FileState{};
  auto loaded = services.load(source, progress);
  if (!loaded) return loaded.error();
  if (progress.isCancelled()) return cancelledLoad(source);
  auto simulation = SimulationThread::create(loaded->model, makeStepper, onPublish);
  if (!simulation) return simulation.error();
  return OpenedScene{std::move(simulation).value(), std::move(loaded->notices),
                     state.exists ? std::optional(state) : std::nullopt, std::move(loaded->stored)};
}

}  // namespace

SceneLoader::SceneLoader(const StudioServices& services, std::function<void()> onPublish, Finished onFinished)
    : services_(services),
      makeStepper_(services.makeStepper),
      onPublish_(std::move(onPublish)),
      onFinished_(std::move(onFinished)) {}

void SceneLoader::load(const std::string& source) {
  cancel();
  progress_ = std::make_shared<LoadProgress>();
  const auto read = [this, source, makeStepper = makeStepper_,
                     progress = progress_](const std::stop_token&) -> Result<OpenedScene> {
    if (progress->isCancelled()) return cancelledLoad(source);  // before its turn
    return openScene(services_, makeStepper, source, *progress, onPublish_);
  };
  loading_.start(ErrorCode::FileUnreadable, source, read,
                 [this, source](Result<OpenedScene> scene) { onFinished_(source, std::move(scene)); });
}

void SceneLoader::cancel() {
  if (progress_) progress_->cancel();
  loading_.cancel();
}

LoadProgress::Report SceneLoader::progress() const {
  return isLoading() ? progress_->current() : LoadProgress::Report{};
}

}  // namespace slipstick::ui
