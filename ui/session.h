// The open scene as one window sees it: which moment is shown, what is selected, what was edited. Every panel
// reads from here and asks here; only here is the simulation thread spoken to.
#pragma once

#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/runtime/simulation_thread.h"
#include "render/contact_facts.h"
#include "render/view.h"
#include "ui/scene_loader.h"
#include "ui/studio.h"

namespace slipstick::ui {

class Session : public QObject {
  Q_OBJECT

 public:
  explicit Session(StudioServices services, QObject* parent = nullptr);
  ~Session() override;

  const StudioServices& services() const { return services_; }
  bool isOpen() const { return simulation_ != nullptr; }
  bool isLoading() const { return loader_.isLoading(); }
  std::shared_ptr<const Model> model() const { return isOpen() ? simulation_->model() : nullptr; }
  /// Names of the bodies for people; empty when no scene is open.
  const std::vector<QString>& bodyLabels() const { return bodyLabels_; }
  /// "roller ↔ dough", "box ↔ ground"
  QString pairLabel(const render::ContactPair& pair) const;

  /// Loads off the UI thread; opened() or failed() follows. The old scene stays until the new one is ready.
  void open(const QString& nameOrPath);
  void reload();

  // ---- time
  std::shared_ptr<const Snapshot> shown() const { return shown_; }  ///< null when no scene is open
  RunStatus status() const { return isOpen() ? simulation_->status() : RunStatus{}; }
  std::vector<TimelineMark> marks(std::uint64_t from) const;
  bool isLive() const { return live_; }  ///< the newest step is shown, not a chosen one
  /// Simulated time of a step of this scene [s].
  double timeOf(std::uint64_t step) const;
  double newestTime() const { return timeOf(status().lastStep); }

  void togglePlay();
  void play();
  void pause();
  void stepForward();  ///< next stored step; at the newest one, computes one more
  void stepBack();
  void reset();
  void setSpeed(double speed);
  void changeSpeed(int notches);
  void runUntil(double time);
  void lookAtStep(std::uint64_t step);
  void lookAtTime(double time);
  void goLive();
  void resumeFromHere();
  bool canResume() const { return isOpen() && !live_; }

  // ---- editing; values in force from the next step on
  QUndoStack& undoStack() { return undo_; }
  /// What stands at a path of engine/model/parameters.h; empty: nothing there, what is further out decides.
  ParameterValue parameter(const std::string& path) const;
  void editParameter(const std::string& path, const ParameterValue& value);  ///< undoable
  void applyParameter(const std::string& path, const ParameterValue& value);
  double friction(int geometry) const;
  Vec3 gravity() const { return tuning_.gravity; }
  void post(const Command& command);

  // ---- what is drawn
  const render::Selection& selection() const { return selection_; }
  void select(const render::Selection& selection);
  const render::ViewOptions& view() const { return view_; }
  void setView(const render::ViewOptions& view);
  /// The selected contact in the shown snapshot; null when none is selected or it is not touching now.
  const Contact* selectedContact() const;

 Q_SIGNALS:
  void loadingChanged(bool loading, QString what);
  void opened(std::vector<slipstick::Notice> notices);
  void failed(slipstick::Error error);
  void shownChanged();
  void statusChanged();
  void selectionChanged();
  void viewChanged();
  void settingsChanged();

 private:
  void finishOpening(const std::string& source, Result<OpenedScene> result);
  void onPublished();
  void pollStatus();
  void refresh();
  void show(std::shared_ptr<const Snapshot> snapshot);
  void retire(std::unique_ptr<SimulationThread> simulation);
  void postEdits();

  StudioServices services_;
  std::atomic<bool> publishPending_ = false;
  SceneLoader loader_;
  std::unique_ptr<SimulationThread> simulation_;
  std::jthread retiring_;
  std::string source_;
  std::vector<QString> bodyLabels_;

  std::shared_ptr<const Snapshot> shown_;
  bool live_ = true;
  /// After "resume from here" the old newest snapshot must not flash up before the new branch begins.
  std::optional<std::uint32_t> branchLeft_;
  QTimer statusTimer_;
  QString lastError_;

  QUndoStack undo_;
  Tuning tuning_;                                ///< what the inspector shows
  std::map<std::string, ParameterValue> edits_;  ///< of the model's numbers
  render::Selection selection_;
  render::ViewOptions view_;
};

}  // namespace slipstick::ui
