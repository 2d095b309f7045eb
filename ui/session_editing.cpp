// What a person changes in a session: numbers, things that come and go, ghosts and pins.
#include <algorithm>

#include "engine/model/assumed_mass.h"
#include "engine/model/method_choice.h"
#include "engine/model/task_reset.h"
#include "engine/model/tuned_model.h"
#include "render/selection_names.h"
#include "ui/edits.h"
#include "ui/episodes.h"
#include "ui/plot_list.h"
#include "ui/scene_document.h"
#include "ui/session.h"
#include "ui/spawn.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

/// Of bodies that a person adds [kg/m³]: light wood.
constexpr double kSpawnDensity = 500;
const Color kSpawnColor = {0.86f, 0.42f, 0.16f, 1};

}  // namespace

ParameterValue Session::parameter(const std::string& path) const {
  return valueOf(*model(), path, tuning_);
}

double Session::friction(int geometry) const {
  const Geometry& g = model()->geometries[static_cast<std::size_t>(geometry)];
  return contactOf(tuning_, g.contactPlaces).friction.value_or(kDefaultFriction);
}

ParameterValue Session::parameterOfFile(const std::string& path) const {
  return document_->parameterOfFile(path);
}

void Session::editParameter(const std::string& path, const ParameterValue& value, int gesture) {
  if (!isOpen() || value == parameter(path)) return;
  Tuning tried = tuning_;
  if (Result<void> set = setParameter(*model(), path, value, tried); !set) return failed(set.error());
  undo_.push(new ParameterEdit(*this, path, value, gesture));
}

void Session::applyParameter(const std::string& path, const ParameterValue& value) {
  if (Result<void> set = setParameter(*model(), path, value, tuning_); !set) {
    Q_EMIT failed(set.error());
    return;
  }
  edits_[path] = {value, model()};
  post(SetParameter{path, value});
  methodTimer_.start();
  Q_EMIT settingsChanged();
}

// A branch continues with the values that the inspector shows, whatever was in force at its first step. What
// its model does not have is left out there.
void Session::postEdits() {
  for (const auto& [path, edit] : edits_) (void)simulation_->post(SetParameter{path, edit.value}, edit.model);
}

void Session::post(const Command& command) {
  if (!isOpen()) return;
  if (Result<void> posted = simulation_->post(command, model()); !posted) Q_EMIT failed(posted.error());
}

void Session::edit(SceneEdit edit, const QString& what) {
  if (!isOpen()) return;
  structure_ = authored();
  const auto place = placeOf(edit);
  sceneEdits_.push_back({edit, what, nullptr, place, simulation_->edit(edit)});
  goLive();
}

/// An edit is in the newest model a moment before it is known what the author's scene is after it.
std::shared_ptr<const Scene> Session::authored() const {
  return sceneEdits_.empty() ? episodes_->authored() : structure_;
}

/// Where a free body is that is to be removed.
std::optional<std::pair<std::string, Pose>> Session::placeOf(const SceneEdit& edit) const {
  const auto* remove = std::get_if<Remove>(&edit);
  const std::shared_ptr<const Snapshot> newest = simulation_->latest();
  if (!remove) return std::nullopt;
  for (const Robot& robot : newest->model->robots)
    if (robot.name == remove->name && canPlace(*newest->model, robot.firstBody))
      return std::pair(robot.name, newest->X_WB[static_cast<std::size_t>(robot.firstBody)]);
  return std::nullopt;
}

/// An edit has arrived: it is known what the author's scene is after it, and how it is undone.
void Session::take(const PendingEdit& done) {
  const std::shared_ptr<const Scene> before = structure_;
  if (done.goesTo) {
    structure_ = done.goesTo;
  } else if (before) {
    const Result<Scene> after = edited(*before, done.edit);
    if (!after) return;  // of something that only a draw has
    structure_ = std::make_shared<const Scene>(*after);
    undo_.push(new StructureEdit(*this, done.what, before, structure_, done.place));
  }
  episodes_->setAuthored(structure_);
  if (!done.goesTo || !done.place) return;
  const std::shared_ptr<const Model> model = newestModel();
  for (const Robot& robot : model->robots)
    if (robot.name == done.place->first)
      (void)simulation_->post(Place{robot.firstBody, done.place->second}, model);
}

/// With the draw of the task that the newest scene has, and its method: neither is undone by this.
void Session::become(std::shared_ptr<const Scene> authored,
                     const std::optional<std::pair<std::string, Pose>>& place) {
  if (takesBack_) return;
  const std::shared_ptr<const Scene> newest = newestModel()->scene;
  Scene scene = *authored;
  if (newest && scene.task && newest->task && newest->task->seed && !scene.task->seed)
    scene = randomised(scene, *newest->task->seed);
  if (newest) scene.solver = newest->solver;
  structure_ = this->authored();
  const Become edit{std::make_shared<const Scene>(std::move(scene))};
  sceneEdits_.push_back(
      {edit, {}, std::move(authored), place, simulation_->edit(edit), undo_.index(), undo_.count()});
  goLive();
}

void Session::undo() {
  undoWishes_.push_back(true);
  goOnUndoing();
}

void Session::redo() {
  undoWishes_.push_back(false);
  goOnUndoing();
}

/// What is edited before something has come back would be an edit of nothing.
void Session::goOnUndoing() {
  const auto isThere = [this] {
    return sceneEdits_.empty() && !split_ && (!live_ || model() == newestModel());
  };
  while (!undoWishes_.empty() && isThere()) {
    const bool isUndo = undoWishes_.front();
    undoWishes_.erase(undoWishes_.begin());
    isUndo ? undo_.undo() : undo_.redo();
  }
}

void Session::splitMeshes(const std::string& robot) {
  if (!isOpen() || split_ || !model()->scene || !services_.splitMeshes) return;
  const auto& robots = model()->scene->robots;
  const auto spec =
      std::find_if(robots.begin(), robots.end(), [&](const RobotSpec& r) { return r.name == robot; });
  if (spec == robots.end()) return;
  split_ = std::make_unique<PendingSplit>();
  split_->done = std::async(std::launch::async, [split = services_.splitMeshes, progress = split_->progress,
                                                 spec = *spec] { return split(spec, *progress); });
}

void Session::pollSplit() {
  if (!split_ || split_->done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  Result<StudioServices::Split> done = split_->done.get();
  split_.reset();
  if (!done) return Q_EMIT failed(done.error());
  for (const Notice& notice : done->notices)
    tell(notice.level == Notice::Level::Warning ? LogLevel::Warning : LogLevel::Info,
         QString::fromStdString(notice.where + ": " + notice.what));
  const QString name = QString::fromStdString(done->edit.name);
  if (!done->edit.meshes.empty()) edit(std::move(done->edit), tr("split the meshes of %1").arg(name));
}

void Session::addBody(const QString& name, const Shape& shape) {
  if (!isOpen()) return;
  goLive();  // it falls into the newest step
  Pose X_WB;
  X_WB.p = placeAbove(*model(), *shown_, selection_);
  Result<RobotSpec> body = floatingBody(name.toStdString(), shape, kSpawnDensity, X_WB, kSpawnColor);
  if (!body) return failed(body.error());
  edit(SpawnBody{std::move(*body), true}, tr("add %1").arg(name));
}

// ------------------------------------------------------------------------------------------------ joints

namespace {

/// Of a robot that is looked at alone: what a joint needs to arrive and come to rest [s].
constexpr double kArrival = 1.0;

}  // namespace

void Session::driveJoint(int joint, double goal) {
  if (!isOpen()) return;
  if (!isLive())
    return tell(LogLevel::Warning, tr("Joints of the past stand still: End goes to the newest step"));
  post(DriveJoint{joint, goal});
  if (!isRobotViewer()) return;
  lastError_.clear();  // it may happen again
  // On its last steps towards the goal before this one it still counts as playing.
  simulation_->runAtLeastUntil(newestTime() + kArrival);
}

void Session::freeJoints(const std::vector<int>& joints) {
  if (!isOpen()) return;
  if (!isLive())
    return tell(LogLevel::Warning, tr("Joints of the past stand still: End goes to the newest step"));
  for (const int joint : joints) post(FreeJoint{joint});
}

bool Session::isRobotViewer() const {
  return isOpen() && model()->controllers.empty() && model()->deformables.empty() &&
         model()->robots.size() == 1 && model()->robots.front().isHeld;
}

// ---------------------------------------------------------------------------------------------- method

// What decides it may have changed: contact, a number, what the scene holds. A run goes on as it is; another method is
// offered.
void Session::lookAtMethod(bool atOpening) {
  if (!isOpen()) return;
  std::shared_ptr<const Model> model = newestModel();
  if (model == this->model() && hashOf(tuning_) != hashOf(model->tuning)) model = tunedModel(*model, tuning_);
  const FrozenMotion worst = worstFrozenMotion(*model);
  const std::vector<char> assumed = assumedMasses(*model, notices_);
  const std::string method = this->method().toStdString();
  if (atOpening && isChosenFor(*model) && worst.body >= 0)
    tell(LogLevel::Info, tr("stepped by %1").arg(toQString(choiceInWords(*model, worst, method, assumed))));
  const QString warning = toQString(frozenWarning(*model, worst, method, assumed).value_or(std::string()));
  if (warning == methodWarning_ && !atOpening) return;
  methodWarning_ = warning;
  if (!warning.isEmpty()) tell(LogLevel::Warning, warning);
  const std::string coupled(kCoupledMethod);
  const auto& shipped = services_.shippedScenes;
  // Who made a shipped scene has looked at what it does.
  const bool isKnown = stored_ || std::any_of(shipped.begin(), shipped.end(),
                                              [&](const auto& scene) { return scene.file == model->file; });
  const auto& methods = services_.methods;
  const bool can =
      std::any_of(methods.begin(), methods.end(), [&](const auto& m) { return m.name == coupled; }) &&
      methodObstacle(coupled).isEmpty();
  if (warning.isEmpty() || (can && !(atOpening && isKnown))) Q_EMIT methodOffered(coupled, warning);
  Q_EMIT statusChanged();
}

// -------------------------------------------------------------------------------------- ghost and pins

void Session::setGhost(const std::optional<GhostSpec>& ghost) {
  if (ghost == ghost_) return;
  ghost_ = ghost;
  Q_EMIT ghostChanged();
}

void Session::toggleGhost() {
  if (!isOpen()) return;
  setGhost(ghost_ ? std::nullopt : std::optional<GhostSpec>({shownBranch(), shown_->step}));
}

void Session::setRange(const std::optional<TimeRange>& range) {
  if (range == range_) return;
  range_ = range;
  Q_EMIT rangeChanged();
}

void Session::toggleBookmark() {
  if (!isOpen()) return;
  const std::pair here(shownBranch(), shown_->step);
  const auto at =
      std::lower_bound(bookmarks_.begin(), bookmarks_.end(), here,
                       [](const Bookmark& b, const auto& x) { return std::pair(b.branch, b.step) < x; });
  if (at != bookmarks_.end() && std::pair(at->branch, at->step) == here)
    bookmarks_.erase(at);
  else
    bookmarks_.insert(at, {here.first, here.second, tr("bookmark %1").arg(bookmarks_.size() + 1)});
  Q_EMIT bookmarksChanged();
}

void Session::renameBookmark(std::size_t index, const QString& name) {
  if (index >= bookmarks_.size() || name.trimmed().isEmpty()) return;
  bookmarks_[index].name = name.trimmed();
  Q_EMIT bookmarksChanged();
}

void Session::goToBookmark(int direction) {
  if (!isOpen()) return;
  const Bookmark* nearest = nullptr;
  for (const Bookmark& b : bookmarks_) {
    if (b.branch != shownBranch()) continue;
    if (direction > 0 ? b.step <= shown_->step : b.step >= shown_->step) continue;
    if (!nearest || (direction > 0 ? b.step < nearest->step : b.step > nearest->step)) nearest = &b;
  }
  if (nearest) lookAtStep(nearest->step);
}

void Session::togglePin(const Pin& pin) {
  if (std::erase(pins_, pin) == 0) pins_.push_back(pin);
  plots_->follow(pins_, *model());
  Q_EMIT pinsChanged();
}

std::optional<Pin> Session::pinOf(const render::Selection& selection) const {
  Pin pin;
  const auto* key = std::get_if<ContactKey>(&selection);
  const int contact = key ? render::findContact(*shown_, *key) : -1;
  if (contact >= 0) {
    pin.kind = Pin::Kind::Contact;
    pin.contact = *key;
    pin.pair = render::pairOf(*model(), shown_->contacts[static_cast<std::size_t>(contact)]);
    pin.label = tr("contact %1").arg(pairLabel(pin.pair));
  } else if (const auto* pair = std::get_if<ContactPair>(&selection)) {
    pin.pair = *pair;
    pin.label = pairLabel(pin.pair);
  } else if (const auto body = render::indexOf<render::SelectedBody>(selection)) {
    pin.kind = Pin::Kind::Body;
    pin.index = *body;
    pin.label = bodyLabels_[static_cast<std::size_t>(pin.index)];
  } else {
    return std::nullopt;
  }
  return pin;
}

void Session::pinByName(const QString& name) {
  if (!isOpen()) return;
  const Result<render::Selection> named = render::selectionNamed(*model(), name.toStdString());
  if (!named) return failed(named.error());
  const std::optional<Pin> pin = pinOf(*named);
  if (!pin)
    return failed(Error{ErrorCode::UnknownName, "this cannot be pinned", name.toStdString(),
                        "name a body, or a pair A+B"});
  togglePin(*pin);
}

std::optional<Pin> Session::selectedJointAsPin() const {
  const std::int32_t body = render::indexOf<render::SelectedBody>(selection_).value_or(0);
  if (body < 1) return std::nullopt;
  const std::int32_t joint = body - 1;  // the joint of body b is b − 1
  const multibody::Joint& j = model()->tree.joints[static_cast<std::size_t>(joint)];
  if (multibody::velocityCount(j.type) != 1) return std::nullopt;
  Pin pin;
  pin.kind = Pin::Kind::Joint;
  pin.index = joint;
  pin.label = QString::fromStdString(j.name);
  return pin;
}

void Session::adoptPins(const Model& before) {
  if (pins_.empty()) return;
  std::vector<Pin> kept;
  for (const Pin& pin : pins_)
    if (const std::optional<Pin> same = pinIn(*model(), pin, before)) kept.push_back(*same);
  pins_ = std::move(kept);
  plots_->follow(pins_, *model());
  Q_EMIT pinsChanged();
}

}  // namespace slipstick::ui
