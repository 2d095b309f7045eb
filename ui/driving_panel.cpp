#include "ui/driving_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRefreshPeriod_ms = 50;

const StepFacts::EffectorGoal* goalOf(const Snapshot& snapshot, std::size_t effector) {
  for (const StepFacts::EffectorGoal& goal : snapshot.goals)
    if (goal.effector == static_cast<int>(effector)) return &goal;
  return nullptr;
}

ThemedLabel* wrapped(QColor (*color)()) {
  auto* label = new ThemedLabel({}, color);
  label->setContentsMargins(kSpace * 3 / 2, 4, kSpace * 3 / 2, 6);
  label->setWordWrap(true);
  return label;
}

}  // namespace

DrivingPanel::DrivingPanel(Session& session, QWidget* parent)
    : Panel(tr("Drive"), "drive", parent), session_(session) {
  drive_ = new FlatButton({}, tr("Drive"));
  drive_->setToolTip(tr("Let devices move arms (Ctrl+D)"));
  stop_ = new FlatButton({}, tr("Stop"));
  for (FlatButton* button : {drive_, stop_}) {
    button->setFocusPolicy(Qt::TabFocus);
    addToHeader(button);
  }
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  sheet_ = new QVBoxLayout(content);
  sheet_->setContentsMargins(0, 0, 0, 0);
  sheet_->setSpacing(0);
  task_ = wrapped(textColor);
  hint_ = wrapped(secondaryColor);
  delay_ = wrapped(faintColor);
  troubles_ = wrapped(faintColor);
  for (ThemedLabel* label : {task_, hint_, delay_, troubles_}) sheet_->addWidget(label);
  sheet_->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  setWidget(scroll);
  refreshTimer_.setInterval(kRefreshPeriod_ms);
  Driving& driving = session_.driving();
  connect(drive_, &FlatButton::clicked, this, [&driving] { driving.setOn(!driving.isOn()); });
  connect(stop_, &FlatButton::clicked, &driving, &Driving::stopOrResume);
  connect(&driving, &Driving::changed, this, &DrivingPanel::refresh);
  connect(&driving, &Driving::changed, this, [this, &driving] {
    if (driving.isOn()) Q_EMIT wanted(true);
    driving.isOn() ? refreshTimer_.start()
                   : refreshTimer_.stop();  // hands move while the simulation rests, too
  });
  connect(&driving, &Driving::delayChanged, this, &DrivingPanel::refreshDelay);
  connect(&refreshTimer_, &QTimer::timeout, this, &DrivingPanel::refresh);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, [this] {
    if (!refreshTimer_.isActive()) refreshEffectors();
  });
  connect(&session_.run(), &OpenRun::statusChanged, this, &DrivingPanel::refreshHint);
  connect(&session_.moment(), &ShownMoment::modelChanged, this, &DrivingPanel::rebuild);
  connect(&session_.opener(), &SceneOpener::opened, this, &DrivingPanel::rebuild);
  connect(&session_.opener(), &SceneOpener::opened, this, [this] {
    // Once the window has laid out what every scene shows.
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (session_.isOpen() && session_.run().newestModel()->task) Q_EMIT wanted(true);
        },
        Qt::QueuedConnection);
  });
  rebuild();
}

DeviceCard* DrivingPanel::card(const std::string& id) {
  for (const Teleop::DeviceView& view : session_.driving().teleop().devices())
    for (DeviceCard* card : deviceCards_)
      if (view.info.id == id && card->device() == view.id) return card;
  return nullptr;
}

QStringList DrivingPanel::effectorNames() const {
  QStringList names;
  if (session_.isOpen())
    for (const Effector& effector : session_.model()->effectors)
      names << QString::fromStdString(effector.name);
  return names;
}

// ------------------------------------------------------------------------------------------------ the effectors

void DrivingPanel::rebuild() {
  delete effectors_;
  rows_.clear();
  effectors_ = new QWidget;
  auto* grid = new QGridLayout(effectors_);
  grid->setContentsMargins(kSpace * 3 / 2, 0, kSpace * 3 / 2, kSpace);
  grid->setHorizontalSpacing(kSpace);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(1, 1);
  sheet_->insertWidget(2, effectors_);
  const auto count = static_cast<std::size_t>(effectorNames().size());
  for (std::size_t i = 0; i < count; ++i) addEffector(i);
  refresh();
}

void DrivingPanel::addEffector(std::size_t index) {
  const Effector& effector = session_.model()->effectors[index];
  auto* grid = static_cast<QGridLayout*>(effectors_->layout());
  const QString name = QString::fromStdString(effector.name);
  const auto i = static_cast<std::int32_t>(index);
  EffectorRow row{new ThemedLabel(name, textColor), new ValueLabel(Qt::AlignLeft), new Slider(0, 1),
                  new FlatButton({}, tr("Other posture")), new FlatButton({}, tr("Let go"))};
  row.state->setRole(secondaryColor);
  row.closing->setToolTip(tr("How far the fingers of %1 are closed").arg(name));
  row.closing->setAccessibleName(row.closing->toolTip());
  row.closing->setFixedWidth(90);
  row.closing->setVisible(!effector.gripper.joints.empty());
  row.reposture->setToolTip(
      tr("Come to the goal with the joints bent otherwise, if that can be: the tool leaves its way"));
  row.letGo->setToolTip(tr("What the scene says moves %1 again").arg(name));
  connect(row.closing, &Slider::moved, this, [this, i](double closing) {
    session_.driving().ask(Grip{i, closing});
  });
  connect(row.reposture, &FlatButton::clicked, this, [this, i] { session_.driving().ask(Reposture{i}); });
  connect(row.letGo, &FlatButton::clicked, this, [this, i] { session_.driving().ask(LetGo{i}); });
  const int line = static_cast<int>(index);
  int column = 0;
  for (QWidget* widget :
       {static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.state), static_cast<QWidget*>(row.closing),
        static_cast<QWidget*>(row.reposture), static_cast<QWidget*>(row.letGo)})
    grid->addWidget(widget, line, column++);
  rows_.push_back(row);
}

QString DrivingPanel::stateOf(std::size_t effector) const {
  const auto shown = session_.moment().shown();
  const StepFacts::EffectorGoal* goal = shown ? goalOf(*shown, effector) : nullptr;
  if (!goal) return tr("not driven");
  if (goal->reached) return tr("at its goal");
  if (goal->atLimit >= 0) {
    const std::string& joint = shown->model->tree.joints[static_cast<std::size_t>(goal->atLimit)].name;
    return tr("%1 is at its limit").arg(nameInRobot(*shown->model, joint));
  }
  const double apart = (goal->wanted.p - goal->onTheWay.p).norm();
  return tr("%1 mm from its goal").arg(number(1000 * apart, 0));
}

void DrivingPanel::refreshEffectors() {
  const auto shown = session_.moment().shown();
  for (std::size_t i = 0; shown && i < rows_.size(); ++i) {
    const StepFacts::EffectorGoal* goal = goalOf(*shown, i);
    EffectorRow& row = rows_[i];
    row.state->setText(stateOf(i));
    row.reposture->setVisible(goal && goal->atLimit >= 0 && session_.moment().isLive());
    row.letGo->setVisible(goal != nullptr && session_.moment().isLive());
    if (goal && goal->closing >= 0) row.closing->setNumber(goal->closing);
  }
}

// -------------------------------------------------------------------------------------------------- the devices

void DrivingPanel::rebuildCards(const std::vector<Teleop::DeviceView>& devices) {
  const bool isSame =
      devices.size() == deviceCards_.size() &&
      std::equal(devices.begin(), devices.end(), deviceCards_.begin(),
                 [](const auto& view, const DeviceCard* card) { return view.id == card->device(); });
  if (isSame) return;
  delete cards_;
  deviceCards_.clear();
  cards_ = new QWidget;
  auto* column = new QVBoxLayout(cards_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  Driving& driving = session_.driving();
  for (const Teleop::DeviceView& view : devices) {
    auto* card = new DeviceCard(view);
    connect(card, &DeviceCard::useChanged, &driving, &Driving::setUse);
    connect(card, &DeviceCard::forgetWanted, this,
            [&driving](DeviceId device) { driving.teleop().forget(device); });
    column->addWidget(card);
    deviceCards_.push_back(card);
  }
  sheet_->insertWidget(3, cards_);
}

void DrivingPanel::refresh() {
  Driving& driving = session_.driving();
  const std::vector<Teleop::DeviceView> devices = driving.teleop().devices();
  rebuildCards(devices);
  const QStringList names = effectorNames();
  for (std::size_t i = 0; i < devices.size(); ++i) deviceCards_[i]->refresh(devices[i], names);
  if (cards_) cards_->setVisible(driving.isOn());
  drive_->setAccent(driving.isOn());
  drive_->setEnabled(driving.canDrive() || driving.isOn());
  refreshStop();
  QStringList troubles;
  for (const Teleop::Trouble& trouble : driving.teleop().troubles())
    troubles << QString::fromStdString(trouble.error.message());
  if (const QString network = driving.networkText(); !network.isEmpty()) troubles.prepend(network);
  troubles_->setText(troubles.join("\n"));
  troubles_->setVisible(driving.isOn() && !troubles.isEmpty());
  refreshTask();
  refreshEffectors();
  refreshHint();
  refreshDelay();
}

/// One button, and what it does now is what it says.
void DrivingPanel::refreshStop() {
  const Driving& driving = session_.driving();
  const bool isStopped = driving.isStopped();
  const QString text = isStopped ? tr("Resume") : tr("Stop");
  if (text != stop_->text()) {
    stop_->setText(text);
    stop_->updateGeometry();
    stop_->setToolTip(isStopped ? tr("Let devices move arms again (Ctrl+Shift+D)")
                                : tr("Freeze every goal at once (Escape). Only Resume goes on"));
  }
  stop_->setEnabled(driving.isOn() || isStopped);
  stop_->setAccent(isStopped);
}

void DrivingPanel::refreshTask() {
  const auto model = session_.isOpen() ? session_.run().newestModel() : nullptr;
  taskText_.clear();
  if (model && model->task) {
    QStringList lines{QString::fromStdString(model->task->text)};
    if (const std::optional<TaskWatch> watch = session_.driving().teleop().task()) {
      for (const TaskWatch::Condition& test : watch->success())
        lines << (test.isMet ? QString::fromUtf8("✓ ") : QString::fromUtf8("· ")) +
                     QString::fromStdString(test.text());
      const QString time = tr("%1 of %2 s").arg(number(watch->time(), 1), number(watch->timeLimit(), 0));
      const TaskOutcome outcome = watch->outcome();
      lines << (outcome == TaskOutcome::Running ? time
                : outcome == TaskOutcome::Succeeded
                    ? tr("Done after %1 s").arg(number(watch->time(), 1))
                    : tr("Failed: %1").arg(QString::fromStdString(watch->why())));
    }
    taskText_ = lines.join("\n");
  }
  task_->setText(taskText_);
  task_->setVisible(!taskText_.isEmpty());
}

void DrivingPanel::refreshHint() {
  const Driving& driving = session_.driving();
  const RunStatus status = session_.run().status();
  setSubtitle(driving.isStopped() ? tr("stopped") : driving.isOn() ? tr("on") : tr("off"));
  hintText_ = !driving.canDrive() ? tr("Nothing here can be driven: it takes an arm of three joints or more")
              : !driving.isOn()
                  ? tr("Drive hands the arms to the keyboard and to every device that is plugged in")
              : driving.isStopped()
                  ? tr("Stopped: Resume (Ctrl+Shift+D) lets arms move again; keys and devices do not")
              : !session_.moment().isLive() ? tr("A step of the past is shown: End goes to the newest one")
              : !status.playing             ? tr("Arms move while the simulation plays: press Space")
              : status.speedMeasured < 0.95 * std::min(status.speedWanted, 1.0)
                  ? tr("The simulation runs at %1 of real time: arms move as much slower")
                        .arg(number(status.speedMeasured, 2))
              : status.dropped.count > 0 ? tr("Commands left out: %1. The last: %2")
                                               .arg(status.dropped.count)
                                               .arg(QString::fromStdString(status.dropped.why))
                                         : QString();
  hint_->setText(hintText_);
  hint_->setVisible(!hintText_.isEmpty());
}

void DrivingPanel::refreshDelay() {
  const Driving::Delay delay = session_.driving().delay();
  delay_->setVisible(session_.driving().isOn());
  QString text =
      tr("Devices are read %1 times a second").arg(number(session_.driving().readingStatus().rate, 0));
  if (delay.count > 0)
    text += tr(". From the hand to the picture: %1 ms (%2 pictures), at worst %3 ms; a step takes %4 ms")
                .arg(number(delay.median_ms, 0), number(delay.medianPictures, 1), number(delay.worst_ms, 0),
                     number(delay.step_ms, 1));
  delay_->setText(text);
}

}  // namespace slipstick::ui
