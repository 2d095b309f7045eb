// The menus of the window, and with them every key.
#include <QActionGroup>
#include <QFileInfo>
#include <QMenuBar>

#include "engine/model/method_choice.h"
#include "ui/companions.h"
#include "ui/driving.h"
#include "ui/main_window.h"
#include "ui/playback.h"
#include "ui/run_recording.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/visibility.h"

namespace slipstick::ui {

void MainWindow::buildMenus() {
  buildFileMenu();
  buildEditMenu();
  buildSimulateMenu();
  buildViewMenu();
  buildHelpMenu();
  viewport_->setKeys(keyLines());
}

QAction* MainWindow::addCheck(QMenu* menu, const QString& text, const QKeySequence& key,
                              void (Viewport::*set)(bool)) {
  QAction* action = menu->addAction(text, key);
  action->setCheckable(true);
  connect(action, &QAction::toggled, viewport_, set);
  return action;
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
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  buildOpenActions(menu);
  menu->addSeparator();
  QAction* save =
      menu->addAction(tr("Save the scene"), QKeySequence("Ctrl+S"), this, [this] { leaving_->save(); });
  QAction* saveAs = menu->addAction(tr("Save the scene as…"), QKeySequence("Ctrl+Shift+S"), this,
                                    [this] { leaving_->saveAs(); });
  connect(menu, &QMenu::aboutToShow, this, [this, save, saveAs] {
    save->setEnabled(session_.isOpen());
    saveAs->setEnabled(session_.isOpen());
  });
  menu->addSeparator();
  buildRecordingActions(menu);
  menu->addAction(tr("Screenshot of the viewport"), QKeySequence("Ctrl+P"), this,
                  &MainWindow::takeScreenshot);
  QAction* pictures =
      menu->addAction(tr("Export pictures…"), QKeySequence("Ctrl+R"), this, &MainWindow::showPictureDialog);
  QAction* tables =
      menu->addAction(tr("Export data…"), QKeySequence("Ctrl+E"), this, &MainWindow::showDataDialog);
  connect(menu, &QMenu::aboutToShow, this, [this, pictures, tables] {
    pictures->setEnabled(session_.isOpen());
    tables->setEnabled(session_.isOpen());
  });
  QAction* observables =
      menu->addAction(tr("Export observables of this run…"), this, &MainWindow::chooseObservablesFile);
  connect(menu, &QMenu::aboutToShow, observables,
          [this, observables] { observables->setEnabled(session_.isOpen()); });
  menu->addSeparator();
  menu->addAction(tr("Quit"), QKeySequence("Ctrl+Q"), this, &QWidget::close);
}

void MainWindow::buildRecordingActions(QMenu* menu) {
  RunRecording& recording = session_.recording();
  QAction* record = menu->addAction(tr("Record, or stop recording"), QKeySequence("Ctrl+Shift+R"), &recording,
                                    &RunRecording::toggle);
  QAction* recordAs = menu->addAction(tr("Record into a file…"), this, &MainWindow::chooseRecording);
  QAction* past = menu->addAction(tr("Keep the last minute…"), this, &MainWindow::choosePastRecording);
  connect(menu, &QMenu::aboutToShow, this, [this, &recording, record, recordAs, past] {
    for (QAction* action : {record, recordAs, past}) action->setEnabled(session_.isOpen());
    recordAs->setEnabled(session_.isOpen() && !recording.isOn());
  });
  menu->addSeparator();
}

void MainWindow::buildOpenActions(QMenu* menu) {
  QAction* gallery = menu->addAction(tr("Gallery"), this, &MainWindow::showGallery);
  gallery->setShortcuts({QKeySequence("Ctrl+G"), QKeySequence("Alt+Home")});
  menu->addAction(tr("Open…"), QKeySequence("Ctrl+O"), this, &MainWindow::chooseFile);
  QMenu* recent = menu->addMenu(tr("Recent files"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
  connect(menu, &QMenu::aboutToShow, recent, [this, recent] { recent->setEnabled(!known_.files().empty()); });
  const auto addShipped = [&](const QString& title, const std::vector<StudioServices::SceneEntry>& entries,
                              std::string StudioServices::SceneEntry::*opens) {
    if (entries.empty()) return;
    QMenu* shipped = menu->addMenu(title);
    QMenu* list = shipped;
    const bool hasSubjects = entries.front().subject != entries.back().subject;
    std::string subject;
    for (const auto& entry : entries) {
      if (hasSubjects && entry.subject != std::exchange(subject, entry.subject))
        list = shipped->addMenu(QString::fromStdString(entry.subject));
      list->addAction(QString::fromStdString(entry.name), this,
                      [this, what = QString::fromStdString(entry.*opens)] { openUnlessEdited(what); });
    }
  };
  addShipped(tr("Shipped scenes"), session_.services().shippedScenes, &StudioServices::SceneEntry::name);
  addShipped(tr("Shipped robots"), session_.services().shippedRobots, &StudioServices::SceneEntry::file);
  menu->addAction(tr("Reload"), QKeySequence("Ctrl+L"), this, &MainWindow::reload);
}

void MainWindow::fillRecent(QMenu* menu) {
  constexpr std::size_t kMaxShown = 15;
  menu->clear();
  for (const KnownFile& known : known_.files()) {
    if (menu->actions().size() == kMaxShown) break;
    const QFileInfo info(known.file);
    QAction* action =
        menu->addAction(QString(info.fileName() + "\t" + info.absolutePath()).replace('&', "&&"), this,
                        [this, file = known.file] { openUnlessEdited(file); });
    action->setToolTip(known.title);
    action->setEnabled(info.exists());
  }
  menu->addSeparator();
  menu->addAction(tr("Forget all"), &known_, &KnownFiles::forgetAll);
}

void MainWindow::buildEditMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  QUndoStack& stack = session_.undoStack();
  QAction* undo = menu->addAction(tr("Undo"), QKeySequence("Ctrl+Z"), &session_.editor(), &SceneEditor::undo);
  QAction* redo =
      menu->addAction(tr("Redo"), QKeySequence("Ctrl+Shift+Z"), &session_.editor(), &SceneEditor::redo);
  // They say of what; what F1 lists stays short.
  const auto follow = [](QAction* action, const QString& word, bool can, const QString& what) {
    action->setEnabled(can);
    action->setText(what.isEmpty() ? word : word + " " + what);
    action->setData(word);
  };
  const auto followUndo = [undo, follow, &stack] {
    follow(undo, tr("Undo"), stack.canUndo(), stack.undoText());
  };
  const auto followRedo = [redo, follow, &stack] {
    follow(redo, tr("Redo"), stack.canRedo(), stack.redoText());
  };
  for (const auto changed : {&QUndoStack::canUndoChanged, &QUndoStack::canRedoChanged}) {
    connect(&stack, changed, this, followUndo);
    connect(&stack, changed, this, followRedo);
  }
  connect(&stack, &QUndoStack::indexChanged, this, followUndo);
  connect(&stack, &QUndoStack::indexChanged, this, followRedo);
  followUndo();
  followRedo();
  menu->addSeparator();
  menu->addAction(tr("Cancel what is under way, or select nothing"), QKeySequence(Qt::Key_Escape), this,
                  &MainWindow::stopOrLetGo);
  menu->addSeparator();
  menu->addAction(tr("Hide the selection, or show it"), QKeySequence("H"), this,
                  [this] { toggleSelectionVisible(session_); });
  menu->addAction(tr("Hide all but the selection"), QKeySequence("Ctrl+H"), this,
                  [this] { hideAllButSelection(session_); });
  menu->addAction(tr("Show everything"), QKeySequence("Shift+H"), this, [this] { showEverything(session_); });
  menu->addSeparator();
  menu->addAction(tr("Pin the selection, or let go of it"), QKeySequence("N"), this,
                  [this] { togglePin(session_.pinBoard().selectionAsPin()); });
  menu->addAction(tr("Pin the joint of the selected body, or let go of it"), QKeySequence("Shift+N"), this,
                  [this] { togglePin(session_.pinBoard().selectedJointAsPin()); });
}

void MainWindow::stopOrLetGo() {
  if (session_.opener().isLoading()) return session_.opener().cancel();
  if (session_.transport().isGoingBack()) return session_.transport().cancelGoingBack();
  if (session_.editor().isCompilingEdit()) return session_.editor().cancelEdit();
  if (isGalleryShown()) return leaveGallery();
  if (viewport_->facts().isWhyOpen()) return viewport_->facts().setWhy(false);
  session_.focus().select({});
}

void MainWindow::togglePin(const std::optional<Pin>& pin) {
  if (pin) return session_.pinBoard().togglePin(*pin);
  if (session_.isOpen())
    session_.messages().tell(LogLevel::Info,
                             tr("select a contact, a pair or a body to pin it, or a body with a hinge "
                                "or slide to pin its joint"));
}

namespace {

/// What the newest model starts under where its method is left to the program.
std::string methodByAuto(const Session& session, const FrozenMotion& worst) {
  const std::string chosen(chosenMethod(worst));
  return session.methods().obstacle(chosen).isEmpty() ? chosen : session.services().methods.front().name;
}

bool isByAuto(const Session& session) {
  return session.isOpen() && isChosenFor(*session.run().newestModel());
}

/// Says what auto has come to, as a run goes on under what was chosen for it; or, where a method is named, would come to.
void showAuto(QAction& action, const Session& session) {
  action.setEnabled(session.isOpen() && session.run().newestModel()->scene);
  if (!action.isEnabled()) return action.setText(toQString(kAutoMethod));
  const Model& model = *session.run().newestModel();
  const FrozenMotion worst = worstFrozenMotion(model);
  const std::string method =
      isByAuto(session) ? session.methods().method().toStdString() : methodByAuto(session, worst);
  action.setText(
      MainWindow::tr("%1 (%2)\tby what soft things press").arg(toQString(kAutoMethod), toQString(method)));
  action.setToolTip(toQString(choiceInWords(model, worst, method, {})));
  action.setChecked(isByAuto(session));
}

void chooseAuto(Session& session) {
  if (!session.isOpen() || isByAuto(session)) return;
  const FrozenMotion worst = worstFrozenMotion(*session.run().newestModel());
  const std::string method = methodByAuto(session, worst);
  // Under auto a model is told the chosen one when it is compiled, whether or not that can step it.
  session.methods().choose(method == chosenMethod(worst) ? std::string(kAutoMethod) : method);
}

}  // namespace

/// What couples rigid and soft things: one of them is checked, those that cannot step the scene say why.
void MainWindow::buildMethodMenu(QMenu* menu) {
  QMenu* methods = menu->addMenu(tr("Method"));
  methods->setObjectName("methods");
  methods->setToolTipsVisible(true);
  auto* group = new QActionGroup(methods);
  QAction* byProgram =
      group->addAction(methods->addAction(toQString(kAutoMethod), this, [this] { chooseAuto(session_); }));
  byProgram->setObjectName("method_auto");
  byProgram->setCheckable(true);
  connect(methods, &QMenu::aboutToShow, byProgram, [this, byProgram] { showAuto(*byProgram, session_); });
  for (const StudioServices::Method& method : session_.services().methods) {
    const QString name = QString::fromStdString(method.name);
    QAction* action = methods->addAction(name + "\t" + QString::fromStdString(method.description), this,
                                         [this, chosen = method.name] { session_.methods().choose(chosen); });
    action->setObjectName("method_" + name);
    action->setCheckable(true);
    group->addAction(action);
    connect(methods, &QMenu::aboutToShow, action, [this, action, name] {
      const QString obstacle = session_.methods().obstacle(name.toStdString());
      action->setEnabled(obstacle.isEmpty());
      action->setToolTip(obstacle);
      action->setChecked(session_.methods().method() == name && !isByAuto(session_));
    });
  }
}

void MainWindow::buildSimulateMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Simulate"));
  menu->addAction(tr("Play or pause"), QKeySequence(Qt::Key_Space), &session_.transport(),
                  &Transport::togglePlay);
  menu->addAction(tr("Step forward"), QKeySequence(Qt::Key_Right), &session_.transport(),
                  &Transport::stepForward);
  menu->addAction(tr("Step back"), QKeySequence(Qt::Key_Left), &session_.transport(), &Transport::stepBack);
  menu->addSeparator();
  QAction* faster =
      menu->addAction(tr("Faster"), &session_, [this] { session_.transport().changeSpeed(+1); });
  faster->setShortcuts({QKeySequence(Qt::Key_Plus), QKeySequence(Qt::Key_Equal)});
  menu->addAction(tr("Slower"), QKeySequence(Qt::Key_Minus), &session_,
                  [this] { session_.transport().changeSpeed(-1); });
  menu->addSeparator();
  menu->addAction(tr("Follow the newest step"), QKeySequence(Qt::Key_End), &session_.moment(),
                  &ShownMoment::goLive);
  QAction* resume = menu->addAction(tr("Resume from here"), QKeySequence("Ctrl+Shift+Space"),
                                    &session_.transport(), &Transport::resumeFromHere);
  connect(menu, &QMenu::aboutToShow, resume,
          [this, resume] { resume->setEnabled(session_.transport().canResume()); });
  buildMethodMenu(menu);
  QAction* compare = menu->addAction(tr("Compare methods…"), this, &MainWindow::showMethodsDialog);
  compare->setObjectName("compare_methods");
  QAction* beside = menu->addAction(tr("Add a companion"), &session_.companions(), &Companions::add);
  beside->setObjectName("add_companion");
  connect(menu, &QMenu::aboutToShow, beside,
          [this, beside] { beside->setEnabled(session_.companions().canAdd()); });
  QAction* onCpu = menu->addAction(tr("Go on on the CPU"), &session_.transport(), &Transport::goOnOnCpu);
  connect(menu, &QMenu::aboutToShow, onCpu,
          [this, onCpu] { onCpu->setEnabled(session_.transport().canGoOnOnCpu()); });
  menu->addSeparator();
  QAction* loop = menu->addAction(tr("Loop the selected range"), QKeySequence("Ctrl+Shift+L"));
  loop->setCheckable(true);
  connect(loop, &QAction::toggled, &session_.playback(), &Playback::setLoops);
  connect(&session_.playback(), &Playback::changed, loop,
          [this, loop] { loop->setChecked(session_.playback().loops()); });
  const auto endRange = [this](bool isStart) {
    if (!session_.isOpen()) return;
    const double now = session_.moment().shown()->time, dt = session_.model()->time.dt;
    TimeRange range = session_.marks().range().value_or(TimeRange{0, session_.moment().newestTime()});
    (isStart ? range.from : range.to) = now;
    if (range.to - range.from < dt) isStart ? range.to = session_.moment().newestTime() : range.from = 0;
    session_.marks().setRange(range);
  };
  menu->addAction(tr("Start the range here"), QKeySequence("Ctrl+["), this, [endRange] { endRange(true); });
  menu->addAction(tr("End the range here"), QKeySequence("Ctrl+]"), this, [endRange] { endRange(false); });
  menu->addAction(tr("Zoom in on the timeline"), QKeySequence("Ctrl++"), this,
                  [this] { timeline_->bar().zoomAboutHead(1.5); });
  menu->addAction(tr("Zoom out of the timeline"), QKeySequence("Ctrl+-"), this,
                  [this] { timeline_->bar().zoomAboutHead(1 / 1.5); });
  menu->addAction(tr("Show the whole run"), QKeySequence("Ctrl+0"), this,
                  [this] { timeline_->bar().showAll(); });
  menu->addAction(tr("Bookmark this step, or forget its bookmark"), QKeySequence("K"), &session_.marks(),
                  &TimeMarks::toggleBookmark);
  menu->addAction(tr("Next bookmark"), QKeySequence("Ctrl+Right"), &session_,
                  [this] { session_.marks().goToBookmark(+1); });
  menu->addAction(tr("Previous bookmark"), QKeySequence("Ctrl+Left"), &session_,
                  [this] { session_.marks().goToBookmark(-1); });
  menu->addSeparator();
  QAction* drive = menu->addAction(tr("Drive arms by hand"), QKeySequence("Ctrl+D"));
  drive->setCheckable(true);
  connect(drive, &QAction::triggered, &session_.driving(), &Driving::setOn);
  connect(&session_.driving(), &Driving::changed, drive,
          [this, drive] { drive->setChecked(session_.driving().isOn()); });
  QAction* resumeDriving = menu->addAction(tr("Resume driving"), QKeySequence("Ctrl+Shift+D"),
                                           &session_.driving(), &Driving::resume);
  resumeDriving->setEnabled(false);
  connect(&session_.driving(), &Driving::changed, resumeDriving,
          [this, resumeDriving] { resumeDriving->setEnabled(session_.driving().isStopped()); });
  menu->addAction(tr("Reset to the start"), QKeySequence(Qt::Key_Backspace), &session_.transport(),
                  &Transport::reset);
}

void MainWindow::buildViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  buildViewActions(menu);
  menu->addSeparator();
  menu->addAction(tr("Previous camera"), QKeySequence("["), viewport_, [this] { viewport_->nextCamera(-1); });
  menu->addAction(tr("Next camera"), QKeySequence("]"), viewport_, [this] { viewport_->nextCamera(+1); });
  menu->addAction(tr("Keep this view as a camera"), QKeySequence("Ctrl+B"), viewport_,
                  &Viewport::keepAsCamera);
  menu->addAction(tr("Forget the camera shown last"), viewport_, &Viewport::forgetCamera);
  menu->addAction(tr("Fit what moves, then everything"), QKeySequence("Ctrl+A"), viewport_, &Viewport::fit);
  menu->addAction(tr("Fit the selection"), QKeySequence("Ctrl+Shift+A"), viewport_, &Viewport::fitSelection);
  following_ = addCheck(menu, tr("Follow the selection"), QKeySequence("Ctrl+F"), &Viewport::setFollowing);
  parallel_ = addCheck(menu, tr("Parallel projection"), QKeySequence("5"), &Viewport::setParallel);
  menu->addAction(tr("Reset the view"), this, &MainWindow::resetView);
  menu->addSeparator();
  buildComparisons(menu);
  menu->addSeparator();
  buildPanelActions(menu);
}

void MainWindow::buildPanelActions(QMenu* menu) {
  QMenu* list = menu->addMenu(tr("Panels"));
  for (Panel* panel : panels_) list->addAction(panel->toggleViewAction());
  list->addSeparator();
  list->addAction(tr("Next panel"), QKeySequence(Qt::Key_F6), this, [this] { focusNextPanel(+1); });
  list->addAction(tr("Previous panel"), QKeySequence("Shift+F6"), this, [this] { focusNextPanel(-1); });
  list->addAction(tr("All panels"), QKeySequence(Qt::Key_Tab), this, &MainWindow::togglePanels);
  menu->addAction(tr("Reset the layout"), this, &MainWindow::resetLayout);
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
  QAction* ghost = menu->addAction(tr("Ghost of this moment"), QKeySequence("G"), &session_.marks(),
                                   &TimeMarks::toggleGhost);
  ghost->setCheckable(true);
  connect(&session_.marks(), &TimeMarks::ghostChanged, ghost,
          [this, ghost] { ghost->setChecked(session_.marks().ghost().has_value()); });
  QMenu* ends = menu->addMenu(tr("Ghost of the end of a branch"));
  connect(ends, &QMenu::aboutToShow, ends, [this, ends] { fillBranchEnds(ends); });
  QAction* none =
      menu->addAction(tr("No ghost"), &session_, [this] { session_.marks().setGhost(std::nullopt); });
  connect(menu, &QMenu::aboutToShow, none, [this, none, ends] {
    none->setEnabled(session_.marks().ghost().has_value());
    ends->setEnabled(session_.isOpen());
  });
}

void MainWindow::fillBranchEnds(QMenu* menu) {
  menu->clear();
  for (const BranchFacts& branch : session_.moment().branches()) {
    const TimeMarks::GhostSpec end{branch.id, branch.last};
    QAction* action = menu->addAction(
        tr("%1, %2 s")
            .arg(QString::fromStdString(branch.name), number(session_.moment().timeOf(branch.last), 3)),
        &session_, [this, end] { session_.marks().setGhost(end); });
    action->setCheckable(true);
    action->setChecked(session_.marks().ghost() == end);
  }
}

void MainWindow::buildViewActions(QMenu* menu) {
  // All in one would be higher than a small screen.
  std::string_view group;
  QMenu* list = nullptr;
  for (const render::ViewAction& action : render::viewActions()) {
    if (action.group != std::exchange(group, action.group)) list = menu->addMenu(toQString(action.group));
    action.isSwitch() ? addViewSwitch(list, action) : addViewChoices(list, action);
  }
  QMenu* turns = menu->addMenu(tr("Arrows and the cut"));
  const auto addTurn = [this, turns](const render::ViewStep& step, std::string_view title,
                                     std::string_view key, int direction) {
    turns->addAction(toQString(title), QKeySequence(toQString(key)), &session_, [this, &step, direction] {
      render::ViewOptions view = session_.focus().view();
      step.turn(view, direction);
      session_.focus().setView(view);
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
  const auto follow = [this, item, &action] { item->setChecked(action.state(session_.focus().view()) != 0); };
  follow();
  connect(&session_.focus(), &Focus::viewChanged, item, follow);
  connect(item, &QAction::triggered, &session_, [this, &action] { session_.focus().toggleView(action); });
}

/// A submenu; the action's key goes through its choices.
void MainWindow::addViewChoices(QMenu* menu, const render::ViewAction& action) {
  QMenu* choices = menu->addMenu(toQString(action.title));
  auto* group = new QActionGroup(choices);
  for (int state = 0; state < action.states(); ++state) {
    QAction* item = group->addAction(
        choices->addAction(toQString(action.choices[static_cast<std::size_t>(state)].title)));
    item->setCheckable(true);
    connect(choices, &QMenu::aboutToShow, item, [this, item, &action, state] {
      item->setChecked(action.state(session_.focus().view()) == state);
    });
    connect(item, &QAction::triggered, &session_, [this, &action, state] {
      render::ViewOptions view = session_.focus().view();
      action.set(view, state);
      session_.focus().setView(view);
    });
  }
  if (action.key.empty()) return;
  choices->addSeparator();
  QAction* next = choices->addAction(tr("Next"), QKeySequence(toQString(action.key)));
  next->setData(toQString(action.title));  // what the list of keys calls it
  connect(next, &QAction::triggered, &session_, [this, &action] { session_.focus().toggleView(action); });
}

void MainWindow::buildHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  const auto card = [&](const QString& text, Qt::Key key, Viewport::Card which) {
    menu->addAction(text, QKeySequence(key), viewport_, [this, which] { viewport_->toggleCard(which); });
  };
  card(tr("Keys"), Qt::Key_F1, Viewport::Card::Help);
  card(tr("Scene information"), Qt::Key_F2, Viewport::Card::Info);
  card(tr("Profiler"), Qt::Key_F3, Viewport::Card::Profiler);
}

}  // namespace slipstick::ui
