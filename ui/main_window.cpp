#include "ui/main_window.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QScreen>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/episodes.h"
#include "ui/exports.h"
#include "ui/scene_document.h"
#include "ui/solver_panel.h"
#include "ui/solver_words.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/window_place.h"

namespace slipstick::ui {
MainWindow::MainWindow(StudioServices services, QSize size, bool remember)
    : session_(std::move(services)), remember_(remember), known_(remember) {
  setWindowTitle("Slipstick");
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  buildCenter();
  buildDocks();
  buildMenus();
  buildChips();
  connectSession();
  resize(size);
  if (remember_) restoreHabits();
  if (remember_) session_.driving().rememberDevices();
}

MainWindow::~MainWindow() {
  // They ask the session, which goes before the children.
  delete pictureDialog_;
  delete dataDialog_;
  delete methodsDialog_;
}

// --------------------------------------------------------------------------------------------- building

void MainWindow::buildCenter() {
  gallery_ = new Gallery(session_.services(), known_);
  viewport_ = new Viewport(session_);
  banner_ = new Banner;
  fileBanner_ = new Banner;
  pages_ = new QStackedWidget;
  pages_->addWidget(gallery_);
  pages_->addWidget(viewport_);
  auto* center = new QWidget;
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(banner_);
  column->addWidget(fileBanner_);
  column->addWidget(pages_, 1);
  setCentralWidget(center);
  progress_ = new ProgressCard(session_, center);
  dropHint_ = new DropHint(session_.services(), this);
  exportCard_ = new ExportCard(session_.exports(), center);
}

void MainWindow::buildChips() {
  auto* name = new FlatButton("gallery", "Slipstick");
  name->setQuiet(true);
  name->setFont(textFont(600));
  name->setToolTip(tr("Gallery (Ctrl+G)"));
  name->setAccessibleName(tr("Gallery"));
  connect(name, &FlatButton::clicked, this, [this] { isGalleryShown() ? leaveGallery() : showGallery(); });
  menuBar()->setCornerWidget(name, Qt::TopLeftCorner);
  chips_ = new QWidget;
  auto* row = new QHBoxLayout(chips_);
  row->setContentsMargins(0, 0, kSpace + 4, 0);
  row->setSpacing(kSpace);
  sceneChip_ = new Chip;
  deviceChip_ = new Chip;
  deviceChip_->setToolTip(QString::fromStdString(session_.services().deviceLine));
  sceneChip_->hide();
  deviceChip_->hide();
  row->addWidget(sceneChip_);
  row->addWidget(deviceChip_);
  menuBar()->setCornerWidget(chips_, Qt::TopRightCorner);
}

void MainWindow::connectSession() {
  leaving_ = std::make_unique<Leaving>(session_, *this, remember_);
  leaving_->setWork({[this] { return workUnderWay(); }, [this] { giveUpWork(); }});
  session_.opener().setGate([this](std::function<void()> goOn, std::function<void()> stay) {
    leaving_->show({std::move(goOn), std::move(stay)});
  });
  connect(leaving_.get(), &Leaving::rescued, this, [this](const QString& file) {
    known_.open(file, tr("Unsaved changes to %1").arg(QString::fromStdString(session_.model()->name)));
  });
  connect(&session_.document(), &SceneDocument::fileChanged, this, &MainWindow::showFileBanner);
  connect(&session_.opener(), &SceneOpener::opened, this, &MainWindow::showFileBanner);
  connect(gallery_, &Gallery::chosen, this, &MainWindow::openUnlessEdited);
  connect(gallery_, &Gallery::openWanted, this, &MainWindow::chooseFile);
  connect(gallery_, &Gallery::left, this, &MainWindow::leaveGallery);
  connect(&session_.document(), &SceneDocument::changed, this, &MainWindow::showName);
  connect(&session_.document(), &SceneDocument::saved, this, [this](const QString& file) {
    known_.open(file, QString::fromStdString(session_.model()->title));
  });
  connect(&session_.exports(), &Exports::written, this, &MainWindow::onWritten);
  connect(&session_.opener(), &SceneOpener::loadingChanged, this, [this](bool loading, const QString& what) {
    if (loading) session_.messages().tell(LogLevel::Info, tr("opening %1").arg(what));
  });
  connect(&session_.opener(), &SceneOpener::leaving, this, &MainWindow::keepLook);
  connect(&session_.opener(), &SceneOpener::openWanted, this, &MainWindow::openUnlessEdited);
  connect(&session_.opener(), &SceneOpener::opened, this, &MainWindow::onOpened);
  connect(&session_.messages(), &Messages::failed, this, &MainWindow::onFailed);
  connect(&session_.transport(), &Transport::cpuOffered, this,
          [this] { banner_->offer(goOnOnCpuText(), [this] { session_.transport().goOnOnCpu(); }); });
  connect(&session_.methods(), &MethodAdvice::offered, this, &MainWindow::offerMethod);
  connect(&session_.run(), &OpenRun::statusChanged, this, &MainWindow::showWhatComputes);
  connect(&session_.run(), &OpenRun::statusChanged, this, &MainWindow::hideOldFailure);
  connect(status_, &StatusLine::clicked, this, [this] {
    auto& solver = panel<SolverPanel>();
    showPanel(solver, true);
    solver.raise();  // it may lie behind another one
  });
  connect(viewport_, &Viewport::effectsChanged, status_, &StatusLine::setEffectsOff);
  connect(viewport_, &Viewport::deviceFailed, this, &MainWindow::onFailed);
  drivingKeys_ = std::make_unique<DrivingKeys>(session_.driving(), *this);
  connect(viewport_, &Viewport::painted, this, [this] {
    const Picture& picture = *viewport_->picture();
    if (session_.moment().isLive() && picture.request.snapshot->model == session_.run().newestModel())
      session_.episodes().show(picture.image, picture.request.snapshot->time);
    if (const auto step = viewport_->paintedStep())
      session_.driving().notePainted(*step, 1e3 * session_.run().status().meanStepWall,
                                     1e3 / std::max(screen()->refreshRate(), 1.0));
  });
}

// ---------------------------------------------------------------------------------------------- actions

bool MainWindow::isComparing() const {
  return methodsDialog_ && methodsDialog_->isVisible() && methodsDialog_->isRunning();
}

/// That ends with the scene, and keeps nothing in a file.
QString MainWindow::workUnderWay() const {
  if (isComparing()) return tr("Methods are still being compared.");
  return session_.editor().isSplitting() ? tr("Meshes are still being split.") : QString();
}

/// Of what workUnderWay() names; what is left has its turn after that.
void MainWindow::giveUpWork() {
  isComparing() ? methodsDialog_->reject() : session_.editor().giveUpSplitting();
}

void MainWindow::onOpened(const std::vector<Notice>& notices) {
  const auto model = session_.model();
  banner_->hide();
  if (isGalleryShown()) {
    pages_->setCurrentWidget(viewport_);
    showDocks();
  }
  restoreLook();
  viewport_->setFocus();
  known_.open(lookedAtFile(), QString::fromStdString(model->title));
  const QString name = QString::fromStdString(model->name);
  sceneChip_->show();
  showName();
  showWhatComputes();
  for (const Notice& notice : notices)
    session_.messages().tell(notice.level == Notice::Level::Info ? LogLevel::Info : LogLevel::Warning,
                             QString::fromStdString(notice.where + ": " + notice.what));
  session_.messages().tell(
      LogLevel::Info, tr("%1 is open: %2 bodies, %3 %4")
                          .arg(name, grouped(model->tree.bodies.size() - 1), grouped(model->nodeCount())));
}

/// In the chip, and in the log where it has changed. What was offered because a backend had failed goes with that.
void MainWindow::showWhatComputes() {
  const RunStatus status = session_.run().status();
  if (!status.backendFailed) banner_->withdraw(goOnOnCpuText());
  const QString text = QString::fromStdString(status.runsOn);
  if (text.isEmpty() || text == deviceChip_->text()) return;
  deviceChip_->setText(text);
  deviceChip_->show();
  menuBar()->setCornerWidget(chips_, Qt::TopRightCorner);
  session_.messages().tell(LogLevel::Info,
                           tr("%1 runs on %2").arg(QString::fromStdString(session_.model()->name), text));
}

QString MainWindow::goOnOnCpuText() {
  return tr("Go on on the CPU");
}

/// One that fits what is simulated, until that fits the one that steps it. @param why  empty: it does
void MainWindow::offerMethod(const std::string& method, const QString& why) {
  const QString action = tr("Use %1").arg(QString::fromStdString(method));
  if (why.isEmpty()) return banner_->withdraw(action);
  banner_->show(why);
  banner_->offer(action, [this, method] { session_.methods().choose(method); });
}

void MainWindow::onWritten(const QString& file) {
  if (QFileInfo(file).suffix() == "h5" && session_.isOpen())
    known_.open(QFileInfo(file).absoluteFilePath(), QString::fromStdString(session_.model()->title));
}

void MainWindow::onFailed(const Error& error) {
  const QString message = QString::fromStdString(error.message());
  if (error.code == ErrorCode::SimulationFailed && !session_.run().status().error.empty())
    runFailure_ = message;
  banner_->show(message);
  session_.messages().tell(LogLevel::Error, message);
}

/// A run that goes on, from an earlier step or anew, has not failed.
void MainWindow::hideOldFailure() {
  const bool isOld =
      !runFailure_.isEmpty() && session_.run().status().error.empty() && !session_.moment().showsStored();
  if (!isOld) return;
  if (banner_->text() == runFailure_) banner_->hide();
  runFailure_.clear();
}

/// The scene's file with a mark where edits differ from it.
void MainWindow::showName() {
  if (!session_.isOpen()) return;
  const auto model = session_.model();
  const QString saved = session_.document().file();
  const std::string& opened = session_.run().stored() ? session_.run().stored()->file() : model->file;
  const QString file = QFileInfo(saved.isEmpty() ? QString::fromStdString(opened) : saved).fileName();
  const QString name = file.isEmpty() ? QString::fromStdString(model->name) : file;
  const bool isEdited = session_.document().isEdited();
  setWindowModified(isEdited);
  setWindowTitle(name + QString::fromUtf8("[*] – Slipstick"));
  const QString text = isEdited ? name + QString::fromUtf8(" •") : name;
  if (text == sceneChip_->text()) return;
  sceneChip_->setText(text);
  sceneChip_->setToolTip(QString::fromStdString(model->title) +
                         (isEdited ? tr("\nEdits differ from the file: Ctrl+S saves them") : QString()));
  menuBar()->setCornerWidget(chips_, Qt::TopRightCorner);  // lays the corner out anew
}

void MainWindow::toggleFullScreen() {
  isFullScreen() ? showNormal() : showFullScreen();
}

void MainWindow::setAppearance(Appearance appearance) {
  applyTheme(appearance);
  if (remember_) QSettings("slipstick", "studio").setValue("light", appearance == Appearance::Light);
}

}  // namespace slipstick::ui
