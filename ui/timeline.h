// Transport buttons, time, speed, history and the bar: the bottom of the window.
#pragma once

#include <QHBoxLayout>
#include <QMenu>
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
  FlatButton& playButton() { return *play_; }
  FlatButton& resumeButton() { return *resume_; }
  FlatButton& liveButton() { return *liveButton_; }
  FlatButton& branchButton() { return *branch_; }
  FlatButton& loopButton() { return *loop_; }
  FlatButton& recordButton() { return *record_; }
  /// What happened between two times, in words for a tooltip; empty where nothing did.
  QString eventsText(double from, double to) const;
  /// The tree of branches as of now: a click looks at one, submenus rename and delete. The button shows it.
  QMenu* branchMenu();

 protected:
  bool event(QEvent* event) override;

 private:
  void build();
  void explain();
  QHBoxLayout* buildRow();
  void connectSession();
  void askName(const BranchFacts& branch);
  void askToDelete(const BranchFacts& branch);
  void refreshMarks();
  void refreshSelected();
  void refreshRecording();
  void refresh();
  void enterTime();
  void enterSpeed();

  Session& session_;
  TimelineBar* bar_;
  FlatButton *toStart_, *back_, *play_, *forward_, *loop_, *record_, *branch_, *liveButton_, *resume_;
  Field *time_, *speed_;
  ValueLabel *step_, *measured_, *history_;
  std::uint64_t marksUntil_ = 0;  ///< marks of steps below this one are in the bar
  bool typedSpeed_ = false;       ///< and not only what the window has written there
  BranchId marksBranch_ = 0;      ///< whose they are …
  std::uint64_t marksJumps_ = 0;  ///< … and as of which jump
};

}  // namespace slipstick::ui
