// Dock with what the studio had to say: load reports, errors, files written. Filtered by words and by level, copied,
// cleared.
#pragma once

#include <QListWidget>
#include <array>

#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

/// Shows or hides the messages of one level, and says how many there are.
class LevelButton : public QAbstractButton {
  Q_OBJECT

 public:
  explicit LevelButton(LogLevel level, QWidget* parent = nullptr);
  void setCount(int count);
  int count() const { return count_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  LogLevel level_;
  int count_ = 0;
};

class LogPanel : public Panel {
  Q_OBJECT

 public:
  explicit LogPanel(Session& session, QWidget* parent = nullptr);
  QListWidget& list() { return *list_; }
  LevelButton& levelButton(LogLevel level) { return *levels_[static_cast<std::size_t>(level)]; }
  /// What is selected, or else all that the filters let through: a line each, with its time and level.
  QString text() const;
  void copy();
  void clear();

 private:
  void buildHeader();
  void buildList();
  void add(LogLevel level, const QString& text);
  void trim();
  void remove(int row);
  bool matches(const QListWidgetItem& item) const;
  void applyFilter();

  QListWidget* list_;
  Field* filter_;
  std::array<LevelButton*, 3> levels_{};
  bool follows_ = true;  ///< its end, until somebody scrolls up
};

}  // namespace slipstick::ui
