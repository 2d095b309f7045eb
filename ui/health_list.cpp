#include "ui/health_list.h"

#include <QHBoxLayout>

#include "ui/health_words.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kLeft = kSpace * 3 / 2;

}  // namespace

HealthList::HealthList(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kLeft, 2, kLeft - 6, 4);
  column->setSpacing(0);
  none_ = new ThemedLabel(tr("every step of this run was well"), faintColor);
  column->addWidget(none_);
  for (std::size_t flag = 0; flag < rows_.size(); ++flag) {
    rows_[flag] = makeRow(flag);
    name(rows_[flag], infoAt(flag, nullptr));
    column->addWidget(rows_[flag].widget);
  }
}

HealthList::Row HealthList::makeRow(std::size_t flag) {
  auto* widget = new QWidget;
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* line = new QHBoxLayout;
  line->setSpacing(2);
  Row row{widget,
          new FlatButton({}, {}),
          new ValueLabel(Qt::AlignRight),
          new FlatButton("step-back", {}),
          new FlatButton("step-forward", {}),
          new ThemedLabel({}, secondaryColor)};
  row.name->setQuiet(true);
  row.count->setRole(secondaryColor);
  row.count->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  row.before->setToolTip(tr("The step before this one with it"));
  row.after->setToolTip(tr("The next step with it"));
  for (FlatButton* button : {row.name, row.before, row.after}) {
    button->setQuiet(true);
    button->setFocusPolicy(Qt::TabFocus);
  }
  connect(row.name, &FlatButton::clicked, this, [this, flag] { go(flag, +1); });
  connect(row.before, &FlatButton::clicked, this, [this, flag] { go(flag, -1); });
  connect(row.after, &FlatButton::clicked, this, [this, flag] { go(flag, +1); });
  line->addWidget(row.name);
  line->addWidget(row.count, 1);
  line->addWidget(row.before);
  line->addWidget(row.after);
  column->addLayout(line);
  row.remedy->setWordWrap(true);
  row.remedy->setContentsMargins(18, 0, 6, 4);
  column->addWidget(row.remedy);
  return row;
}

void HealthList::refresh() {
  const auto shown = session_.moment().shown();
  marks_.follow(session_.moment().sharedSource());
  if (!shown) return;
  bool any = false;
  for (std::size_t flag = 0; flag < rows_.size(); ++flag) {
    refreshRow(flag, *shown);
    any |= !marks_.steps(flag).empty();
  }
  none_->setVisible(!any);
}

/// What a flag of a method's own is called is known with the step.
void HealthList::name(const Row& row, const HealthInfo& info) {
  const QString word = healthWord(info);
  if (row.name->text() == word) return;
  row.name->setText(word);
  row.name->setToolTip(remedyOf(info));
  row.before->setAccessibleName(tr("previous step: %1").arg(word));
  row.after->setAccessibleName(tr("next step: %1").arg(word));
}

void HealthList::refreshRow(std::size_t flag, const Snapshot& shown) {
  const Row& row = rows_[flag];
  const HealthInfo& info = infoAt(flag, shown.own.get());
  const std::vector<std::uint64_t>& steps = marks_.steps(flag);
  row.widget->setVisible(!steps.empty());
  if (steps.empty()) return;
  name(row, info);
  const bool isNow = has(shown.report.health, info.flag);
  row.name->setDot(!isNow ? theme().faint : info.isInformation() ? theme().slip : theme().error);
  row.count->setText(steps.size() == 1 ? tr("1 step") : tr("%1 steps").arg(grouped(steps.size())));
  row.before->setEnabled(marks_.next(flag, shown.step, -1).has_value());
  row.after->setEnabled(marks_.next(flag, shown.step, +1).has_value());
  QStringList words;
  if (isNow)
    for (const HealthCause& cause : causesOf(shown))
      if (cause.flag == info.flag) words << cause.words;
  const QString text = isNow ? words.join(", ") + ". " + remedyOf(info) : QString();
  if (text != row.remedy->text()) row.remedy->setText(text);
  row.remedy->setVisible(isNow);
}

QString HealthList::line(std::size_t flag) const {
  if (rows_[flag].widget->isHidden()) return {};
  return rows_[flag].name->text() + ": " + rows_[flag].count->text();
}

QString HealthList::remedy(std::size_t flag) const {
  return rows_[flag].remedy->isHidden() ? QString() : rows_[flag].remedy->text();
}

void HealthList::go(std::size_t flag, int direction) {
  const auto shown = session_.moment().shown();
  if (!shown) return;
  if (const auto step = marks_.next(flag, shown->step, direction)) session_.moment().lookAtStep(*step);
}

}  // namespace slipstick::ui
