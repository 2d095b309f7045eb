// The start page, the way back to it, files dropped on the window, and what a load shows: with real widgets.
#include "ui/gallery.h"

#include <gtest/gtest.h>

#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTest>
#include <condition_variable>

#include "tests/ui/nameless.h"
#include "tests/ui/own_settings.h"
#include "tests/ui/sample_studio.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

using Entry = StudioServices::SceneEntry;

/// Seven scenes of two subjects, and a robot.
StudioServices services() {
  StudioServices s = testing::sampleServices(std::make_shared<testing::SampleControl>());
  s.shippedScenes.clear();
  for (const char* name : {"sample", "dough", "sand", "water", "cloth"})
    s.shippedScenes.push_back(Entry{name, std::string("A title of ") + name, "", "Soft things", ""});
  for (const char* name : {"stack", "slope"})
    s.shippedScenes.push_back(Entry{name, "Boxes", "", "Contact", ""});
  s.shippedRobots = {Entry{"arm7", "An arm", "/robots/arm7.urdf", "Robots", ""}};
  return s;
}

QStringList namesOf(const Gallery& gallery) {
  QStringList names;
  for (const GalleryCard* card : gallery.cards()) names << card->content().name;
  return names;
}

struct StartPage : ::testing::Test {
  MainWindow window{services(), QSize(1100, 700), false};
  Gallery& gallery() { return window.gallery(); }
  void press(int key, Qt::KeyboardModifiers modifiers = {}) {
    QWidget* focused = QApplication::focusWidget();
    QTest::keyClick(focused ? focused : &window, static_cast<Qt::Key>(key), modifiers);
  }
  QString focusName() {
    const QWidget* focused = QApplication::focusWidget();
    return focused ? focused->accessibleName() : QString();
  }
  void SetUp() override {
    window.show();
    QApplication::setActiveWindow(&window);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    ASSERT_TRUE(eventually([&] { return focusName() == "sample"; }));
  }
};

TEST_F(StartPage, StandsBySubjectAndIsWalkedByArrows) {
  EXPECT_EQ(namesOf(gallery()),
            QStringList({"sample", "dough", "sand", "water", "cloth", "stack", "slope", "arm7"}));
  QStringList headings;
  for (const auto* label : gallery().findChildren<ThemedLabel*>())
    if (label->isVisible() && label->font().weight() == 600) headings << label->text();
  EXPECT_EQ(headings, QStringList({"Slipstick", "Soft things", "Contact", "Robots"}));

  // Three columns at this width: down from the second card is the fifth, then the second of the next subject.
  press(Qt::Key_Right);
  EXPECT_EQ(focusName(), "dough");
  press(Qt::Key_Down);
  EXPECT_EQ(focusName(), "cloth");
  press(Qt::Key_Down);
  EXPECT_EQ(focusName(), "slope");
  press(Qt::Key_End);
  EXPECT_EQ(focusName(), "arm7");
  EXPECT_FALSE(gallery().cards().back()->visibleRegion().isEmpty()) << "it has come into view";
  press(Qt::Key_Up);
  EXPECT_EQ(focusName(), "stack");
  press(Qt::Key_Home);
  press(Qt::Key_Up);
  EXPECT_EQ(focusName(), "Search the gallery");
  press(Qt::Key_Down);
  press(Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return window.session().isOpen(); }));
}

TEST_F(StartPage, LettersSearchInNamesTitlesAndSubjects) {
  QTest::keyClicks(QApplication::focusWidget(), "w");
  ASSERT_TRUE(gallery().search().hasFocus());
  QTest::keyClicks(&gallery().search(), "ater");
  EXPECT_EQ(namesOf(gallery()), QStringList({"water"}));
  gallery().search().setText("boxes slo");
  EXPECT_EQ(namesOf(gallery()), QStringList({"slope"}));
  gallery().search().setText("robots");
  EXPECT_EQ(namesOf(gallery()), QStringList({"arm7"}));
  gallery().search().setText("xylophone");
  EXPECT_TRUE(gallery().cards().empty());
  bool says = false;
  for (const auto* label : gallery().findChildren<ThemedLabel*>())
    says |= label->isVisible() && label->text().contains("xylophone");
  EXPECT_TRUE(says);
  press(Qt::Key_Escape);
  EXPECT_EQ(gallery().cards().size(), 8u);
}

TEST_F(StartPage, ARobotIsOpenedByItsFile) {
  QString chosen;
  QObject::connect(&gallery(), &Gallery::chosen, [&](const QString& what) { chosen = what; });
  QTest::mouseClick(gallery().cards().back(), Qt::LeftButton);
  EXPECT_EQ(chosen, "/robots/arm7.urdf");
}

TEST(GalleryBehind, KeepsTheSceneAndThePanelsAsTheyWere) {
  SampleWindow window(QSize(1100, 700));
  window.runTo(0.1);
  window->panel<LogPanel>().hide();
  const auto model = window.session().model();
  const QSize picture = window->viewport().size();
  QTest::keyClick(&*window, Qt::Key_G, Qt::ControlModifier);
  EXPECT_TRUE(window->isGalleryShown());
  EXPECT_FALSE(window->panel<ContactsPanel>().isVisible());
  EXPECT_FALSE(window->timeline().isVisible());
  EXPECT_EQ(window.session().model(), model);
  ASSERT_TRUE(eventually([&] { return qobject_cast<GalleryCard*>(QApplication::focusWidget()) != nullptr; }));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  EXPECT_FALSE(window->panel<ContactsPanel>().isVisible()) << "Tab walks; it brings no panels here";
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  EXPECT_FALSE(window->isGalleryShown());
  EXPECT_TRUE(window->panel<ContactsPanel>().isVisible());
  EXPECT_FALSE(window->panel<LogPanel>().isVisible());
  EXPECT_TRUE(window->timeline().isVisible());
  EXPECT_TRUE(window->viewport().hasFocus());
  EXPECT_TRUE(eventually([&] { return window->viewport().size() == picture; }));
}

// ------------------------------------------------------------------------------------------------- drops

struct Drag {
  QMimeData mime;
  explicit Drag(const QStringList& files) {
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(file);
    mime.setUrls(urls);
  }
  bool enter(QWidget& onto) {
    QDragEnterEvent event(QPoint(40, 40), Qt::CopyAction, &mime, Qt::LeftButton, {});
    event.ignore();
    QCoreApplication::sendEvent(&onto, &event);
    return event.isAccepted();
  }
  void drop(QWidget& onto) {
    QDropEvent event(QPointF(40, 40), Qt::CopyAction, &mime, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&onto, &event);
  }
};

TEST(Dropping, SaysWhatWouldBeOpenedAndOpensIt) {
  SampleWindow window;
  Drag drag({"/tmp/notes.pdf", "/robots/arm.URDF"});
  ASSERT_TRUE(drag.enter(*window));
  EXPECT_TRUE(window->dropHint().isVisible());
  EXPECT_EQ(window->dropHint().text(), "Open arm.URDF") << "the first that can be opened";
  QDragLeaveEvent leave;
  QCoreApplication::sendEvent(&*window, &leave);
  EXPECT_FALSE(window->dropHint().isVisible());
  drag.enter(*window);
  QString opening;
  QObject::connect(&window.session().opener(), &SceneOpener::loadingChanged,
                   [&](bool loading, const QString& what) {
                     if (loading) opening = what;
                   });
  drag.drop(*window);
  EXPECT_FALSE(window->dropHint().isVisible());
  EXPECT_EQ(opening, "/robots/arm.URDF");
}

TEST(Dropping, WhatCannotBeOpenedSaysSo) {
  SampleWindow window;
  const auto model = window.session().model();
  Drag drag({"/tmp/notes.pdf"});
  ASSERT_TRUE(drag.enter(*window));
  EXPECT_EQ(window->dropHint().text(), "notes.pdf cannot be opened");
  drag.drop(*window);
  EXPECT_TRUE(window->banner().isVisible());
  EXPECT_TRUE(window->banner().text().contains("notes.pdf"));
  EXPECT_TRUE(window->banner().text().contains(".yaml"));
  EXPECT_EQ(window.session().model(), model);
  QMimeData words;
  words.setText("hello");
  QDragEnterEvent event(QPoint(40, 40), Qt::CopyAction, &words, Qt::LeftButton, {});
  event.ignore();
  QCoreApplication::sendEvent(&*window, &event);
  EXPECT_FALSE(event.isAccepted()) << "words are no file";
}

// ------------------------------------------------------------------------------------------------ waiting

/// A load that goes on until the test lets it.
struct SlowLoads {
  std::mutex mutex;
  std::condition_variable wake;
  bool released = false;
  std::atomic<int> cancelled = 0;

  StudioServices services(const std::shared_ptr<testing::SampleControl>& control) {
    StudioServices s = testing::sampleServices(control);
    s.load = [this, load = s.load](const std::string& name, LoadProgress& progress) {
      if (name != "slow") return load(name, progress);
      progress.say("distance grids 3 of 7", 3.0 / 7);
      std::unique_lock lock(mutex);
      while (!released && !progress.isCancelled()) wake.wait_for(lock, std::chrono::milliseconds(5));
      if (!progress.isCancelled()) return load("crates", progress);
      ++cancelled;
      return Result<StudioServices::Loaded>(
          Error{ErrorCode::Unsupported, "loading was cancelled", name, "open it again"});
    };
    return s;
  }
  void release() {
    const std::lock_guard lock(mutex);
    released = true;
    wake.notify_all();
  }
};

struct Waiting : ::testing::Test {
  SlowLoads loads;
  std::shared_ptr<testing::SampleControl> control = std::make_shared<testing::SampleControl>();
  MainWindow window{loads.services(control), QSize(900, 600), false};
  Session& session() { return window.session(); }
  void SetUp() override {
    window.show();
    QApplication::setActiveWindow(&window);
    session().opener().open("sample");
    ASSERT_TRUE(eventually([&] { return session().isOpen(); }));
  }
  void openSlowly() {
    session().opener().open("slow");
    ASSERT_TRUE(
        eventually([&] { return window.progress().isVisible() && window.progress().fraction() > 0; }));
  }
};

TEST_F(Waiting, ALoadSaysHowFarItIsAndEnds) {
  openSlowly();
  EXPECT_EQ(window.progress().text(), "opening slow: distance grids 3 of 7");
  EXPECT_DOUBLE_EQ(window.progress().fraction(), 3.0 / 7);
  const auto before = session().model();
  loads.release();
  ASSERT_TRUE(eventually([&] { return session().model() != before; }));
  EXPECT_FALSE(window.progress().isVisible());
}

TEST_F(Waiting, ACancelledLoadLeavesTheOldSceneAndTheNextOneOpens) {
  const auto before = session().model();
  for (const bool byKey : {false, true}) {
    openSlowly();
    byKey ? QTest::keyClick(&window, Qt::Key_Escape)
          : QTest::mouseClick(&window.progress().cancelButton(), Qt::LeftButton);
    EXPECT_FALSE(session().opener().isLoading());
    EXPECT_FALSE(window.progress().isVisible());
  }
  ASSERT_TRUE(eventually([&] { return loads.cancelled == 2; }));
  EXPECT_EQ(session().model(), before);
  EXPECT_FALSE(window.banner().isVisible()) << "nothing is wrong";
  session().opener().open("crates");
  EXPECT_TRUE(eventually([&] { return session().model()->name == "crates"; })) << session().model()->name;
}

TEST_F(Waiting, AnotherSceneReplacesALoadThatIsUnderWay) {
  openSlowly();
  session().opener().open("crates");
  ASSERT_TRUE(eventually([&] { return session().model()->name == "crates"; }));
  EXPECT_EQ(loads.cancelled, 1);
  EXPECT_FALSE(session().opener().isLoading());
}

TEST_F(Waiting, GoingBackSaysSoAndCanBeCancelled) {
  session().transport().runUntil(1.0);
  ASSERT_TRUE(eventually(
      [&] { return !session().run().status().playing && session().moment().newestTime() > 0.99; }));
  const int before = control->stepsBegun;
  control->stepSleep_ms = 3000;
  session().transport().play();
  ASSERT_TRUE(eventually([&] { return control->stepsBegun > before; }));
  session().moment().lookAtTime(0.95);
  session().transport().resumeFromHere();  // it has to wait for the step that is under way
  ASSERT_TRUE(eventually([&] { return window.progress().isVisible(); }));
  EXPECT_TRUE(window.progress().text().startsWith("going back to 0.950 s"))
      << window.progress().text().toStdString();
  QTest::mouseClick(&window.progress().cancelButton(), Qt::LeftButton);
  EXPECT_TRUE(
      eventually([&] { return !session().transport().isGoingBack() && !window.progress().isVisible(); }));
  control->stepSleep_ms = 0;
}

// ------------------------------------------------------------------------------------------------ layouts

TEST(Layout, SurvivesAChangeInTheSetOfDocksAndCanBeReset) {
  SampleWindow window(QSize(1200, 760));
  window->panel<ScenePanel>().setFloating(true);
  window->addDockWidget(Qt::LeftDockWidgetArea, &window->panel<ContactsPanel>());
  QJsonObject layout = window->layoutAsJson();

  // A program that has one panel more, which the stored layout does not know.
  QJsonArray names = layout["panels"].toArray();
  for (qsizetype i = 0; i < names.size(); ++i)
    if (names[i].toString() == window->panel<LogPanel>().objectName()) names.removeAt(i--);
  layout["panels"] = names;

  SampleWindow other(QSize(1200, 760));
  other->removeDockWidget(&other->panel<LogPanel>());
  // A dock that the stored layout has and this program does not.
  ASSERT_TRUE(other->restoreLayout(layout));
  EXPECT_TRUE(other->panel<ScenePanel>().isFloating());
  EXPECT_EQ(other->dockWidgetArea(&other->panel<ContactsPanel>()), Qt::LeftDockWidgetArea);
  EXPECT_TRUE(other->panel<LogPanel>().isVisible());
  EXPECT_EQ(other->dockWidgetArea(&other->panel<LogPanel>()), Qt::RightDockWidgetArea);

  other->resetLayout();
  EXPECT_FALSE(other->panel<ScenePanel>().isFloating());
  EXPECT_EQ(other->dockWidgetArea(&other->panel<ContactsPanel>()), Qt::RightDockWidgetArea);
  EXPECT_FALSE(other->restoreLayout({{"docks", "rubbish"}}));
  EXPECT_TRUE(other->panel<ContactsPanel>().isVisible()) << "nothing has changed";
}

TEST(Layout, OfALargerWindowLeavesAThirdOfASmallerOneToThePicture) {
  QJsonObject layout;
  {
    SampleWindow large(QSize(1800, 900));
    layout = large->layoutAsJson();
  }
  SampleWindow small(QSize(1000, 640));
  ASSERT_TRUE(small->restoreLayout(layout));
  EXPECT_TRUE(eventually([&] { return small->viewport().width() > small->width() / 3; }))
      << small->viewport().width();
}

TEST(Layout, AFirstWindowIsNoLargerThanItsScreen) {
  const testing::OwnSettings settings;
  const QRect screen = QGuiApplication::primaryScreen()->availableGeometry();
  MainWindow window(services(), screen.size() * 2, true);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  EXPECT_TRUE(screen.contains(window.frameGeometry()));
  EXPECT_GT(window.width(), screen.width() * 9 / 10);
}

// -------------------------------------------------------------------------------------------------- names

TEST(Names, EveryWidgetThatTakesTheFocusHasOne) {
  for (const char* scene : {"sample", "soft", "crates"}) {
    SampleWindow window(QSize(1300, 800), scene);
    window.runTo(0.3);
    window->panel<PlotsPanel>().show();
    window.session().focus().select(render::SelectedBody{1});
    QTest::keyClick(&*window, Qt::Key_N);
    QTest::qWait(200);
    EXPECT_EQ(testing::namelessIn(*window).join("\n").toStdString(), "") << scene;
  }
}

}  // namespace
}  // namespace slipstick::ui
