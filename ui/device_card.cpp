#include "ui/device_card.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

QString nameOf(const Control& control) {
  return QString::fromStdString(control.name);
}

/// "W / S", "left stick x"
QString controlsOf(const MotionMap& motion) {
  QStringList names;
  for (const Control* control : {&motion.increase, &motion.decrease})
    if (control->kind != Control::Kind::None) names << nameOf(*control);
  return names.isEmpty() ? QString::fromUtf8("–") : names.join(" / ");
}

QString unitOf(Motion motion) {
  if (motion == Motion::Close) return "1/s";
  return motion < Motion::Roll ? "m/s" : "rad/s";
}

/// How far the motion's control is pushed, −1 … 1: its rate as a part of the largest.
double deflectionOf(const MotionRates& rates, Motion motion, double scale) {
  const auto i = static_cast<int>(motion);
  const double rate = motion == Motion::Close ? rates.closing
                      : i < 3                 ? rates.linear[i]
                                              : rates.angular[i - 3];
  return scale > 0 ? std::clamp(rate / scale, -1.0, 1.0) : 0;
}

NumberField* smallField(const QString& what) {
  auto* field = new NumberField;
  field->setFixedWidth(50);
  field->setToolTip(what);
  field->setAccessibleName(what);
  return field;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------- the bar

AxisBar::AxisBar(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void AxisBar::setValue(double value, double deadZone) {
  if (value == value_ && deadZone == deadZone_) return;
  value_ = value;
  deadZone_ = deadZone;
  update();
}

void AxisBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  const QRectF groove(0, height() / 2.0 - 3, width(), 6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(t.field);
  painter.drawRoundedRect(groove, 3, 3);
  const qreal middle = width() / 2.0, half = middle - 1;
  painter.setBrush(t.line);
  const qreal dead = std::round(deadZone_ * half);
  painter.drawRect(QRectF(middle - dead, groove.top(), 2 * dead, groove.height()));
  painter.setBrush(t.faint);
  for (const qreal edge : {middle - dead, middle + dead - 1})
    if (dead > 0) painter.drawRect(QRectF(edge, groove.top(), 1, groove.height()));
  painter.setBrush(t.stick);
  const qreal to = middle + value_ * half;
  painter.drawRoundedRect(QRectF(std::min(middle, to), groove.top(), std::abs(to - middle), groove.height()),
                          3, 3);
  painter.setBrush(t.faint);
  painter.drawRect(QRectF(middle - 0.5, groove.top() - 2, 1, groove.height() + 4));
}

// --------------------------------------------------------------------------------------------------- the card

DeviceCard::DeviceCard(const Teleop::DeviceView& view, QWidget* parent)
    : QWidget(parent), device_(view.id), info_(view.info), use_(view.use) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpace * 3 / 2, kSpace, kSpace * 3 / 2, kSpace);
  column->setSpacing(6);
  addHeader(view.info, *column);
  if (!view.info.axes.empty() || !view.info.buttons.empty()) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(2, 1);
    int at = 3;
    for (const QString& title : {QString(), tr("dead"), tr("curve"), tr("scale")})
      grid->addWidget(new ThemedLabel(title, faintColor), 0, at++);
    for (std::size_t i = 0; i < kMotionCount; ++i) addRow(static_cast<Motion>(i), *grid);
    column->addLayout(grid);
  }
  buttons_ = new ThemedLabel(buttonText(), faintColor);
  buttons_->setWordWrap(true);
  buttons_->setVisible(!buttons_->text().isEmpty());
  trouble_ = new ThemedLabel({}, [] { return theme().slip; });
  trouble_->setWordWrap(true);
  trouble_->hide();
  column->addWidget(buttons_);
  column->addWidget(trouble_);
}

void DeviceCard::addHeader(const DeviceInfo& info, QVBoxLayout& column) {
  enabled_ = new Toggle(QString::fromStdString(info.name));
  enabled_->setCheckable(true);
  enabled_->setToolTip(tr("Whether %1 drives").arg(enabled_->text()));
  state_ = new ValueLabel(Qt::AlignLeft);
  forget_ = new FlatButton({}, tr("Forget"));
  forget_->setToolTip(tr("Take the device that is gone from the list"));
  auto* first = new QHBoxLayout;
  first->setSpacing(kSpace);
  first->addWidget(enabled_);
  first->addWidget(state_, 1);
  first->addWidget(forget_);
  column.addLayout(first);
  effector_ = new ChoiceList(tr("What it drives"));
  frame_ = new Segments(tr("Axes"), {tr("World"), tr("Tool"), tr("Camera")});
  auto* second = new QHBoxLayout;
  second->setSpacing(kSpace);
  second->addWidget(new ThemedLabel(tr("drives"), secondaryColor));
  second->addWidget(effector_, 1);
  second->addWidget(frame_);
  column.addLayout(second);
  connect(enabled_, &Toggle::toggled, this, [this](bool on) {
    use_.enabled = on;
    change();
  });
  connect(effector_, &QComboBox::activated, this, [this] {
    use_.effector = effector_->currentText().toStdString();
    change();
  });
  connect(frame_, &Segments::chosen, this, [this](int index) {
    use_.frame = static_cast<MotionFrame>(index);
    change();
  });
  connect(forget_, &FlatButton::clicked, this, [this] { Q_EMIT forgetWanted(device_); });
}

void DeviceCard::addRow(Motion motion, QGridLayout& grid) {
  const auto i = static_cast<std::size_t>(motion);
  const QString name = toQString(kMotionNames[i]);
  Row& row = rows_[i];
  row.bar = new AxisBar;
  row.invert = new Toggle(tr("inv"));
  row.invert->setCheckable(true);
  row.invert->setToolTip(tr("Turn %1 round").arg(name));
  row.invert->setAccessibleName(row.invert->toolTip());
  row.deadZone =
      smallField(tr("Dead zone of %1, 0 to %2 of full deflection").arg(name).arg(kLargestDeadZone));
  row.exponent = smallField(tr("Curve of %1: 1 is straight, more is finer around the middle").arg(name));
  row.scale = smallField(tr("%1 at full deflection [%2]").arg(name, unitOf(motion)));
  connect(row.invert, &Toggle::toggled, this, [this, i](bool on) {
    use_.map.motions[i].response.invert = on;
    change();
  });
  const auto take = [this](NumberField* field, double lower, double upper, double& number) {
    connect(field, &NumberField::entered, this, [this, &number, lower, upper](double value) {
      number = std::clamp(value, lower, upper);
      change();
    });
  };
  MotionMap& map = use_.map.motions[i];
  take(row.deadZone, 0, kLargestDeadZone, map.response.deadZone);
  take(row.exponent, 1, kLargestExponent, map.response.exponent);
  take(row.scale, 0, 20, map.scale);
  const int line = static_cast<int>(i) + 1;
  auto* controls = new ThemedLabel(controlsOf(map), secondaryColor);
  int column = 0;
  for (QWidget* widget : {static_cast<QWidget*>(new ThemedLabel(name, textColor)),
                          static_cast<QWidget*>(controls), static_cast<QWidget*>(row.bar),
                          static_cast<QWidget*>(row.invert), static_cast<QWidget*>(row.deadZone),
                          static_cast<QWidget*>(row.exponent), static_cast<QWidget*>(row.scale)})
    grid.addWidget(widget, line, column++);
  grid.addWidget(new ThemedLabel(unitOf(motion), faintColor), line, column);
}

/// "K: open or close the gripper · R: reset"
QString DeviceCard::buttonText() const {
  QStringList texts;
  for (const ButtonMap& button : use_.map.buttons)
    texts << QString::fromStdString(button.button) + ": " +
                 toQString(kButtonActionNames[static_cast<std::size_t>(button.action)]);
  return texts.join(QString::fromUtf8(" · "));
}

void DeviceCard::change() {
  Q_EMIT useChanged(device_, use_);
}

void DeviceCard::refresh(const Teleop::DeviceView& view, const QStringList& effectors) {
  use_ = view.use;
  const QSignalBlocker quiet(enabled_);
  enabled_->setChecked(use_.enabled);
  QStringList known;
  for (int i = 0; i < effector_->count(); ++i) known << effector_->itemText(i);
  if (known != effectors) {
    effector_->clear();
    effector_->addItems(effectors);
  }
  effector_->setCurrentIndex(
      std::max<int>(0, static_cast<int>(effectors.indexOf(QString::fromStdString(use_.effector)))));
  frame_->setIndex(static_cast<int>(use_.frame));
  state_->setText(view.isLost                             ? tr("gone: its arm holds the last pose")
                  : view.info.kind == DeviceKind::Network ? tr("%1 poses").arg(grouped(view.poses))
                                                          : QString());
  state_->setRole(view.isLost ? [] { return theme().error; } : faintColor);
  forget_->setVisible(view.isLost);
  trouble_->setVisible(view.trouble.has_value());
  if (view.trouble) trouble_->setText(QString::fromStdString(view.trouble->message()));
  for (std::size_t i = 0; i < kMotionCount; ++i) {
    Row& row = rows_[i];
    if (!row.bar) continue;
    const MotionMap& map = use_.map.motions[i];
    row.bar->setValue(deflectionOf(view.rates, static_cast<Motion>(i), map.scale), map.response.deadZone);
    const QSignalBlocker still(row.invert);
    row.invert->setChecked(map.response.invert);
    row.deadZone->setValue(map.response.deadZone);
    row.exponent->setValue(map.response.exponent);
    row.scale->setValue(map.scale);
  }
}

}  // namespace slipstick::ui
