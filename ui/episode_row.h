// A try in the list: its pictures, which the pointer goes through, what has come of it, and what a person says of it.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
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

  using Pictures = Result<std::vector<StudioServices::EpisodePicture>>;
  /// Reads the pictures of a file beside the window, and hands them to `then` on its thread.
  using Read = std::function<void(const std::string& file, std::function<void(const Pictures&)> then)>;

  /// @param read  called when the row is first seen; empty: there are none
  EpisodeRow(const Episode& episode, Read read, QWidget* parent = nullptr);
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
  void take(const Pictures& read);

  Episode episode_;
  Read read_;
  bool isRead_ = false;
  int triesLeft_ = 10;
  EpisodeStrip* strip_;
  ThemedLabel *title_, *broken_;
  ChoiceList* outcome_;
  Field* note_;
  FlatButton *open_, *bin_;
};

}  // namespace slipstick::ui
