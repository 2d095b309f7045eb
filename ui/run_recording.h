// The file that the steps of the open run go to, while somebody wants that.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "engine/runtime/run_sink.h"

namespace slipstick::ui {

class Session;

class RunRecording : public QObject {
  Q_OBJECT

 public:
  /// That is kept of what was not recorded, at most [s].
  static constexpr double kPast = 60;

  explicit RunRecording(Session& session);

  bool isOn() const { return recorder_ != nullptr; }
  /// Of the recording that goes on, as of its last change.
  const RunRecorder::Status& status() const { return status_; }
  /// A name that nothing has, in the folder for recordings: scene, date and time. Requires an open scene.
  QString newFile() const;
  /// From the newest step on. @param file  replaced if it is there
  void start(const QString& file);
  /// Writes what waits beside the window; Exports::written() follows.
  void stop();
  void toggle();
  /// The last minute of what was simulated on the branch looked at, beside the window.
  void keepPast(const QString& file);

 Q_SIGNALS:
  void changed();

 private:
  void poll();

  Session& session_;
  std::shared_ptr<RunRecorder> recorder_;
  RunRecorder::Status status_;
  QTimer timer_;
};

}  // namespace slipstick::ui
