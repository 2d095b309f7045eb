// A card over the middle of the window while something takes long: what, how far, and a way out.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "ui/controls.h"
#include "ui/floating_card.h"
#include "ui/session.h"

namespace slipstick::ui {

/// Opening a scene, changing it, and going back to a past step. It comes a moment after either has begun, so that what is quick does
/// not flash; it lies over what is shown and moves nothing.
class ProgressCard : public FloatingCard {
  Q_OBJECT

 public:
  /// @param over  what it lies over and belongs to
  ProgressCard(Session& session, QWidget* over);
  QString text() const { return text_->text(); }
  /// 0 … 1, or below 0 where nobody knows.
  double fraction() const { return fraction_; }
  FlatButton& cancelButton() { return *cancel_; }

 private:
  void follow();
  void say(const QString& what, const LoadProgress::Report& report);
  void say(const QString& text, double fraction);
  void cancel();

  Session& session_;
  QString opening_;  ///< what is
  ThemedLabel* text_;
  FlatButton* cancel_;
  double fraction_ = -1;
  QTimer timer_;
  QElapsedTimer since_;  ///< it began; invalid while there is nothing to wait for
};

}  // namespace slipstick::ui
