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
namespace {

constexpr std::chrono::seconds kGivingUp{5};

}  // namespace

void MainWindow::openUnlessEdited(const QString& scene) {
  askToSave([this, scene] { session_.open(scene); });
}

void MainWindow::askToSave(std::function<void()> goOn) {
  if (!remember_ || !session_.document().isEdited()) return goOn();
  if (asking_ && asking_->isVisible()) return asking_->raise();
  const QString name = QString::fromStdString(session_.model()->name);
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Slipstick"),
                              tr("%1 has edits that its file does not have.").arg(name),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  asking_ = box;
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this, goOn = std::move(goOn)](int answer) {
    if (answer == QMessageBox::Discard) goOn();
    if (answer == QMessageBox::Save) saveScene(goOn);
  });
  box->open();
}

void MainWindow::saveScene(std::function<void()> then) {
  if (!session_.isOpen()) return;
  QString file = session_.document().file();
  if (file.isEmpty()) {
    const QString name = QString::fromStdString(session_.model()->name) + ".yaml";
    file = QFileDialog::getSaveFileName(this, tr("Save the scene"), name, tr("Scenes (*.yaml *.yml)"));
  }
  if (file.isEmpty()) return;
  session_.document().save(file, std::move(then));
}

void MainWindow::saveSceneAs() {
  if (!session_.isOpen()) return;
  const QString here = session_.document().file();
  const QString name = here.isEmpty() ? QString::fromStdString(session_.model()->name) + ".yaml" : here;
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Save the scene as"), name, tr("Scenes (*.yaml *.yml)"));
  if (!file.isEmpty()) session_.document().save(file);
}

void MainWindow::chooseFile() {
  const QString file = QFileDialog::getOpenFileName(
      this, tr("Open a scene, robot or recording"), {},
      tr("Scenes, robots and recordings (%1);;All files (*)").arg(openablePatterns(session_.services())));
  if (!file.isEmpty()) openUnlessEdited(file);
}

void MainWindow::takeScreenshot() {
  const Picture* picture = viewport_->picture();
  if (!picture) return session_.tell(LogLevel::Info, tr("there is no picture yet: open a scene first"));
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::PicturesLocation));
  folder.mkpath(".");
  const QString base = QString("%1-%2s")
                           .arg(QString::fromStdString(session_.model()->name))
                           .arg(picture->request.snapshot->time, 0, 'f', 3);
  const QString file = freeFile(folder.filePath(base + ".png"));
  if (picture->image.save(file))
    session_.tell(LogLevel::Info, tr("wrote %1").arg(file));
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
  session_.exports().begin(file, [file, columns = session_.source().columns()](const std::stop_token& stop) {
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

/// What is being written when the window is to close is written to its end; closing once more gives up exports, which may
/// take long, and no scene.
bool MainWindow::waitsForFiles() {
  session_.recording().stop();
  const bool isSaving = session_.document().isSaving(), isExporting = session_.exports().isWriting();
  const bool isAskedAgain = closesWhenWritten_;
  closesWhenWritten_ = isSaving || (isExporting && !isAskedAgain);
  if (closesWhenWritten_ && isExporting)
    session_.tell(LogLevel::Info, tr("closing when the export is written; close once more to give it up"));
  if (isExporting && !closesWhenWritten_) {
    hide();
    session_.exports().giveUp();
    session_.exports().waitFor(kGivingUp);  // a video that was begun is finished, so that it plays
  }
  return closesWhenWritten_;
}

/// Not before: closing while something is written would count as being asked once more.
void MainWindow::closeIfAllIsWritten() {
  if (closesWhenWritten_ && !session_.document().isSaving() && !session_.exports().isWriting()) close();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (waitsForFiles()) return event->ignore();
  if (!closes_ && remember_ && session_.document().isEdited()) {
    event->ignore();
    return askToSave([this] {
      closes_ = true;
      close();
    });
  }
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
