#include "ui/main_window.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QSettings>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "ui/run_csv.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

/// Changes with the set of docks, so that an old layout is not restored onto new ones.
constexpr int kLayoutVersion = 2;

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

MainWindow::~MainWindow() = default;

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
  scene_ = new ScenePanel(session_);
  inspector_ = new Inspector(session_);
  contacts_ = new ContactsPanel(session_);
  plots_ = new PlotsPanel(session_);
  log_ = new LogPanel;
  addDockWidget(Qt::LeftDockWidgetArea, scene_);
  addDockWidget(Qt::LeftDockWidgetArea, inspector_);
  addDockWidget(Qt::RightDockWidgetArea, contacts_);
  addDockWidget(Qt::RightDockWidgetArea, plots_);
  addDockWidget(Qt::RightDockWidgetArea, log_);

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
  for (QDockWidget* panel : panels()) panel->hide();
  bottom_->hide();
}

// Shares of the window that leave the picture more than half of its width.
void MainWindow::arrangeDocks() {
  resizeDocks({scene_, contacts_}, {std::max(width() / 6, 240), std::min(width() * 33 / 100, 560)},
              Qt::Horizontal);
  resizeDocks({scene_, inspector_}, {height() * 3 / 10, height() / 2}, Qt::Vertical);
  resizeDocks({contacts_, plots_, log_}, {height() * 4 / 10, height() * 3 / 10, height() * 2 / 10},
              Qt::Vertical);
}

void MainWindow::showPlots(bool shown) {
  plots_->setVisible(shown);
  if (shown) arrangeDocks();
}

std::vector<QDockWidget*> MainWindow::panels() const {
  return {scene_, inspector_, contacts_, plots_, log_};
}

void MainWindow::buildMenus() {
  buildFileMenu();
  buildEditMenu();
  buildSimulateMenu();
  buildViewMenu();
  buildHelpMenu();
  viewport_->setKeys(keyLines());
}

void MainWindow::addCheck(QMenu* menu, const QString& text, const QKeySequence& key,
                          void (Viewport::*set)(bool)) {
  QAction* action = menu->addAction(text, key);
  action->setCheckable(true);
  connect(action, &QAction::toggled, viewport_, set);
}

/// What F1 lists: the pointer first, then every action of the menus that has a key.
std::vector<std::pair<std::string, std::string>> MainWindow::keyLines() const {
  std::vector<std::pair<QString, QString>> lines = {{tr("Click"), tr("select")},
                                                    {tr("Left drag"), tr("orbit")},
                                                    {tr("Right drag"), tr("pan")},
                                                    {tr("Scroll"), tr("zoom")},
                                                    {tr("Ctrl+right drag"), tr("pull")},
                                                    {tr("Ctrl+left drag"), tr("turn a body")},
                                                    {tr("Right double click"), tr("centre the view")}};
  for (const QAction* action : findChildren<QAction*>()) {
    if (action->shortcuts().empty()) continue;
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
    const QString named = action->data().toString();
    lines.emplace_back(keys.join(", "), named.isEmpty() ? action->text() : named);
  }
  std::vector<std::pair<std::string, std::string>> text;
  for (const auto& [key, does] : lines) text.emplace_back(key.toStdString(), does.toStdString());
  return text;
}

void MainWindow::buildFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("File"));
  menu->addAction(tr("Open…"), QKeySequence("Ctrl+O"), this, &MainWindow::chooseFile);
  menu->addAction(tr("Reload"), QKeySequence("Ctrl+L"), &session_, &Session::reload);
  QMenu* shipped = menu->addMenu(tr("Shipped scenes"));
  for (const auto& scene : session_.services().shippedScenes) {
    const QString name = QString::fromStdString(scene.name);
    shipped->addAction(name, &session_, [this, name] { session_.open(name); });
  }
  menu->addSeparator();
  menu->addAction(tr("Screenshot of the viewport"), QKeySequence("Ctrl+P"), this,
                  &MainWindow::takeScreenshot);
  QAction* observables =
      menu->addAction(tr("Export observables of this run…"), this, &MainWindow::chooseObservablesFile);
  connect(menu, &QMenu::aboutToShow, observables,
          [this, observables] { observables->setEnabled(session_.isOpen()); });
  menu->addSeparator();
  menu->addAction(tr("Quit"), QKeySequence("Ctrl+Q"), this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
  QMenu* menu = menuBar()->addMenu(tr("Edit"));
  QAction* undo = session_.undoStack().createUndoAction(this, tr("Undo"));
  QAction* redo = session_.undoStack().createRedoAction(this, tr("Redo"));
  undo->setShortcut(QKeySequence("Ctrl+Z"));
  redo->setShortcut(QKeySequence("Ctrl+Shift+Z"));
  menu->addActions({undo, redo});
  menu->addSeparator();
  menu->addAction(tr("Cancel going back, or select nothing"), QKeySequence(Qt::Key_Escape), this,
                  &MainWindow::stopOrLetGo);
  menu->addSeparator();
  menu->addAction(tr("Pin the selection, or let go of it"), QKeySequence("N"), this,
                  [this] { togglePin(session_.selectionAsPin()); });
  menu->addAction(tr("Pin the joint of the selected body, or let go of it"), QKeySequence("Shift+N"), this,
                  [this] { togglePin(session_.selectedJointAsPin()); });
}

void MainWindow::stopOrLetGo() {
  if (session_.isGoingBack()) return session_.cancelGoingBack();
  if (viewport_->facts().isWhyOpen()) return viewport_->facts().setWhy(false);
  session_.select({});
}

void MainWindow::togglePin(const std::optional<Pin>& pin) {
  if (pin) return session_.togglePin(*pin);
  if (session_.isOpen())
    log_->add(LogPanel::Level::Info,
              tr("select a contact, a pair or a body to pin it, or a body with a hinge "
                 "or slide to pin its joint"));
}

void MainWindow::buildSimulateMenu() {
  QMenu* menu = menuBar()->addMenu(tr("Simulate"));
  menu->addAction(tr("Play or pause"), QKeySequence(Qt::Key_Space), &session_, &Session::togglePlay);
  menu->addAction(tr("Step forward"), QKeySequence(Qt::Key_Right), &session_, &Session::stepForward);
  menu->addAction(tr("Step back"), QKeySequence(Qt::Key_Left), &session_, &Session::stepBack);
  menu->addSeparator();
  QAction* faster = menu->addAction(tr("Faster"), &session_, [this] { session_.changeSpeed(+1); });
  faster->setShortcuts({QKeySequence(Qt::Key_Plus), QKeySequence(Qt::Key_Equal)});
  menu->addAction(tr("Slower"), QKeySequence(Qt::Key_Minus), &session_, [this] { session_.changeSpeed(-1); });
  menu->addSeparator();
  menu->addAction(tr("Follow the newest step"), QKeySequence(Qt::Key_End), &session_, &Session::goLive);
  QAction* resume = menu->addAction(tr("Resume from here"), &session_, &Session::resumeFromHere);
  connect(menu, &QMenu::aboutToShow, resume, [this, resume] { resume->setEnabled(session_.canResume()); });
  QAction* onCpu = menu->addAction(tr("Go on on the CPU"), &session_, &Session::goOnOnCpu);
  connect(menu, &QMenu::aboutToShow, onCpu, [this, onCpu] { onCpu->setEnabled(session_.canGoOnOnCpu()); });
  menu->addAction(tr("Reset to the start"), QKeySequence(Qt::Key_Backspace), &session_, &Session::reset);
}

void MainWindow::buildViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("View"));
  buildViewActions(menu);
  menu->addSeparator();
  menu->addAction(tr("Previous camera"), QKeySequence("["), viewport_, [this] { viewport_->nextCamera(-1); });
  menu->addAction(tr("Next camera"), QKeySequence("]"), viewport_, [this] { viewport_->nextCamera(+1); });
  menu->addAction(tr("Fit what moves, then everything"), QKeySequence("Ctrl+A"), viewport_, &Viewport::fit);
  menu->addAction(tr("Fit the selection"), QKeySequence("Ctrl+Shift+A"), viewport_, &Viewport::fitSelection);
  addCheck(menu, tr("Follow the selection"), QKeySequence("Ctrl+F"), &Viewport::setFollowing);
  addCheck(menu, tr("Parallel projection"), QKeySequence("5"), &Viewport::setParallel);
  menu->addSeparator();
  buildComparisons(menu);
  menu->addSeparator();
  for (QDockWidget* panel : panels()) menu->addAction(panel->toggleViewAction());
  menu->addAction(tr("All panels"), QKeySequence(Qt::Key_Tab), this, &MainWindow::togglePanels);
  menu->addAction(tr("Full screen"), QKeySequence(Qt::Key_F5), this, &MainWindow::toggleFullScreen);
  QAction* light = menu->addAction(tr("Light theme"));
  light->setCheckable(true);
  connect(menu, &QMenu::aboutToShow, light,
          [light] { light->setChecked(theme().appearance == Appearance::Light); });
  connect(light, &QAction::triggered, this,
          [this](bool on) { setAppearance(on ? Appearance::Light : Appearance::Dark); });
}

void MainWindow::buildComparisons(QMenu* menu) {
  QAction* why = menu->addAction(tr("Why does it slip?"), QKeySequence("Y"));
  why->setCheckable(true);
  MomentFacts* facts = &viewport_->facts();
  connect(why, &QAction::triggered, facts, [facts, why](bool on) {
    facts->setWhy(on);
    why->setChecked(facts->isWhyOpen());
  });
  connect(facts, &MomentFacts::whyToggled, why, &QAction::setChecked);
  QAction* ghost =
      menu->addAction(tr("Ghost of this moment"), QKeySequence("G"), &session_, &Session::toggleGhost);
  ghost->setCheckable(true);
  connect(&session_, &Session::ghostChanged, ghost,
          [this, ghost] { ghost->setChecked(session_.ghost().has_value()); });
  QMenu* ends = menu->addMenu(tr("Ghost of the end of a branch"));
  connect(ends, &QMenu::aboutToShow, ends, [this, ends] { fillBranchEnds(ends); });
  QAction* none = menu->addAction(tr("No ghost"), &session_, [this] { session_.setGhost(std::nullopt); });
  connect(menu, &QMenu::aboutToShow, none, [this, none, ends] {
    none->setEnabled(session_.ghost().has_value());
    ends->setEnabled(session_.isOpen());
  });
}

void MainWindow::fillBranchEnds(QMenu* menu) {
  menu->clear();
  for (const BranchFacts& branch : session_.branches()) {
    const Session::GhostSpec end{branch.id, branch.last};
    QAction* action = menu->addAction(
        tr("%1, %2 s").arg(QString::fromStdString(branch.name), number(session_.timeOf(branch.last), 3)),
        &session_, [this, end] { session_.setGhost(end); });
    action->setCheckable(true);
    action->setChecked(session_.ghost() == end);
  }
}

void MainWindow::buildViewActions(QMenu* menu) {
  std::string_view group;
  for (const render::ViewAction& action : render::viewActions()) {
    if (action.group != std::exchange(group, action.group)) menu->addSection(toQString(action.group));
    action.isSwitch() ? addViewSwitch(menu, action) : addViewChoices(menu, action);
  }
  menu->addSeparator();
  const auto addTurn = [this, menu](const render::ViewStep& step, std::string_view title,
                                    std::string_view key, int direction) {
    menu->addAction(toQString(title), QKeySequence(toQString(key)), &session_, [this, &step, direction] {
      render::ViewOptions view = session_.view();
      step.turn(view, direction);
      session_.setView(view);
    });
  };
  for (const render::ViewStep& step : render::viewSteps()) {
    addTurn(step, step.up, step.upKey, +1);
    addTurn(step, step.down, step.downKey, -1);
  }
}

void MainWindow::addViewSwitch(QMenu* menu, const render::ViewAction& action) {
  QAction* item = menu->addAction(toQString(action.title), QKeySequence(toQString(action.key)));
  item->setCheckable(true);
  const auto follow = [this, item, &action] { item->setChecked(action.state(session_.view()) != 0); };
  follow();
  connect(&session_, &Session::viewChanged, item, follow);
  connect(item, &QAction::triggered, &session_, [this, &action] { session_.toggleView(action); });
}

/// A submenu; the action's key goes through its choices.
void MainWindow::addViewChoices(QMenu* menu, const render::ViewAction& action) {
  QMenu* choices = menu->addMenu(toQString(action.title));
  auto* group = new QActionGroup(choices);
  for (int state = 0; state < action.states(); ++state) {
    QAction* item = group->addAction(
        choices->addAction(toQString(action.choices[static_cast<std::size_t>(state)].title)));
    item->setCheckable(true);
    connect(choices, &QMenu::aboutToShow, item,
            [this, item, &action, state] { item->setChecked(action.state(session_.view()) == state); });
    connect(item, &QAction::triggered, &session_, [this, &action, state] {
      render::ViewOptions view = session_.view();
      action.set(view, state);
      session_.setView(view);
    });
  }
  if (action.key.empty()) return;
  choices->addSeparator();
  QAction* next = choices->addAction(tr("Next"), QKeySequence(toQString(action.key)));
  next->setData(toQString(action.title));  // what the list of keys calls it
  connect(next, &QAction::triggered, &session_, [this, &action] { session_.toggleView(action); });
}

void MainWindow::buildHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("Help"));
  const auto card = [&](const QString& text, Qt::Key key, Viewport::Card which) {
    menu->addAction(text, QKeySequence(key), viewport_, [this, which] { viewport_->toggleCard(which); });
  };
  card(tr("Keys"), Qt::Key_F1, Viewport::Card::Help);
  card(tr("Scene information"), Qt::Key_F2, Viewport::Card::Info);
  card(tr("Profiler"), Qt::Key_F3, Viewport::Card::Profiler);
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
  connect(gallery_, &Gallery::chosen, &session_, &Session::open);
  connect(&session_, &Session::loadingChanged, this, [this](bool loading, const QString& what) {
    busy_->setVisible(loading);
    if (loading) log_->add(LogPanel::Level::Info, tr("opening %1").arg(what));
  });
  connect(&session_, &Session::opened, this, &MainWindow::onOpened);
  connect(&session_, &Session::failed, this, &MainWindow::onFailed);
  connect(&session_, &Session::cpuOffered, this, [this] { banner_->offer(tr("Go on on the CPU")); });
  connect(banner_, &Banner::accepted, &session_, &Session::goOnOnCpu);
  connect(&session_, &Session::statusChanged, this, &MainWindow::showWhatComputes);
  connect(viewport_, &Viewport::effectsChanged, status_, &StatusLine::setEffectsOff);
  connect(&session_, &Session::pinsChanged, this, [this] {
    if (session_.pins().empty() != plots_->isHidden()) showPlots(!session_.pins().empty());
  });
  connect(viewport_, &Viewport::deviceFailed, this, &MainWindow::onFailed);
  connect(contacts_, &ContactsPanel::failed, this, &MainWindow::onFailed);
  connect(contacts_, &ContactsPanel::exported, this,
          [this](const QString& file) { log_->add(LogPanel::Level::Info, tr("wrote %1").arg(file)); });
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
    for (QDockWidget* panel : panels()) panel->setVisible(panel != plots_);  // it comes with the first pin
    bottom_->show();
    arrangeDocks();
    if (remember_)
      restoreState(QSettings("slipstick", "studio").value("layout").toByteArray(), kLayoutVersion);
  }
  const QString file = QFileInfo(QString::fromStdString(model->file)).fileName();
  const QString name = QString::fromStdString(model->name);
  sceneChip_->setText(file.isEmpty() ? name : file);
  sceneChip_->setToolTip(QString::fromStdString(model->title));
  sceneChip_->show();
  showWhatComputes();
  menuBar()->setCornerWidget(chips_, Qt::TopRightCorner);  // lays the corner out anew
  setWindowTitle(name + QString::fromUtf8(" – Slipstick"));
  for (const Notice& notice : notices)
    log_->add(notice.level == Notice::Level::Info ? LogPanel::Level::Info : LogPanel::Level::Warning,
              QString::fromStdString(notice.where + ": " + notice.what));
  log_->add(LogPanel::Level::Info,
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
  log_->add(LogPanel::Level::Info,
            tr("%1 runs on %2").arg(QString::fromStdString(session_.model()->name), text));
}

void MainWindow::onFailed(const Error& error) {
  const QString message = QString::fromStdString(error.message());
  banner_->show(message);
  log_->add(LogPanel::Level::Error, message);
}

void MainWindow::chooseFile() {
  const QString file =
      QFileDialog::getOpenFileName(this, tr("Open a scene or robot"), {},
                                   tr("Scenes and robots (*.yaml *.yml *.urdf *.sdf);;All files (*)"));
  if (!file.isEmpty()) session_.open(file);
}

void MainWindow::takeScreenshot() {
  const Picture* picture = viewport_->picture();
  if (!picture) return;
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::PicturesLocation));
  folder.mkpath(".");
  const QString base = QString("%1-%2s")
                           .arg(QString::fromStdString(session_.model()->name))
                           .arg(picture->request.snapshot->time, 0, 'f', 3);
  QString file = folder.filePath(base + ".png");
  for (int i = 2; QFileInfo::exists(file); ++i) file = folder.filePath(QString("%1-%2.png").arg(base).arg(i));
  if (picture->image.save(file))
    log_->add(LogPanel::Level::Info, tr("wrote %1").arg(file));
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
  exporting_ =
      std::jthread([this, file, before = std::move(exporting_), columns = session_.source().columns()] {
        const Result<void> written = writeObservables(columns, file);
        QMetaObject::invokeMethod(
            this,
            [this, file, written] {
              if (!written) return onFailed(written.error());
              log_->add(LogPanel::Level::Info, tr("wrote %1").arg(file));
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
    for (QDockWidget* panel : std::exchange(hiddenPanels_, {})) panel->show();
    return;
  }
  for (QDockWidget* panel : panels()) {
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
  session_.open(file);
}

}  // namespace slipstick::ui
