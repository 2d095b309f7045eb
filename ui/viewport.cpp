#include "ui/viewport.h"

#include <QPainter>
#include <QScreen>
#include <QSurfaceFormat>
#include <algorithm>
#include <cmath>

#include "render/framing.h"
#include "ui/driving.h"
#include "ui/scene_document.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRest_ms = 250;

}  // namespace

Viewport::Viewport(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      facts_(session),
      worker_([this] { QMetaObject::invokeMethod(this, &Viewport::onFrame, Qt::QueuedConnection); }) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Picture of the scene"));
  setMinimumSize(320, 240);
  pace_.setSingleShot(true);
  rest_.setSingleShot(true);
  hover_.setSingleShot(true);
  connect(&hover_, &QTimer::timeout, this, [this] { look(lastPosition_); });
  connect(&pace_, &QTimer::timeout, this, &Viewport::askForPicture);
  connect(&rest_, &QTimer::timeout, this, [this] {
    if (lacksDetail()) requestPicture();
  });
  connect(&session_.opener(), &SceneOpener::opened, this, [this] {
    spring_ = {};
    adoptModel();
    cameraIndex_.reset();
    if (render::firstCamera(*model_)) cameraIndex_ = 0;
    fit_ = Fit::Opening;
    applyFit();
  });
  connect(&session_.moment(), &ShownMoment::modelChanged, this, [this] {
    if (spring_.isActive()) session_.commands().post(spring_.release());
    adoptModel();
  });
  connect(&session_.focus(), &Focus::selectionChanged, this, [this] { followedAt_ = followed(); });
  connect(&facts_, &MomentFacts::changed, this, [this] {
    const bool had = built_ && !(built_->frame->ghosts.empty() && built_->frame->trails.empty());
    const bool has = facts_.ghost() || !facts_.trails().empty() || !facts_.besides().empty();
    had || has ? requestFrame() : requestWords();
  });
  connect(&session_.moment(), &ShownMoment::shownChanged, this, [this] {
    rest_.start(kRest_ms);  // who goes through the past wants to be there at once
    // What was fitted to where things had come to is fitted anew to where they were before.
    const bool goesBack =
        session_.moment().shown()->step < std::exchange(shownStep_, session_.moment().shown()->step);
    if (goesBack && (fit_ == Fit::Moving || fit_ == Fit::Everything)) applyFit();
    requestFrame();
  });
  for (const auto changed : {&Focus::selectionChanged, &Focus::viewChanged})
    connect(&session_.focus(), changed, this, &Viewport::requestFrame);
  connect(&session_.document(), &SceneDocument::looksChanged, this, &Viewport::requestFrame);
  connect(&session_.driving(), &Driving::changed, this, [this] {
    if (std::exchange(hasHandles_, session_.driving().isOn()) != session_.driving().isOn()) requestFrame();
  });
  connect(&session_.run(), &OpenRun::statusChanged, this, &Viewport::requestWords);
}

void Viewport::requestOpenGl() {
  QSurfaceFormat format;
  format.setVersion(4, 5);
  format.setProfile(QSurfaceFormat::CoreProfile);
  QSurfaceFormat::setDefaultFormat(format);
}

Viewport::~Viewport() = default;

// ---------------------------------------------------------------------------------------- frames and pictures

void Viewport::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!pictures_)
    pictures_ = std::make_unique<PictureThread>(
        [this] { QMetaObject::invokeMethod(this, &Viewport::onPicture, Qt::QueuedConnection); });
  requestFrame();
}

void Viewport::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) requestFrame();  // the picture is of the theme, too
}

void Viewport::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  applyFit();
  requestPicture();
}

void Viewport::adoptModel() {
  model_ = session_.model();
  if (ridden_ && model_->findBody(ridden_->body) < 0) ridden_.reset();
  hovered_.reset();
  heldHandle_.reset();
  shownHandle_.reset();
  paintedStep_.reset();  // the picture's bodies are those of the model before
}

render::FrameInput Viewport::frameInput() const {
  render::FrameInput input;
  input.model = session_.model();
  input.snapshot = session_.moment().shown();
  input.looks = session_.document().looks();
  input.options = session_.focus().view();
  input.options.light = theme().appearance == Appearance::Light;
  input.selection = session_.focus().selection();
  if (const std::optional<TimelineMark> mark = session_.moment().source().mark(input.snapshot->step))
    input.largestForce = mark->largestForce;
  input.camera = camera_;
  input.viewHeight = height();
  input.aspect = aspect();
  input.hovered = hovered_;
  if (facts_.ghost()) input.ghosts = {facts_.ghost()};
  input.besides = facts_.besides();
  input.trails = facts_.trails();
  input.hasHandles = session_.driving().isOn() && session_.moment().isLive();
  input.held = shownHandle_;
  return input;
}

/// Something of what is shown has changed.
void Viewport::requestFrame() {
  if (!session_.moment().shown()) return;
  if (!isVisible()) return session_.moment().setPresented(session_.moment().shown());
  building_ = true;
  ride();
  follow();
  worker_.request(frameInput());
}

void Viewport::onFrame() {
  if (const std::optional<Error> error = worker_.failure()) {
    building_ = false;
    session_.moment().setPresented(session_.moment().shown());
    Q_EMIT deviceFailed(*error);
  }
  std::optional<BuiltFrame> built = worker_.take();
  if (!built) return;
  building_ = false;
  built_ = std::move(built);
  requestPicture();
}

/// At most one picture is under way; while it is, later wishes become one.
void Viewport::requestPicture() {
  stale_ = true;
  if (drawing_ || pace_.isActive() || !built_ || !pictures_ || !isVisible()) return;
  const double period = 1000 / std::max(screen()->refreshRate(), 1.0);
  const double since =
      sinceRequest_.isValid() ? static_cast<double>(sinceRequest_.nsecsElapsed()) * 1e-6 : period;
  since >= period ? askForPicture() : pace_.start(static_cast<int>(std::ceil(period - since)));
}

/// What is written over the picture has changed. With a frame on its way they come with its picture: one of the frame
/// before would keep it waiting.
void Viewport::requestWords() {
  if (!building_) requestPicture();
}

void Viewport::askForPicture() {
  if (drawing_ || !built_ || built_->input.model != model_) return;
  PictureRequest request;
  request.model = built_->input.model;
  request.snapshot = built_->input.snapshot;
  request.frame = built_->frame;
  request.camera = ridden_ ? built_->input.camera : camera_;  // where the bodies of this frame carry it
  request.camera.parallel = camera_.parallel;
  request.hud = hudInput();
  request.width = pixels().width();
  request.height = pixels().height();
  request.pixelRatio = devicePixelRatioF();
  request.still = !session_.run().status().playing && !rest_.isActive() && !building_;
  if (!request.still) rest_.start(kRest_ms);
  drawing_ = true;
  stale_ = false;
  sinceRequest_.start();
  pictures_->request(std::move(request));
}

void Viewport::onPicture() {
  if (const std::optional<Error> error = pictures_->failure()) {
    drawing_ = false;
    session_.moment().setPresented(session_.moment().shown());
    Q_EMIT deviceFailed(*error);
  }
  std::shared_ptr<const Picture> picture = pictures_->take();
  if (!picture) return;
  drawing_ = false;
  if (picture->request.model == model_) {
    picture_ = std::move(picture);
    if (!picture_->scene.isNull()) scene_ = {picture_->request.model, picture_->scene};
    update();
    Q_EMIT effectsChanged(picture_->without);
    session_.moment().setPresented(
        picture_->request.snapshot);  // panels that show the time are painted with it
  }
  // What rests may have come to rest while a slow machine drew this one.
  if (stale_ || (lacksDetail() && !rest_.isActive())) requestPicture();
}

QImage Viewport::sceneImage() const {
  if (scene_.first && scene_.first == session_.model()) return scene_.second;
  return picture_ && picture_->request.model == session_.model() ? picture_->image : QImage();
}

/// Nothing moves any more, but the picture was made as if.
bool Viewport::lacksDetail() const {
  return !session_.run().status().playing && picture_ && !picture_->request.still;
}

bool Viewport::isSettled() const {
  return facts_.isSettled() && picture_ && !drawing_ && !building_ && !stale_ && picture_->request.still;
}

render::HudInput Viewport::hudInput() const {
  const RunStatus status = session_.run().status();
  render::HudInput input;
  input.selection = built_->input.selection;
  input.options = built_->input.options;
  input.speedWanted = status.speedWanted;
  input.speedMeasured = status.speedMeasured;
  input.playing = status.playing;
  input.hasFailed = session_.moment().isLive() && !status.error.empty();
  input.showHelp = help_;
  input.showInfo = info_;
  input.showProfiler = profiler_;
  input.keys = keys_;
  input.why = facts_.whyFacts();
  input.ghosts = facts_.besideWords();
  if (facts_.ghost()) input.ghosts.push_back(facts_.ghostWords().toStdString());
  if (!session_.moment().isLive())
    input.hint = QString("looking at %1 s of %2 s")
                     .arg(number(built_->input.snapshot->time, 3), number(session_.moment().newestTime(), 3))
                     .toStdString();
  return input;
}

void Viewport::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!picture_ || picture_->request.model != model_) {
    painter.fillRect(rect(), theme().window);
    return;
  }
  painter.drawImage(QRectF(rect()), picture_->image);
  if (spring_.isActive()) paintSpring(painter);
  if (picture_->request.pixelRatio != devicePixelRatioF()) requestPicture();  // on a screen of another scale
  paintedStep_ = picture_->request.snapshot->step;
  Q_EMIT painted();
}

// -------------------------------------------------------------------------------------------- the camera

QSize Viewport::pixels() const {
  const double ratio = devicePixelRatioF();
  return {std::max(1, static_cast<int>(std::lround(width() * ratio))),
          std::max(1, static_cast<int>(std::lround(height() * ratio)))};
}

double Viewport::aspect() const {
  return height() > 0 ? static_cast<double>(width()) / height() : 1;
}

void Viewport::toggleCard(Card card) {
  bool& shown = card == Card::Help ? help_ : card == Card::Info ? info_ : profiler_;
  shown = !shown;
  requestPicture();
}

/// By a person.
void Viewport::cameraMoved() {
  fit_ = Fit::Free;
  ridden_.reset();
  requestView();
}

/// The camera is another one.
void Viewport::requestView() {
  session_.driving().setCamera(camera_);
  rest_.start(kRest_ms);
  if (built_ && render::dependsOnCamera(built_->input)) requestFrame();
  requestPicture();
}

void Viewport::setCamera(const render::Camera& camera) {
  camera_ = camera;
  cameraMoved();
}

void Viewport::applyFit() {
  const auto shown = session_.moment().shown();
  if (!shown || fit_ == Fit::Free) return;
  const Model& model = *session_.model();
  if (fit_ == Fit::Opening) {
    if (const CameraSpec* first = render::firstCamera(model)) return show(*first);
    ridden_.reset();
    camera_ = render::openingCamera(model, *shown, aspect());
  } else {
    ridden_.reset();
    camera_ = render::fitted(camera_, render::boundsOf(model, *shown, fit_ == Fit::Moving), aspect());
  }
  requestView();
}

void Viewport::fit() {
  fit_ = fit_ == Fit::Moving ? Fit::Everything : Fit::Moving;
  applyFit();
}

void Viewport::fitSelection() {
  if (!session_.moment().shown()) return;
  setCamera(render::fitted(
      camera_, render::boundsOf(*session_.model(), *session_.moment().shown(), session_.focus().selection()),
      aspect()));
}

void Viewport::resetCamera() {
  fit_ = Fit::Opening;
  applyFit();
}

void Viewport::setParallel(bool on) {
  camera_.parallel = on;
  requestView();
}

void Viewport::setFollowing(bool on) {
  following_ = on;
  followedAt_ = followed();
}

std::optional<Vec3> Viewport::followed() const {
  if (!session_.moment().shown()) return std::nullopt;
  const Eigen::AlignedBox3d box =
      render::boundsOf(*session_.model(), *session_.moment().shown(), session_.focus().selection());
  if (box.isEmpty()) return std::nullopt;
  return Vec3(box.center());
}

void Viewport::follow() {
  if (!following_) return;
  const std::optional<Vec3> now = followed();
  if (now && followedAt_ && !ridden_) camera_.target += *now - *followedAt_;
  followedAt_ = now;
}

void Viewport::nextCamera(int direction) {
  if (!model_) return;
  const std::vector<CameraSpec> cameras = session_.document().cameras();
  if (cameras.empty()) return;
  const auto count = static_cast<int>(cameras.size());
  const int from = cameraIndex_ ? static_cast<int>(*cameraIndex_) : direction > 0 ? -1 : count;
  cameraIndex_ = static_cast<std::size_t>((from + direction + count) % count);
  fit_ = Fit::Free;
  show(cameras[*cameraIndex_]);
}

void Viewport::show(const CameraSpec& camera) {
  if (!session_.moment().shown()) return;
  ridden_.reset();
  if (!camera.body.empty()) ridden_ = camera;
  camera_ = render::Camera::from(camera, *session_.model(), *session_.moment().shown());
  requestView();
  if (ridden_) requestFrame();
}

/// To where the body is in the snapshot that is shown next.
void Viewport::ride() {
  if (!ridden_) return;
  const bool isParallel = camera_.parallel;
  camera_ = render::Camera::from(*ridden_, *session_.model(), *session_.moment().shown());
  camera_.parallel = isParallel;
  session_.driving().setCamera(camera_);
}

void Viewport::keepAsCamera() {
  if (!model_) return;
  CameraSpec camera{"view", camera_.eye(), camera_.target, camera_.fieldOfView, {}};
  if (camera_.axes) camera.up = camera_.axes->col(1);
  session_.document().addCamera(std::move(camera));
  cameraIndex_ = session_.document().cameras().size() - 1;
}

void Viewport::forgetCamera() {
  if (!model_ || !cameraIndex_) return;
  session_.document().removeCamera(*cameraIndex_);
  cameraIndex_ = 0;
}

Vec3 Viewport::rayAt(const QPointF& position) const {
  return camera_.ray(position.x() / width(), position.y() / height(), aspect());
}

/// The answer comes when the drawing thread has time for it; of several questions the last is answered.
void Viewport::pick(const QPointF& position, render::Pickable pickable, UsePick use) {
  if (!pictures_ || !picture_) return;
  usePick_ = std::move(use);
  pictures_->pick(
      position.x() / width(), position.y() / height(), pickable,
      [this, question = ++questions_, shown = model_](const std::optional<render::Picked>& picked) {
        QMetaObject::invokeMethod(
            this,
            [this, picked, question, shown] {
              if (question != questions_ || !usePick_) return;  // of a question that is no more
              const UsePick asked = std::exchange(usePick_, nullptr);
              if (shown == model_) asked(picked);
            },
            Qt::QueuedConnection);
      });
}

}  // namespace slipstick::ui
