// A line above the viewport that says what went wrong, until it is closed or something else is opened.
#pragma once

#include <QLabel>
#include <QWidget>

namespace slipstick::ui {

class Banner : public QWidget {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);
  void show(const QString& text);
  QString text() const { return text_->text(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* text_;
};

}  // namespace slipstick::ui
