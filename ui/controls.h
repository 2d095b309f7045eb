// The few controls that the panels are made of.
#pragma once

#include <QAbstractButton>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <functional>
#include <limits>

namespace slipstick::ui {

/// Whether a key is for what has the focus and not for the window: Tab within a panel, arrows in lists, Space and Return on
/// buttons. For ShortcutOverride events of whatever holds controls.
bool isForFocus(const QKeyEvent& key);

/// A flat 29 px button with an icon, a text or both. `accent` fills it with the accent colour.
class FlatButton : public QAbstractButton {
  Q_OBJECT

 public:
  FlatButton(const QString& iconName, const QString& text, QWidget* parent = nullptr);
  void setIconName(const QString& name);
  const QString& iconName() const { return iconName_; }
  void setAccent(bool accent);
  void setQuiet(bool quiet);         ///< no ground of its own until the pointer is over it
  void setDot(const QColor& color);  ///< a small disc before the text; an invalid colour removes it
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QString iconName_;
  bool accent_ = false, quiet_ = false, hovered_ = false;
  QColor dot_;
};

/// A rounded label for facts in the menu bar.
class Chip : public QWidget {
  Q_OBJECT

 public:
  explicit Chip(QWidget* parent = nullptr);
  void setText(const QString& text);
  const QString& text() const { return text_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text_;
};

/// A line edit in which Tab and the studio's single-key shortcuts stay text editing.
class Field : public QLineEdit {
  Q_OBJECT

 public:
  explicit Field(const QString& placeholder = {}, QWidget* parent = nullptr);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
};

/// A number that a person may type, with its unit or without. What is typed into it is no shortcut of the window, but for
/// Space where nothing has been typed since Return: it plays. Escape takes back what was typed.
class NumberField : public Field {
  Q_OBJECT

 public:
  explicit NumberField(QWidget* parent = nullptr);
  /// Shows a value, unless the person is typing.
  void setValue(double value);
  /// Shows that there is no value, and in its place what is in force.
  void setUnset(const QString& inForce);
  /// That may stand behind a number that is typed; empty: none may.
  void setUnit(const QString& unit) { unit_ = unit; }
  /// Of the last setValue() or entered(); NaN where none is set.
  double value() const { return value_; }
  /// Takes what was typed, as Return and leaving do.
  void commit();

 Q_SIGNALS:
  void entered(double value);   ///< and not what it showed; may be infinite
  void cleared();               ///< the field was emptied
  void refused(QString typed);  ///< it is no number; the last value stands again
  void stepped(int notches, Qt::KeyboardModifiers modifiers);  ///< by the arrow keys

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showValue();
  QString textOf(double value) const;
  double value_ = std::numeric_limits<double>::quiet_NaN();
  QString unit_;
};

/// One line of text with tabular figures.
class ValueLabel : public QWidget {
  Q_OBJECT

 public:
  explicit ValueLabel(Qt::Alignment alignment = Qt::AlignRight, QWidget* parent = nullptr);
  void setText(const QString& text);
  const QString& text() const { return text_; }
  void setRole(QColor (*color)());  ///< colour read from the theme at paint time
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Qt::Alignment alignment_;
  QString text_;
  QColor (*color_)();
};

/// A label in one of the theme's text colours, read when it is painted, so that it follows a change of theme.
class ThemedLabel : public QLabel {
  Q_OBJECT

 public:
  ThemedLabel(const QString& text, QColor (*color)(), QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QColor (*color_)();
};

QColor textColor();
QColor secondaryColor();
QColor faintColor();

/// A dockable panel: a quiet header (title, subtitle, optional filter or buttons) over its content.
class Panel : public QDockWidget {
  Q_OBJECT

 public:
  Panel(const QString& title, const QString& name, QWidget* parent = nullptr);
  void setSubtitle(const QString& text);
  void addToHeader(QWidget* widget);
  /// Gives the focus to its content, or else to what Tab comes to first. @return whether anything takes it
  bool takeFocus();

 Q_SIGNALS:
  void wanted(bool shown);  ///< it has something to show now, or nothing any more

 protected:
  bool event(QEvent* event) override;

 private:
  QWidget* header_;
  ValueLabel* subtitle_;
};

}  // namespace slipstick::ui
