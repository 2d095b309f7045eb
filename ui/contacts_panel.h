// Dock with the live contacts table: filter, sums, click a row ↔ arrow in the viewport, CSV export.
#pragma once

#include <QTableView>

#include "ui/contact_table.h"
#include "ui/controls.h"

namespace slipstick::ui {

class ContactsPanel : public Panel {
  Q_OBJECT

 public:
  explicit ContactsPanel(Session& session, QWidget* parent = nullptr);
  ContactTable& table() { return *table_; }
  QTableView& view() { return *view_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void buildTable();
  void sizeColumns();
  void fitPoint();
  void refresh();
  void follow();
  void click(const QModelIndex& index);
  void selectRow(const QModelIndex& index);  ///< by the arrow keys
  void exportCsv();

  Session& session_;
  ContactTable* table_;
  QTableView* view_;
  int numbersWidth_ = 0;  ///< of all columns but the pair
  QPoint pressedAt_;      ///< in the table
  QTimer refreshTimer_;
};

}  // namespace slipstick::ui
