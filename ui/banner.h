// A line above the viewport that says what went wrong, until it is closed or something else is opened; where there is a
// way out, with a button for it.
#pragma once

#include <QLabel>
#include <QWidget>
#include <functional>

#include "ui/controls.h"

namespace slipstick::ui {

class Banner : public QWidget {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);
  void show(const QString& text);
  /// A button beside the text that is shown, until it is pressed or the text changes.
  /// @param otherwise  of a second one; empty: there is none
  void offer(const QString& action, std::function<void()> then, const QString& otherwise = {},
             std::function<void()> orElse = {});
  /// Hides where this is what it offers.
  void withdraw(const QString& action);
  bool offers() const { return !action_->isHidden(); }
  QString text() const { return text_->text(); }
  FlatButton& action() { return *action_; }
  FlatButton& otherwise() { return *otherwise_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* text_;
  FlatButton *action_, *otherwise_;
  std::function<void()> then_, orElse_;
};

}  // namespace slipstick::ui
