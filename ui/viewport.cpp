#include "ui/viewport.h"

#include <QMouseEvent>
#include <QOpenGLContext>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr double kShortestFrame = 1.0 / 60;  // [s]
constexpr double kZoomPerNotch = 1.15;

}  // namespace

Viewport::Viewport(Session& session, QWidget* parent) : QOpenGLWidget(parent), session_(session) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(320, 240);
  frameTimer_.setSingleShot(true);
  connect(&frameTimer_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  // Drawing in software happens mostly after paintGL, when the window is put together.
  connect(this, &QOpenGLWidget::frameSwapped, this, [this] {
    if (std::exchange(drawing_, false)) paintSeconds_ = static_cast<double>(painting_.nsecsElapsed()) * 1e-9;
  });
  connect(&session_, &Session::opened, this, [this] {
    spring_ = {};
    adoptModel();
    cameraIndex_ = 0;
    align();
  });
  connect(&session_, &Session::modelChanged, this, [this] {
    if (spring_.isActive()) session_.post(spring_.release());
    adoptModel();
  });
  connect(&session_, &Session::shownChanged, this, &Viewport::requestFrame);
  for (const auto changed : {&Session::selectionChanged, &Session::viewChanged})
    connect(&session_, changed, this, [this] {
      frameStale_ = true;
      requestFrame();
    });
  connect(&session_, &Session::statusChanged, this, [this] {
    if (!frameTimer_.isActive() && session_.status().playing) requestFrame();  // the measured rate
  });
}

void Viewport::requestOpenGl() {
  QSurfaceFormat format;
  format.setVersion(4, 5);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  QSurfaceFormat::setDefaultFormat(format);
}

Viewport::~Viewport() {
  releaseDevice();
}

// ---------------------------------------------------------------------------------------------- drawing

void Viewport::initializeGL() {
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &Viewport::releaseDevice,
          static_cast<Qt::ConnectionType>(Qt::DirectConnection | Qt::UniqueConnection));
  auto renderer = render::Renderer::create();
  if (!renderer) return fail(renderer.error());
  auto hud = render::Hud::create();
  if (!hud) return fail(hud.error());
  renderer_ = std::move(renderer).value();
  hud_ = std::move(hud).value();
  modelIsNew_ = true;
}

void Viewport::releaseDevice() {
  if (!renderer_ && !hud_) return;
  makeCurrent();
  hud_.reset();
  renderer_.reset();
  doneCurrent();
}

void Viewport::fail(const Error& error) {
  // Reported after painting: a dialog or a layout change inside paintGL would re-enter it.
  QMetaObject::invokeMethod(
      this, [this, error] { Q_EMIT deviceFailed(error); }, Qt::QueuedConnection);
}

void Viewport::showEvent(QShowEvent* event) {
  QOpenGLWidget::showEvent(event);
  QTimer::singleShot(0, this, [this] {
    if (!isValid())
      fail({ErrorCode::DeviceFailure, "OpenGL 4.5 is not available here", "viewport",
            "install a driver with OpenGL 4.5, or Mesa for drawing in software"});
  });
}

void Viewport::adoptModel() {
  model_ = session_.model();
  modelIsNew_ = true;
  paintedStep_.reset();  // the picture's bodies are those of the model before
  framed_.reset();
}

/// At most 60 frames a second, and never more than half of the UI thread's time.
void Viewport::requestFrame() {
  if (frameTimer_.isActive()) return;
  const double rested =
      painting_.isValid() ? static_cast<double>(painting_.nsecsElapsed()) * 1e-9 - paintSeconds_ : 1;
  const double rest = std::max(kShortestFrame, paintSeconds_);
  frameTimer_.start(static_cast<int>(1000 * std::clamp(rest - rested, 0.0, rest)));
}

void Viewport::rebuildFrame() {
  const auto shown = session_.shown();
  if (shown == framed_ && !frameStale_) return;
  render::FrameInput input;
  input.model = model_;
  input.snapshot = shown;
  input.options = session_.view();
  input.selection = session_.selection();
  frame_ = render::buildFrame(input);
  framed_ = shown;
  frameStale_ = false;
}

render::Target Viewport::target() const {
  const double ratio = devicePixelRatioF();
  return {defaultFramebufferObject(), static_cast<int>(std::lround(width() * ratio)),
          static_cast<int>(std::lround(height() * ratio)), ratio};
}

render::HudInput Viewport::hudInput() const {
  const RunStatus status = session_.status();
  render::HudInput input;
  input.model = model_.get();
  input.snapshot = framed_.get();
  input.frame = &frame_;
  input.camera = &camera_;
  input.selection = session_.selection();
  input.options = session_.view();
  input.speedWanted = status.speedWanted;
  input.speedMeasured = status.speedMeasured;
  input.playing = status.playing;
  input.showHelp = help_;
  input.keys = keys_;
  input.showInfo = info_;
  input.showProfiler = profiler_;
  if (!session_.isLive())
    input.hint = QString("looking at %1 s of %2 s")
                     .arg(number(framed_->time, 3), number(session_.newestTime(), 3))
                     .toStdString();
  return input;
}

void Viewport::paintGL() {
  if (!renderer_ || !model_ || !session_.shown()) return;
  painting_.start();
  drawing_ = true;
  if (modelIsNew_) renderer_->setModel(model_);
  modelIsNew_ = false;
  rebuildFrame();
  renderer_->draw(frame_, camera_, session_.view(), session_.selection(), target());
  if (session_.view().hud) hud_->draw(hudInput(), target());
  if (spring_.isActive()) paintSpring();
  paintedStep_ = framed_->step;
  Q_EMIT painted();
}

void Viewport::paintSpring() {
  const Eigen::Matrix4f clipFromWorld = camera_.projection(aspect()) * camera_.view();
  const auto project = [&](const Vec3& p_W) -> std::optional<QPointF> {
    const Eigen::Vector4f clip = clipFromWorld * p_W.cast<float>().homogeneous();
    if (clip.w() <= 0) return std::nullopt;
    return QPointF((clip.x() / clip.w() + 1) / 2 * static_cast<float>(width()),
                   (1 - clip.y() / clip.w()) / 2 * static_cast<float>(height()));
  };
  const bool isTwist = spring_.kind() == MouseSpring::Kind::Twist;
  const auto from = project(spring_.anchor(*framed_));
  const auto to = isTwist ? from : project(spring_.goal());
  if (!from || !to) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().bookmark, 2));
  painter.drawLine(*from, *to);
  painter.setBrush(theme().bookmark);
  painter.drawEllipse(*from, 3, 3);
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(*to, 6, 6);
}

// -------------------------------------------------------------------------------------------- the camera

double Viewport::aspect() const {
  return height() > 0 ? static_cast<double>(width()) / height() : 1;
}

void Viewport::toggleCard(Card card) {
  bool& shown = card == Card::Help ? help_ : card == Card::Info ? info_ : profiler_;
  shown = !shown;
  requestFrame();
}

void Viewport::align() {
  if (model_ && !model_->cameras.empty())
    camera_ = render::Camera::from(model_->cameras[cameraIndex_]);
  else
    camera_ = {};
  requestFrame();
}

void Viewport::nextCamera(int direction) {
  if (!model_ || model_->cameras.empty()) return;
  const auto count = static_cast<int>(model_->cameras.size());
  cameraIndex_ = static_cast<std::size_t>((static_cast<int>(cameraIndex_) + direction + count) % count);
  align();
}

Vec3 Viewport::rayAt(const QPointF& position) const {
  return camera_.ray(position.x() / width(), position.y() / height(), aspect());
}

std::optional<render::Picked> Viewport::pickAt(const QPointF& position) {
  if (!renderer_ || !paintedStep_) return std::nullopt;
  makeCurrent();
  auto picked = renderer_->pick(position.x() / width(), position.y() / height());
  doneCurrent();
  return picked;
}

// ------------------------------------------------------------------------------------------- the pointer

void Viewport::mousePressEvent(QMouseEvent* event) {
  lastPosition_ = event->position();
  if (hud_ && hud_->covers(lastPosition_.x(), lastPosition_.y())) {
    clickCard(hud_->buttonAt(lastPosition_.x(), lastPosition_.y()));
    return;
  }
  const bool control = event->modifiers() & Qt::ControlModifier;
  orbiting_ = event->button() == Qt::LeftButton && !control;
  panning_ = (event->button() == Qt::RightButton && !control) || event->button() == Qt::MiddleButton;
  const bool grips = event->button() == Qt::RightButton || event->button() == Qt::LeftButton;
  if (!grips || !control) return;
  const auto picked = pickAt(lastPosition_);
  if (!picked) return;
  const auto kind = event->button() == Qt::LeftButton ? MouseSpring::Kind::Twist : MouseSpring::Kind::Pull;
  spring_.grip(*session_.shown(), *model_, picked->selection, picked->p_W, rayAt(lastPosition_), kind);
  if (!spring_.isActive()) return;
  session_.post(spring_.command());
  session_.select(picked->selection);
}

void Viewport::clickCard(std::string_view button) {
  if (const render::ViewAction* action = render::findViewAction(button)) session_.toggleView(*action);
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  const QPointF moved = (event->position() - lastPosition_) / std::max(height(), 1);
  lastPosition_ = event->position();
  if (spring_.isActive()) {
    if (spring_.kind() == MouseSpring::Kind::Twist)
      spring_.turnBy(moved.x(), moved.y());
    else
      spring_.moveTo(camera_.eye(), rayAt(lastPosition_));
    session_.post(spring_.command());
  } else if (orbiting_) {
    camera_.orbit(moved.x(), moved.y());
  } else if (panning_) {
    camera_.pan(moved.x(), moved.y());
  } else {
    return;
  }
  requestFrame();
}

void Viewport::mouseReleaseEvent(QMouseEvent*) {
  if (spring_.isActive()) session_.post(spring_.release());
  orbiting_ = panning_ = false;
  requestFrame();
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) {
  const auto picked = pickAt(event->position());
  if (event->button() == Qt::LeftButton) session_.select(picked ? picked->selection : render::Selection{});
  if (event->button() == Qt::RightButton && picked) {
    camera_.target = picked->p_W;
    requestFrame();
  }
}

void Viewport::wheelEvent(QWheelEvent* event) {
  camera_.zoom(std::pow(kZoomPerNotch, event->angleDelta().y() / 120.0));
  requestFrame();
}

}  // namespace slipstick::ui
