// Dock with what the studio had to say: load reports, errors, files written. Filterable.
#pragma once

#include <QListWidget>

#include "engine/foundation/result.h"
#include "ui/controls.h"

namespace slipstick::ui {

class LogPanel : public Panel {
  Q_OBJECT

 public:
  enum class Level { Info, Warning, Error };

  explicit LogPanel(QWidget* parent = nullptr);
  void add(Level level, const QString& text);
  QListWidget& list() { return *list_; }

 private:
  bool matches(const QListWidgetItem& item) const;

  QListWidget* list_;
  Field* filter_;
};

}  // namespace slipstick::ui
