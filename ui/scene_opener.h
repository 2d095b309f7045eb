// Opens scenes, robots and recordings in place of the open one.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <string>
#include <vector>

#include "ui/messages.h"
#include "ui/open_run.h"
#include "ui/scene_loader.h"
#include "ui/studio.h"

namespace slipstick::ui {

class SceneDocument;

class SceneOpener : public QObject {
  Q_OBJECT

 public:
  /// Takes a scene that is ready in place of the open one; sayOpened() on the way.
  using Adopt = std::function<void(OpenedScene scene)>;
  SceneOpener(const StudioServices& services, OpenRun& run, SceneDocument& document, Messages& messages,
              Adopt adopt);

  /// Asked before a scene that has been loaded takes the place of the open one: calls one of the two, at once or later.
  using Gate = std::function<void(std::function<void()> goOn, std::function<void()> stay)>;
  void setGate(Gate gate) { gate_ = std::move(gate); }
  /// Of scenes that are opened from now on, instead of the services' own.
  void setMakeStepper(MakeStepper makeStepper) { loader_.setMakeStepper(std::move(makeStepper)); }

  /// Loads off the UI thread; opened() or failed() follows. The old scene stays until the new one is ready.
  void open(const QString& nameOrPath);
  void cancel();
  bool isLoading() const { return loader_.isLoading(); }
  LoadProgress::Report progress() const { return loader_.progress(); }
  void reload();
  /// What was repaired, guessed or left out when the scene was loaded.
  const std::vector<Notice>& notices() const { return notices_; }
  void sayOpened() { Q_EMIT opened(notices_); }

 Q_SIGNALS:
  void loadingChanged(bool loading, QString what);
  void leaving();  ///< the open scene is about to be replaced by one that is ready
  void opened(std::vector<slipstick::Notice> notices);
  void openWanted(const QString& file);  ///< once edits are saved, or not wanted

 private:
  void finish(const std::string& source, Result<OpenedScene> result);
  void adopt(const std::string& source, OpenedScene scene);

  OpenRun& run_;
  SceneDocument& document_;
  Messages& messages_;
  Adopt adopt_;
  SceneLoader loader_;
  Gate gate_;
  std::string source_;
  std::vector<Notice> notices_;
};

}  // namespace slipstick::ui
