#include "tests/ui/program/monkey.h"

#include <QAbstractButton>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDrag>
#include <QDropEvent>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QTest>
#include <QUndoStack>
#include <QUrl>
#include <QWheelEvent>
#include <cstdio>

#include "tests/support/test_paths.h"
#include "tests/ui/program/person.h"
#include "ui/joints_panel.h"
#include "ui/plot_list.h"
#include "ui/plots_panel.h"
#include "ui/scene_panel.h"

namespace slipstick::testing {
namespace {

constexpr int kRemembered = 20;
/// What loads and steps in no time; the others are tested elsewhere.
const std::vector<QString> kScenes = {"hold",        "stack",    "chain",         "pendulum", "newton_cradle",
                                      "sliding_box", "box_lift", "free_rotation", "impact",   "cracked_ramp"};
/// Numbers, and what is none.
const std::vector<QString> kTyped = {
    "0",    "1", "0.05", "-3",  "1,5", "2e3",  "1e-9", "1e300", "-0",   "nan", "inf", "−2",
    "0x10", "",  "  ",   "abc", "max", "0..1", "1e",   "0.31",  "12 s", "7",   "e",   "99999999999999999999"};

/// Text of an action without the mark of its key.
QString nameOf(const QAction& action) {
  return action.text().remove('&');
}

void collect(const QMenu& menu, std::vector<QAction*>& found) {
  for (QAction* action : menu.actions()) {
    if (action->menu()) {
      // Menus that are filled when they open.
      QMetaObject::invokeMethod(action->menu(), "aboutToShow");
      collect(*action->menu(), found);
    } else if (!action->isSeparator()) {
      found.push_back(action);
    }
  }
}

}  // namespace

Monkey::Monkey(ui::MainWindow& window, std::uint64_t seed, QString folder)
    : window_(window), seed_(seed), folder_(std::move(folder)) {
  QObject::connect(&answering_, &QTimer::timeout, &window_, [this] { answer(); });
  answering_.start(20);
  QObject::connect(&window.session().messages(), &ui::Messages::told, &window_,
                   [this](ui::LogLevel, const QString& line) { note("the log: " + line); });
}

const std::vector<Monkey::Choice>& Monkey::choices() {
  static const std::vector<Choice> all = {{10, &Monkey::trigger},    {10, &Monkey::pressShortcut},
                                          {6, &Monkey::typeKey},     {5, &Monkey::undoOrRedo},
                                          {14, &Monkey::click},      {3, &Monkey::doubleClick},
                                          {8, &Monkey::drag},        {5, &Monkey::pull},
                                          {6, &Monkey::wheel},       {4, &Monkey::contextMenu},
                                          {6, &Monkey::scrub},       {2, &Monkey::selectRange},
                                          {9, &Monkey::typeNumber},  {4, &Monkey::slideJoint},
                                          {5, &Monkey::dropPlots},   {1, &Monkey::dropFile},
                                          {2, &Monkey::openScene},   {3, &Monkey::branchMenu},
                                          {3, &Monkey::addOrRemove}, {2, &Monkey::resizeWindow},
                                          {2, &Monkey::floatPanel},  {4, &Monkey::play},
                                          {6, &Monkey::rest}};
  return all;
}

void Monkey::act() {
  std::seed_seq numbers{seed_, ++acted_};
  random_.seed(numbers);
  int all = 0;
  for (const Choice& choice : choices()) all += choice.weight;
  int drawn = below(all);
  for (const Choice& choice : choices()) {
    drawn -= choice.weight;
    if (drawn >= 0) continue;
    (this->*choice.action)();
    break;
  }
  QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
  answerAll();
}

void Monkey::note(const QString& text) {
  static const bool isTold = qEnvironmentVariableIsSet("SLIPSTICK_MONKEY_TELLS");
  const QString line = QString::number(acted_) + ": " + text;
  if (isTold) std::fprintf(stderr, "%s\n", qPrintable(line));
  lastActions_ << line;
  if (lastActions_.size() > kRemembered) lastActions_.removeFirst();
}

// ------------------------------------------------------------------------------------------- what there is

int Monkey::below(int count) {
  return std::uniform_int_distribution<>(0, count - 1)(random_);
}

Qt::KeyboardModifiers Monkey::modifiers() {
  static const std::vector<Qt::KeyboardModifiers> all = {{},
                                                         {},
                                                         {},
                                                         Qt::ShiftModifier,
                                                         Qt::ControlModifier,
                                                         Qt::ControlModifier | Qt::ShiftModifier,
                                                         Qt::AltModifier};
  return oneOf(all);
}

QPointF Monkey::pointIn(const QWidget& widget) {
  return QPointF(below(std::max(1, widget.width())), below(std::max(1, widget.height())));
}

/// Of the menus.
std::vector<QAction*> Monkey::actions() {
  std::vector<QAction*> all;
  for (QAction* top : window_.menuBar()->actions()) {
    if (!top->menu()) continue;
    QMetaObject::invokeMethod(top->menu(), "aboutToShow");
    collect(*top->menu(), all);
  }
  std::erase_if(all, [this](const QAction* action) { return isLeftAlone(*action); });
  return all;
}

/// What ends the program, or opens a scene that takes long: openScene() opens the others.
bool Monkey::isLeftAlone(const QAction& action) {
  const QString name = nameOf(action);
  const auto& shipped = window_.session().services().shippedScenes;
  return name == "Quit" || std::any_of(shipped.begin(), shipped.end(), [&](const auto& entry) {
           return QString::fromStdString(entry.name) == name;
         });
}

/// All that can be seen, of the window and of panels that float.
std::vector<QWidget*> Monkey::widgets() {
  std::vector<QWidget*> all;
  for (QWidget* widget : window_.findChildren<QWidget*>()) {
    const QWidget* top = widget->window();
    const bool isOurs = top == &window_ || qobject_cast<const QDockWidget*>(top);
    if (isOurs && widget->isVisible() && widget->isEnabled() && !widget->size().isEmpty())
      all.push_back(widget);
  }
  return all;
}

template <class W>
std::vector<W*> Monkey::widgetsOf() {
  std::vector<W*> all;
  for (QWidget* widget : widgets())
    if (auto* found = qobject_cast<W*>(widget)) all.push_back(found);
  return all;
}

QString Monkey::file() {
  static const std::vector<QString> kNames = {"mine.yaml",  "other.yaml", "numbers.csv",
                                              "figure.svg", "figure.pdf", "no/such/folder.yaml"};
  return folder_ + "/" + oneOf(kNames);
}

// ----------------------------------------------------------------------------------------- menus and keys

void Monkey::trigger() {
  QAction* action = oneOf(actions());
  note("menu: " + nameOf(*action));
  action->trigger();  // does nothing where it is disabled
}

void Monkey::pressShortcut() {
  std::vector<QAction*> all = actions();
  std::erase_if(all, [](const QAction* action) { return action->shortcuts().isEmpty(); });
  const QKeySequence keys = oneOf(all)->shortcut();
  QWidget* focused = QApplication::focusWidget();
  note("keys: " + keys.toString());
  QTest::keySequence(focused ? focused : &window_, keys);
}

void Monkey::typeKey() {
  static const std::vector<Qt::Key> kKeys = {
      Qt::Key_Tab,   Qt::Key_Backtab, Qt::Key_Up,     Qt::Key_Down,     Qt::Key_Left,   Qt::Key_Right,
      Qt::Key_Home,  Qt::Key_End,     Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Return, Qt::Key_Escape,
      Qt::Key_Space, Qt::Key_Delete,  Qt::Key_F2,     Qt::Key_Menu,     Qt::Key_Plus,   Qt::Key_Minus};
  const Qt::Key key = oneOf(kKeys);
  const Qt::KeyboardModifiers with = modifiers();
  QWidget* focused = QApplication::focusWidget();
  note("key: " + QKeySequence(with | key).toString());
  QTest::keyClick(focused ? focused : &window_, key, with);
}

void Monkey::undoOrRedo() {
  QUndoStack& stack = window_.session().undoStack();
  const int times = 1 + below(4);
  const bool isUndo = chance(0.6);
  note(QString("%1 %2 times").arg(isUndo ? "undo" : "redo").arg(times));
  for (int i = 0; i < times; ++i) isUndo ? stack.undo() : stack.redo();
}

// --------------------------------------------------------------------------------------------- the pointer

void Monkey::click() {
  QPointer<QWidget> widget = oneOf(widgets());
  const QPointF at = pointIn(*widget);
  const Qt::KeyboardModifiers with = modifiers();
  note(QString("click on %1 %2").arg(widget->metaObject()->className(), widget->accessibleName()));
  QTest::mouseClick(widget, Qt::LeftButton, with, at.toPoint());
}

void Monkey::doubleClick() {
  QWidget* widget = oneOf(widgets());
  const QPointF at = pointIn(*widget);
  const Qt::MouseButton button = chance(0.7) ? Qt::LeftButton : Qt::RightButton;
  note(QString("double click on %1").arg(widget->metaObject()->className()));
  QTest::mouseDClick(widget, button, {}, at.toPoint());
}

void Monkey::drag() {
  static const std::vector<Qt::MouseButton> kButtons = {Qt::LeftButton, Qt::LeftButton, Qt::RightButton,
                                                        Qt::MiddleButton};
  QWidget* widget = oneOf(widgets());
  const QPointF from = pointIn(*widget), to = pointIn(*widget);
  const Qt::MouseButton button = oneOf(kButtons);
  const Qt::KeyboardModifiers with = modifiers();
  note(QString("drag over %1 %2").arg(widget->metaObject()->className(), widget->accessibleName()));
  dragOver(*widget, from, to, button, with);
}

/// With the hand at a body or a particle; sometimes it is kept in the hand.
void Monkey::pull() {
  ui::Viewport& viewport = window_.viewport();
  const QPointF from = pointIn(viewport), to = pointIn(viewport);
  const Qt::MouseButton button = chance(0.7) ? Qt::RightButton : Qt::LeftButton;
  const bool letsGo = chance(0.8);
  if (!viewport.isVisible()) return;
  note("pull in the picture");
  sendMouse(viewport, QEvent::MouseButtonPress, from, button, button, Qt::ControlModifier);
  for (int i = 0; i < 10; ++i) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 3);
    sendMouse(viewport, QEvent::MouseMove, from + (to - from) * i / 10, Qt::NoButton, button,
              Qt::ControlModifier);
  }
  if (letsGo) sendMouse(viewport, QEvent::MouseButtonRelease, to, button, Qt::NoButton, Qt::ControlModifier);
}

void Monkey::wheel() {
  QWidget* widget = oneOf(widgets());
  const QPointF at = pointIn(*widget);
  const QPoint turned(chance(0.2) ? 120 * (below(7) - 3) : 0, 120 * (below(7) - 3));
  const Qt::KeyboardModifiers with = modifiers();
  note(QString("wheel over %1").arg(widget->metaObject()->className()));
  QWheelEvent event(at, widget->mapToGlobal(at), {}, turned, Qt::NoButton, with, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(widget, &event);
}

void Monkey::contextMenu() {
  QWidget* widget = oneOf(widgets());
  const QPoint at = pointIn(*widget).toPoint();
  note(QString("right click on %1").arg(widget->metaObject()->className()));
  QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
  QCoreApplication::sendEvent(widget, &event);
}

void Monkey::scrub() {
  ui::TimelineBar& bar = window_.timeline().bar();
  const QPointF from = pointIn(bar), to = pointIn(bar);
  if (!bar.isVisible()) return;
  note("scrub");
  dragOver(bar, from, to, Qt::LeftButton, {});
}

void Monkey::selectRange() {
  ui::TimelineBar& bar = window_.timeline().bar();
  const QPointF from = pointIn(bar), to = pointIn(bar);
  if (!bar.isVisible()) return;
  note("select a range");
  dragOver(bar, from, to, Qt::LeftButton, Qt::ShiftModifier);
}

// -------------------------------------------------------------------------------------------------- fields

namespace {

/// Keys of every alphabet: those of QTest are ASCII.
void typeLetter(QWidget& field, QChar letter) {
  if (letter.unicode() < 0x80) return QTest::keyClick(&field, letter.toLatin1());
  QKeyEvent press(QEvent::KeyPress, 0, {}, QString(letter));
  QCoreApplication::sendEvent(&field, &press);
}

}  // namespace

void Monkey::typeNumber() {
  const std::vector<QLineEdit*> fields = widgetsOf<QLineEdit>();
  const QString text = oneOf(kTyped);
  const int key = below(4);
  if (fields.empty()) return;
  const QPointer<QLineEdit> field = oneOf(fields);
  note(QString("type \"%1\" into %2 (%3)").arg(text, field->accessibleName(), field->text()));
  field->setFocus();
  field->selectAll();
  QTest::keyClick(field, Qt::Key_Delete);
  for (const QChar letter : text)
    if (field) typeLetter(*field, letter);
  static const std::vector<Qt::Key> kEnds = {Qt::Key_Return, Qt::Key_Tab, Qt::Key_Up, Qt::Key_Escape};
  if (field) QTest::keyClick(field, kEnds[static_cast<std::size_t>(key)]);
}

void Monkey::slideJoint() {
  const std::vector<ui::Slider*> sliders = widgetsOf<ui::Slider>();
  const bool isShown = chance(0.5);
  if (sliders.empty()) {
    if (isShown) window_.panel<ui::JointsPanel>().show();
    return note("joints panel");
  }
  ui::Slider* slider = oneOf(sliders);
  const QPointF from = pointIn(*slider), to = pointIn(*slider);
  note("slide " + slider->accessibleName());
  dragOver(*slider, from, to, Qt::LeftButton, {});
}

// --------------------------------------------------------------------------------- plots, files and scenes

namespace {

void drop(QWidget& onto, const QPointF& at, QMimeData& data) {
  QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&onto, &enter);
  QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&onto, &event);
}

}  // namespace

/// Dropped on the panel, into a plot, or onto something that takes none.
void Monkey::dropPlots() {
  ui::Session& session = window_.session();
  if (!session.isOpen()) return;
  const std::vector<RunColumns::Name> names = session.moment().source().columns().names();
  std::vector<ui::Plot> plots;
  for (int i = 1 + below(3); i > 0; --i) {
    const RunColumns::Name& name = oneOf(names);
    plots.push_back(ui::plotOf(name.name, QString::fromStdString(name.unit)));
  }
  auto& panel = window_.panel<ui::PlotsPanel>();
  QWidget* onto = &panel;
  if (!panel.strips().empty() && chance(0.5)) onto = oneOf(panel.strips());
  note("drop a plot of " + QString::fromStdString(plots.front().curves.front().name));
  const std::unique_ptr<QMimeData> data(ui::mimeOf(plots));
  drop(*onto, QPointF(10, 10), *data);
  if (panel.strips().size() > 8 && chance(0.5)) session.plots().clear();
}

void Monkey::dropFile() {
  const std::vector<QString> files = {
      folder_ + "/mine.yaml", folder_ + "/other.yaml", folder_ + "/numbers.csv",
      QString::fromStdString((sourceDir() / "assets/robots/arm7.urdf").string()),
      QString::fromStdString((sourceDir() / "assets/robots/hand16.urdf").string())};
  const QString file = oneOf(files);
  note("drop the file " + file);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  drop(window_, QPointF(20, 20), data);
}

void Monkey::openScene() {
  const QString scene = oneOf(kScenes);
  note("open " + scene);
  for (QAction* action : window_.findChildren<QAction*>())
    if (nameOf(*action) == scene) return action->trigger();
}

void Monkey::branchMenu() {
  ui::Timeline& timeline = window_.timeline();
  const bool isResumed = chance(0.5);
  if (!timeline.isVisible()) return;
  note(isResumed ? "resume" : "branches");
  isResumed ? timeline.resumeButton().click() : timeline.branchButton().click();
}

/// The menu of what can be added, or an item's menu, which removes it.
void Monkey::addOrRemove() {
  auto& panel = window_.panel<ui::ScenePanel>();
  const bool isAdded = chance(0.5);
  const double place = std::uniform_real_distribution<>(0, 1)(random_);
  if (!panel.isVisible()) return;
  note(isAdded ? "add a thing" : "menu of a thing");
  if (isAdded) return panel.addButton().click();
  QTreeWidget& tree = panel.tree();
  const QPoint at(60, static_cast<int>(place * tree.viewport()->height()));
  QContextMenuEvent event(QContextMenuEvent::Mouse, at, tree.viewport()->mapToGlobal(at));
  QCoreApplication::sendEvent(tree.viewport(), &event);
}

void Monkey::resizeWindow() {
  const QSize size(640 + below(500), 420 + below(400));
  note(QString("resize to %1 × %2").arg(size.width()).arg(size.height()));
  window_.resize(size);
}

void Monkey::floatPanel() {
  const std::vector<ui::Panel*> panels = widgetsOf<ui::Panel>();
  const int what = below(3);
  if (panels.empty()) return;
  ui::Panel* panel = oneOf(panels);
  note((what == 0 ? "close " : "float ") + panel->windowTitle());
  if (what == 0) return panel->hide();
  panel->setFloating(!panel->isFloating());
}

void Monkey::play() {
  note("play or pause");
  if (window_.viewport().isVisible()) QTest::keyClick(&window_.viewport(), Qt::Key_Space);
}

void Monkey::rest() {
  const int time_ms = below(60);
  note(QString("rest %1 ms").arg(time_ms));
  QTest::qWait(time_ms);
}

// ------------------------------------------------------------------------------------------------- dialogs

namespace {

constexpr const char* kIsAnswered = "isAnswered";

/// From the event loop, and once: what a dialog asks in turn is answered before it is asked again.
void answerWith(QDialog& dialog, const std::function<void()>& answer) {
  dialog.setProperty(kIsAnswered, true);
  QMetaObject::invokeMethod(
      &dialog,
      [asked = QPointer<QDialog>(&dialog), answer] {
        answer();
        if (asked) asked->setProperty(kIsAnswered, false);  // it did not take the answer
      },
      Qt::QueuedConnection);
}

}  // namespace

void Monkey::answerAll() {
  for (int i = 0; i < 10 && (QApplication::activeModalWidget() || QApplication::activePopupWidget()); ++i) {
    answer();
    QCoreApplication::processEvents(QEventLoop::AllEvents, 2);
  }
}

void Monkey::answer() {
  QDrag::cancel();  // a drag out of a widget waits for the pointer of the screen
  if (auto* popup = QApplication::activePopupWidget()) {
    if (auto* menu = qobject_cast<QMenu*>(popup)) return answerMenu(*menu);
    return popup->close(), void();
  }
  QWidget* modal = QApplication::activeModalWidget();
  if (!modal || modal->property(kIsAnswered).toBool()) return;
  if (auto* box = qobject_cast<QMessageBox*>(modal)) {
    const QList<QAbstractButton*> buttons = box->buttons();
    QAbstractButton* button = buttons[below(static_cast<int>(buttons.size()))];
    note("answer: " + button->text());
    answerWith(*box, [button] { button->click(); });
  } else if (auto* name = qobject_cast<QInputDialog*>(modal)) {
    name->setTextValue(oneOf(std::vector<QString>{"with grip", "main", "", "  a & b  ", "Straße", "x"}));
    note("name: " + name->textValue());
    const bool isAccepted = chance(0.7);
    answerWith(*name, [name, isAccepted] { isAccepted ? name->accept() : name->reject(); });
  } else if (auto* dialog = qobject_cast<QDialog*>(modal)) {
    answerFile(*dialog);
  } else {
    modal->close();
  }
}

void Monkey::answerFile(QDialog& dialog) {
  auto* files = qobject_cast<QFileDialog*>(&dialog);
  const bool isAccepted = files && chance(0.7);
  if (files) files->selectFile(file());
  note((isAccepted ? "choose " : "cancel ") +
       (files ? files->selectedFiles().join(' ') : dialog.windowTitle()));
  // As its buttons do: accept() of a file dialog is not for everybody.
  answerWith(dialog, [&dialog, isAccepted] {
    QMetaObject::invokeMethod(&dialog, isAccepted ? "accept" : "reject", Qt::DirectConnection);
  });
}

/// One of its actions, or none.
void Monkey::answerMenu(QMenu& menu) {
  std::vector<QAction*> all;
  collect(menu, all);
  std::erase_if(all, [this](const QAction* action) { return !action->isEnabled() || isLeftAlone(*action); });
  QAction* action = all.empty() || chance(0.2) ? nullptr : oneOf(all);
  note(action ? "choose " + nameOf(*action) : "close the menu");
  // Before the menus are gone, and the action with them.
  if (action) QMetaObject::invokeMethod(action, "trigger", Qt::QueuedConnection);
  while (QWidget* popup = QApplication::activePopupWidget())
    if (!popup->close()) break;
}

}  // namespace slipstick::testing
