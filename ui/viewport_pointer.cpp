// The pointer in the viewport: what it selects, turns, pulls, and what is drawn of a pull.
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "render/hud_why.h"
#include "ui/driving.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/viewport.h"

namespace slipstick::ui {
namespace {

constexpr double kZoomPerNotch = 1.15;
constexpr int kHover_ms = 120;
constexpr double kHandleReach = 7;  // of the pointer to a handle [logical px]
constexpr double kClickReach = 4;   // a press that moves less is a click [logical px]

}  // namespace

void Viewport::clickCard(std::string_view button) {
  if (const render::ViewAction* action = render::findViewAction(button)) session_.focus().toggleView(*action);
  if (button == render::kWhyButton || button == render::kCloseWhyButton)
    facts_.setWhy(button == render::kWhyButton);
}

void Viewport::mousePressEvent(QMouseEvent* event) {
  lastPosition_ = pressedAt_ = event->position();
  if (picture_) {
    const auto x = static_cast<float>(lastPosition_.x()), y = static_cast<float>(lastPosition_.y());
    for (const render::HudButton& button : picture_->buttons)
      if (button.rect.contains(x, y)) return clickCard(button.name);
    for (const render::Rect& card : picture_->cards)
      if (card.contains(x, y)) return;
  }
  const bool control = event->modifiers() & Qt::ControlModifier;
  if (event->button() == Qt::LeftButton && !control && holdHandle(event->position())) return;
  pressed_ = event->button() == Qt::LeftButton && !control;
  orbiting_ = pressed_;
  panning_ = (event->button() == Qt::RightButton && !control) || event->button() == Qt::MiddleButton;
  const bool grips = event->button() == Qt::RightButton || event->button() == Qt::LeftButton;
  if (!grips || !control) return;
  const auto kind = event->button() == Qt::LeftButton ? MouseSpring::Kind::Twist : MouseSpring::Kind::Pull;
  pick(lastPosition_, render::Pickable::Surfaces,
       [this, kind, ray = rayAt(lastPosition_)](const std::optional<render::Picked>& picked) {
         if (picked) grip(*picked, kind, ray);
       });
}

void Viewport::grip(const render::Picked& picked, MouseSpring::Kind kind, const Vec3& ray) {
  if (!session_.moment().isLive()) {
    session_.messages().tell(LogLevel::Warning,
                             tr("The past cannot be pulled at: End goes to the newest step, and "
                                "\"Resume from here\" goes on from this one"));
    return;
  }
  spring_.grip(*session_.moment().shown(), *model_, picked.selection, picked.p_W, ray, kind);
  if (!spring_.isActive()) {
    session_.messages().tell(LogLevel::Info, tr("This cannot be pulled: it is fixed to the world"));
    return;
  }
  if (!session_.run().status().playing)
    session_.messages().tell(LogLevel::Info,
                             tr("The pull acts as soon as the simulation plays: press Space"));
  session_.commands().post(spring_.command());
  session_.focus().select(picked.selection);
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  const QPointF position = event->position();
  if (pressed_ && (position - pressedAt_).manhattanLength() > kClickReach) pressed_ = false;
  const QPointF moved = (position - lastPosition_) / std::max(height(), 1);
  if (pressed_) return;  // it may still be a click
  lastPosition_ = position;
  if (heldHandle_) return dragHandle(position, event->modifiers() & Qt::ShiftModifier);
  if (spring_.isActive()) {
    if (spring_.kind() == MouseSpring::Kind::Twist)
      spring_.turnBy(moved.x(), moved.y());
    else
      spring_.moveTo(camera_.eye(), rayAt(lastPosition_));
    session_.commands().post(spring_.command());
    update();
  } else if (orbiting_) {
    camera_.orbit(moved.x(), moved.y());
    cameraMoved();
  } else if (panning_) {
    camera_.pan(moved.x(), moved.y());
    cameraMoved();
  } else {
    showHandle(handleUnder(position));
    hover_.start(kHover_ms);
  }
}

// ---------------------------------------------------------------------------- handles of what is driven by hand

std::optional<std::pair<int, render::Handle>> Viewport::handleUnder(const QPointF& position) const {
  if (!picture_ || !session_.driving().isOn() || !session_.moment().isLive()) return std::nullopt;
  const Eigen::Vector2d at(position.x() / width(), position.y() / height());
  for (const render::GoalMark& mark : picture_->request.frame->goals)
    if (mark.hasHandles)
      if (const auto handle = render::handleAt(render::gizmoAt(mark.X_WG, camera_), camera_, aspect(), at,
                                               height(), kHandleReach))
        return std::pair(mark.effector, *handle);
  return std::nullopt;
}

bool Viewport::holdHandle(const QPointF& position) {
  const auto under = handleUnder(position);
  if (!under) return false;
  for (const render::GoalMark& mark : picture_->request.frame->goals)
    if (mark.effector == under->first)
      heldHandle_ = {under->first, under->second, render::gizmoAt(mark.X_WG, camera_), rayAt(position)};
  if (!session_.run().status().playing)
    session_.messages().tell(LogLevel::Info, tr("Arms move while the simulation plays: press Space"));
  showHandle(under);
  return true;
}

void Viewport::dragHandle(const QPointF& position, bool snaps) {
  const HeldHandle& held = *heldHandle_;
  const Pose X = render::dragged(held.start, held.handle, camera_.eye(), held.ray, rayAt(position), snaps);
  session_.driving().ask(Goal{held.effector, X.p, Quat(X.R)});
}

void Viewport::showHandle(const std::optional<std::pair<int, render::Handle>>& handle) {
  if (handle == shownHandle_) return;
  shownHandle_ = handle;
  setCursor(handle ? Qt::PointingHandCursor : Qt::ArrowCursor);
  requestFrame();
}

/// A pair shows its footprint while the pointer rests on its arrows.
void Viewport::look(const QPointF& position) {
  if (usePick_ || session_.run().status().playing) return;
  pick(position, render::Pickable::All, [this](const std::optional<render::Picked>& picked) {
    const auto* pointed = picked ? std::get_if<ContactPair>(&picked->selection) : nullptr;
    const std::optional<ContactPair> pair = pointed ? std::optional(*pointed) : std::nullopt;
    if (pair == hovered_) return;
    hovered_ = pair;
    requestFrame();
  });
}

void Viewport::mouseReleaseEvent(QMouseEvent*) {
  if (usePick_ && !pressed_) usePick_ = nullptr;  // what would be gripped was let go before it was found
  if (spring_.isActive()) {
    session_.commands().post(spring_.release());
    update();
  }
  heldHandle_.reset();
  if (std::exchange(pressed_, false))
    pick(pressedAt_, render::Pickable::All, [this](const std::optional<render::Picked>& picked) {
      session_.focus().select(picked ? picked->selection : render::Selection{});
    });
  orbiting_ = panning_ = false;
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::RightButton) return;
  pick(event->position(), render::Pickable::All, [this](const std::optional<render::Picked>& picked) {
    if (!picked) return;
    camera_.target = picked->p_W;
    cameraMoved();
  });
}

void Viewport::wheelEvent(QWheelEvent* event) {
  camera_.zoom(std::pow(kZoomPerNotch, event->angleDelta().y() / 120.0));
  cameraMoved();
}

// ------------------------------------------------------------------------------------------ what is drawn of it

void Viewport::paintSpring(QPainter& painter) const {
  const render::Camera& camera = picture_->request.camera;
  const Eigen::Matrix4f clipFromWorld = camera.projection(aspect()) * camera.view();
  const auto project = [&](const Vec3& p_W) -> std::optional<QPointF> {
    const Eigen::Vector4f clip = clipFromWorld * p_W.cast<float>().homogeneous();
    if (clip.w() <= 0) return std::nullopt;
    return QPointF((clip.x() / clip.w() + 1) / 2 * static_cast<float>(width()),
                   (1 - clip.y() / clip.w()) / 2 * static_cast<float>(height()));
  };
  const bool isTwist = spring_.kind() == MouseSpring::Kind::Twist;
  const auto from = project(spring_.anchor(*picture_->request.snapshot));
  const auto to = isTwist ? from : project(spring_.goal());
  if (!from || !to) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().bookmark, 2));
  painter.drawLine(*from, *to);
  painter.setBrush(theme().bookmark);
  painter.drawEllipse(*from, 3, 3);
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(*to, 6, 6);
  paintPull(painter, *to);
}

QString Viewport::pullText() const {
  if (!picture_ || !spring_.isActive()) return {};
  const Snapshot& s = *picture_->request.snapshot;
  const bool isTwist = spring_.kind() == MouseSpring::Kind::Twist;
  return isTwist ? tr("%1 N m").arg(significant(s.twistTorque.norm()))
                 : tr("%1 N").arg(significant(s.pullForce.norm()));
}

/// What the hand gives, beside where it is.
void Viewport::paintPull(QPainter& painter, const QPointF& at) const {
  const QString text = pullText();
  painter.setFont(textFont(600));
  const QFontMetricsF metrics(painter.font());
  QRectF card(0, 0, tabularWidth(metrics, text) + 14, metrics.height() + 6);
  card.moveTo(at + QPointF(12, -card.height() / 2));
  if (card.right() > width() - 4) card.moveRight(at.x() - 12);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(card, 5, 5);
  painter.setPen(theme().text);
  drawTabular(painter, card, Qt::AlignHCenter, text);
}

}  // namespace slipstick::ui
