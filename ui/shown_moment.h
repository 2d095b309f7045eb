// Which moment of which branch the window shows.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/model/snapshot.h"
#include "engine/runtime/run_source.h"
#include "ui/messages.h"
#include "ui/open_run.h"

namespace slipstick::ui {

class ShownMoment : public QObject {
  Q_OBJECT

 public:
  ShownMoment(OpenRun& run, Messages& messages);

  /// Of a scene that has just been opened: its newest step, or the first one of a recording.
  void begin();
  /// Looks at the live run of another simulation from now on; begin() says at what of it.
  void leave();

  std::shared_ptr<const Snapshot> shown() const { return shown_; }  ///< null when no scene is open
  /// Of the step shown: an edit of the scene gives later steps another one. Null when no scene is open.
  std::shared_ptr<const Model> model() const { return shown_ ? shown_->model : nullptr; }
  /// The scene is a robot that stands still by itself: nothing else wants to move.
  bool isRobotViewer() const;
  /// What the picture on the screen shows: shown() as soon as it is drawn. What states a time beside the picture reads
  /// it here.
  std::shared_ptr<const Snapshot> presented() const { return presented_; }
  void setPresented(std::shared_ptr<const Snapshot> snapshot);
  bool isLive() const { return live_; }  ///< the newest step is shown, not a chosen one

  /// What the window looks at: the live run or another branch. Requires an open scene.
  const RunSource& source() const;
  /// It is a branch that the simulation does not go on with, or the recording that was opened.
  bool isElsewhere() const { return lookedAt_ != nullptr; }
  /// It is the recording that was opened, and not what was simulated since.
  bool showsStored() const { return run_.stored() && lookedAt_ == run_.stored(); }
  /// The same, for those who read it on other threads: it outlives the scene. Null when none is open.
  std::shared_ptr<const RunSource> sharedSource();
  std::shared_ptr<const RunSource> sharedBranch(BranchId branch);  ///< null where there is none
  std::vector<BranchFacts> branches() const;
  BranchId shownBranch() const { return run_.isOpen() ? source().status().branch : 0; }
  /// Simulated time of a step of this scene [s].
  double timeOf(std::uint64_t step) const;
  /// Of the branch looked at [s].
  double newestTime() const { return run_.isOpen() ? timeOf(source().status().lastStep) : 0; }

  void lookAtStep(std::uint64_t step);
  void lookAtTime(double time);
  void goLive();
  void lookAtEnd();  ///< of the branch looked at; of the live one, follows it
  /// Looks at a branch, at its end first; the simulation goes on where it is.
  void lookAtBranch(BranchId branch);
  /// failed() says why where that cannot be.
  void renameBranch(BranchId branch, const QString& name);
  /// The same; whoever looks at the branch looks at the live run then.
  void deleteBranch(BranchId branch);
  /// Shows the newest step where that is what is looked at.
  void refresh();

 Q_SIGNALS:
  void refreshing();  ///< before the newest step is shown: what has come of edits is asked for
  void refreshed();   ///< unless the simulation is on its way back
  /// The step shown has another model than this. Whoever listens says modelChanged() when what belongs to a model has
  /// followed.
  void modelReplaced(const slipstick::Model& before);
  void modelChanged();  ///< shownChanged() follows
  void shownChanged();
  void presentedChanged();

 private:
  void show(std::shared_ptr<const Snapshot> snapshot);

  OpenRun& run_;
  Messages& messages_;
  std::shared_ptr<const Snapshot> shown_, presented_;
  std::shared_ptr<const RunSource> lookedAt_;  ///< null: the live run
  bool live_ = true;
  std::uint64_t jumps_ = 0;  ///< of the simulation, when it was last looked at
  std::map<BranchId, std::shared_ptr<const RunSource>> sharedBranches_;  ///< that were asked for
};

}  // namespace slipstick::ui
