// How a thing is shown, as two rows of the inspector: whether, and in which colour.
#pragma once

#include <QAbstractButton>

#include "engine/facts/looks.h"
#include "ui/controls.h"
#include "ui/parameter_field.h"
#include "ui/session.h"

namespace slipstick::ui {

/// A small switch: filled with the accent while it is on.
class Switch : public QAbstractButton {
  Q_OBJECT

 public:
  explicit Switch(QWidget* parent = nullptr);
  QSize sizeHint() const override { return {32, 18}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
};

/// A colour, which a click lets one choose; a dash through it where every part has its own.
class ColorButton : public QAbstractButton {
  Q_OBJECT

 public:
  explicit ColorButton(QWidget* parent = nullptr);
  void setColor(const QColor& color);  ///< an invalid one: every part has its own
  const QColor& color() const { return color_; }
  QSize sizeHint() const override { return {74, 22}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QColor color_;
};

class LookFields : public QObject {
  Q_OBJECT

 public:
  LookFields(ThingName thing, Session& session, QObject* parent);
  Switch* visible() const { return visible_; }
  ColorButton* color() const { return color_; }
  ResetDot* visibleReset() const { return visibleReset_; }
  ResetDot* colorReset() const { return colorReset_; }
  void refresh();
  /// Gives the thing a colour, as the dialog does. @param gesture  those of one number are undone together
  void setColor(const QColor& color, int gesture = 0);

 private:
  void choose();
  void set(const LookSpec& look, const QString& what, int gesture = 0);

  ThingName thing_;
  Session& session_;
  Switch* visible_;
  ColorButton* color_;
  ResetDot *visibleReset_, *colorReset_;
};

}  // namespace slipstick::ui
