// A try in the list: its pictures, which the pointer goes through, what has come of it, and what a person says of it.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <vector>

#include "ui/choices.h"
#include "ui/controls.h"
#include "ui/studio.h"

namespace slipstick::ui {

/// One picture of a try. Along its width the pointer goes through the time of the try; without it the last one is shown.
class EpisodeStrip : public QAbstractButton {
  Q_OBJECT

 public:
  explicit EpisodeStrip(QWidget* parent = nullptr);
  void setPictures(const std::vector<StudioServices::EpisodePicture>& pictures);
  std::size_t count() const { return pictures_.size(); }
  /// Simulated time of the picture shown [s]; 0 where there is none.
  double time() const { return pictures_.empty() ? 0 : pictures_[shown_].time; }
  QSize sizeHint() const override { return {112, 63}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void show(std::size_t index);
  struct Picture {
    double time = 0;
    QPixmap pixmap;
  };
  std::vector<Picture> pictures_;
  std::size_t shown_ = 0;
};

class EpisodeRow : public QWidget {
  Q_OBJECT

 public:
  using Episode = StudioServices::Episode;

  using Pictures = decltype(StudioServices::EpisodeFiles::pictures);

  /// @param pictures  reads them, beside the window, when the row is first seen
  EpisodeRow(const Episode& episode, Pictures pictures, QWidget* parent = nullptr);
  void setEpisode(const Episode& episode);
  const Episode& episode() const { return episode_; }
  EpisodeStrip& strip() { return *strip_; }
  ChoiceList& outcome() { return *outcome_; }
  Field& note() { return *note_; }
  FlatButton& openButton() { return *open_; }
  FlatButton& binButton() { return *bin_; }
  QString title() const { return title_->text(); }

 Q_SIGNALS:
  void openWanted();
  void binWanted();
  void outcomeChosen(slipstick::EpisodeOutcome outcome);
  void noted(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void build();
  void readPictures();
  void take(const Result<std::vector<StudioServices::EpisodePicture>>& read);

  Episode episode_;
  Pictures pictures_;
  bool isRead_ = false;
  int triesLeft_ = 10;
  EpisodeStrip* strip_;
  ThemedLabel *title_, *broken_;
  ChoiceList* outcome_;
  Field* note_;
  FlatButton *open_, *bin_;
};

}  // namespace slipstick::ui
