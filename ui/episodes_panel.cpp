#include "ui/episodes_panel.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QStandardPaths>
#include <algorithm>

#include "ui/driving.h"
#include "ui/episode_list.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {

EpisodesPanel::EpisodesPanel(Session& session, QWidget* parent)
    : Panel(tr("Tries"), "tries", parent), session_(session) {
  buildHeader();
  buildSheet();
  Episodes& episodes = session_.episodes();
  connect(begin_, &FlatButton::clicked, &episodes, &Episodes::keep);
  connect(discard_, &FlatButton::clicked, &episodes, &Episodes::discard);
  connect(add_, &FlatButton::clicked, this, &EpisodesPanel::chooseFolder);
  connect(export_, &FlatButton::clicked, this, &EpisodesPanel::chooseExport);
  connect(&episodes, &Episodes::changed, this, &EpisodesPanel::refresh);
  connect(&episodes, &Episodes::changed, this, [this, &episodes] {
    if (episodes.isOn()) Q_EMIT wanted(true);
  });
  connect(&session_.episodeList(), &EpisodeList::listChanged, this, &EpisodesPanel::rebuild);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, &EpisodesPanel::refreshHint);
  connect(&session_.run(), &OpenRun::statusChanged, this, &EpisodesPanel::refreshHint);
  refresh();
}

void EpisodesPanel::buildHeader() {
  begin_ = new FlatButton("record", {});
  discard_ = new FlatButton({}, tr("Discard"));
  discard_->setToolTip(
      tr("The try was nothing: it stays in the list, and out of what is exported (Backspace)"));
  for (FlatButton* button : {begin_, discard_}) {
    button->setFocusPolicy(Qt::TabFocus);
    addToHeader(button);
  }
}

void EpisodesPanel::buildSheet() {
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  hint_ = new ThemedLabel({}, secondaryColor);
  hint_->setContentsMargins(kSpace * 3 / 2, 4, kSpace * 3 / 2, 6);
  hint_->setWordWrap(true);
  column->addWidget(hint_);
  auto* list = new QWidget;
  list->setAutoFillBackground(true);
  list->setBackgroundRole(QPalette::Base);
  sheet_ = new QVBoxLayout(list);
  sheet_->setContentsMargins(0, 0, 0, 0);
  sheet_->setSpacing(0);
  sheet_->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(list);
  column->addWidget(scroll, 1);
  count_ = new ThemedLabel({}, faintColor);
  count_->setContentsMargins(kSpace * 3 / 2, 6, kSpace * 3 / 2, 0);
  column->addWidget(count_);
  add_ = new FlatButton("folder", tr("Add…"));
  add_->setToolTip(tr("Copy tries at this task out of another folder"));
  export_ = new FlatButton("export", tr("Export…"));
  export_->setToolTip(
      tr("Write all that are not discarded into one file that policies are trained on (robomimic)"));
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(kSpace * 3 / 2, 6, kSpace * 3 / 2, 6);
  foot->setSpacing(kSpace);
  for (FlatButton* button : {add_, export_}) {
    button->setFocusPolicy(Qt::TabFocus);
    foot->addWidget(button);
  }
  foot->addStretch(1);
  column->addLayout(foot);
  setWidget(content);
}

void EpisodesPanel::refresh() {
  const Episodes& episodes = session_.episodes();
  const bool isOn = episodes.isOn(), canTry = episodes.canTry();
  begin_->setText(isOn ? tr("Keep") : tr("Begin"));
  begin_->setIconName(isOn ? QString() : QString("record"));
  begin_->setToolTip(isOn ? tr("The try is done, and well (Return while you drive)")
                          : tr("Draw the start anew and record from there (Return while you drive)"));
  begin_->setAccent(isOn);
  begin_->setEnabled(isOn || canTry);
  discard_->setEnabled(isOn);
  add_->setEnabled(canTry);
  const auto& list = session_.episodeList().list();
  const auto successes = std::count_if(list.begin(), list.end(), [](const auto& episode) {
    return episode.outcome == EpisodeOutcome::Success;
  });
  export_->setEnabled(!isOn && !list.empty());
  count_->setText(list.empty() ? QString()
                               : tr("%1 recorded, %2 of them successes").arg(list.size()).arg(successes));
  count_->setVisible(!list.empty());
  refreshHint();
}

void EpisodesPanel::refreshHint() {
  const Episodes& episodes = session_.episodes();
  const bool hasTask = session_.isOpen() && session_.run().newestModel()->task;
  if (!hasTask)
    hintText_ = tr("This scene asks for nothing: scenes with a task, such as flatten_dough, can be tried");
  else if (episodes.isOn())
    hintText_ = tr("Try with seed %1, %2 s: Return keeps it, Backspace discards it, R draws another")
                    .arg(episodes.seed())
                    .arg(number(session_.moment().newestTime(), 1));
  else if (!episodes.canTry())
    hintText_ = tr("This is one try, as it was drawn: open the scene itself to make more");
  else if (session_.driving().isOn())
    hintText_ = tr("Return draws a new start and records from there; a try ends when its task is decided");
  else
    hintText_ =
        tr("Drive (Ctrl+D), then Return begins a try: the start is drawn anew, and all of it recorded");
  hint_->setText(hintText_);
}

void EpisodesPanel::rebuild() {
  const auto& list = session_.episodeList().list();
  if (list.empty()) reading_.cancel();  // pictures of another scene's tries
  std::vector<EpisodeRow*> rows;
  for (auto episode = list.rbegin(); episode != list.rend(); ++episode) {
    const auto known = std::find_if(rows_.begin(), rows_.end(), [&](const EpisodeRow* row) {
      return row->episode().file == episode->file;
    });
    if (known == rows_.end()) {
      rows.push_back(add(*episode));
      continue;
    }
    if (!((*known)->episode() == *episode)) (*known)->setEpisode(*episode);
    rows.push_back(*known);
    rows_.erase(known);
  }
  for (EpisodeRow* row : rows_) row->deleteLater();  // its file is gone
  for (EpisodeRow* row : rows_) sheet_->removeWidget(row);
  rows_ = std::move(rows);
  for (std::size_t i = 0; i < rows_.size(); ++i) sheet_->insertWidget(static_cast<int>(i), rows_[i]);
  refresh();
}

/// Of pictures; empty where there is nothing that reads them.
EpisodeRow::Read EpisodesPanel::reader() {
  const auto pictures = session_.services().episodes.pictures;
  if (!pictures) return {};
  return [this, pictures](const std::string& file, std::function<void(const EpisodeRow::Pictures&)> then) {
    const auto work = [pictures, file](const std::stop_token& stop) -> EpisodeRow::Pictures {
      if (stop.stop_requested()) return std::vector<StudioServices::EpisodePicture>();
      return pictures(file);
    };
    reading_.start(ErrorCode::FileUnreadable, file, work, std::move(then));
  };
}

EpisodeRow* EpisodesPanel::add(const StudioServices::Episode& episode) {
  auto* row = new EpisodeRow(episode, reader());
  EpisodeList& list = session_.episodeList();
  const QString file = QString::fromStdString(episode.file);
  connect(row, &EpisodeRow::openWanted, this, [this, file] { Q_EMIT session_.opener().openWanted(file); });
  connect(row, &EpisodeRow::binWanted, &list, [&list, file] { list.moveToBin(file); });
  connect(row, &EpisodeRow::outcomeChosen, &list,
          [&list, file](EpisodeOutcome outcome) { list.setOutcome(file, outcome); });
  connect(row, &EpisodeRow::noted, &list, [&list, file](const QString& text) { list.setNote(file, text); });
  return row;
}

void EpisodesPanel::chooseFolder() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("Add tries from a folder"),
                                        QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  if (!folder.isEmpty()) session_.episodeList().addFrom(folder);
}

void EpisodesPanel::chooseExport() {
  const QString name = QString::fromStdString(session_.run().newestModel()->name) + ".hdf5";
  const QString file = QFileDialog::getSaveFileName(
      this, tr("Export demonstrations"),
      QDir(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)).filePath(name),
      tr("Demonstrations (*.hdf5)"));
  if (!file.isEmpty()) session_.episodeList().exportTo(file);
}

}  // namespace slipstick::ui
