#include "ui/joints_panel.h"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/plot_drag.h"
#include "ui/plot_list.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRefreshPeriod_ms = 50;

bool slides(const multibody::Joint& joint) {
  return joint.type == multibody::JointType::Prismatic;
}

/// What the slider runs over where the joint has no limits [rad] or [m].
std::pair<double, double> rangeOf(const multibody::Joint& joint) {
  const double usual = slides(joint) ? 0.5 : std::numbers::pi;
  const double lower = std::isfinite(joint.lower) ? joint.lower : -usual;
  const double upper = std::isfinite(joint.upper) ? joint.upper : usual;
  return lower < upper ? std::pair(lower, upper) : std::pair(lower, lower + 1e-3);
}

QString limitText(const multibody::Joint& joint) {
  const QString unit = slides(joint) ? "m" : "rad";
  const auto bound = [](double x) { return std::isfinite(x) ? number(x, 3) : JointsPanel::tr("free"); };
  QString text = JointsPanel::tr("%1\nfrom %2 to %3 %4")
                     .arg(QString::fromStdString(joint.name), bound(joint.lower), bound(joint.upper), unit);
  if (joint.effortLimit.isBounded())
    text +=
        JointsPanel::tr("\nat most %1 %2").arg(effortText(joint.effortLimit), slides(joint) ? "N" : "N m");
  if (std::isfinite(joint.velocityLimit))
    text += JointsPanel::tr("\nat most %1 %2/s").arg(significant(joint.velocityLimit), unit);
  return text;
}

const Snapshot::JointGoal* goalOf(const Snapshot& snapshot, int joint) {
  for (const auto& goal : snapshot.driven)
    if (goal.joint == joint) return &goal;
  return nullptr;
}

}  // namespace

JointsPanel::JointsPanel(Session& session, QWidget* parent)
    : Panel(tr("Joints"), "joints", parent), session_(session) {
  home_ = new FlatButton({}, tr("Home"));
  home_->setToolTip(tr("Drive every joint to where the scene starts it"));
  free_ = new FlatButton({}, tr("Let go"));
  free_->setToolTip(tr("What the scene says moves the joints again; where it says nothing, they fall"));
  for (FlatButton* button : {home_, free_}) {
    button->setFocusPolicy(Qt::TabFocus);
    addToHeader(button);
  }
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  scroll_ = new QScrollArea;
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  column->addWidget(scroll_, 1);
  hint_ = new ThemedLabel({}, faintColor);
  hint_->setContentsMargins(kSpace * 3 / 2, 4, kSpace * 3 / 2, 6);
  hint_->setWordWrap(true);
  column->addWidget(hint_);
  setWidget(content);
  refreshTimer_.setSingleShot(true);
  connect(home_, &FlatButton::clicked, this, &JointsPanel::home);
  connect(free_, &FlatButton::clicked, this, [this] { letGo(joints(robot_)); });
  connect(&refreshTimer_, &QTimer::timeout, this, &JointsPanel::refresh);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, [this] {
    if (!refreshTimer_.isActive()) refreshTimer_.start(kRefreshPeriod_ms);
  });
  connect(&session_.run(), &OpenRun::statusChanged, this, &JointsPanel::refresh);
  connect(&session_.moment(), &ShownMoment::modelChanged, this, &JointsPanel::rebuild);
  connect(&session_.opener(), &SceneOpener::opened, this, [this] {
    robot_ = -1;
    rebuild();
    // Once the window has laid out what every scene shows.
    QMetaObject::invokeMethod(
        this, [this] { Q_EMIT wanted(session_.moment().isRobotViewer()); }, Qt::QueuedConnection);
  });
  connect(&session_.focus(), &Focus::selectionChanged, this, [this] {
    if (robotToShow() != robot_) rebuild();
  });
}

Slider* JointsPanel::slider(int joint) const {
  for (const Row& row : rows_)
    if (row.joint == joint) return row.slider;
  return nullptr;
}

NumberField* JointsPanel::field(int joint) const {
  for (const Row& row : rows_)
    if (row.joint == joint) return row.field;
  return nullptr;
}

int JointsPanel::robotOf(int body) const {
  const auto& robots = session_.model()->robots;
  for (std::size_t r = 0; r < robots.size(); ++r)
    if (body >= robots[r].firstBody && body < robots[r].endBody) return static_cast<int>(r);
  return -1;
}

std::vector<int> JointsPanel::joints(int robot) const {
  std::vector<int> found;
  const auto model = session_.model();
  if (robot < 0 || robot >= static_cast<int>(model->robots.size())) return found;
  const Robot& r = model->robots[static_cast<std::size_t>(robot)];
  for (int joint = r.firstBody - 1; joint < r.endBody - 1; ++joint)
    if (canDrive(*model, joint)) found.push_back(joint);
  return found;
}

int JointsPanel::robotToShow() const {
  const render::Selection& selection = session_.focus().selection();
  int wanted = render::indexOf<render::SelectedRobot>(selection).value_or(-1);
  const int body = render::indexOf<render::SelectedBody>(selection).value_or(0);
  if (body > 0) wanted = robotOf(body);
  if (!joints(wanted).empty()) return wanted;
  if (!joints(robot_).empty()) return robot_;
  for (int r = 0; r < static_cast<int>(session_.model()->robots.size()); ++r)
    if (!joints(r).empty()) return r;
  return -1;
}

void JointsPanel::rebuild() {
  if (!session_.isOpen()) return;
  rows_.clear();
  robot_ = robotToShow();
  auto* sheet = new QWidget;
  sheet->setAutoFillBackground(true);
  sheet->setBackgroundRole(QPalette::Base);
  grid_ = new QGridLayout(sheet);
  grid_->setContentsMargins(kSpace * 3 / 2, 0, kSpace * 3 / 2, kSpace);
  grid_->setHorizontalSpacing(kSpace);
  grid_->setVerticalSpacing(3);
  grid_->setColumnStretch(1, 1);
  const std::vector<int> all = joints(robot_);
  for (const int joint : all) add(joint);
  grid_->setRowStretch(static_cast<int>(rows_.size()), 1);
  scroll_->setWidget(sheet);
  const auto model = session_.model();
  setSubtitle(robot_ < 0 ? tr("no joints here")
                         : QString::fromStdString(model->robots[static_cast<std::size_t>(robot_)].name));
  home_->setVisible(!all.empty());
  free_->setVisible(!all.empty());
  refresh();
}

void JointsPanel::add(int index) {
  const multibody::Joint& joint = session_.model()->tree.joints[static_cast<std::size_t>(index)];
  const QString name = nameInRobot(*session_.model(), joint.name);
  const auto [lower, upper] = rangeOf(joint);
  const QString unit = slides(joint) ? "m" : "rad";
  Row row{index, new Slider(lower, upper), new NumberField, new ValueLabel, new FlatButton("close", {})};
  auto* label = new ThemedLabel(name, secondaryColor);
  label->setToolTip(limitText(joint));
  new PlotHandle({plotOf(joint.name + ".q", unit), plotOf(joint.name + ".tau", slides(joint) ? "N" : "N m")},
                 session_.plots(), {label}, label);
  row.slider->setAccessibleName(tr("%1, %2").arg(name, unit));
  row.slider->setToolTip(limitText(joint));
  row.field->setFixedWidth(70);
  row.field->setUnit(unit);
  row.field->setAccessibleName(tr("%1, %2").arg(name, unit));
  row.field->setToolTip(limitText(joint));
  row.effort->setToolTip(tr("What its actuator gives"));
  row.effort->setMinimumWidth(74);
  row.effort->setRole(faintColor);
  row.free->setQuiet(true);
  row.free->setFixedSize(22, 22);
  row.free->setToolTip(tr("Let go of %1").arg(name));
  row.free->setAccessibleName(row.free->toolTip());
  connect(row.slider, &Slider::moved, this, [this, index](double q) { drive(index, q); });
  connect(row.field, &NumberField::entered, this, [this, index](double q) { drive(index, q); });
  connect(row.free, &FlatButton::clicked, this, [this, index] { letGo({index}); });
  const int line = static_cast<int>(rows_.size());
  int column = 0;
  for (QWidget* widget :
       {static_cast<QWidget*>(label), static_cast<QWidget*>(row.slider), static_cast<QWidget*>(row.field),
        static_cast<QWidget*>(new ThemedLabel(unit, faintColor)), static_cast<QWidget*>(row.effort),
        static_cast<QWidget*>(row.free)})
    grid_->addWidget(widget, line, column++);
  rows_.push_back(row);
}

/// What a person wants is what the slider shows, also while steps that do not know it yet come in.
void JointsPanel::drive(int joint, double goal) {
  for (Row& row : rows_)
    if (row.joint == joint && session_.moment().isLive()) {
      row.wanted = goal;
      row.wantedSince = session_.moment().shown()->step;
    }
  session_.joints().drive(joint, goal);
}

void JointsPanel::letGo(const std::vector<int>& joints) {
  for (Row& row : rows_)
    if (std::find(joints.begin(), joints.end(), row.joint) != joints.end()) row.wanted.reset();
  session_.joints().free(joints);
}

void JointsPanel::home() {
  const auto model = session_.model();
  for (const int joint : joints(robot_))
    drive(joint, model->initialQ[model->tree.joints[static_cast<std::size_t>(joint)].qStart]);
}

void JointsPanel::refresh() {
  const auto shown = session_.moment().shown();
  if (!shown || rows_.empty()) return;
  for (Row& row : rows_) {
    const multibody::Joint& joint = session_.model()->tree.joints[static_cast<std::size_t>(row.joint)];
    const double q = shown->q[joint.qStart], effort = shown->tau[joint.vStart];
    const Snapshot::JointGoal* goal = goalOf(*shown, row.joint);
    const bool isPast = !session_.moment().isLive() || shown->step < row.wantedSince;
    if (isPast || (goal && goal->goal == row.wanted)) row.wanted.reset();
    row.slider->setNumber(row.wanted.value_or(goal ? goal->goal : q));
    row.slider->setActual(q);
    row.field->setValue(std::abs(q) < 5e-7 ? 0 : q);
    row.effort->setText(significant(std::abs(effort) < 1e-6 ? 0 : effort) + (slides(joint) ? " N" : " N m"));
    const double limit = effort < 0 ? joint.effortLimit.lower : joint.effortLimit.upper;
    const bool atLimit = std::isfinite(limit) && std::abs(effort) >= 0.999 * std::abs(limit);
    row.effort->setRole(atLimit && effort != 0 ? [] { return theme().error; } : faintColor);
    row.free->setVisible(goal != nullptr);
  }
  const bool waits =
      session_.moment().isLive() && !session_.run().status().playing && !session_.moment().isRobotViewer();
  hint_->setText(!session_.moment().isLive() ? tr("A step of the past: its joints stand still")
                 : waits                     ? tr("Joints move while the simulation plays: press Space")
                                             : QString());
  hint_->setVisible(!hint_->text().isEmpty());
}

}  // namespace slipstick::ui
