// A parameter as a row of a panel: its name, which drags; its number; its unit; and the way back to the file's.
#pragma once

#include "ui/controls.h"
#include "ui/parameter_rows.h"
#include "ui/session.h"

namespace slipstick::ui {

/// The name of a number. Dragged sideways it says by how many notches of four pixels.
class DragLabel : public ThemedLabel {
  Q_OBJECT

 public:
  explicit DragLabel(const QString& text, QWidget* parent = nullptr);
  QSize minimumSizeHint() const override {
    return {90, sizeHint().height()};
  }  // cut before it widens the panel

 Q_SIGNALS:
  void pressed();
  void dragged(int notches, Qt::KeyboardModifiers modifiers);  ///< since pressed()

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  int pressedAt_ = 0, notches_ = 0;
};

/// A dot where a number differs from the scene's file; a click goes back.
class ResetDot : public QAbstractButton {
  Q_OBJECT

 public:
  explicit ResetDot(QWidget* parent = nullptr);
  QSize sizeHint() const override { return {13, 16}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// What becomes of a value [SI] by so many notches of its own size, rounded so that it stays short in the unit
/// that is shown, and kept in range.
/// @param modifiers  Shift: a tenth as far; Ctrl: ten times
double nudged(double value, int notches, Qt::KeyboardModifiers modifiers, const ParameterRow& row);

class ParameterField : public QObject {
  Q_OBJECT

 public:
  ParameterField(ParameterRow row, Session& session, QObject* parent);
  const ParameterRow& row() const { return row_; }
  // Its parts, for a layout that takes them over.
  DragLabel* label() const { return label_; }
  ResetDot* resetDot() const { return reset_; }
  NumberField* field() const { return field_; }
  QLabel* unit() const { return unit_; }
  bool isSet() const;
  void setVisible(bool visible);
  void refresh();

 private:
  void edit(const ParameterValue& value, int gesture = 0);
  void nudge(int notches, Qt::KeyboardModifiers modifiers);

  ParameterRow row_;
  Session& session_;
  DragLabel* label_;
  ResetDot* reset_;
  NumberField* field_;
  ThemedLabel* unit_;
  double draggedFrom_ = 0;  ///< [SI]
  int gesture_ = 0;
};

}  // namespace slipstick::ui
