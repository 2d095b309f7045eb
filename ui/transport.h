// Playing, stepping and going back: what makes the time of the open run move.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "engine/model/scene.h"
#include "engine/runtime/run_sink.h"
#include "ui/messages.h"
#include "ui/number_editor.h"
#include "ui/open_run.h"
#include "ui/shown_moment.h"
#include "ui/studio.h"

namespace slipstick::ui {

class Playback;

class Transport : public QObject {
  Q_OBJECT

 public:
  Transport(const StudioServices& services, OpenRun& run, ShownMoment& moment, NumberEditor& numbers,
            Playback& playback, Messages& messages);

  /// Of another scene: its first error is told, whatever the one before said last.
  void begin() { lastError_.clear(); }

  /// Of the simulation where the newest step is shown; in the past, of what is stored.
  void togglePlay();
  void play();         ///< of the simulation, which is looked at from now on
  void pause();        ///< of either
  void stepForward();  ///< next stored step; at the newest one, computes one more
  void stepBack();
  void reset();
  /// See SimulationThread::startOver(); the numbers that were edited stay in force.
  void startOver(Scene scene, const QString& name, std::shared_ptr<RunSink> sink);
  void setSpeed(double speed);
  void changeSpeed(int notches);
  void runUntil(double time);
  /// See SimulationThread::runAtLeastUntil().
  void runAtLeastUntil(double time);

  bool canResume() const { return run_.isOpen() && !moment_.isLive(); }
  void resumeFromHere();
  /// See SimulationThread::resumeFrom(): as a run that has stepped beside this one.
  void goOnAs(BesideState state);
  bool isGoingBack() const { return run_.status().goingBack.has_value(); }
  void cancelGoingBack();

  /// The run was stopped by what computes it, and the CPU could go on.
  bool canGoOnOnCpu() const { return run_.status().backendFailed && services_.makeCpuStepper; }
  /// Goes on from the last state that is kept; scenes that are opened later run on the CPU too.
  void goOnOnCpu();

 Q_SIGNALS:
  void cpuOffered();   ///< goOnOnCpu() is a way out of what failed() has just said
  void wentOnOnCpu();  ///< goOnOnCpu() was called

 private:
  void poll();

  const StudioServices& services_;
  OpenRun& run_;
  ShownMoment& moment_;
  NumberEditor& numbers_;
  Playback& playback_;
  Messages& messages_;
  QTimer timer_;
  QString lastError_;
  RunStatus lastStatus_;  ///< that statusChanged() was last said of
};

}  // namespace slipstick::ui
