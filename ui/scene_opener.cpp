#include "ui/scene_opener.h"

#include "ui/scene_document.h"

namespace slipstick::ui {

SceneOpener::SceneOpener(const StudioServices& services, OpenRun& run, SceneDocument& document,
                         Messages& messages, Adopt adopt)
    : run_(run),
      document_(document),
      messages_(messages),
      adopt_(std::move(adopt)),
      loader_(services, run.publisher(), [this](const std::string& source, Result<OpenedScene> result) {
        finish(source, std::move(result));
      }) {}

void SceneOpener::open(const QString& nameOrPath) {
  loader_.load(nameOrPath.toStdString());
  Q_EMIT loadingChanged(true, nameOrPath);
}

void SceneOpener::cancel() {
  if (!isLoading()) return;
  loader_.cancel();
  document_.unwaive();
  Q_EMIT loadingChanged(false, {});
  messages_.tell(LogLevel::Info, tr("opening was cancelled"));
}

void SceneOpener::reload() {
  if (!run_.isOpen()) return;
  open(document_.file().isEmpty() ? QString::fromStdString(source_) : document_.file());
}

void SceneOpener::finish(const std::string& source, Result<OpenedScene> result) {
  Q_EMIT loadingChanged(false, {});
  if (!result) {
    document_.unwaive();
    Q_EMIT messages_.failed(result.error());
    return;
  }
  if (!gate_) return adopt(source, std::move(*result));
  const auto ready = std::make_shared<OpenedScene>(std::move(*result));
  gate_([this, source, ready] { adopt(source, std::move(*ready)); },
        [this, ready] { run_.retire(std::move(ready->simulation)); });
}

void SceneOpener::adopt(const std::string& source, OpenedScene scene) {
  if (run_.isOpen()) Q_EMIT leaving();
  source_ = source;
  notices_ = scene.notices;
  adopt_(std::move(scene));
}

}  // namespace slipstick::ui
