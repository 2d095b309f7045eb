#include "ui/scene_editor.h"

#include <QUndoStack>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <stop_token>

#include "engine/compile/task_reset.h"
#include "engine/foundation/load_progress.h"
#include "ui/edits.h"
#include "ui/spawn.h"
#include "ui/task_draws.h"

namespace slipstick::ui {
namespace {

/// Of bodies that a person adds [kg/m³]: light wood.
constexpr double kSpawnDensity = 500;
const Color kSpawnColor = {0.86f, 0.42f, 0.16f, 1};

}  // namespace

SceneEditor::SceneEditor(const StudioServices& services, OpenRun& run, ShownMoment& moment,
                         const Focus& focus, QUndoStack& undo, TaskDraws& draws, Messages& messages)
    : services_(services),
      run_(run),
      moment_(moment),
      focus_(focus),
      undo_(undo),
      draws_(draws),
      messages_(messages) {
  connect(&moment_, &ShownMoment::refreshing, this, &SceneEditor::poll);
  connect(&moment_, &ShownMoment::refreshed, this, &SceneEditor::goOnUndoing);
}

void SceneEditor::clear() {
  undo_.clear();
  edits_.clear();
  undoWishes_.clear();
  splitting_.cancel();
}

void SceneEditor::poll() {
  std::vector<Error> errors;
  std::vector<PendingEdit> undone;  // that have failed
  std::erase_if(edits_, [&](PendingEdit& pending) {
    if (pending.done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    const Result<void> done = pending.done.get();
    if (done) {
      take(pending);
      return true;
    }
    errors.push_back(done.error());
    if (pending.goesTo) undone.push_back(std::move(pending));
    return true;
  });
  for (const PendingEdit& edit : undone) takeBack(edit);
  for (const Error& error : errors) say(error);
}

/// What a person has given up is no fault.
void SceneEditor::say(const Error& error) {
  if (error.code != ErrorCode::Cancelled) return messages_.failed(error);
  messages_.tell(LogLevel::Info, tr("The change was given up; the scene is as it was"));
}

/// An undo or redo that failed has not been: the stack stands where it stood, unless something was edited since.
void SceneEditor::takeBack(const PendingEdit& undone) {
  if (undo_.count() != undone.undoCount || std::abs(undo_.index() - undone.undoIndex) != 1) return;
  takesBack_ = true;
  undo_.setIndex(undone.undoIndex);
  takesBack_ = false;
}

void SceneEditor::edit(SceneEdit edit, const QString& what) {
  if (!run_.isOpen()) return;
  structure_ = authored();
  const BodyPlace place = placeOf(edit);
  edits_.push_back({edit, what, nullptr, place, run_.simulation().edit(edit)});
  moment_.goLive();
}

bool SceneEditor::isCompilingEdit() const {
  const RunStatus status = run_.status();
  return status.compiling.has_value() && !status.goingBack.has_value();
}

void SceneEditor::cancelEdit() {
  if (run_.isOpen()) run_.simulation().cancelEdit();
}

/// An edit is in the newest model a moment before it is known what the author's scene is after it.
std::shared_ptr<const Scene> SceneEditor::authored() const {
  return edits_.empty() ? draws_.authored() : structure_;
}

/// Where a free body is that is to be removed.
SceneEditor::BodyPlace SceneEditor::placeOf(const SceneEdit& edit) const {
  const auto* remove = std::get_if<Remove>(&edit);
  const std::shared_ptr<const Snapshot> newest = run_.simulation().latest();
  if (!remove) return std::nullopt;
  for (const Robot& robot : newest->model->robots)
    if (robot.name == remove->name && canPlace(*newest->model, robot.firstBody))
      return std::pair(robot.name, newest->X_WB[static_cast<std::size_t>(robot.firstBody)]);
  return std::nullopt;
}

/// An edit has arrived: it is known what the author's scene is after it, and how it is undone.
void SceneEditor::take(const PendingEdit& done) {
  const std::shared_ptr<const Scene> before = structure_;
  if (done.goesTo) {
    structure_ = done.goesTo;
  } else if (before) {
    const Result<Scene> after = edited(*before, done.edit);
    if (!after) return;  // of something that only a draw has
    structure_ = std::make_shared<const Scene>(*after);
    undo_.push(new StructureEdit(*this, done.what, before, structure_, done.place));
  }
  draws_.setAuthored(structure_);
  if (!done.goesTo || !done.place) return;
  const std::shared_ptr<const Model> model = run_.newestModel();
  for (const Robot& robot : model->robots)
    if (robot.name == done.place->first)
      (void)run_.simulation().post(Place{robot.firstBody, done.place->second}, model);
}

void SceneEditor::become(std::shared_ptr<const Scene> authored, const BodyPlace& place) {
  if (takesBack_) return;
  const std::shared_ptr<const Scene> newest = run_.newestModel()->scene;
  Scene scene = *authored;
  if (newest && scene.task && newest->task && newest->task->seed && !scene.task->seed)
    scene = randomised(scene, *newest->task->seed);
  if (newest) scene.solver = newest->solver;
  structure_ = this->authored();
  const Become edit{std::make_shared<const Scene>(std::move(scene))};
  edits_.push_back(
      {edit, {}, std::move(authored), place, run_.simulation().edit(edit), undo_.index(), undo_.count()});
  moment_.goLive();
}

void SceneEditor::undo() {
  undoWishes_.push_back(true);
  goOnUndoing();
}

void SceneEditor::redo() {
  undoWishes_.push_back(false);
  goOnUndoing();
}

/// What is edited before something has come back would be an edit of nothing.
void SceneEditor::goOnUndoing() {
  const auto isThere = [this] {
    return edits_.empty() && !isSplitting() && (!moment_.isLive() || moment_.model() == run_.newestModel());
  };
  while (!undoWishes_.empty() && isThere()) {
    const bool isUndo = undoWishes_.front();
    undoWishes_.erase(undoWishes_.begin());
    isUndo ? undo_.undo() : undo_.redo();
  }
}

void SceneEditor::splitMeshes(const std::string& robot) {
  if (!run_.isOpen() || isSplitting() || !moment_.model()->scene || !services_.splitMeshes) return;
  const auto& robots = moment_.model()->scene->robots;
  const auto spec =
      std::find_if(robots.begin(), robots.end(), [&](const RobotSpec& r) { return r.name == robot; });
  if (spec == robots.end()) return;
  const auto work = [split = services_.splitMeshes, spec = *spec](const std::stop_token& stop) {
    LoadProgress progress;
    const std::stop_callback onStop(stop, [&progress] { progress.cancel(); });
    return split(spec, progress);
  };
  splitting_.start(ErrorCode::SimulationFailed, robot, work,
                   [this](Result<StudioServices::Split> split) { takeSplit(std::move(split)); });
}

void SceneEditor::takeSplit(Result<StudioServices::Split> split) {
  if (!split) return messages_.failed(split.error());
  for (const Notice& notice : split->notices)
    messages_.tell(notice.level == Notice::Level::Warning ? LogLevel::Warning : LogLevel::Info,
                   QString::fromStdString(notice.where + ": " + notice.what));
  const QString name = QString::fromStdString(split->edit.name);
  if (!split->edit.meshes.empty()) edit(std::move(split->edit), tr("split the meshes of %1").arg(name));
}

void SceneEditor::addBody(const QString& name, const Shape& shape) {
  if (!run_.isOpen()) return;
  moment_.goLive();  // it falls into the newest step
  Pose X_WB;
  X_WB.p = placeAbove(*moment_.model(), *moment_.shown(), focus_.selection());
  Result<RobotSpec> body = floatingBody(name.toStdString(), shape, kSpawnDensity, X_WB, kSpawnColor);
  if (!body) return messages_.failed(body.error());
  edit(SpawnBody{std::move(*body), true}, tr("add %1").arg(name));
}

}  // namespace slipstick::ui
