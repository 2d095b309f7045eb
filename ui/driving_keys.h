// Hands keys that drive arms to the keyboard device, before they are shortcuts of the window.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include "ui/driving.h"

namespace slipstick::ui {

class DrivingKeys : public QObject {
  Q_OBJECT

 public:
  /// Of keys that come to the window, while nothing in it takes text.
  DrivingKeys(Driving& driving, QWidget& window);

  bool eventFilter(QObject* receiver, QEvent* event) override;

 private:
  Driving& driving_;
  QWidget& window_;
  bool isTyped_ = false;  ///< the press under way went to what takes text, which may pass it on
};

}  // namespace slipstick::ui
