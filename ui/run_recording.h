// The file that the steps of the open run go to, while somebody wants that.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>

#include "engine/runtime/run_sink.h"

namespace slipstick::ui {

class OpenRun;
class Session;

class RunRecording : public QObject {
  Q_OBJECT

 public:
  /// That is kept of what was not recorded, at most [s].
  static constexpr double kPast = 60;

  RunRecording(Session& session, OpenRun& run);

  bool isOn() const { return recorder_ != nullptr; }
  /// Of the recording that goes on, as of its last change.
  const RunRecorder::Status& status() const { return status_; }
  /// A name that nothing has, in the folder for recordings: scene, date and time. Requires an open scene.
  QString newFile() const;
  /// From the newest step on. @param file  replaced if it is there
  void start(const QString& file);
  /// What is done with the file, once it is closed, beside the window.
  using Finish = std::function<Result<void>(const std::string& file)>;
  /// On from now on: what a run is handed to that begins anew, see SimulationThread::startOver(). However it ends,
  /// `finish` follows, and Exports::writtenQuietly(). Requires that it is not on.
  std::shared_ptr<RunSink> prepare(const QString& file, Finish finish);
  /// Writes what waits beside the window; Exports::written() follows.
  void stop();
  void abandon();  ///< what was prepared and has not begun
  void toggle();
  /// The last minute of what was simulated on the branch looked at, beside the window.
  void keepPast(const QString& file);

 Q_SIGNALS:
  void changed();

 private:
  void poll();

  Session& session_;
  OpenRun& run_;  ///< hands its steps to the file
  std::shared_ptr<RunRecorder> recorder_;
  Finish finish_;  ///< unset: nothing more is done
  RunRecorder::Status status_;
  QTimer timer_;
};

}  // namespace slipstick::ui
