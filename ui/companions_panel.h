// Dock for the runs that step beside the open one.
#pragma once

#include <QScrollArea>
#include <QVBoxLayout>
#include <vector>

#include "ui/companion_row.h"
#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

class CompanionsPanel : public Panel {
  Q_OBJECT

 public:
  explicit CompanionsPanel(Session& session, QWidget* parent = nullptr);
  FlatButton& addButton() { return *add_; }
  const std::vector<CompanionRow*>& rows() const { return rows_; }  ///< as Companions::all()

 private:
  void buildHeader();
  void buildSheet();
  void rebuild();
  void refresh();

  Session& session_;
  FlatButton* add_;
  QVBoxLayout* sheet_;
  std::vector<CompanionRow*> rows_;
};

}  // namespace slipstick::ui
