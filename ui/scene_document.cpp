#include "ui/scene_document.h"

#include <QFileInfo>
#include <algorithm>

#include "engine/foundation/guarded.h"
#include "engine/foundation/require.h"
#include "engine/model/command.h"
#include "ui/session.h"

namespace slipstick::ui {
namespace {

/// An edit that is under way is looked at again after this.
constexpr int kEditing_ms = 10;
/// For which a save waits for it without a word.
constexpr int kPatience_ms = 1000;

/// Without those on bodies that the model does not have.
std::vector<CameraSpec> camerasIn(const Model& model, std::vector<CameraSpec> cameras) {
  std::erase_if(cameras, [&](const CameraSpec& camera) {
    return !camera.body.empty() && model.findBody(camera.body) < 0;
  });
  return cameras;
}

bool same(const Pose& a, const Pose& b) {
  return a.p == b.p && a.R == b.R;
}

template <class Things>
const typename Things::value_type* named(const Things& things, const std::string& name) {
  const auto found =
      std::find_if(things.begin(), things.end(), [&](const auto& thing) { return thing.name == name; });
  return found == things.end() ? nullptr : &*found;
}

/// What the scene says that a model was compiled from.
LookSpec lookIn(const Model& model, const ThingName& thing) {
  if (thing.kind == ThingKind::Robot)
    if (const Robot* robot = named(model.robots, thing.name)) return robot->look;
  if (thing.kind == ThingKind::Link) {
    const auto body = static_cast<std::size_t>(model.findBody(thing.name));
    if (body < model.linkLooks.size()) return model.linkLooks[body];
  }
  if (thing.kind == ThingKind::Deformable)
    if (const Deformable* d = named(model.deformables, thing.name)) return {d->visible, d->color};
  if (thing.kind == ThingKind::Boundary)
    if (const Boundary* boundary = named(model.boundaries, thing.name)) return boundary->look;
  return {};
}

}  // namespace

/// A body was put somewhere.
class PlaceEdit : public QUndoCommand {
 public:
  PlaceEdit(SceneDocument& document, std::string body, const Pose& before, const Pose& after, bool wasPlaced)
      : document_(document), body_(std::move(body)), before_(before), after_(after), wasPlaced_(wasPlaced) {
    setText(QObject::tr("pose of %1").arg(QString::fromStdString(body_)));
  }
  void redo() override { document_.setPlace(body_, after_, true); }
  void undo() override { document_.setPlace(body_, before_, wasPlaced_); }

 private:
  SceneDocument& document_;
  std::string body_;
  Pose before_, after_;
  bool wasPlaced_;  ///< before this edit, by another one
};

/// Things were hidden, shown or coloured.
class LookEdit : public QUndoCommand {
 public:
  LookEdit(SceneDocument& document, LookEdits before, LookEdits after, int gesture)
      : document_(document), before_(std::move(before)), after_(std::move(after)), gesture_(gesture) {}
  void redo() override { document_.applyLooks(after_); }
  void undo() override { document_.applyLooks(before_); }
  int id() const override { return gesture_ == 0 ? -1 : gesture_; }
  bool mergeWith(const QUndoCommand* next) override {
    const auto* edit = dynamic_cast<const LookEdit*>(next);
    if (!edit) return false;
    after_ = edit->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  SceneDocument& document_;
  LookEdits before_, after_;
  int gesture_;
};

SceneDocument::SceneDocument(Session& session) : session_(session) {
  connect(&session_.numbers(), &NumberEditor::settingsChanged, this, &SceneDocument::changed);
  connect(&session_.moment(), &ShownMoment::modelChanged, this, &SceneDocument::changed);
  connect(&watch_, &FileWatch::touched, this, &SceneDocument::lookAtFile);
  look_.setInterval(kEditing_ms);
  connect(&look_, &QTimer::timeout, this, &SceneDocument::writeOnceEdited);
}

SceneDocument::~SceneDocument() = default;

void SceneDocument::begin(const std::string& file, const std::optional<FileState>& read) {
  const auto& shipped = session_.services().shippedScenes;
  const QFileInfo info(QString::fromStdString(file));
  const bool isShipped = std::any_of(shipped.begin(), shipped.end(), [&](const auto& entry) {
    return QFileInfo(QString::fromStdString(entry.file)) == info;
  });
  file_ = isShipped || !isSceneFile(info.filePath()) ? QString() : info.absoluteFilePath();
  now_ = {};
  now_.cameras = session_.model()->cameras;
  looks_.reset();
  toldOfHiding_ = false;
  saved_ = content();
  unwaive();
  const bool hasWaited = isSavingWaiting();
  giveUpWaiting();
  next_.reset();
  ++scene_;
  isFileChanged_ = false;
  known_ = read ? *read : FileState::of(file_);
  watch_.watch(file_);
  Q_EMIT changed();
  if (hasWaited) Q_EMIT savingEnded(false);  // only callers without the window's gate bring that about
  lookAtFile();                              // while it was being opened
}

SceneDocument::Content SceneDocument::content() const {
  Content content = now_;
  const std::shared_ptr<const Model> model = session_.model();
  content.scene = session_.editor().authored();
  for (const Parameter& parameter : model->parameters) {
    ParameterValue value = valueOf(parameter, session_.numbers().tuning());
    if (value != valueOf(parameter, model->tuning)) content.numbers[parameter.path] = std::move(value);
  }
  return content;
}

bool SceneDocument::same(const Content& a, const Content& b) {
  return a.scene == b.scene && a.numbers == b.numbers && a.looks == b.looks &&
         std::equal(a.poses.begin(), a.poses.end(), b.poses.begin(), b.poses.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && ui::same(x.second, y.second);
                    }) &&
         a.cameras == b.cameras;
}

bool SceneDocument::isEdited() const {
  // The numbers of a recording are what they are.
  return session_.isOpen() && !session_.moment().showsStored() && !same(content(), saved_);
}

bool SceneDocument::isAtStake() const {
  return isMadeAtStake() || (session_.isOpen() && session_.editor().isEditing() && !waivesComing_);
}

bool SceneDocument::isMadeAtStake() const {
  return isEdited() && !(waived_ && same(content(), *waived_));
}

void SceneDocument::waive() {
  waiveMade();
  waivesComing_ = session_.isOpen();
}

void SceneDocument::waiveMade() {
  if (session_.isOpen()) waived_ = content();
}

void SceneDocument::unwaive() {
  waived_.reset();
  waivesComing_ = false;
}

ParameterValue SceneDocument::parameterOfFile(const std::string& path) const {
  const Model& model = *session_.model();
  if (const auto found = saved_.numbers.find(path); found != saved_.numbers.end()) return found->second;
  const std::size_t dot = path.rfind('.');
  const auto list = saved_.numbers.find(path.substr(0, dot));
  if (dot == std::string::npos || list == saved_.numbers.end()) return valueOf(model, path, model.tuning);
  Tuning tuning = model.tuning;  // an entry of a list that was saved whole
  (void)setParameter(model, list->first, list->second, tuning);
  return valueOf(model, path, tuning);
}

// ---------------------------------------------------------------------------------- cameras and poses

std::vector<CameraSpec> SceneDocument::cameras() const {
  return camerasIn(*session_.model(), now_.cameras);
}

void SceneDocument::addCamera(CameraSpec camera) {
  const std::string wanted = camera.name;
  const auto isTaken = [this](const std::string& name) {
    return std::any_of(now_.cameras.begin(), now_.cameras.end(),
                       [&](const CameraSpec& c) { return c.name == name; });
  };
  for (int i = 2; isTaken(camera.name); ++i) camera.name = wanted + "_" + std::to_string(i);
  session_.messages().tell(LogLevel::Info, tr("This view is the camera \"%1\" now; saving the scene keeps it")
                                               .arg(QString::fromStdString(camera.name)));
  now_.cameras.push_back(std::move(camera));
  Q_EMIT changed();
}

void SceneDocument::removeCamera(std::size_t index) {
  const std::vector<CameraSpec> cameras = this->cameras();
  if (index >= cameras.size()) return;
  std::erase_if(now_.cameras, [&](const CameraSpec& camera) { return camera.name == cameras[index].name; });
  Q_EMIT changed();
}

void SceneDocument::place(int body, const Pose& X_WB) {
  if (!session_.isOpen()) return;
  if (!session_.moment().isLive())
    return session_.messages().tell(LogLevel::Warning,
                                    tr("Bodies of the past stay where they were: End goes to the "
                                       "newest step"));
  const Model& model = *session_.model();
  if (const Result<void> possible = check(Place{body, X_WB}, model); !possible)
    return session_.messages().failed(possible.error());
  const auto owner = std::find_if(model.robots.begin(), model.robots.end(),
                                  [body](const Robot& robot) { return robot.firstBody == body; });
  SIM_REQUIRE(owner != model.robots.end(), body);  // what hangs from nothing is the first of its robot
  const std::string& name = owner->name;
  const Pose& before = session_.moment().shown()->X_WB[static_cast<std::size_t>(body)];
  session_.undoStack().push(new PlaceEdit(*this, name, before, X_WB, now_.poses.contains(name)));
}

void SceneDocument::setPlace(const std::string& robot, const Pose& X_WB, bool isStart) {
  const auto& robots = session_.model()->robots;
  const auto found =
      std::find_if(robots.begin(), robots.end(), [&](const Robot& r) { return r.name == robot; });
  if (found == robots.end()) return;
  session_.commands().post(Place{found->firstBody, X_WB});
  if (isStart)
    now_.poses[robot] = X_WB;
  else
    now_.poses.erase(robot);
  if (!session_.run().status().playing) session_.transport().stepForward();  // so that it is seen
  Q_EMIT changed();
}

// ------------------------------------------------------------------------------------------------ looks

LookSpec SceneDocument::look(const ThingName& thing) const {
  const auto found = now_.looks.find(thing);
  return found == now_.looks.end() ? lookIn(*session_.model(), thing) : found->second;
}

LookSpec SceneDocument::lookOfFile(const ThingName& thing) const {
  const auto found = saved_.looks.find(thing);
  return found == saved_.looks.end() ? lookIn(*session_.model(), thing) : found->second;
}

void SceneDocument::setLooks(const LookEdits& looks, const QString& what, int gesture) {
  if (!session_.isOpen()) return;
  LookEdits before, after;
  bool hides = false;
  for (const auto& [thing, wanted] : looks) {
    const LookSpec now = look(thing);
    if (wanted == now && gesture == 0) continue;
    before[thing] = now;
    after[thing] = wanted;
    hides |= now.visible && !wanted.visible;
  }
  if (after.empty()) return;
  auto* edit = new LookEdit(*this, std::move(before), std::move(after), gesture);
  edit->setText(what);
  session_.undoStack().push(edit);
  if (hides && !std::exchange(toldOfHiding_, true))
    session_.messages().tell(LogLevel::Info,
                             tr("What is hidden still acts, and its contacts stay in the tables and plots: "
                                "Shift+H shows everything"));
}

void SceneDocument::applyLooks(const LookEdits& looks) {
  for (const auto& [thing, look] : looks)
    if (look == lookIn(*session_.model(), thing))
      now_.looks.erase(thing);
    else
      now_.looks[thing] = look;
  looks_.reset();
  Q_EMIT looksChanged();
  Q_EMIT changed();
}

std::shared_ptr<const Looks> SceneDocument::looks() const {
  if (!session_.isOpen()) return nullptr;
  if (!looks_ || looksModel_ != session_.model()) {
    looksModel_ = session_.model();
    looks_ = std::make_shared<const Looks>(looksOf(*looksModel_, now_.looks));
  }
  return looks_;
}

// ----------------------------------------------------------------------------------------------- saving

Scene SceneDocument::sceneOf(const Content& content) const {
  Scene scene = *content.scene;
  scene.cameras = camerasIn(*session_.run().newestModel(), content.cameras);
  for (RobotSpec& robot : scene.robots)
    if (const auto placed = content.poses.find(robot.name); placed != content.poses.end())
      robot.X_PB = placed->second;
  for (const auto& [thing, look] : content.looks) setLook(scene, thing, look);
  return scene;
}

void SceneDocument::save(const QString& file, Others others) {
  start({file, others, false});
}

void SceneDocument::saveCopy(const QString& file) {
  giveUpWaiting();
  start({file, Others::Overwritten, true});
}

void SceneDocument::start(const Wish& wish) {
  if (!session_.isOpen()) return;
  if (!session_.services().save)
    return session_.messages().failed(Error{ErrorCode::Unsupported, "this window cannot save",
                                            wish.file.toStdString(), "use the program itself"});
  if (isSaving()) {
    next_ = wish;
    return;
  }
  waiting_ = wish;
  waitsSince_.start();
  toldOfWaiting_ = false;
  look_.start();
  writeOnceEdited();
}

/// What a person has asked for before belongs into the file, too, though it may take a moment to come. A copy is of what
/// there is: who has it made may have no moment.
void SceneDocument::writeOnceEdited() {
  if (session_.editor().isEditing() && !waiting_->isCopy) return tellOfWaiting();
  look_.stop();
  write(*std::exchange(waiting_, std::nullopt));
}

/// Once, where it takes long: a step that holds the edit up may never end.
void SceneDocument::tellOfWaiting() {
  if (toldOfWaiting_ || waitsSince_.elapsed() < kPatience_ms) return;
  toldOfWaiting_ = true;
  session_.messages().tell(LogLevel::Warning, tr("saving waits for an edit that is under way"));
  Q_EMIT savingHeldUp();
}

void SceneDocument::giveUpWaiting() {
  if (!isSavingWaiting()) return;
  look_.stop();
  waiting_.reset();
  next_.reset();
}

/// Meshes and robots are read once more to see that the file says what it should: not on the window's thread.
void SceneDocument::write(const Wish& wish) {
  const Content content = this->content();
  const auto save = session_.services().save;
  const std::string where = wish.file.toStdString();
  std::vector<std::pair<std::string, ParameterValue>> numbers(content.numbers.begin(), content.numbers.end());
  const bool isOwn = !wish.isCopy && QFileInfo(wish.file).absoluteFilePath() == file_;
  const std::optional<FileState> expected =
      isOwn && wish.others == Others::Kept ? std::optional(known_) : std::nullopt;
  auto work = [save, scene = sceneOf(content), numbers, wish, expected,
               where](const std::stop_token&) -> Result<Written> {
    const FileState before = expected ? FileState::of(wish.file) : FileState{};
    if (before.exists && before != *expected) return Written{true, {}};
    if (const Result<void> saved = save(scene, numbers, where); !saved) return saved.error();
    return Written{false, FileState::of(wish.file)};
  };
  writing_.start(ErrorCode::FileUnwritable, where, std::move(work),
                 [this, wish, opened = scene_, content](const Result<Written>& written) {
                   finishSaving(wish, opened, content, written);
                 });
}

void SceneDocument::finishSaving(const Wish& wish, std::uint64_t scene, const Content& content,
                                 const Result<Written>& written) {
  const bool hasConflict = written && written->hasConflict;
  const bool isWritten = written && !hasConflict;
  const bool isOfThis = scene == scene_;  // another one may have been opened meanwhile
  if (isWritten && isOfThis && !wish.isCopy) {
    file_ = QFileInfo(wish.file).absoluteFilePath();
    saved_ = content;
    known_ = written->state;
    isFileChanged_ = false;
    watch_.watch(file_);
  }
  if (const auto next = std::exchange(next_, std::nullopt)) start(*next);
  if (isWritten) session_.messages().tell(LogLevel::Info, tr("saved as %1").arg(wish.file));
  if (!written) Q_EMIT session_.messages().failed(written.error());
  if (isWritten && isOfThis && !wish.isCopy) {
    Q_EMIT changed();
    Q_EMIT fileChanged();
    Q_EMIT saved(file_);
  }
  if (hasConflict && isOfThis) Q_EMIT conflicted(wish.file);
  if (!isSaving()) Q_EMIT savingEnded(isWritten);
}

// ------------------------------------------------------------------------------------ what others write

/// A file that is gone takes nothing of what is open here along: saving writes it anew.
void SceneDocument::lookAtFile() {
  if (file_.isEmpty() || writing_.isRunning()) return;
  const FileState now = FileState::of(file_);
  const bool isChanged = now.exists && now != known_;
  if (isChanged == std::exchange(isFileChanged_, isChanged)) return;
  Q_EMIT fileChanged();
}

void SceneDocument::keepMine() {
  known_ = FileState::of(file_);
  if (std::exchange(isFileChanged_, false)) Q_EMIT fileChanged();
}

}  // namespace slipstick::ui
