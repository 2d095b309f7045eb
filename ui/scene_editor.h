// What comes, goes and is made other in the running scene, and the way back from that.
#pragma once

#include <QObject>
#include <QString>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/compile/scene_edit.h"
#include "ui/beside.h"
#include "ui/focus.h"
#include "ui/messages.h"
#include "ui/open_run.h"
#include "ui/shown_moment.h"
#include "ui/studio.h"

class QUndoStack;

namespace slipstick::ui {

class TaskDraws;

class SceneEditor : public QObject {
  Q_OBJECT

 public:
  SceneEditor(const StudioServices& services, OpenRun& run, ShownMoment& moment, const Focus& focus,
              QUndoStack& undo, TaskDraws& draws, Messages& messages);

  /// Before another scene is shown: what is under way belongs to the one before.
  void clear();
  /// Asks what has come of edits under way.
  void poll();

  /// As Ctrl+Z and Ctrl+Shift+Z: while something comes or goes, after that.
  void undo();
  void redo();
  /// Adds to the running scene, or removes from it, from the newest step on; failed() says why where that cannot be.
  /// Undoable once it is done.
  /// @param what  for the undo menu
  void edit(SceneEdit edit, const QString& what);
  /// Something is being added to the scene, or removed, or made other beside the window, or an undo waits for that. Meshes
  /// that are being split are no edit yet, and what is undone after them is not, either.
  bool isEditing() const { return !edits_.empty() || (!undoWishes_.empty() && !isSplitting()); }
  /// An edit of the scene is being compiled.
  bool isCompilingEdit() const;
  void cancelEdit();
  /// The scene of the newest step as its author has it, without what is under way.
  std::shared_ptr<const Scene> authored() const;
  using BodyPlace = std::optional<std::pair<std::string, Pose>>;
  /// What StructureEdit does. With the draw of the task that the newest scene has, and its method: neither is undone by
  /// this.
  /// @param place  of a body that was removed: where it comes back to
  void become(std::shared_ptr<const Scene> authored, const BodyPlace& place = {});

  /// The edit by which convex parts stand for the meshes of a robot or body that are not convex: computed beside the
  /// window, then done. The log says what became of each mesh.
  void splitMeshes(const std::string& robot);
  bool isSplitting() const { return splitting_.isRunning(); }
  void giveUpSplitting() { splitting_.cancel(); }
  /// Adds a body that falls from above what is selected, or from above the middle of the scene.
  void addBody(const QString& name, const Shape& shape);

 private:
  /// Undoes and redoes what has waited for something to come or go.
  void goOnUndoing();
  struct PendingEdit {
    SceneEdit edit;
    QString what;                                   ///< for the undo menu
    std::shared_ptr<const Scene> goesTo = nullptr;  ///< of an undo or redo: what the author has then
    /// Of a removal where the free body was that goes, of its undo where it comes back to.
    BodyPlace place = {};
    std::future<Result<void>> done = {};
    int undoIndex = -1;  ///< of an undo or redo: that of the stack before it
    int undoCount = 0;   ///< and its commands
  };
  BodyPlace placeOf(const SceneEdit& edit) const;
  void take(const PendingEdit& done);
  void takeBack(const PendingEdit& undone);
  void say(const Error& error);
  void takeSplit(Result<StudioServices::Split> split);

  const StudioServices& services_;
  OpenRun& run_;
  ShownMoment& moment_;
  const Focus& focus_;
  QUndoStack& undo_;
  TaskDraws& draws_;
  Messages& messages_;
  std::vector<PendingEdit> edits_;          ///< of the scene, under way
  std::shared_ptr<const Scene> structure_;  ///< as its author has it, before those
  std::vector<bool> undoWishes_;            ///< that wait for those: false is a redo
  bool takesBack_ = false;                  ///< what moves along the stack changes nothing
  Beside<StudioServices::Split> splitting_;
};

}  // namespace slipstick::ui
