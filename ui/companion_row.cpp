#include "ui/companion_row.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/plot_painter.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr qreal kDotRadius = 5;

/// "level with the run", "3 steps behind"
QString lagWords(const CompanionStatus& status) {
  if (!status.hasBegun) return CompanionRow::tr("is being made ready");
  if (status.isOver) return CompanionRow::tr("taken over at step %1").arg(status.step);
  if (status.behind == 0) return CompanionRow::tr("level with the run");
  if (status.behind == 1) return CompanionRow::tr("1 step behind");
  return CompanionRow::tr("%1 steps behind").arg(grouped(status.behind));
}

QString stateWords(const CompanionStatus& status) {
  const QString lag = status.error.empty() ? lagWords(status) : CompanionRow::tr("stopped");
  if (status.meanStepWall <= 0) return lag;
  return lag + QString::fromUtf8(" · ") +
         CompanionRow::tr("%1 ms per step").arg(significant(1e3 * status.meanStepWall));
}

/// Unless a person is writing in it.
void showText(Field& field, const QString& text) {
  if (!field.isModified() && field.text() != text) field.setText(text);
}

/// What is wrong with it, or what should be known.
QString troubleWords(const CompanionStatus& status) {
  for (const std::string* words : {&status.error, &status.health, &status.notice})
    if (!words->empty()) return QString::fromStdString(*words);
  return {};
}

}  // namespace

HueDot::HueDot(int hue, QWidget* parent) : QWidget(parent), hue_(hue) {
  setFixedSize(sizeHint());
}

void HueDot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(hueOf(hue_, theme()));
  painter.drawEllipse(QRectF(rect()).center(), kDotRadius, kDotRadius);
}

CompanionRow::CompanionRow(std::uint64_t id, Session& session, QWidget* parent)
    : QWidget(parent), id_(id), session_(session) {
  build();
  layOut(session.companions().find(id)->hue);
  connectFields();
  refresh();
}

void CompanionRow::build() {
  name_ = new Field(tr("name"));
  name_->setAccessibleName(tr("Name of the companion"));
  method_ = new ChoiceList(tr("Method of the companion"));
  method_->setToolTip(tr("What steps it; another one begins it anew"));
  numbers_ = new Field(tr("path = value, …"));
  numbers_->setAccessibleName(tr("Numbers of the companion"));
  numbers_->setToolTip(
      tr("Its own numbers, by the paths that scene files and --set have: contact.friction = 0.3, "
         "gravity.z = -1.6. They stay in force whatever is changed in the scene"));
  state_ = new ThemedLabel({}, secondaryColor);
  trouble_ = new ThemedLabel({}, [] { return theme().error; });
  for (ThemedLabel* label : {state_, trouble_}) label->setWordWrap(true);  // narrow enough for the column
  takeOver_ = new FlatButton({}, tr("Take over"));
  takeOver_->setToolTip(tr("The simulation goes on as this one; what it was before stays, as a branch"));
  remove_ = new FlatButton("close", {});
  remove_->setQuiet(true);
  remove_->setToolTip(tr("Remove the companion"));
  remove_->setAccessibleName(remove_->toolTip());
  for (FlatButton* button : {takeOver_, remove_}) button->setFocusPolicy(Qt::TabFocus);
}

void CompanionRow::layOut(int hue) {
  auto* first = new QHBoxLayout;
  first->setSpacing(kSpace / 2);
  first->addWidget(new HueDot(hue));
  first->addWidget(name_, 1);
  first->addWidget(method_);
  first->addWidget(remove_);
  auto* last = new QHBoxLayout;
  last->setSpacing(kSpace);
  last->addWidget(state_, 1);
  last->addWidget(takeOver_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpace * 3 / 2, 6, kSpace * 3 / 2, 8);
  column->setSpacing(6);
  column->addLayout(first);
  column->addWidget(numbers_);
  column->addLayout(last);
  column->addWidget(trouble_);
}

void CompanionRow::connectFields() {
  Companions& companions = session_.companions();
  connect(name_, &QLineEdit::editingFinished, &companions, [this, &companions] {
    name_->setModified(false);
    companions.rename(id_, name_->text());
  });
  // What cannot be stays as it was typed, to be mended.
  connect(numbers_, &QLineEdit::editingFinished, &companions, [this, &companions] {
    if (numbers_->isModified()) numbers_->setModified(!companions.setNumbers(id_, numbers_->text()));
  });
  connect(method_, &QComboBox::activated, &companions, [this, &companions](int index) {
    companions.chooseMethod(id_, session_.services().methods[static_cast<std::size_t>(index)].name);
  });
  connect(takeOver_, &FlatButton::clicked, &companions, [this, &companions] { companions.takeOver(id_); });
  connect(remove_, &FlatButton::clicked, &companions, [this, &companions] { companions.remove(id_); });
}

void CompanionRow::fillMethods() {
  if (method_->count() > 0) return;
  for (const StudioServices::Method& method : session_.services().methods)
    method_->addItem(toQString(method.name));
}

void CompanionRow::refresh() {
  const Companions::Entry* const entry = session_.companions().find(id_);
  if (!entry) return;
  fillMethods();
  method_->setVisible(method_->count() > 0);
  method_->setCurrentIndex(method_->findText(toQString(entry->settings.method)));
  showText(*name_, entry->name);
  showText(*numbers_, entry->numbers);
  const CompanionStatus& status = entry->status;
  const bool canStep = !status.isOver;
  for (QWidget* widget : {static_cast<QWidget*>(method_), static_cast<QWidget*>(numbers_)})
    widget->setEnabled(canStep);
  state_->setText(stateWords(status));
  state_->setToolTip(QString::fromStdString(status.runsOn));
  const QString trouble = troubleWords(status);
  trouble_->setText(trouble);
  trouble_->setVisible(!trouble.isEmpty());
  takeOver_->setEnabled(canStep && status.hasBegun && status.error.empty());
  takeOver_->setAccessibleName(tr("Take over %1").arg(entry->name));
}

}  // namespace slipstick::ui
