#include "ui/timeline.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/playback.h"
#include "ui/run_events.h"
#include "ui/run_recording.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

std::string nameOf(const std::vector<BranchFacts>& branches, BranchId id) {
  const auto found =
      std::find_if(branches.begin(), branches.end(), [id](const BranchFacts& b) { return b.id == id; });
  return found == branches.end() ? std::string() : found->name;
}

struct BranchRow {
  BranchFacts facts;
  int depth = 0;  ///< of its parents
};

/// Each branch below its parent, children by id.
void addSubtree(const std::vector<BranchFacts>& branches, std::optional<BranchId> parent, int depth,
                std::vector<BranchRow>& rows) {
  for (const BranchFacts& branch : branches) {
    if (branch.parent != parent) continue;
    rows.push_back({branch, depth});
    addSubtree(branches, branch.id, depth + 1, rows);
  }
}

/// A name as text of an action, where & would mark a key.
QString actionText(const std::string& name) {
  return QString::fromStdString(name).replace('&', "&&");
}

}  // namespace

Timeline::Timeline(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  build();
  connectSession();
  refresh();
}

void Timeline::build() {
  bar_ = new TimelineBar;
  toStart_ = new FlatButton("to-start", {});
  back_ = new FlatButton("step-back", {});
  play_ = new FlatButton("play", {});
  forward_ = new FlatButton("step-forward", {});
  loop_ = new FlatButton("loop", {});
  loop_->setCheckable(true);
  record_ = new FlatButton("record", {});
  liveButton_ = new FlatButton({}, tr("Live"));
  resume_ = new FlatButton({}, tr("Resume from here"));
  time_ = new Field;
  speed_ = new Field;
  step_ = new ValueLabel(Qt::AlignLeft);
  measured_ = new ValueLabel(Qt::AlignLeft);
  history_ = new ValueLabel(Qt::AlignLeft);
  branch_ = new FlatButton({}, tr("main"));

  explain();
  play_->setFixedWidth(46);
  time_->setFixedWidth(84);
  speed_->setFixedWidth(66);
  for (ValueLabel* label : {step_, measured_, history_}) label->setRole(secondaryColor);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addLayout(buildRow());
  column->addWidget(bar_);
}

void Timeline::explain() {
  toStart_->setToolTip(tr("Look at the first stored step"));
  back_->setToolTip(tr("One step back (Left)"));
  play_->setToolTip(
      tr("Play or pause (Space). In the past it plays what is stored; nothing is computed or lost"));
  loop_->setToolTip(tr(
      "Play the selected range round and round (Ctrl+Shift+L). Shift+drag in the bar or a plot selects one"));
  record_->setAccessibleName(tr("Record"));
  forward_->setToolTip(tr("One step forward; at the newest step, compute one more (Right)"));
  liveButton_->setToolTip(tr("Follow the newest step"));
  resume_->setToolTip(
      tr("Continue the simulation from the step shown; what came after it stays as a branch"));
  branch_->setToolTip(tr("The branch looked at. Click to look at another one, to rename or to delete one"));
  time_->setToolTip(tr("Time shown. Type a time and press Return"));
  speed_->setToolTip(tr("Speed wanted (+ and −). Type a number or max"));
  // What shows an icon or a number alone says in a word what it is.
  toStart_->setAccessibleName(tr("To the start"));
  back_->setAccessibleName(tr("Step back"));
  play_->setAccessibleName(tr("Play or pause"));
  forward_->setAccessibleName(tr("Step forward"));
  loop_->setAccessibleName(tr("Loop the selected range"));
  time_->setAccessibleName(tr("Time shown"));
  speed_->setAccessibleName(tr("Speed"));
}

QHBoxLayout* Timeline::buildRow() {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(2 * kSpace, kSpace, 2 * kSpace, 0);
  row->setSpacing(kSpace);
  for (QWidget* button : {toStart_, back_, play_, forward_, loop_}) row->addWidget(button);
  row->addSpacing(kSpace);
  row->addWidget(record_);
  row->addSpacing(2 * kSpace);
  row->addWidget(time_);
  row->addWidget(step_);
  row->addSpacing(kSpace);
  row->addWidget(new ThemedLabel(tr("speed"), secondaryColor));
  row->addWidget(speed_);
  row->addWidget(measured_);
  row->addStretch(1);
  row->addWidget(history_);
  row->addSpacing(kSpace);
  row->addWidget(branch_);
  row->addSpacing(kSpace);
  row->addWidget(liveButton_);
  row->addWidget(resume_);
  return row;
}

void Timeline::connectSession() {
  connect(toStart_, &FlatButton::clicked, &session_, [this] {
    if (session_.isOpen()) session_.moment().lookAtStep(session_.moment().source().status().firstStored);
  });
  connect(back_, &FlatButton::clicked, &session_.transport(), &Transport::stepBack);
  connect(play_, &FlatButton::clicked, &session_.transport(), &Transport::togglePlay);
  connect(forward_, &FlatButton::clicked, &session_.transport(), &Transport::stepForward);
  connect(loop_, &FlatButton::clicked, &session_.playback(), &Playback::setLoops);
  connect(record_, &FlatButton::clicked, &session_.recording(), &RunRecording::toggle);
  connect(&session_.recording(), &RunRecording::changed, this, &Timeline::refreshRecording);
  connect(&session_.marks(), &TimeMarks::rangeChanged, this, &Timeline::refreshSelected);
  connect(&session_.marks(), &TimeMarks::bookmarksChanged, this, &Timeline::refreshSelected);
  connect(bar_, &TimelineBar::rangeDragged, &session_, [this](double from, double to) {
    session_.marks().setRange(TimeRange{from, to});
  });
  connect(bar_, &TimelineBar::rangeCleared, &session_, [this] { session_.marks().setRange(std::nullopt); });
  connect(bar_, &TimelineBar::hovered, this, [this](double from, double to, const QPoint& at) {
    const QString text = session_.isOpen() ? eventsText(from, to) : QString();
    const QPoint here = bar_->mapFromGlobal(at);
    text.isEmpty() ? QToolTip::hideText()
                   : QToolTip::showText(at, text, bar_, QRect(here.x() - 5, 0, 11, bar_->height()));
  });
  connect(branch_, &FlatButton::clicked, this, [this] {
    QMenu* menu = branchMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(branch_->mapToGlobal(QPoint(0, -menu->sizeHint().height())));
  });
  connect(liveButton_, &FlatButton::clicked, &session_.moment(), &ShownMoment::goLive);
  connect(resume_, &FlatButton::clicked, &session_.transport(), &Transport::resumeFromHere);
  connect(bar_, &TimelineBar::dragged, &session_.moment(), &ShownMoment::lookAtTime);
  connect(bar_, &TimelineBar::draggedToEnd, &session_.moment(), &ShownMoment::lookAtEnd);
  connect(time_, &QLineEdit::editingFinished, this, &Timeline::enterTime);
  connect(time_, &QLineEdit::returnPressed, time_, &QWidget::clearFocus);
  connect(speed_, &QLineEdit::textEdited, this, [this] { typedSpeed_ = true; });
  connect(speed_, &QLineEdit::editingFinished, this, &Timeline::enterSpeed);
  connect(speed_, &QLineEdit::returnPressed, speed_, &QWidget::clearFocus);
  connect(&session_.opener(), &SceneOpener::opened, this, [this] {
    bar_->showAll();
    bar_->clearMarks();
    marksUntil_ = 0;
  });
  connect(&session_.moment(), &ShownMoment::presentedChanged, this, &Timeline::refresh);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, &Timeline::refresh);
  connect(&session_.run(), &OpenRun::statusChanged, this, &Timeline::refresh);
}

QMenu* Timeline::branchMenu() {
  auto* menu = new QMenu(this);
  const std::vector<BranchFacts> branches = session_.moment().branches();
  std::vector<BranchRow> rows;
  addSubtree(branches, std::nullopt, 0, rows);
  for (const auto& [branch, depth] : rows) {
    QString text = tr("%1, %2 s to %3 s")
                       .arg(actionText(branch.name), number(session_.moment().timeOf(branch.start), 3),
                            number(session_.moment().timeOf(branch.last), 3));
    if (branch.active) text += tr(" – simulated");
    if (depth > 0) text.prepend(QString(4 * (depth - 1), ' ') + QString::fromUtf8("└ "));
    QAction* action =
        menu->addAction(text, &session_, [this, id = branch.id] { session_.moment().lookAtBranch(id); });
    action->setCheckable(true);
    action->setChecked(branch.id == session_.moment().shownBranch());
  }
  menu->addSeparator();
  QMenu* rename = menu->addMenu(tr("Rename"));
  QMenu* remove = menu->addMenu(tr("Delete"));
  for (const BranchRow& row : rows) {
    const BranchFacts& branch = row.facts;
    if (branch.id == StoredRun::kBranch) continue;  // a file
    rename->addAction(actionText(branch.name) + QChar(0x2026), this, [this, branch] { askName(branch); });
    if (!branch.active)
      remove->addAction(actionText(branch.name) + QChar(0x2026), this,
                        [this, branch] { askToDelete(branch); });
  }
  remove->setEnabled(!remove->isEmpty());
  return menu;
}

void Timeline::askName(const BranchFacts& branch) {
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Rename branch"));
  dialog->setLabelText(tr("Name of the branch"));
  dialog->setTextValue(QString::fromStdString(branch.name));
  connect(dialog, &QInputDialog::textValueSelected, &session_,
          [this, id = branch.id](const QString& name) { session_.moment().renameBranch(id, name); });
  dialog->open();
}

/// Nothing that was computed goes without its name being said.
void Timeline::askToDelete(const BranchFacts& branch) {
  auto* box = new QMessageBox(
      QMessageBox::NoIcon, tr("Delete branch"),
      tr("Delete the branch \"%1\", %2 s to %3 s? Its steps are gone then.")
          .arg(QString::fromStdString(branch.name), number(session_.moment().timeOf(branch.start), 3),
               number(session_.moment().timeOf(branch.last), 3)),
      QMessageBox::Cancel, this);
  QPushButton* remove =
      box->addButton(tr("Delete \"%1\"").arg(QString::fromStdString(branch.name).replace('&', "&&")),
                     QMessageBox::DestructiveRole);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setDefaultButton(QMessageBox::Cancel);
  connect(remove, &QPushButton::clicked, &session_,
          [this, id = branch.id] { session_.moment().deleteBranch(id); });
  box->open();
}

void Timeline::refreshMarks() {
  const RunStatus status = session_.moment().source().status();
  if (status.branch != marksBranch_ || status.jumps != marksJumps_ || status.lastStep + 1 < marksUntil_) {
    bar_->clearMarks();
    marksUntil_ = 0;
    marksBranch_ = status.branch;
    marksJumps_ = status.jumps;
  }
  const auto marks = session_.moment().source().marks(marksUntil_);
  if (marks.empty()) return;
  bar_->addMarks(marks, flagsFrom(Severity::Failure, session_.model()->own.get()));
  marksUntil_ = marks.back().step + 1;
}

bool Timeline::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isForFocus(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

void Timeline::refreshSelected() {
  if (!session_.isOpen()) return;
  bar_->setSelected(session_.marks().range() ? std::optional(std::pair(session_.marks().range()->from,
                                                                       session_.marks().range()->to))
                                             : std::nullopt);
  std::vector<double> times;
  for (const TimeMarks::Bookmark& b : session_.marks().bookmarks())
    if (b.branch == session_.moment().shownBranch()) times.push_back(session_.moment().timeOf(b.step));
  bar_->setBookmarks(std::move(times));
}

void Timeline::refreshRecording() {
  const RunRecording& recording = session_.recording();
  record_->setEnabled(session_.isOpen());
  record_->setDot(recording.isOn() ? theme().error : QColor());
  record_->setIconName(recording.isOn() ? QString() : QString("record"));
  if (!recording.isOn()) {
    record_->setText({});
    record_->setToolTip(tr("Record every step from the newest on into a file (Ctrl+Shift+R)"));
    return;
  }
  const RunRecorder::Status& status = recording.status();
  record_->setText(tr("%1 s · %2").arg(number(status.seconds, 1), megabytes(status.bytes)));
  QString tip = tr("Recording into %1\nClick to stop").arg(QString::fromStdString(status.files.back()));
  if (status.droppedFrames > 0)
    tip += tr("\nThe disk is too slow: %1 pictures were left out, every step is there")
               .arg(status.droppedFrames);
  record_->setToolTip(tip);
}

QString Timeline::eventsText(double from, double to) const {
  constexpr qsizetype kMax = 6;
  const double dt = session_.model()->time.dt;
  const auto first = static_cast<std::uint64_t>(std::max(0.0, std::ceil(from / dt)));
  const auto end = static_cast<std::uint64_t>(std::max(0.0, std::floor(to / dt))) + 1;
  QStringList lines;
  for (const TimeMarks::Bookmark& b : session_.marks().bookmarks())
    if (b.branch == session_.moment().shownBranch() && b.step >= first && b.step < end)
      lines << tr("%1 s: %2").arg(number(session_.moment().timeOf(b.step), 3), b.name);
  const RunSource& source = session_.moment().source();
  for (std::uint64_t step = first; step < std::min(end, source.status().lastStep + 1); ++step)
    if (const auto mark = source.mark(step))
      for (const HealthInfo* info : raisedIn(mark->health, session_.model()->own.get()))
        lines << tr("%1 s: %2")
                     .arg(number(mark->time, 3),
                          toQString(info->name) + ", " + QString::fromStdString(info->line()));
  lines << eventsBetween(source.columns(), first, end, dt);
  if (lines.size() > kMax) {
    const qsizetype more = lines.size() - kMax;
    lines.resize(kMax);
    lines << tr("and %1 more").arg(more);
  }
  return lines.join('\n');
}

void Timeline::refresh() {
  const bool open = session_.isOpen();
  refreshRecording();
  for (QWidget* widget : std::initializer_list<QWidget*>{toStart_, back_, play_, forward_, loop_, branch_,
                                                         liveButton_, time_, speed_, bar_})
    widget->setEnabled(open);
  resume_->setEnabled(session_.transport().canResume());
  if (!open) return;

  refreshMarks();
  const RunStatus status = session_.run().status(), looked = session_.moment().source().status();
  const auto shown = session_.moment().presented();  // the same moment as the picture
  const double newest = session_.moment().newestTime();
  const double duration = session_.moment().showsStored() ? newest : session_.model()->time.duration;
  bar_->setRange(
      {std::max(duration, newest), session_.moment().timeOf(looked.firstStored), newest, shown->time});

  play_->setIconName(status.playing || session_.playback().isPlaying() ? "pause" : "play");
  loop_->setChecked(session_.playback().loops());
  refreshSelected();
  play_->setAccent(true);
  liveButton_->setDot(session_.moment().isLive() ? theme().good : theme().faint);
  if (!time_->hasFocus()) time_->setText(number(shown->time, 3) + " s");
  if (!speed_->hasFocus()) speed_->setText(speedText(status.speedWanted));
  const auto steps = static_cast<std::uint64_t>(std::llround(duration / session_.model()->time.dt));
  step_->setText(tr("step %1 of %2").arg(shown->step).arg(std::max(steps, looked.lastStep)));
  measured_->setText(status.playing ? tr("%1 measured").arg(speedText(status.speedMeasured)) : QString());
  history_->setText(
      session_.moment().showsStored()
          ? QFileInfo(QString::fromStdString(session_.run().stored()->file())).fileName()
          : tr("history %1 of %2").arg(megabytes(status.historyBytes), megabytes(status.historyBudget)));
  const std::vector<BranchFacts> branches = session_.moment().branches();
  const QString name = QString::fromStdString(nameOf(branches, looked.branch));
  branch_->setText(branches.size() > 1 ? tr("%1 (%2 branches)").arg(name).arg(branches.size()) : name);
  branch_->setDot(looked.branch == status.branch ? QColor() : theme().faint);
}

void Timeline::enterTime() {
  bool valid = false;
  const double time = time_->text().remove('s').trimmed().toDouble(&valid);
  if (valid && std::isfinite(time) && session_.isOpen() &&
      std::abs(time - session_.moment().shown()->time) > 5e-4)
    time >= session_.moment().newestTime() ? session_.moment().lookAtEnd()
                                           : session_.moment().lookAtTime(time);
  QMetaObject::invokeMethod(this, &Timeline::refresh, Qt::QueuedConnection);
}

void Timeline::enterSpeed() {
  const QString typed = speed_->text().remove(QChar(0x00D7)).remove('x').trimmed();
  bool valid = false;
  const bool isMost = typed == "max";
  const double speed = isMost ? std::numeric_limits<double>::infinity() : typed.toDouble(&valid);
  valid = valid || isMost;
  const bool isTyped = std::exchange(typedSpeed_, false);
  if (valid && speed > 0)
    session_.transport().setSpeed(speed);
  else if (isTyped)
    Q_EMIT session_.messages().failed(Error{ErrorCode::InvalidValue,
                                            "'" + typed.toStdString() + "' is not a speed", "speed",
                                            "type a number above 0, such as 0.5, or max"});
  QMetaObject::invokeMethod(this, &Timeline::refresh, Qt::QueuedConnection);
}

}  // namespace slipstick::ui
