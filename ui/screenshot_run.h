// `slipstick FILE --screenshot OUT.png --at T`: runs to a simulated time, saves a picture of the window,
// quits.
#pragma once

#include <QObject>

#include "ui/main_window.h"

namespace slipstick::ui {

class ScreenshotRun : public QObject {
  Q_OBJECT

 public:
  ScreenshotRun(MainWindow& window, QString file, double time);

  /// Fails where no picture could be written at all; call it before running anything.
  static Result<void> checkWritable(const QString& file);

 private:
  void begin();
  void check();
  void save();
  void quit(const Error& error);

  MainWindow& window_;
  QString file_;
  double time_;
  bool running_ = false, saving_ = false;
};

}  // namespace slipstick::ui
