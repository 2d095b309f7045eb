// A line above the viewport that says what went wrong, until it is closed or something else is opened; where there is a
// way out, with a button for it.
#pragma once

#include <QLabel>
#include <QWidget>

#include "ui/controls.h"

namespace slipstick::ui {

class Banner : public QWidget {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);
  void show(const QString& text);
  /// A button beside the text that is shown, until it is pressed or the text changes.
  void offer(const QString& action);
  bool offers() const { return !action_->isHidden(); }
  QString text() const { return text_->text(); }
  FlatButton& action() { return *action_; }

 Q_SIGNALS:
  void accepted();  ///< what was offered

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* text_;
  FlatButton* action_;
};

}  // namespace slipstick::ui
