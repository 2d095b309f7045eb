// Controls for a choice among a few: side by side, in a list that opens, and what may be on or off beside others.
#pragma once

#include <QAbstractButton>
#include <QComboBox>
#include <vector>

#include "ui/controls.h"

namespace slipstick::ui {

/// One of Segments, or a thing that is on or off: filled with the colour of what is selected while it is.
class Toggle : public QAbstractButton {
  Q_OBJECT

 public:
  explicit Toggle(const QString& text, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  /// Rounded at these sides only, where it stands in a row.
  void setRounded(bool left, bool right);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool left_ = true, right_ = true;
};

/// A row of which one is chosen.
class Segments : public QWidget {
  Q_OBJECT

 public:
  /// @param name  what is chosen, for people who cannot see it
  Segments(const QString& name, const QStringList& texts, QWidget* parent = nullptr);
  int index() const;
  void setIndex(int index);
  Toggle& button(int index) { return *buttons_[static_cast<std::size_t>(index)]; }

 Q_SIGNALS:
  void chosen(int index);

 private:
  std::vector<Toggle*> buttons_;
};

/// A list that opens.
class ChoiceList : public QComboBox {
  Q_OBJECT

 public:
  explicit ChoiceList(const QString& name, const QStringList& texts = {}, QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
};

/// Toggles one after the other, in as many lines as the width asks for.
class ToggleFlow : public QWidget {
  Q_OBJECT

 public:
  explicit ToggleFlow(QWidget* parent = nullptr);
  Toggle* add(const QString& text);
  const std::vector<Toggle*>& toggles() const { return toggles_; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return layOut(width, false); }
  QSize sizeHint() const override;

 Q_SIGNALS:
  void toggled();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  int layOut(int width, bool moves) const;
  std::vector<Toggle*> toggles_;
};

}  // namespace slipstick::ui
