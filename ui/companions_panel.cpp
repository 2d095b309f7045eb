#include "ui/companions_panel.h"

#include <algorithm>

#include "ui/companions.h"
#include "ui/theme.h"

namespace slipstick::ui {

CompanionsPanel::CompanionsPanel(Session& session, QWidget* parent)
    : Panel(tr("Companions"), "companions", parent), session_(session) {
  buildHeader();
  buildSheet();
  Companions& companions = session_.companions();
  connect(add_, &FlatButton::clicked, &companions, &Companions::add);
  connect(&companions, &Companions::changed, this, &CompanionsPanel::rebuild);
  connect(&companions, &Companions::stepped, this, &CompanionsPanel::refresh);
  connect(&session_.opener(), &SceneOpener::opened, this, &CompanionsPanel::refresh);
  refresh();
}

void CompanionsPanel::buildHeader() {
  add_ = new FlatButton("plus", tr("Add"));
  add_->setToolTip(
      tr("Step the scene with another method or other numbers beside the run, under the same commands. "
         "Companions are not saved"));
  add_->setAccessibleName(tr("Add a companion"));
  add_->setFocusPolicy(Qt::TabFocus);
  addToHeader(add_);
}

void CompanionsPanel::buildSheet() {
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  sheet_ = new QVBoxLayout(content);
  sheet_->setContentsMargins(0, 0, 0, 0);
  sheet_->setSpacing(0);
  auto* hint =
      new ThemedLabel(tr("Up to four runs of the scene, with other methods or numbers, that step beside the "
                         "live one under the same commands: ghosts in the picture and curves in the plots "
                         "have their colours. They are not saved, and not recorded."),
                      faintColor);
  hint->setWordWrap(true);
  hint->setContentsMargins(kSpace * 3 / 2, 4, kSpace * 3 / 2, 6);
  sheet_->addWidget(hint);
  sheet_->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  setWidget(scroll);
}

/// Those that stay are the same widgets.
void CompanionsPanel::rebuild() {
  const auto& all = session_.companions().all();
  const std::size_t before = rows_.size();
  std::vector<CompanionRow*> rows;
  for (const Companions::Entry& entry : all) {
    const auto known = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const CompanionRow* row) { return row->id() == entry.id; });
    rows.push_back(known == rows_.end() ? new CompanionRow(entry.id, session_) : *known);
    sheet_->removeWidget(rows.back());
    sheet_->insertWidget(static_cast<int>(rows.size()), rows.back());  // below the hint
  }
  for (CompanionRow* row : rows_)
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) {
      row->hide();
      row->deleteLater();
    }
  rows_ = std::move(rows);
  setSubtitle(rows_.empty() ? QString() : tr("%1").arg(rows_.size()));
  refresh();
  if (rows_.size() > before || rows_.empty()) Q_EMIT wanted(!rows_.empty());
}

void CompanionsPanel::refresh() {
  for (CompanionRow* row : rows_) row->refresh();
  add_->setEnabled(session_.companions().canAdd());
}

}  // namespace slipstick::ui
