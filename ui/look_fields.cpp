#include "ui/look_fields.h"

#include <QColorDialog>
#include <QPainter>

#include "engine/foundation/srgb.h"
#include "ui/edits.h"
#include "ui/scene_document.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

/// As files write it: bytes of sRGB that become linear light.
Color linearOf(const QColor& color) {
  const auto part = [](int byte) { return static_cast<float>(linearFromSrgb(byte / 255.0)); };
  return {part(color.red()), part(color.green()), part(color.blue()), 1};
}

QColor shownOf(const Color& color) {
  const auto byte = [](float part) {
    return static_cast<int>(std::lround(255 * srgbFromLinear(static_cast<double>(part))));
  };
  return {byte(color.x()), byte(color.y()), byte(color.z())};
}

/// Clicks by Return as by Space.
bool clicksBy(const QKeyEvent& event) {
  return event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
}

}  // namespace

Switch::Switch(QWidget* parent) : QAbstractButton(parent) {
  setCheckable(true);
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
}

void Switch::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF track = QRectF(rect()).adjusted(1, 1, -1, -1);
  painter.setPen(hasFocus() ? QPen(t.accent, 1.5) : Qt::NoPen);
  painter.setBrush(isChecked() ? t.accent : t.hover);
  painter.drawRoundedRect(track, track.height() / 2, track.height() / 2);
  painter.setPen(Qt::NoPen);
  painter.setBrush(isChecked() ? t.onAccent : t.secondary);
  const qreal radius = track.height() / 2 - 3;
  const qreal x = isChecked() ? track.right() - radius - 3 : track.left() + radius + 3;
  painter.drawEllipse(QPointF(x, track.center().y()), radius, radius);
}

void Switch::keyPressEvent(QKeyEvent* event) {
  if (clicksBy(*event)) return click();
  QAbstractButton::keyPressEvent(event);
}

ColorButton::ColorButton(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
}

void ColorButton::setColor(const QColor& color) {
  color_ = color;
  update();
}

void ColorButton::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(hasFocus() || underMouse() ? t.accent : t.line, 1));
  painter.setBrush(color_.isValid() ? color_ : t.field);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  if (color_.isValid()) return;
  painter.setPen(t.faint);
  drawTabular(painter, rect(), Qt::AlignHCenter, tr("its own"));
}

void ColorButton::keyPressEvent(QKeyEvent* event) {
  if (clicksBy(*event)) return click();
  QAbstractButton::keyPressEvent(event);
}

LookFields::LookFields(ThingName thing, Session& session, QObject* parent)
    : QObject(parent),
      thing_(std::move(thing)),
      session_(session),
      visible_(new Switch),
      color_(new ColorButton),
      visibleReset_(new ResetDot),
      colorReset_(new ResetDot) {
  visible_->setAccessibleName(tr("Visible"));
  visible_->setToolTip(
      tr("H hides or shows what is selected. What is hidden acts as before: it casts no shadow and "
         "cannot be clicked, and its contacts stay in the tables"));
  color_->setAccessibleName(tr("Colour"));
  color_->setToolTip(tr("Click to choose. Colours that mean numbers go over it: View, Coloured by"));
  visibleReset_->setAccessibleName(tr("Reset visible"));
  colorReset_->setAccessibleName(tr("Reset colour"));
  colorReset_->setToolTip(tr("Back to the file's colour"));
  connect(visible_, &QAbstractButton::clicked, this, [this](bool on) {
    LookSpec look = session_.document().look(thing_);
    look.visible = on;
    set(look, on ? tr("show %1") : tr("hide %1"));
  });
  connect(color_, &QAbstractButton::clicked, this, &LookFields::choose);
  connect(visibleReset_, &QAbstractButton::clicked, this, [this] {
    LookSpec look = session_.document().look(thing_);
    look.visible = session_.document().lookOfFile(thing_).visible;
    set(look, tr("visibility of %1"));
  });
  connect(colorReset_, &QAbstractButton::clicked, this, [this] {
    LookSpec look = session_.document().look(thing_);
    look.color = session_.document().lookOfFile(thing_).color;
    set(look, tr("colour of %1"));
  });
  refresh();
}

void LookFields::set(const LookSpec& look, const QString& what, int gesture) {
  session_.document().setLooks({{thing_, look}}, what.arg(QString::fromStdString(thing_.name)), gesture);
  refresh();
}

void LookFields::setColor(const QColor& color, int gesture) {
  LookSpec look = session_.document().look(thing_);
  look.color = linearOf(color);
  set(look, tr("colour of %1"), gesture);
}

/// The picture follows the dialog; what it shows at the end is one edit, and none where it was cancelled.
void LookFields::choose() {
  const LookSpec before = session_.document().look(thing_);
  auto* dialog =
      new QColorDialog(color_->color().isValid() ? color_->color() : QColor("#B2B2B8"), color_->window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Colour of %1").arg(QString::fromStdString(thing_.name)));
  const int gesture = nextGesture();
  connect(dialog, &QColorDialog::currentColorChanged, this,
          [this, gesture](const QColor& color) { setColor(color, gesture); });
  connect(dialog, &QColorDialog::rejected, this,
          [this, gesture, before] { set(before, tr("colour of %1"), gesture); });
  dialog->open();
}

void LookFields::refresh() {
  const LookSpec now = session_.document().look(thing_), ofFile = session_.document().lookOfFile(thing_);
  visible_->setChecked(now.visible);
  color_->setColor(now.color ? shownOf(*now.color) : QColor());
  visibleReset_->setVisible(now.visible != ofFile.visible);
  visibleReset_->setToolTip(ofFile.visible ? tr("Back to the file: shown") : tr("Back to the file: hidden"));
  colorReset_->setVisible(now.color != ofFile.color);
}

}  // namespace slipstick::ui
