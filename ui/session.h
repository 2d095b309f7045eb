// The open scene as one window sees it: which moment is shown, what is selected, what was edited. Every panel
// reads from here and asks here; only here is the simulation thread spoken to.
#pragma once

#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/runtime/simulation_thread.h"
#include "render/contact_facts.h"
#include "render/selection.h"
#include "render/view_actions.h"
#include "ui/pin.h"
#include "ui/plot_painter.h"
#include "ui/scene_loader.h"
#include "ui/studio.h"

namespace slipstick::ui {

class Driving;
class Episodes;
class Exports;
class PlotList;
class RunReader;
class SceneDocument;
class Playback;
class RunRecording;

enum class LogLevel { Info, Warning, Error };

class Session : public QObject {
  Q_OBJECT

 public:
  explicit Session(StudioServices services, QObject* parent = nullptr);
  ~Session() override;

  const StudioServices& services() const { return services_; }
  bool isOpen() const { return simulation_ != nullptr; }
  bool isLoading() const { return loader_.isLoading(); }
  /// Asked before a scene that has been loaded takes the place of the open one: calls one of the two, at once or later.
  using Gate = std::function<void(std::function<void()> goOn, std::function<void()> stay)>;
  void setGate(Gate gate) { gate_ = std::move(gate); }
  /// Of the step shown: an edit of the scene gives later steps another one. Null when no scene is open.
  std::shared_ptr<const Model> model() const { return shown_ ? shown_->model : nullptr; }
  /// Names of the bodies for people, of those whose mass was assumed with that; empty when no scene is open.
  const std::vector<QString>& bodyLabels() const { return bodyLabels_; }
  bool hasAssumedMass(int body) const { return massAssumed_[static_cast<std::size_t>(body)] != 0; }
  /// "roller ↔ dough", "box ↔ ground"
  QString pairLabel(const render::ContactPair& pair) const;

  /// Loads off the UI thread; opened() or failed() follows. The old scene stays until the new one is ready.
  void open(const QString& nameOrPath);
  void cancelOpening();
  LoadProgress::Report openingProgress() const { return loader_.progress(); }
  void reload();

  /// What was repaired, guessed or left out when the scene was loaded.
  const std::vector<Notice>& notices() const { return notices_; }
  SceneDocument& document() { return *document_; }
  Exports& exports() { return *exports_; }
  Driving& driving() { return *driving_; }           ///< of arms by hand
  RunRecording& recording() { return *recording_; }  ///< of the simulation, into a file
  Episodes& episodes() { return *episodes_; }        ///< tries at the scene's task
  /// That was opened; null where a scene was.
  const StoredRun* stored() const { return stored_.get(); }
  /// It is what is looked at, and not what was simulated since.
  bool showsStored() const { return stored_ && lookedAt_ == stored_; }
  /// Of the newest step of the simulation, whatever is looked at. Requires an open scene.
  std::shared_ptr<const Model> newestModel() const { return simulation_->latest()->model; }

  /// A line in the log.
  void tell(LogLevel level, const QString& text) { Q_EMIT told(level, text); }

  // ---- time
  std::shared_ptr<const Snapshot> shown() const { return shown_; }  ///< null when no scene is open
  /// Of the simulation, whatever is looked at.
  RunStatus status() const { return isOpen() ? simulation_->status() : RunStatus{}; }
  /// What the window looks at: the live run or another branch. Requires an open scene.
  const RunSource& source() const { return lookedAt_ ? *lookedAt_ : *simulation_; }
  /// The same, for those who read it on other threads: it outlives the scene. Null when none is open.
  std::shared_ptr<const RunSource> sharedSource();
  std::shared_ptr<const RunSource> sharedBranch(BranchId branch);  ///< null where there is none
  RunReader& reader() { return *reader_; }
  std::vector<BranchFacts> branches() const;
  BranchId shownBranch() const { return isOpen() ? source().status().branch : 0; }
  /// What the picture on the screen shows: shown() as soon as it is drawn. What states a time beside the picture reads
  /// it here.
  std::shared_ptr<const Snapshot> presented() const { return presented_; }
  void setPresented(std::shared_ptr<const Snapshot> snapshot);
  bool isLive() const { return live_; }  ///< the newest step is shown, not a chosen one
  /// Simulated time of a step of this scene [s].
  double timeOf(std::uint64_t step) const;
  /// Of the branch looked at [s].
  double newestTime() const { return isOpen() ? timeOf(source().status().lastStep) : 0; }

  /// Of the simulation where the newest step is shown; in the past, of what is stored.
  void togglePlay();
  void play();   ///< of the simulation, which is looked at from now on
  void pause();  ///< of either
  Playback& playback() { return *playback_; }
  void stepForward();  ///< next stored step; at the newest one, computes one more
  void stepBack();
  void reset();
  /// See SimulationThread::startOver(); the numbers that were edited stay in force.
  void startOver(Scene scene, const QString& name, std::shared_ptr<RunSink> sink);
  /// The name of what steps the newest model; empty where no scene is open.
  QString method() const;
  /// Why its forces may be wrong: a body is too light for it; empty: none is.
  const QString& methodWarning() const { return methodWarning_; }
  /// Why a method cannot step the newest model; empty: it can.
  QString methodObstacle(const std::string& method) const;
  /// Starts over under a method that the scene does not name yet, on a branch of its name: what was simulated stays, to
  /// be compared with.
  void chooseMethod(const std::string& method);
  void setSpeed(double speed);
  void changeSpeed(int notches);
  void runUntil(double time);
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
  void resumeFromHere();
  bool canResume() const { return isOpen() && !live_; }
  bool isGoingBack() const { return status().goingBack.has_value(); }
  void cancelGoingBack();
  /// An edit of the scene is being compiled.
  bool isCompilingEdit() const { return status().compiling.has_value() && !isGoingBack(); }
  void cancelEdit();
  /// The run was stopped by what computes it, and the CPU could go on.
  bool canGoOnOnCpu() const { return status().backendFailed && services_.makeCpuStepper; }
  /// Goes on from the last state that is kept; scenes that are opened later run on the CPU too.
  void goOnOnCpu();

  // ---- editing; values in force from the next step on
  QUndoStack& undoStack() { return undo_; }
  /// As Ctrl+Z and Ctrl+Shift+Z: while something comes or goes, after that.
  void undo();
  void redo();
  /// What stands at a path of engine/model/parameters.h; empty: nothing there, what is further out decides.
  ParameterValue parameter(const std::string& path) const;
  /// Undoable; failed() says why where the value cannot be.
  /// @param gesture  edits of one path with the same number are undone together; 0: alone
  void editParameter(const std::string& path, const ParameterValue& value, int gesture = 0);
  /// What stands there in the scene's file; a parameter that differs from it is edited.
  ParameterValue parameterOfFile(const std::string& path) const;
  const Tuning& tuning() const { return tuning_; }
  void applyParameter(const std::string& path, const ParameterValue& value);
  double friction(int geometry) const;
  void post(const Command& command);
  /// Adds to the running scene, or removes from it, from the newest step on; failed() says why where that cannot be.
  /// Undoable once it is done.
  /// @param what  for the undo menu
  void edit(SceneEdit edit, const QString& what);
  /// Something is being added to the scene, or removed, or made other beside the window, or an undo waits for that. Meshes
  /// that are being split are no edit yet, and what is undone after them is not, either.
  bool isEditing() const { return !sceneEdits_.empty() || (!undoWishes_.empty() && !split_); }
  /// The scene of the newest step as its author has it, without what is under way.
  std::shared_ptr<const Scene> authored() const;
  /// The edit by which convex parts stand for the meshes of a robot or body that are not convex: computed beside the
  /// window, then done. The log says what became of each mesh.
  void splitMeshes(const std::string& robot);
  bool isSplitting() const { return split_ != nullptr; }
  void giveUpSplitting() { split_.reset(); }  ///< waits for the place where it can end
  /// Adds a body that falls from above what is selected, or from above the middle of the scene.
  void addBody(const QString& name, const Shape& shape);

  // ---- joints
  /// Drives a joint to a position [rad] or [m] and holds it there, see DriveJoint. Where a robot is looked at alone,
  /// time goes on until it has arrived. Looking at the past it says in the log why not.
  void driveJoint(int joint, double goal);
  void freeJoints(const std::vector<int>& joints);
  /// The scene is a robot that stands still by itself: nothing else wants to move.
  bool isRobotViewer() const;

  // ---- what the present is compared with, and what is kept in view
  /// A moment that is seen through beside the present. A branch's id is not given again.
  struct GhostSpec {
    BranchId branch = 0;
    std::uint64_t step = 0;
    bool operator==(const GhostSpec&) const = default;
  };
  const std::optional<GhostSpec>& ghost() const { return ghost_; }
  void setGhost(const std::optional<GhostSpec>& ghost);
  void toggleGhost();  ///< of the moment shown; where there is one already, none
  PlotList& plots() { return *plots_; }
  /// A stretch of time that was selected: what loops, what a spectrum is of, what is exported.
  struct Bookmark {
    BranchId branch = 0;
    std::uint64_t step = 0;
    QString name;
  };
  const std::vector<Bookmark>& bookmarks() const { return bookmarks_; }
  void toggleBookmark();  ///< at the step shown
  void renameBookmark(std::size_t index, const QString& name);
  /// Looks at the next one of the branch looked at, before (−1) or after (+1) the step shown.
  void goToBookmark(int direction);
  const std::optional<TimeRange>& range() const { return range_; }
  void setRange(const std::optional<TimeRange>& range);
  const std::vector<Pin>& pins() const { return pins_; }
  void togglePin(const Pin& pin);
  /// The selection as a pin: a contact, pair or body; none of other things.
  std::optional<Pin> selectionAsPin() const { return pinOf(selection_); }
  std::optional<Pin> pinOf(const render::Selection& selection) const;
  void pinByName(const QString& name);  ///< of a body or a pair, as selectByName() takes it
  /// The joint that moves the selected body, if it has one degree of freedom.
  std::optional<Pin> selectedJointAsPin() const;

  // ---- what is drawn
  const render::Selection& selection() const { return selection_; }
  void select(const render::Selection& selection);
  /// A robot, body, deformable or boundary by its name; two names joined by + are the pair of them. failed() where there
  /// is none.
  void selectByName(const QString& name);
  const render::ViewOptions& view() const { return view_; }
  void setView(const render::ViewOptions& view);
  void toggleView(const render::ViewAction& action);  ///< to its next state
  /// The selected contact in the shown snapshot; null when none is selected or it is not touching now.
  const Contact* selectedContact() const;

 Q_SIGNALS:
  void loadingChanged(bool loading, QString what);
  void leaving();  ///< the open scene is about to be replaced by one that is ready
  void opened(std::vector<slipstick::Notice> notices);
  void openWanted(const QString& file);  ///< once edits are saved, or not wanted
  void failed(slipstick::Error error);
  void told(slipstick::ui::LogLevel level, QString text);
  void cpuOffered();  ///< goOnOnCpu() is a way out of what failed() has just said
  /// chooseMethod() is a way out of methodWarning(), which is this; empty: there is nothing to get out of any more.
  void methodOffered(std::string method, QString why);
  void modelChanged();  ///< the step shown has another model; shownChanged() follows
  void shownChanged();
  void presentedChanged();
  void statusChanged();
  void selectionChanged();
  void viewChanged();
  void ghostChanged();
  void pinsChanged();
  void rangeChanged();
  void bookmarksChanged();
  void settingsChanged();

 private:
  friend class StructureEdit;
  friend class Driving;       ///< is asked before each step of the simulation
  friend class Episodes;      ///< begins with what was edited until now
  friend class RunRecording;  ///< hands the steps of the simulation to a file
  struct PendingEdit {
    SceneEdit edit;
    QString what;                                   ///< for the undo menu
    std::shared_ptr<const Scene> goesTo = nullptr;  ///< of an undo or redo: what the author has then
    /// Of a removal where the free body was that goes, of its undo where it comes back to.
    std::optional<std::pair<std::string, Pose>> place = {};
    std::future<Result<void>> done = {};
    int undoIndex = -1;  ///< of an undo or redo: that of the stack before it
    int undoCount = 0;   ///< and its commands
  };
  void finishOpening(const std::string& source, Result<OpenedScene> result);
  void adopt(const std::string& source, OpenedScene opened);
  void onPublished();
  void pollStatus();
  void refresh();
  void show(std::shared_ptr<const Snapshot> snapshot);
  void nameBodies();
  void lookAtMethod(bool atOpening);
  void adoptModel(const Model& before);
  void followStoredNumbers();
  void adoptPins(const Model& before);
  void pollEdits();
  void say(const Error& error);
  void takeBack(const PendingEdit& undone);
  void take(const PendingEdit& done);
  void become(std::shared_ptr<const Scene> authored,
              const std::optional<std::pair<std::string, Pose>>& place = {});
  std::optional<std::pair<std::string, Pose>> placeOf(const SceneEdit& edit) const;
  void goOnUndoing();
  void pollSplit();
  void retire(std::unique_ptr<SimulationThread> simulation);
  void postEdits();

  StudioServices services_;
  std::atomic<bool> publishPending_ = false;
  SceneLoader loader_;
  std::unique_ptr<SimulationThread> simulation_;
  std::jthread retiring_;
  std::string source_;
  std::vector<QString> bodyLabels_;
  std::vector<char> massAssumed_;  ///< per body of the step shown
  QString methodWarning_;
  QTimer methodTimer_;  ///< until numbers have come to rest that are being changed
  std::vector<Notice> notices_;
  std::unique_ptr<SceneDocument> document_;
  std::unique_ptr<Exports> exports_;
  std::unique_ptr<Playback> playback_;
  std::unique_ptr<RunRecording> recording_;
  std::unique_ptr<Driving> driving_;
  std::unique_ptr<Episodes> episodes_;

  std::shared_ptr<const Snapshot> shown_, presented_;
  std::shared_ptr<const RunSource> lookedAt_;  ///< null: the live run
  std::shared_ptr<const StoredRun> stored_;
  std::shared_ptr<const Tuning> storedTuning_;  ///< of the step shown of it
  bool live_ = true;
  std::uint64_t jumps_ = 0;  ///< of the simulation, when it was last looked at
  QTimer statusTimer_;
  QString lastError_;
  RunStatus lastStatus_;  ///< that statusChanged() was last said of

  std::unique_ptr<RunReader> reader_;
  std::map<BranchId, std::shared_ptr<const RunSource>> sharedBranches_;  ///< that were asked for
  std::optional<GhostSpec> ghost_;
  std::vector<Pin> pins_;
  std::unique_ptr<PlotList> plots_;  ///< those of pins go with them
  std::optional<TimeRange> range_;
  std::vector<Bookmark> bookmarks_;  ///< by branch and step

  std::vector<PendingEdit> sceneEdits_;  ///< of the scene, under way
  /// Meshes that are being split; who lets go of it ends it.
  struct PendingSplit {
    std::shared_ptr<LoadProgress> progress = std::make_shared<LoadProgress>();
    std::future<Result<StudioServices::Split>> done;
    ~PendingSplit() { progress->cancel(); }
  };
  std::unique_ptr<PendingSplit> split_;
  QUndoStack undo_;
  bool takesBack_ = false;  ///< what moves along the stack changes nothing
  Tuning tuning_;           ///< what the inspector shows
  struct NumberEdit {
    ParameterValue value;
    std::shared_ptr<const Model> model;  ///< that its path belongs to
  };
  std::map<std::string, NumberEdit> edits_;  ///< by path
  render::Selection selection_;
  render::ViewOptions view_;
  Gate gate_;
  std::shared_ptr<const Scene> structure_;  ///< as its author has it, before those
  std::vector<bool> undoWishes_;            ///< that wait for those: false is a redo
};

}  // namespace slipstick::ui
