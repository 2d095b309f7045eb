// Dock for tries at the scene's task: the one that goes on, and those that were recorded.
#pragma once

#include <QScrollArea>
#include <QVBoxLayout>
#include <vector>

#include "ui/beside.h"
#include "ui/episode_row.h"
#include "ui/episodes.h"
#include "ui/session.h"

namespace slipstick::ui {

class EpisodesPanel : public Panel {
  Q_OBJECT

 public:
  explicit EpisodesPanel(Session& session, QWidget* parent = nullptr);
  FlatButton& beginButton() { return *begin_; }  ///< begins a try, or keeps the one that goes on
  FlatButton& discardButton() { return *discard_; }
  FlatButton& addButton() { return *add_; }
  FlatButton& exportButton() { return *export_; }
  const std::vector<EpisodeRow*>& rows() const { return rows_; }  ///< the newest first
  /// What goes on, or what can be done.
  const QString& hint() const { return hintText_; }

 private:
  void buildHeader();
  void buildSheet();
  void refresh();
  void refreshHint();
  void rebuild();
  EpisodeRow* add(const StudioServices::Episode& episode);
  EpisodeRow::Read reader();
  void chooseFolder();
  void chooseExport();

  Session& session_;
  FlatButton *begin_, *discard_, *add_, *export_;
  ThemedLabel *hint_, *count_;
  QString hintText_;
  QVBoxLayout* sheet_;
  std::vector<EpisodeRow*> rows_;
  Beside<std::vector<StudioServices::EpisodePicture>> reading_;  ///< pictures of rows
};

}  // namespace slipstick::ui
