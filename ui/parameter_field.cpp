#include "ui/parameter_field.h"

#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "ui/edits.h"
#include "ui/scene_document.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kPixelsPerNotch = 4;

QString shortNumber(double value) {
  return QString::number(value, 'g', 6).replace('-', QChar(0x2212));
}

}  // namespace

DragLabel::DragLabel(const QString& text, QWidget* parent) : ThemedLabel(text, secondaryColor, parent) {
  setCursor(Qt::SizeHorCursor);
}

void DragLabel::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  pressedAt_ = event->pos().x();
  notches_ = 0;
  Q_EMIT pressed();
}

void DragLabel::mouseMoveEvent(QMouseEvent* event) {
  const int notches = (event->pos().x() - pressedAt_) / kPixelsPerNotch;
  if (!(event->buttons() & Qt::LeftButton) || notches == notches_) return;
  notches_ = notches;
  Q_EMIT dragged(notches, event->modifiers());
}

void DragLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(theme().secondary);
  const QString shown = QFontMetricsF(font()).elidedText(text(), Qt::ElideRight, width());
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, shown);
}

ResetDot::ResetDot(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::TabFocus);
  QSizePolicy policy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  policy.setRetainSizeWhenHidden(true);
  setSizePolicy(policy);
  setCursor(Qt::PointingHandCursor);
}

void ResetDot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool strong = underMouse() || hasFocus();
  painter.setPen(strong ? QPen(theme().accent, 1.5) : QPen(Qt::NoPen));
  painter.setBrush(strong ? QBrush(Qt::NoBrush) : QBrush(theme().accent));
  painter.drawEllipse(QRectF(rect()).center(), strong ? 5 : 3, strong ? 5 : 3);
}

double nudged(double value, int notches, Qt::KeyboardModifiers modifiers, const ParameterRow& row) {
  const double shown = value / row.scale;
  double step = shown == 0 ? 0.1 : std::pow(10.0, std::floor(std::log10(std::abs(shown))) - 1);
  if (modifiers & Qt::ShiftModifier) step /= 10;
  if (modifiers & Qt::ControlModifier) step *= 10;
  if (row.isWhole) step = std::max(1.0, step);
  // Divided, not multiplied by a step below 1: 3 / 10 is the number that a person means by 0.3.
  const double count = std::round(shown / step) + notches;
  const double moved = inOwnUnit(step < 1 ? count / std::round(1 / step) : count * step, row.scale);
  if (row.range.contains(moved)) return moved;
  if (moved < row.range.lower && !row.range.openLower) return row.range.lower;
  if (moved > row.range.upper && !row.range.openUpper) return row.range.upper;
  return value;
}

ParameterField::ParameterField(ParameterRow row, Session& session, QObject* parent)
    : QObject(parent),
      row_(std::move(row)),
      session_(session),
      label_(new DragLabel(row_.label)),
      reset_(new ResetDot),
      field_(new NumberField),
      unit_(new ThemedLabel(row_.unit, faintColor)) {
  field_->setFixedWidth(74);
  field_->setUnit(row_.unit);
  field_->setAccessibleName(row_.unit.isEmpty() ? row_.label : row_.label + ", " + row_.unit);
  field_->setAccessibleDescription(row_.about);
  field_->setToolTip(row_.about);
  label_->setToolTip(row_.about + "\n" + tr("Drag sideways to change it; Shift finer, Ctrl coarser"));
  connect(label_, &DragLabel::pressed, this, [this] {
    const ParameterValue now = inForce(*session_.model(), row_, session_.numbers().tuning());
    draggedFrom_ = now.empty() ? 0 : now[0];
    gesture_ = nextGesture();
  });
  connect(label_, &DragLabel::dragged, this, [this](int notches, Qt::KeyboardModifiers modifiers) {
    edit({nudged(draggedFrom_, notches, modifiers, row_)}, gesture_);
  });
  connect(field_, &NumberField::stepped, this, &ParameterField::nudge);
  connect(field_, &NumberField::entered, this,
          [this](double value) { edit({inOwnUnit(value, row_.scale)}); });
  connect(field_, &NumberField::cleared, this, [this] {
    if (row_.isOptional) edit({});
  });
  connect(field_, &NumberField::refused, this, [this](const QString& typed) {
    Q_EMIT session_.messages().failed(Error{ErrorCode::InvalidValue,
                                            "'" + typed.toStdString() + "' is not a number", row_.path,
                                            "type a number such as 0.5 or 2e5"});
  });
  connect(reset_, &QAbstractButton::clicked, this,
          [this] { edit(session_.document().parameterOfFile(row_.path)); });
}

bool ParameterField::isSet() const {
  return !session_.numbers().parameter(row_.path).empty();
}

void ParameterField::setVisible(bool visible) {
  for (QWidget* part : {static_cast<QWidget*>(label_), static_cast<QWidget*>(field_),
                        static_cast<QWidget*>(unit_), reset_->parentWidget()})
    part->setVisible(visible);
}

// The field shows what is in force after it, taken or not.
void ParameterField::edit(const ParameterValue& value, int gesture) {
  session_.numbers().editParameter(row_.path, value, gesture);
  refresh();
}

void ParameterField::nudge(int notches, Qt::KeyboardModifiers modifiers) {
  const ParameterValue now = inForce(*session_.model(), row_, session_.numbers().tuning());
  edit({nudged(now.empty() ? 0 : now[0], notches, modifiers, row_)});
}

void ParameterField::refresh() {
  const ParameterValue value = session_.numbers().parameter(row_.path);
  const ParameterValue ofFile = session_.document().parameterOfFile(row_.path);
  if (!value.empty()) {
    field_->setValue(value[0] / row_.scale);
  } else {
    const ParameterValue outer = inForce(*session_.model(), row_, session_.numbers().tuning());
    field_->setUnset(outer.empty() ? tr("default") : shortNumber(outer[0] / row_.scale));
  }
  reset_->setVisible(value != ofFile);
  const QString was =
      ofFile.empty() ? tr("nothing set") : shortNumber(ofFile[0] / row_.scale) + " " + row_.unit;
  reset_->setToolTip(tr("Back to the file: %1").arg(was.trimmed()));
  reset_->setAccessibleName(tr("Reset %1").arg(row_.label));
}

}  // namespace slipstick::ui
