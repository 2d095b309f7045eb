#include "ui/leaving.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>

#include "ui/episodes.h"
#include "ui/exports.h"
#include "ui/run_recording.h"
#include "ui/scene_document.h"
#include "ui/whole_file.h"

namespace slipstick::ui {
namespace {

/// What was given up has this long to leave whole files behind: a video is finished, so that it plays.
constexpr int kGivingUp_ms = 5000;
/// So long an edit under way may take to be there, where nobody can be asked about it.
constexpr int kLastMoment_ms = 5000;
constexpr int kAgain_ms = 100;

/// What is being typed counts as entered.
void commitTyping() {
  if (auto* line = qobject_cast<QLineEdit*>(QApplication::focusWidget())) Q_EMIT line->editingFinished();
}

/// Beside the scene's file, which stays as it is: nobody said that it may be written over.
QString rescueOf(Session& session) {
  const QDir folder(QDir(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                        .filePath("Slipstick/rescued"));
  folder.mkpath(".");
  const QString name = QString::fromStdString(session.model()->name) +
                       QDateTime::currentDateTime().toString("-yyyy-MM-dd-HHmmss");
  return freeFile(folder.filePath(name + ".yaml"));
}

QString nameOfScene(Session& session) {
  const QString file = QFileInfo(session.document().file()).fileName();
  return file.isEmpty() ? QString::fromStdString(session.model()->name) : file;
}

}  // namespace

Leaving::Leaving(Session& session, QWidget& window, bool asks)
    : session_(session), window_(window), asks_(asks) {
  again_.setSingleShot(true);
  again_.setInterval(kAgain_ms);
  connect(&again_, &QTimer::timeout, this, &Leaving::step);
  connect(&session_.document(), &SceneDocument::savingEnded, this, &Leaving::savingEnded);
  connect(&session_.document(), &SceneDocument::savingHeldUp, this, &Leaving::step);
  connect(&session_.document(), &SceneDocument::conflicted, this, &Leaving::askAboutFile);
  connect(&session_.exports(), &Exports::changed, this, &Leaving::step, Qt::QueuedConnection);
  // Who was to be waited for has failed: the person should see why.
  connect(&session_.exports(), &Exports::failed, this, [this] {
    if (way_ && way_->endsProgram && way_->isAnswered) stay();
  });
}

void Leaving::leave(Way way) {
  if (!way.endsProgram && held_) std::exchange(held_, std::nullopt)->stay();
  if (way_) {
    const Way before = *std::exchange(way_, std::nullopt);
    if (before.stay) before.stay();
  }
  if (about_ == About::Exports || about_ == About::Work || !way.isAnswered) dismiss();
  files_ = Files::Unasked;
  isToBeSaved_ = false;
  lastMoment_.invalidate();
  way_ = std::move(way);
  step();
  if (question_) question_->raise();
}

void Leaving::show(Way way) {
  if (held_) std::exchange(held_, std::nullopt)->stay();
  if (!way_) return leave(std::move(way));
  held_ = std::move(way);
}

/// Again from the start, whatever has changed.
void Leaving::step() {
  if (!way_ || std::exchange(isStepping_, true)) return;
  if (!isHeldUp() && !waitsForExports()) {
    commitTyping();  // not before: who waits may go on typing
    if (session_.document().isAtStake())
      settleEdits();
    else if (isWorkSettled() && (!way_->endsProgram || areFilesSettled()))
      goOn();
  }
  isStepping_ = false;
}

/// As the person wants: who goes on working meanwhile is asked about that at the end.
bool Leaving::waitsForExports() {
  return way_->endsProgram && files_ == Files::WaitedFor && !session_.exports().longOnes().empty();
}

/// By a save under way, or by what the person is being asked: that is of the scene that it is asked about.
bool Leaving::isHeldUp() {
  if (waitsForSaving() || about_ == About::File) return true;
  const QWidget* modal = QApplication::activeModalWidget();
  if (!modal || modal == question_ || !way_->isAnswered) return false;
  again_.start();
  return true;
}

/// A save that an edit holds up is waited for as long as the person wants: who leaves once more is asked once more. Where
/// nobody is there to want it, it is not waited for.
bool Leaving::waitsForSaving() const {
  const SceneDocument& document = session_.document();
  if (!document.isSavingWaiting()) return document.isSaving();
  return way_->isAnswered && (isToBeSaved_ || !document.isSavingHeldUp());
}

// ------------------------------------------------------------------------------------------------- edits

void Leaving::settleEdits() {
  if (!way_->isAnswered) return rescue();
  if (asks_) return askAboutEdits();
  session_.document().waive();
  isStepping_ = false;
  step();
}

/// What there is, at once: whatever ends the program need not wait. What comes meanwhile is the next one's.
void Leaving::rescue() {
  SceneDocument& document = session_.document();
  if (!document.isMadeAtStake()) return awaitEdit();
  rescue_ = rescueOf(session_);
  document.waiveMade();
  document.saveCopy(rescue_);
  if (!document.isSaving()) again_.start();  // nothing can be saved here
}

/// All that there is lies in files by now; an edit that is still under way has a last moment to come.
void Leaving::awaitEdit() {
  if (!lastMoment_.isValid()) lastMoment_.start();
  if (lastMoment_.hasExpired(kLastMoment_ms)) session_.document().waive();
  again_.start();
}

void Leaving::askAboutEdits() {
  if (about_ == About::Edits) return;
  SceneDocument& document = session_.document();
  const QString waits =
      document.isSavingWaiting() ? tr("Saving waits for an edit that is under way.\n") : QString();
  QMessageBox* box = ask(tr("Save the changes to %1?").arg(nameOfScene(session_)), waits + whatEnds());
  about_ = About::Edits;
  box->setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this, &document](int answer) {
    about_ = About::Nothing;
    isToBeSaved_ = answer == QMessageBox::Save;
    if (isToBeSaved_) save();
    if (answer == QMessageBox::Discard) {
      document.giveUpWaiting();
      document.waive();
    }
    const bool isSettled = answer == QMessageBox::Discard || (isToBeSaved_ && document.isSaving());
    isSettled ? step() : stay();
  });
  box->open();
}

/// Of the scene, beside edits: none of it is lost.
QString Leaving::whatEnds() {
  QStringList lines;
  if (session_.episodes().isOn())
    lines << tr("The try under way ends; it stays in the list, undecided.");
  else if (session_.recording().isOn())
    lines << tr("The recording ends here, and is kept.");
  return lines.join('\n');
}

// ------------------------------------------------------------------------------------------------- work

bool Leaving::isWorkSettled() {
  const bool isAsked = asks_ && way_->isAnswered && work_.underWay;
  const QString work = isAsked ? work_.underWay() : QString();
  if (!work.isEmpty()) askAboutWork(work);
  return work.isEmpty();
}

void Leaving::askAboutWork(const QString& work) {
  if (about_ == About::Work) return;
  QMessageBox* box = ask(work, tr("What it has found until now is not kept."));
  about_ = About::Work;
  QPushButton* giveUp = box->addButton(tr("Give it up"), QMessageBox::DestructiveRole);
  box->setDefaultButton(box->addButton(QMessageBox::Cancel));
  connect(box, &QMessageBox::finished, this, [this, box, giveUp] {
    about_ = About::Nothing;
    if (box->clickedButton() != giveUp) return stay();
    work_.giveUp();
    step();
  });
  box->open();
}

// ------------------------------------------------------------------------------------------------- files

bool Leaving::areFilesSettled() {
  Exports& exports = session_.exports();
  const QStringList files = exports.longOnes();
  if (!files.empty() && (files_ == Files::GivenUp || !way_->isAnswered)) {
    exports.giveUp();
    QTimer::singleShot(kGivingUp_ms, this, [this] {
      isTooLate_ = true;
      step();
    });
  } else if (!files.empty()) {
    if (asks_ && files_ == Files::Unasked) askAboutExports(files);
    return false;
  }
  if (about_ == About::Exports) dismiss();  // written while it was asked about
  session_.recording().stop();
  return !exports.isWriting() || (isTooLate_ && !exports.isKeeping());
}

void Leaving::askAboutExports(const QStringList& files) {
  if (about_ == About::Exports) return;
  const QString name = QFileInfo(files.front()).fileName();
  QMessageBox* box = ask(
      files.size() == 1 ? tr("%1 is still being written.").arg(name)
                        : tr("%1 and %2 more files are still being written.").arg(name).arg(files.size() - 1),
      whatEnds());
  about_ = About::Exports;
  QPushButton* later = box->addButton(tr("Quit when written"), QMessageBox::AcceptRole);
  QPushButton* now = box->addButton(tr("Give up and quit"), QMessageBox::DestructiveRole);
  box->addButton(QMessageBox::Cancel);
  box->setDefaultButton(later);
  connect(box, &QMessageBox::finished, this, [this, box, later, now] {
    about_ = About::Nothing;
    if (box->clickedButton() != later && box->clickedButton() != now) return stay();
    files_ = box->clickedButton() == later ? Files::WaitedFor : Files::GivenUp;
    if (files_ == Files::WaitedFor)
      session_.messages().tell(LogLevel::Info, tr("closing when the export is written"));
    step();
  });
  box->open();
}

// ------------------------------------------------------------------------------------------ saving the scene

void Leaving::save() {
  if (!session_.isOpen()) return;
  const QString file = session_.document().file();
  file.isEmpty() ? saveAs() : session_.document().save(file);
}

void Leaving::saveAs() {
  if (!session_.isOpen()) return;
  const QString here = session_.document().file();
  const QString name = here.isEmpty() ? QString::fromStdString(session_.model()->name) + ".yaml" : here;
  const QString file =
      QFileDialog::getSaveFileName(&window_, tr("Save the scene as"), name, tr("Scenes (*.yaml *.yml)"));
  // That its file is written over was asked for.
  if (!file.isEmpty()) session_.document().save(file, SceneDocument::Others::Overwritten);
}

void Leaving::askAboutFile() {
  if (about_ != About::Nothing) dismiss();
  const QString file = session_.document().file();
  QMessageBox* box =
      ask(tr("%1 was changed by another program since it was read.").arg(nameOfScene(session_)),
          tr("Saving replaces what is there now."));
  about_ = About::File;
  QPushButton* mine = box->addButton(tr("Replace it with mine"), QMessageBox::DestructiveRole);
  QPushButton* other = box->addButton(tr("Save as…"), QMessageBox::AcceptRole);
  box->addButton(QMessageBox::Cancel);
  box->setDefaultButton(other);
  connect(box, &QMessageBox::finished, this, [this, box, mine, other, file] {
    about_ = About::Nothing;
    if (box->clickedButton() == mine) session_.document().save(file, SceneDocument::Others::Overwritten);
    if (box->clickedButton() == other) saveAs();
    if (way_ && !session_.document().isSaving()) stay();
  });
  box->open();
}

void Leaving::savingEnded(bool isWritten) {
  const QString rescue = std::exchange(rescue_, {});
  if (isWritten && !rescue.isEmpty()) Q_EMIT rescued(rescue);
  if (!way_) return;
  // What could not be saved is still there to be saved elsewhere; what nobody can be asked about, too.
  if (!isWritten && about_ != About::File) {
    if (way_->isAnswered) return stay();
    session_.document().unwaive();
    way_->isAnswered = true;
  }
  step();
}

// ------------------------------------------------------------------------------------------------- the end

QMessageBox* Leaving::ask(const QString& text, const QString& more) {
  dismiss();
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Slipstick"), text, QMessageBox::NoButton, &window_);
  box->setInformativeText(more);
  box->setAttribute(Qt::WA_DeleteOnClose);
  question_ = box;
  return box;
}

/// Without an answer.
void Leaving::dismiss() {
  about_ = About::Nothing;
  if (!question_) return;
  disconnect(question_, nullptr, this, nullptr);
  question_->close();
  question_ = nullptr;
}

void Leaving::goOn() {
  dismiss();
  const Way way = *std::exchange(way_, std::nullopt);
  isStepping_ = false;
  way.goOn();
  if (way.endsProgram && held_) std::exchange(held_, std::nullopt)->stay();
}

void Leaving::stay() {
  session_.document().unwaive();
  if (!way_) return;
  const Way way = *std::exchange(way_, std::nullopt);
  if (way.stay) way.stay();
  if (held_) leave(*std::exchange(held_, std::nullopt));
}

}  // namespace slipstick::ui
