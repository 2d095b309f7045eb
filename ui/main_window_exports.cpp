// Pictures and data of the run: the dialogs, what they begin with, and the jobs that they begin.
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSettings>
#include <QStandardPaths>

#include "ui/export_jobs.h"
#include "ui/exports.h"
#include "ui/main_window.h"
#include "ui/methods_dialog.h"
#include "ui/scene_document.h"
#include "ui/whole_file.h"

namespace slipstick::ui {
namespace {

/// The usual folder of a person, or home where there is none.
QString folderFor(QStandardPaths::StandardLocation location) {
  const QString usual = QStandardPaths::writableLocation(location);
  return QFileInfo(usual).isDir() ? usual : QDir::homePath();
}

QJsonObject kept(const char* key) {
  return QJsonDocument::fromJson(QSettings("slipstick", "studio").value(key).toString().toUtf8()).object();
}

void keep(const char* key, const QJsonObject& json) {
  QSettings("slipstick", "studio")
      .setValue(key, QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact)));
}

void bringForward(QDialog& dialog) {
  dialog.show();
  dialog.raise();
  dialog.activateWindow();
}

}  // namespace

RunTimes MainWindow::runTimes() const {
  const RunStatus status = session_.moment().source().status();
  const double dt = session_.model()->time.dt;
  return {session_.moment().timeOf(status.firstStored), session_.moment().timeOf(status.lastStep),
          session_.moment().shown()->time, dt, session_.marks().range()};
}

PictureScene MainWindow::pictureScene() {
  PictureScene scene;
  scene.model = session_.model();
  scene.looks = session_.document().looks();
  scene.camera = viewport_->cameraPath();
  scene.view = session_.focus().view();
  scene.view.light = theme().appearance == Appearance::Light;
  scene.selection = session_.focus().selection();
  scene.window = viewport_->size() * viewport_->devicePixelRatio();
  scene.times = runTimes();
  if (const auto& ghost = session_.marks().ghost(); ghost && ghost->branch == session_.moment().shownBranch())
    scene.ghost = session_.moment().timeOf(ghost->step);
  return scene;
}

void MainWindow::showPictureDialog() {
  if (!session_.isOpen())
    return session_.messages().tell(LogLevel::Info,
                                    tr("there is nothing to make pictures of yet: open a scene first"));
  if (pictureDialog_) return bringForward(*pictureDialog_);
  PictureChoice choice;
  choice.file = QDir(folderFor(QStandardPaths::MoviesLocation))
                    .filePath(QString::fromStdString(session_.model()->name));
  choice = choiceOf(remember_ ? kept("pictures") : pictureHabits_, choice);
  choice.file = freeFile(fileFor(choice.kind, choice.file));
  choice.shown = shownIn(session_.focus().view());
  if (session_.marks().range()) choice.range.kind = RangeKind::Selected;
  if (choice.kind == PictureKind::Still) choice.range.kind = RangeKind::Moment;
  pictureDialog_ = new PictureDialog([this] { return pictureScene(); }, choice, this);
  pictureDialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(&session_.opener(), &SceneOpener::leaving, pictureDialog_, &QDialog::reject);
  connect(pictureDialog_, &ExportDialog::exportWanted, this, [this] {
    const Result<render::PictureRequest> request = pictureDialog_->request();
    if (!request) return;
    pictureHabits_ = jsonOf(pictureDialog_->choice());
    if (remember_) keep("pictures", pictureHabits_);
    beginPictures(session_, *request);
    pictureDialog_->accept();
  });
  bringForward(*pictureDialog_);
}

void MainWindow::showDataDialog() {
  if (!session_.isOpen())
    return session_.messages().tell(LogLevel::Info, tr("there is nothing to export yet: open a scene first"));
  if (dataDialog_) return bringForward(*dataDialog_);
  DataChoice choice;
  choice.folder = folderFor(QStandardPaths::DocumentsLocation);
  choice.name = QString::fromStdString(session_.model()->name);
  const std::vector<ExportKind>& kinds = session_.services().exportKinds;
  choice = choiceOf(kinds, remember_ ? kept("data") : dataHabits_, choice);
  if (session_.marks().range()) choice.range.kind = RangeKind::Selected;
  dataDialog_ = new DataDialog(
      kinds,
      [this] {
        return DataDialog::Now{session_.model(), runTimes()};
      },
      choice, this);
  dataDialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(&session_.opener(), &SceneOpener::leaving, dataDialog_, &QDialog::reject);
  connect(dataDialog_, &ExportDialog::exportWanted, this, [this] {
    const Result<DataOutputs> what = dataDialog_->wanted();
    if (!what) return;
    const DataChoice wanted = dataDialog_->choice();
    const std::vector<ExportKind>& all = session_.services().exportKinds;
    dataHabits_ = jsonOf(all, wanted);
    if (remember_) keep("data", dataHabits_);
    const QStringList files = filesOf(all, wanted);
    beginData(session_, *what, files.size() == 1 ? QDir::cleanPath(files.front()) : wanted.folder);
    dataDialog_->accept();
  });
  bringForward(*dataDialog_);
}

void MainWindow::showMethodsDialog() {
  if (!session_.isOpen())
    return session_.messages().tell(LogLevel::Info,
                                    tr("there is nothing to compare methods on yet: open a scene first"));
  if (!session_.run().newestModel()->scene)
    return session_.messages().tell(LogLevel::Info,
                                    tr("methods cannot be compared on this: its scene is not known"));
  if (methodsDialog_) return bringForward(*methodsDialog_);
  methodsDialog_ = new MethodsDialog(
      session_, [this] { return viewport_->cameraPath(); }, this);
  methodsDialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(&session_.opener(), &SceneOpener::leaving, methodsDialog_, &QDialog::reject);
  bringForward(*methodsDialog_);
}

}  // namespace slipstick::ui
