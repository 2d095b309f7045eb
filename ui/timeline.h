// Transport buttons, time, speed, history and the bar: the bottom of the window.
#pragma once

#include <QHBoxLayout>
#include <QWidget>

#include "ui/controls.h"
#include "ui/session.h"
#include "ui/timeline_bar.h"

namespace slipstick::ui {

class Timeline : public QWidget {
  Q_OBJECT

 public:
  explicit Timeline(Session& session, QWidget* parent = nullptr);
  TimelineBar& bar() { return *bar_; }
  FlatButton& resumeButton() { return *resume_; }
  FlatButton& liveButton() { return *liveButton_; }

 private:
  void build();
  void explain();
  QHBoxLayout* buildRow();
  void connectSession();
  void refreshMarks();
  void refresh();
  void enterTime();
  void enterSpeed();

  Session& session_;
  TimelineBar* bar_;
  FlatButton *toStart_, *back_, *play_, *forward_, *liveButton_, *resume_;
  Field *time_, *speed_;
  ValueLabel *step_, *measured_, *history_, *branch_;
  std::uint64_t marksUntil_ = 0;  ///< marks of steps below this one are in the bar
  std::uint32_t marksBranch_ = 0;
};

}  // namespace slipstick::ui
