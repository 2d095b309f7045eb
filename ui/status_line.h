// The line at the very bottom: health of the shown step, iterations, time per phase, device. A click asks for more of it.
#pragma once

#include <QWidget>

#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

class StatusLine : public QWidget {
  Q_OBJECT

 public:
  explicit StatusLine(Session& session, QWidget* parent = nullptr);
  /// Health of the step shown, or the progress of going back.
  const QString& health() const { return health_; }
  /// What the picture leaves out for speed; empty: nothing.
  void setEffectsOff(std::string_view without);
  /// What computes the steps.
  const QString& device() const { return device_; }

 Q_SIGNALS:
  void clicked();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void refresh();

  Session& session_;
  QString health_, facts_, device_, effects_;
  QColor (*healthColor_)();
};

}  // namespace slipstick::ui
