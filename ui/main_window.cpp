#include "ui/main_window.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "ui/run_csv.h"
#include "ui/scene_document.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

/// Changes with the set of docks, so that an old layout is not restored onto new ones.
constexpr int kLayoutVersion = 3;

/// The first file of a drop that the studio can open; empty when there is none.
QString droppedFile(const QMimeData* data) {
  for (const QUrl& url : data->urls()) {
    const QString suffix = QFileInfo(url.toLocalFile()).suffix().toLower();
    if (suffix == "yaml" || suffix == "yml" || suffix == "urdf" || suffix == "sdf") return url.toLocalFile();
  }
  return {};
}

}  // namespace

MainWindow::MainWindow(StudioServices services, QSize size, bool remember)
    : session_(std::move(services)), remember_(remember) {
  setWindowTitle("Slipstick");
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  buildCenter();
  buildDocks();
  buildMenus();
  buildChips();
  connectSession();
  resize(size);
  if (remember_) restoreLayout();
}

MainWindow::~MainWindow() {
  leaving_.request_stop();
}

// --------------------------------------------------------------------------------------------- building

void MainWindow::buildCenter() {
  gallery_ = new Gallery(session_.services().shippedScenes);
  viewport_ = new Viewport(session_);
  banner_ = new Banner;
  busy_ = new QProgressBar;
  busy_->setRange(0, 0);
  busy_->setTextVisible(false);
  busy_->setFixedHeight(4);
  busy_->hide();
  pages_ = new QStackedWidget;
  pages_->addWidget(gallery_);
  pages_->addWidget(viewport_);
  auto* center = new QWidget;
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(busy_);
  column->addWidget(banner_);
  column->addWidget(pages_, 1);
  setCentralWidget(center);
}

void MainWindow::buildDocks() {
  for (const PanelKind& kind : panelKinds()) {
    Panel* panel = kind.make(session_);
    addDockWidget(kind.area, panel);
    if (kind.share == 0) tabifyDockWidget(panels_.back(), panel);
    panels_.push_back(panel);
    connect(panel, &Panel::wanted, this, [this, panel](bool wanted) { showPanel(*panel, wanted); });
  }

  timeline_ = new Timeline(session_);
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(timeline_);
  status_ = new StatusLine(session_);
  column->addWidget(status_);
  bottom_ = new QDockWidget;
  bottom_->setObjectName("timeline");
  bottom_->setFeatures(QDockWidget::NoDockWidgetFeatures);
  bottom_->setTitleBarWidget(new QWidget);
  bottom_->setWidget(content);
  content->setFixedHeight(content->sizeHint().height());
  addDockWidget(Qt::BottomDockWidgetArea, bottom_);
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);

  // Without a scene the panels have nothing to show.
  for (Panel* panel : panels_) panel->hide();
  bottom_->hide();
}

// Shares of the window that leave the picture more than half of its width.
void MainWindow::arrangeDocks() {
  const std::map<Qt::DockWidgetArea, int> widths = {
      {Qt::LeftDockWidgetArea, std::max(width() / 6, 264)},
      {Qt::RightDockWidgetArea, std::min(width() * 33 / 100, 560)}};
  QList<QDockWidget*> docks;
  QList<int> dockWidths, heights;
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const PanelKind& kind = panelKinds()[i];
    if (kind.share == 0) continue;
    docks << panels_[i];
    dockWidths << widths.at(kind.area);
    heights << height() * kind.share / 100;
  }
  resizeDocks(docks, dockWidths, Qt::Horizontal);
  resizeDocks(docks, heights, Qt::Vertical);
}

/// As a panel asks for itself: raised above those that share its place.
void MainWindow::showPanel(Panel& panel, bool shown) {
  if (shown != panel.isHidden()) return;
  panel.setVisible(shown);
  if (!shown) return;
  arrangeDocks();
  panel.raise();
}

void MainWindow::buildChips() {
  auto* name = new QLabel("Slipstick");
  name->setFont(textFont(600));
  name->setContentsMargins(2 * kSpace - 4, 0, kSpace, 0);
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
  connect(gallery_, &Gallery::chosen, this, &MainWindow::openUnlessEdited);
  connect(&session_.document(), &SceneDocument::changed, this, &MainWindow::showName);
  connect(&session_.document(), &SceneDocument::saved, this, [this] {
    if (closesWhenSaved_) close();
  });
  connect(&session_, &Session::loadingChanged, this, [this](bool loading, const QString& what) {
    busy_->setVisible(loading);
    if (loading) session_.tell(LogLevel::Info, tr("opening %1").arg(what));
  });
  connect(&session_, &Session::opened, this, &MainWindow::onOpened);
  connect(&session_, &Session::failed, this, &MainWindow::onFailed);
  connect(&session_, &Session::cpuOffered, this, [this] { banner_->offer(tr("Go on on the CPU")); });
  connect(banner_, &Banner::accepted, &session_, &Session::goOnOnCpu);
  connect(&session_, &Session::statusChanged, this, &MainWindow::showWhatComputes);
  connect(viewport_, &Viewport::effectsChanged, status_, &StatusLine::setEffectsOff);
  connect(viewport_, &Viewport::deviceFailed, this, &MainWindow::onFailed);
}

void MainWindow::restoreLayout() {
  const QSettings settings("slipstick", "studio");
  setAppearance(settings.value("light").toBool() ? Appearance::Light : Appearance::Dark);
  restoreGeometry(settings.value("geometry").toByteArray());
  render::ViewOptions view = session_.view();
  for (const render::ViewAction& action : render::viewActions()) {
    const int state = settings.value("view/" + toQString(action.name), action.state(view)).toInt();
    if (state >= 0 && state < action.states()) action.set(view, state);
  }
  session_.setView(view);
  connect(&session_, &Session::viewChanged, this, [this] {
    QSettings stored("slipstick", "studio");
    for (const render::ViewAction& action : render::viewActions())
      stored.setValue("view/" + toQString(action.name), action.state(session_.view()));
  });
  // Applied when the first scene opens, for the gallery shows no panels.
}

// ---------------------------------------------------------------------------------------------- actions

void MainWindow::onOpened(const std::vector<Notice>& notices) {
  const bool first = pages_->currentWidget() == gallery_;
  const auto model = session_.model();
  banner_->hide();
  pages_->setCurrentWidget(viewport_);
  viewport_->setFocus();
  if (first) {
    for (std::size_t i = 0; i < panels_.size(); ++i) panels_[i]->setVisible(panelKinds()[i].startsVisible);
    bottom_->show();
    arrangeDocks();
    if (remember_)
      restoreState(QSettings("slipstick", "studio").value("layout").toByteArray(), kLayoutVersion);
  }
  const QString name = QString::fromStdString(model->name);
  sceneChip_->show();
  showName();
  showWhatComputes();
  for (const Notice& notice : notices)
    session_.tell(notice.level == Notice::Level::Info ? LogLevel::Info : LogLevel::Warning,
                  QString::fromStdString(notice.where + ": " + notice.what));
  session_.tell(LogLevel::Info,
                tr("%1 is open: %2 bodies, %3 particles")
                    .arg(name, grouped(model->tree.bodies.size() - 1), grouped(model->particleCount())));
}

/// In the chip, and in the log where it has changed. What was offered because a backend had failed goes with that.
void MainWindow::showWhatComputes() {
  const RunStatus status = session_.status();
  if (banner_->offers() && !status.backendFailed) banner_->hide();
  const QString text = QString::fromStdString(status.runsOn);
  if (text.isEmpty() || text == deviceChip_->text()) return;
  deviceChip_->setText(text);
  deviceChip_->show();
  menuBar()->setCornerWidget(chips_, Qt::TopRightCorner);
  session_.tell(LogLevel::Info,
                tr("%1 runs on %2").arg(QString::fromStdString(session_.model()->name), text));
}

void MainWindow::onFailed(const Error& error) {
  closesWhenSaved_ = false;
  const QString message = QString::fromStdString(error.message());
  banner_->show(message);
  session_.tell(LogLevel::Error, message);
}

void MainWindow::focusNextPanel(int direction) {
  if (pages_->currentWidget() == gallery_) return gallery_->setFocus();
  std::vector<QWidget*> stops = {viewport_};
  for (Panel* panel : panels_)
    if (panel->isVisible() && !panel->visibleRegion().isEmpty()) stops.push_back(panel);
  stops.push_back(timeline_);
  const QWidget* focused = QApplication::focusWidget();
  const auto at = std::find_if(stops.begin(), stops.end(), [focused](const QWidget* stop) {
    return stop == focused || stop->isAncestorOf(focused);
  });
  const auto count = static_cast<int>(stops.size());
  int stop = at == stops.end() ? 0 : static_cast<int>(at - stops.begin());
  for (int tried = 0; tried < count; ++tried) {
    stop = (stop + direction + count) % count;
    QWidget* next = stops[static_cast<std::size_t>(stop)];
    if (auto* panel = qobject_cast<Panel*>(next)) {
      if (panel->takeFocus()) return;
      continue;
    }
    (next == timeline_ ? static_cast<QWidget*>(&timeline_->playButton()) : next)
        ->setFocus(Qt::TabFocusReason);
    return;
  }
}

/// The scene's file with a mark where edits differ from it.
void MainWindow::showName() {
  if (!session_.isOpen()) return;
  const auto model = session_.model();
  const QString saved = session_.document().file();
  const QString file = QFileInfo(saved.isEmpty() ? QString::fromStdString(model->file) : saved).fileName();
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

void MainWindow::openUnlessEdited(const QString& scene) {
  askToSave([this, scene] { session_.open(scene); });
}

void MainWindow::askToSave(std::function<void()> goOn) {
  if (!remember_ || !session_.document().isEdited()) return goOn();
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Slipstick"),
                              tr("The scene has edits that its file does not have."),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
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
  const QString file =
      QFileDialog::getOpenFileName(this, tr("Open a scene or robot"), {},
                                   tr("Scenes and robots (*.yaml *.yml *.urdf *.sdf);;All files (*)"));
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
  QString file = folder.filePath(base + ".png");
  for (int i = 2; QFileInfo::exists(file); ++i) file = folder.filePath(QString("%1-%2.png").arg(base).arg(i));
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
  exporting_ = std::jthread([this, file, before = std::move(exporting_),
                             columns = session_.source().columns(), leaving = leaving_.get_token()] {
    const Result<void> written = writeObservables(columns, file, leaving);
    QMetaObject::invokeMethod(
        this,
        [this, file, written] {
          if (!written) return onFailed(written.error());
          session_.tell(LogLevel::Info, tr("wrote %1").arg(file));
        },
        Qt::QueuedConnection);
  });
}

void MainWindow::toggleFullScreen() {
  isFullScreen() ? showNormal() : showFullScreen();
}

void MainWindow::togglePanels() {
  if (!session_.isOpen()) return;
  if (!hiddenPanels_.empty()) {
    for (Panel* panel : std::exchange(hiddenPanels_, {})) panel->show();
    return;
  }
  for (Panel* panel : panels_) {
    if (panel->isHidden()) continue;
    panel->hide();
    hiddenPanels_.push_back(panel);
  }
}

void MainWindow::setAppearance(Appearance appearance) {
  applyTheme(appearance);
  if (remember_) QSettings("slipstick", "studio").setValue("light", appearance == Appearance::Light);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  closesWhenSaved_ = session_.document().isSaving();
  if (closesWhenSaved_) return event->ignore();  // what is being written is written to its end
  if (!closes_ && remember_ && session_.document().isEdited()) {
    event->ignore();
    return askToSave([this] {
      closes_ = true;
      close();
    });
  }
  if (remember_) {
    QSettings settings("slipstick", "studio");
    settings.setValue("geometry", saveGeometry());
    if (session_.isOpen() && hiddenPanels_.empty()) settings.setValue("layout", saveState(kLayoutVersion));
  }
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!droppedFile(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString file = droppedFile(event->mimeData());
  if (file.isEmpty()) return;
  event->acceptProposedAction();
  openUnlessEdited(file);
}

}  // namespace slipstick::ui
