#include "ui/export_dialog.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kPeriod_ms = 300;
constexpr int kLabelWidth = 104, kNumberWidth = 64;

}  // namespace

// ------------------------------------------------------------------------------------------- RangeFields

RangeFields::RangeFields(QWidget* parent) : QWidget(parent) {
  list_ = new ChoiceList(tr("Range"),
                         {tr("Whole run"), tr("Selected range"), tr("From … to"), tr("This moment")});
  list_->setToolTip(tr("Which stretch of the run. Shift+drag in the timeline selects a range"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpace);
  row->addWidget(list_);
  const auto field = [&](const QString& name) {
    auto* number = new NumberField;
    number->setAccessibleName(name);
    number->setToolTip(tr("Simulated time [s]"));
    number->setFixedWidth(72);
    connect(number, &NumberField::entered, this, [this, number](double value) {
      number->setValue(value);
      enter();
    });
    return number;
  };
  from_ = field(tr("From"));
  to_ = field(tr("To"));
  row->addWidget(from_);
  row->addWidget(new ThemedLabel(tr("to"), secondaryColor));
  row->addWidget(to_);
  row->addWidget(new ThemedLabel(tr("s"), faintColor));
  row->addStretch(1);
  connect(list_, &QComboBox::activated, this, &RangeFields::changed);
}

/// Who types a time means it.
void RangeFields::enter() {
  list_->setCurrentIndex(static_cast<int>(RangeKind::FromTo));
  Q_EMIT changed();
}

RangeChoice RangeFields::choice() const {
  return {kind(), from_->value(), to_->value()};
}

void RangeFields::setChoice(const RangeChoice& choice) {
  list_->setCurrentIndex(static_cast<int>(choice.kind));
  from_->setValue(choice.from);
  to_->setValue(choice.to);
}

void RangeFields::refresh(const RunTimes& times) {
  if (kind() == RangeKind::FromTo) return;
  const Result<TimeRange> range = rangeOf(choice(), times);
  from_->setValue(range ? range->from : times.first);
  to_->setValue(range ? range->to : times.last);
}

// ------------------------------------------------------------------------------------------ ExportDialog

ExportDialog::ExportDialog(const QString& title, const QString& action, QWidget* parent) : QDialog(parent) {
  setObjectName("export");
  setWindowTitle(title);
  setAccessibleName(title);
  setModal(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(3 * kSpace, 2 * kSpace, 3 * kSpace, 2 * kSpace);
  column->setSpacing(2 * kSpace);
  grid_ = new QGridLayout;
  grid_->setHorizontalSpacing(kSpace);
  grid_->setVerticalSpacing(kSpace);
  grid_->setColumnMinimumWidth(0, kLabelWidth);
  grid_->setColumnStretch(1, 1);
  column->addLayout(grid_);
  column->addStretch(1);
  summary_ = new QLabel;
  summary_->setWordWrap(true);
  summary_->setObjectName("summary");
  summary_->setAccessibleName(tr("What will be written"));
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setMinimumHeight(2 * QFontMetrics(font()).lineSpacing());
  summary_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  export_ = new QPushButton(action);
  export_->setObjectName("primary");
  export_->setDefault(true);
  close_ = new QPushButton(tr("Cancel"));
  close_->setAutoDefault(false);
  connect(export_, &QPushButton::clicked, this, &ExportDialog::commitAndExport);
  connect(close_, &QPushButton::clicked, this, &QDialog::reject);
  timer_.setInterval(kPeriod_ms);
  connect(&timer_, &QTimer::timeout, this, [this] { isVisible() ? refresh() : timer_.stop(); });
}

QLabel* ExportDialog::addHeading(const QString& text) {
  auto* heading = new ThemedLabel(text, textColor);
  heading->setFont(textFont(600));
  heading->setContentsMargins(0, rows_.empty() ? 0 : kSpace, 0, 0);
  grid_->addWidget(heading, grid_->rowCount(), 0, 1, 2);
  return heading;
}

QHBoxLayout* ExportDialog::addRow(const QString& name, const std::vector<QWidget*>& widgets,
                                  const QString& explanation) {
  auto* label = new ThemedLabel(name, secondaryColor);
  label->setToolTip(explanation);
  label->setMinimumHeight(27);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpace);
  bool stretches = false;
  for (QWidget* widget : widgets) {
    const bool expands = widget->sizePolicy().expandingDirections() & Qt::Horizontal;
    row->addWidget(widget, expands ? 1 : 0);
    stretches |= expands;
    if (widget->toolTip().isEmpty()) widget->setToolTip(explanation);
  }
  if (!stretches) row->addStretch(1);
  const int line = grid_->rowCount();
  grid_->addWidget(label, line, 0, Qt::AlignTop);
  grid_->addLayout(row, line, 1);
  rows_.push_back({row, label});
  return row;
}

void ExportDialog::setRowShown(QHBoxLayout* row, bool shown) {
  for (const Row& known : rows_)
    if (known.layout == row) known.label->setVisible(shown);
  for (int i = 0; i < row->count(); ++i)
    if (QWidget* widget = row->itemAt(i)->widget()) widget->setVisible(shown);
}

NumberField* ExportDialog::numberField(const QString& name, double value, std::function<void()> onEntered) {
  auto* field = new NumberField;
  field->setAccessibleName(name);
  field->setFixedWidth(kNumberWidth);
  field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  field->setValue(value);
  connect(field, &NumberField::entered, this,
          [this, field, onEntered = std::move(onEntered)](double entered) {
            field->setValue(entered);
            if (onEntered) onEntered();
            refresh();
          });
  return field;
}

Field* ExportDialog::textField(const QString& name, const QString& placeholder) {
  auto* field = new Field(placeholder);
  field->setAccessibleName(name);
  connect(field, &QLineEdit::textChanged, this, [this] { refresh(); });
  return field;
}

QLabel* ExportDialog::unit(const QString& text) {
  return new ThemedLabel(text, faintColor);
}

void ExportDialog::addFooter(const std::vector<QWidget*>& further) {
  auto* footer = new QHBoxLayout;
  footer->setSpacing(kSpace);
  footer->addWidget(summary_, 1);
  for (QWidget* button : further) footer->addWidget(button);
  footer->addWidget(close_);
  footer->addWidget(export_);
  static_cast<QVBoxLayout*>(layout())->addLayout(footer);
  for (NumberField* field : findChildren<NumberField*>())
    connect(field, &QLineEdit::textEdited, this, [this] { refresh(); });
}

void ExportDialog::letGo() {
  for (QWidget* widget : findChildren<QWidget*>()) widget->disconnect(this);
}

void ExportDialog::say(const QString& summary) {
  hasError_ = false;
  summary_->setText(summary);
  summary_->setStyleSheet(QString("color: %1").arg(theme().secondary.name()));
  export_->setEnabled(true);
}

void ExportDialog::sayError(const Error& error) {
  hasError_ = true;
  summary_->setText(QString::fromStdString(error.message()));
  summary_->setStyleSheet(QString("color: %1").arg(theme().error.name()));
  // What is being typed may mend it: the button takes it first.
  const auto* typed = qobject_cast<NumberField*>(focusWidget());
  export_->setEnabled(typed && typed->isModified());
}

/// What is being typed counts.
void ExportDialog::commitAndExport() {
  for (NumberField* field : findChildren<NumberField*>()) field->commit();
  refresh();
  if (!hasError_) Q_EMIT exportWanted();
}

/// Return in a number takes the number; it does not export at once.
void ExportDialog::keyPressEvent(QKeyEvent* event) {
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isReturn && qobject_cast<NumberField*>(focusWidget()) && !(event->modifiers() & Qt::ControlModifier))
    return event->accept();
  if (isReturn && (event->modifiers() & Qt::ControlModifier)) return commitAndExport();
  QDialog::keyPressEvent(event);
}

void ExportDialog::showEvent(QShowEvent* event) {
  refresh();
  timer_.start();
  QDialog::showEvent(event);
}

bool ExportDialog::event(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && isVisible()) refresh();  // colours of another theme
  return QDialog::event(event);
}

}  // namespace slipstick::ui
