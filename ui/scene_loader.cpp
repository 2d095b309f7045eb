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

SceneLoader::~SceneLoader() {
  cancel();
}

void SceneLoader::load(const std::string& source) {
  if (!progress_) return start(source);
  progress_->cancel();
  waiting_ = source;
}

void SceneLoader::cancel() {
  waiting_.reset();
  if (progress_) progress_->cancel();
}

LoadProgress::Report SceneLoader::progress() const {
  return progress_ ? progress_->current() : LoadProgress::Report{};
}

void SceneLoader::start(const std::string& source) {
  progress_ = std::make_shared<LoadProgress>();
  worker_ = std::jthread([this, source, makeStepper = makeStepper_, progress = progress_] {
    // A std::function must be copyable, so the move-only result travels in a shared box.
    auto box = std::make_shared<Result<OpenedScene>>(guarded(ErrorCode::FileUnreadable, source, [&] {
      return openScene(services_, makeStepper, source, *progress, onPublish_);
    }));
    QMetaObject::invokeMethod(
        this, [this, source, box] { finish(source, std::move(*box)); }, Qt::QueuedConnection);
  });
}

void SceneLoader::finish(const std::string& source, Result<OpenedScene> result) {
  const bool wasCancelled = std::exchange(progress_, nullptr)->isCancelled();
  if (waiting_) return start(*std::exchange(waiting_, std::nullopt));
  if (!wasCancelled) onFinished_(source, std::move(result));
}

}  // namespace slipstick::ui
