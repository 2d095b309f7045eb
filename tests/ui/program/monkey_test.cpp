// Two thousand actions of a hand that does anything, on the real window with the real stepper: nothing crashes, and what
// the window knows fits together after each. Other numbers: SLIPSTICK_MONKEY_ACTIONS, SLIPSTICK_MONKEY_SEED; every
// action on stderr: SLIPSTICK_MONKEY_TELLS. With sanitizers: tests/support/sanitized.
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QSettings>
#include <QTemporaryDir>
#include <QUndoStack>

#include "tests/ui/program/monkey.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/plot_list.h"
#include "ui/plots_panel.h"

namespace slipstick::ui {
namespace {

/// A variable of the environment as a number.
std::uint64_t numberOf(const char* variable, std::uint64_t otherwise) {
  bool isSet = false;
  const std::uint64_t number = qEnvironmentVariable(variable).toULongLong(&isSet);
  return isSet ? number : otherwise;
}

bool isIndexOf(std::int32_t index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

/// Empty where the pair's sides are in the model.
QString pairTrouble(const ContactPair& pair, const Model& model) {
  const std::size_t bodies = model.tree.bodies.size();
  for (const PairSide& side : {pair.a, pair.b}) {
    if (side.isRigid() && !isIndexOf(side.body, bodies)) return "a pair has no body";
    if (!side.isRigid() && !isIndexOf(side.deformable, model.deformables.size()))
      return "a pair has no deformable";
  }
  return {};
}

/// What of the selection the model has not.
QString selectionTrouble(const render::Selection& selection, const Model& model) {
  const auto in = [](const auto& list, std::int32_t index, const char* trouble) {
    return isIndexOf(index, list.size()) ? QString() : QString(trouble);
  };
  return std::visit(Overloaded{[](render::NothingSelected) { return QString(); },
                               [&](render::SelectedBody body) {
                                 return in(model.tree.bodies, body.index, "the selected body is none");
                               },
                               [&](render::SelectedRobot robot) {
                                 return in(model.robots, robot.index, "the selected robot is none");
                               },
                               [&](render::SelectedDeformable soft) {
                                 return in(model.deformables, soft.index, "the selected deformable is none");
                               },
                               [&](render::SelectedBoundary boundary) {
                                 return in(model.boundaries, boundary.index, "the selected boundary is none");
                               },
                               [&](render::SelectedLoop loop) {
                                 return in(model.loops, loop.index, "the selected loop is none");
                               },
                               [](const ContactKey&) { return QString(); },
                               [&](const ContactPair& pair) { return pairTrouble(pair, model); }},
                    selection);
}

QString pinTrouble(const Pin& pin, const Model& model) {
  if (pin.isContact()) return pairTrouble(pin.pair, model);
  const std::size_t count = pin.kind == Pin::Kind::Body ? model.tree.bodies.size() : model.tree.joints.size();
  return isIndexOf(pin.index, count) ? QString() : "a pin is at nothing";
}

QString snapshotTrouble(const Snapshot& s) {
  if (s.X_WB.size() != s.model->tree.bodies.size())
    return "a step has another number of bodies than its model";
  if (!s.q.allFinite() || !s.v.allFinite() || !s.tau.allFinite()) return "a joint's number is not finite";
  for (const Pose& X_WB : s.X_WB)
    if (!X_WB.p.allFinite() || !X_WB.R.allFinite()) return "a pose is not finite";
  for (const Contact& contact : s.contacts)
    if (!contact.f_Bc_W.allFinite()) return "a force is not finite";
  for (const Eigen::Vector3f& x : s.particles)
    if (!x.allFinite()) return "a particle is not finite";
  return {};
}

struct Monkeys : ::testing::Test {
  QTemporaryDir folder;

  /// What belongs to a person is not touched.
  void SetUp() override {
    ASSERT_TRUE(folder.isValid());
    home = qgetenv("HOME");
    if (qEnvironmentVariableIsEmpty("XDG_CACHE_HOME")) qputenv("XDG_CACHE_HOME", home + "/.cache");
    qputenv("HOME", folder.path().toUtf8());
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QDir::setCurrent(folder.path());  // where dialogs begin
  }
  void TearDown() override {
    QDir::setCurrent(before);
    qputenv("HOME", home);
    applyTheme(Appearance::Dark);
  }

  /// What does not fit together in the window; empty: nothing.
  static QString trouble(MainWindow& window) {
    Session& session = window.session();
    if (window.banner().isVisible() && window.banner().text().contains("please report"))
      return "the banner says: " + window.banner().text();
    auto& plots = window.panel<PlotsPanel>();
    if (plots.strips().size() != session.plots().plots().size()) return "there is a plot that is not shown";
    if (!session.isOpen()) return {};
    if (!session.moment().shown() || !session.moment().presented()) return "nothing is shown";
    const Model& model = *session.model();
    const RunStatus status = session.moment().source().status();
    if (!session.transport().isGoingBack() && session.moment().shown()->step > status.lastStep)
      return QString(
                 "step %1 is shown, %2 is the last of branch %3; the run goes on at step %4 of branch %5%6")
          .arg(session.moment().shown()->step)
          .arg(status.lastStep)
          .arg(status.branch)
          .arg(session.run().status().lastStep)
          .arg(session.run().status().branch)
          .arg(session.moment().isLive() ? ", which is followed" : "");
    if (session.names().bodyLabels().size() != model.tree.bodies.size()) return "labels are of another model";
    for (const Parameter& parameter : model.parameters)
      for (const double number : session.numbers().parameter(parameter.path))
        if (std::isnan(number)) return QString::fromStdString(parameter.path + " is not a number");
    for (const Pin& pin : session.pinBoard().pins())
      if (const QString text = pinTrouble(pin, model); !text.isEmpty()) return text;
    const QString text = selectionTrouble(session.focus().selection(), model);
    return text.isEmpty() ? snapshotTrouble(*session.moment().shown()) : text;
  }
  /// A run that has just jumped is looked at a moment later.
  static QString lastingTrouble(MainWindow& window) {
    QString text = trouble(window);
    for (int tries = 0; tries < 100 && !text.isEmpty(); ++tries) {
      QTest::qWait(10);
      text = trouble(window);
    }
    return text;
  }

  QByteArray home;
  QString before = QDir::currentPath();
};

TEST_F(Monkeys, BreakNothing) {
  const std::uint64_t count = numberOf("SLIPSTICK_MONKEY_ACTIONS", 2000),
                      seed = numberOf("SLIPSTICK_MONKEY_SEED", 16);
  auto window = std::make_unique<MainWindow>(app::studioServices(sceneOptions("")), QSize(900, 560), true);
  window->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
  window->session().opener().open("hold");
  ASSERT_TRUE(eventually([&] { return window->session().isOpen(); }));
  testing::Monkey monkey(*window, seed, folder.path());
  QElapsedTimer clock;
  qint64 slowest = 0;
  QString slowestAction;
  for (std::uint64_t i = 0; i < count; ++i) {
    clock.start();
    monkey.act();
    if (clock.elapsed() > slowest) slowest = clock.elapsed(), slowestAction = monkey.lastActions().last();
    const QString text = lastingTrouble(*window);
    ASSERT_TRUE(text.isEmpty()) << text.toStdString() << "; seed " << seed << ", the last actions were\n"
                                << monkey.lastActions().join('\n').toStdString();
    ASSERT_TRUE(window->isVisible()) << "it was closed; seed " << seed << ", the last actions were\n"
                                     << monkey.lastActions().join('\n').toStdString();
  }
  std::printf("%llu actions of seed %llu; the slowest took %lld ms: %s\n",
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(seed),
              static_cast<long long>(slowest), qPrintable(slowestAction));
  // All edits one after the other, back and forth.
  QUndoStack& stack = window->session().undoStack();
  stack.setIndex(0);
  stack.setIndex(stack.count());
  EXPECT_EQ(lastingTrouble(*window), QString());
  window->close();
  ASSERT_TRUE(eventually([&] {
    monkey.answerAll();
    if (window->isVisible() && !QApplication::activeModalWidget()) window->close();
    return !window->isVisible();
  })) << "it does not close";
}

}  // namespace
}  // namespace slipstick::ui
