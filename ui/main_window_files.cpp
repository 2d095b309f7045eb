// Files of the window: opening, asking, saving, dropping, exporting.
#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStandardPaths>

#include "ui/exports.h"
#include "ui/main_window.h"
#include "ui/run_csv.h"
#include "ui/run_recording.h"
#include "ui/scene_document.h"
#include "ui/text.h"
#include "ui/whole_file.h"

namespace slipstick::ui {

void MainWindow::openUnlessEdited(const QString& scene) {
  leaving_->leave({[this, scene] { session_.opener().open(scene); }});
}

void MainWindow::reload() {
  leaving_->leave({[this] { session_.opener().reload(); }});
}

/// Somebody else has written the file: what is open is not what it says.
void MainWindow::showFileBanner() {
  if (!session_.document().isFileChanged()) return fileBanner_->hide();
  fileBanner_->show(
      tr("%1 was changed by another program.").arg(QFileInfo(session_.document().file()).fileName()));
  fileBanner_->offer(
      tr("Reload it"), [this] { reload(); }, tr("Keep mine"), [this] { session_.document().keepMine(); });
}

void MainWindow::chooseFile() {
  const QString file = QFileDialog::getOpenFileName(
      this, tr("Open a scene, robot or recording"), {},
      tr("Scenes, robots and recordings (%1);;All files (*)").arg(openablePatterns(session_.services())));
  if (!file.isEmpty()) openUnlessEdited(file);
}

void MainWindow::takeScreenshot() {
  const Picture* picture = viewport_->picture();
  if (!picture)
    return session_.messages().tell(LogLevel::Info, tr("there is no picture yet: open a scene first"));
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::PicturesLocation));
  folder.mkpath(".");
  const QString base = QString("%1-%2s")
                           .arg(QString::fromStdString(session_.model()->name))
                           .arg(picture->request.snapshot->time, 0, 'f', 3);
  const QString file = freeFile(folder.filePath(base + ".png"));
  if (picture->image.save(file))
    session_.messages().tell(LogLevel::Info, tr("wrote %1").arg(file));
  else
    onFailed({ErrorCode::FileUnwritable, "the screenshot could not be written", file.toStdString(),
              "make the folder writable"});
}

void MainWindow::chooseObservablesFile() {
  const QString proposal = QString::fromStdString(session_.model()->name) + ".csv";
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Export observables"), proposal, tr("CSV (*.csv)"));
  if (!file.isEmpty()) exportObservables(file);
}

void MainWindow::exportObservables(const QString& file) {
  if (!session_.isOpen()) return;
  session_.exports().begin(
      file, [file, columns = session_.moment().source().columns()](const std::stop_token& stop) {
        return writeObservables(columns, file, stop);
      });
}

void MainWindow::chooseRecording() {
  if (!session_.isOpen()) return;
  const QString file = QFileDialog::getSaveFileName(this, tr("Record into"), session_.recording().newFile(),
                                                    tr("Recordings (*.h5)"));
  if (!file.isEmpty()) session_.recording().start(file);
}

void MainWindow::choosePastRecording() {
  if (!session_.isOpen()) return;
  const QString file = QFileDialog::getSaveFileName(this, tr("Keep the last minute in"),
                                                    session_.recording().newFile(), tr("Recordings (*.h5)"));
  if (!file.isEmpty()) session_.recording().keepPast(file);
}

void MainWindow::closeUnasked() {
  leaving_->leave({.goOn =
                       [this] {
                         closes_ = true;
                         close();
                       },
                   .endsProgram = true,
                   .isAnswered = false});
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!closes_) {
    isClosing_ = true;
    leaving_->leave({.goOn =
                         [this] {
                           closes_ = true;
                           if (!isClosing_) close();
                         },
                     .endsProgram = true});
    isClosing_ = false;
  }
  if (!closes_) return event->ignore();
  if (remember_) keepHabits();
  QMainWindow::closeEvent(event);
}

// ------------------------------------------------------------------------------------------------- drops

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const Dropped dropped = droppedOn(session_.services(), *event->mimeData());
  if (dropped.file.isEmpty()) return;
  event->acceptProposedAction();
  dropHint_->show(dropped);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
  dropHint_->hide();
}

void MainWindow::dropEvent(QDropEvent* event) {
  dropHint_->hide();
  const Dropped dropped = droppedOn(session_.services(), *event->mimeData());
  if (dropped.file.isEmpty()) return;
  event->acceptProposedAction();
  if (dropped.opens) return openUnlessEdited(dropped.file);
  onFailed({ErrorCode::Unsupported, "a file of this kind cannot be opened", dropped.file.toStdString(),
            "drop one of " + openableWords(session_.services()).toStdString()});
}

}  // namespace slipstick::ui
