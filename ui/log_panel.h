// Dock with what the studio had to say: load reports, errors, files written. Filterable.
#pragma once

#include <QListWidget>

#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

class LogPanel : public Panel {
  Q_OBJECT

 public:
  explicit LogPanel(Session& session, QWidget* parent = nullptr);
  QListWidget& list() { return *list_; }

 private:
  void add(LogLevel level, const QString& text);
  bool matches(const QListWidgetItem& item) const;

  QListWidget* list_;
  Field* filter_;
};

}  // namespace slipstick::ui
