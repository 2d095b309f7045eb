// A small window with every observable of a run and a filter: type, Return.
#pragma once

#include <QListWidget>

#include "engine/runtime/columns.h"
#include "ui/controls.h"

namespace slipstick::ui {

class ObservableChooser : public QWidget {
  Q_OBJECT

 public:
  ObservableChooser(std::vector<RunColumns::Name> names, QWidget* parent);
  Field& filter() { return *filter_; }
  QListWidget& list() { return *list_; }

 Q_SIGNALS:
  void chosen(slipstick::RunColumns::Name name);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void applyFilter(const QString& text);
  void choose(const QListWidgetItem* item);

  std::vector<RunColumns::Name> names_;
  Field* filter_;
  QListWidget* list_;
};

}  // namespace slipstick::ui
