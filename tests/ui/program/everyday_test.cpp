// From one start to the next: the same file looks as it was left, and edits are not lost by closing.
#include <QFile>
#include <QMessageBox>

#include "tests/support/test_paths.h"
#include "tests/ui/nameless.h"
#include "tests/ui/own_settings.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/log_panel.h"
#include "ui/scene_document.h"
#include "ui/scene_panel.h"

namespace slipstick::ui {
namespace {

/// A window that remembers, in folders of the test's own.
struct Everyday : ::testing::Test {
  testing::OwnSettings settings;
  std::unique_ptr<MainWindow> window;

  Session& session() { return window->session(); }
  void start() {
    window = std::make_unique<MainWindow>(app::studioServices(sceneOptions("")), QSize(1280, 800), true);
    window->show();
    QApplication::setActiveWindow(window.get());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
  }
  void open(const QString& scene) {
    bool opened = false;
    const auto connection =
        QObject::connect(&session().opener(), &SceneOpener::opened, [&] { opened = true; });
    session().opener().open(scene);
    ASSERT_TRUE(eventually([&] { return opened; }));
    QObject::disconnect(connection);
  }
  std::vector<QMessageBox*> boxes() {
    std::vector<QMessageBox*> visible;
    for (auto* box : window->findChildren<QMessageBox*>())
      if (box->isVisible()) visible.push_back(box);
    return visible;
  }
  void answer(QMessageBox::StandardButton button) {
    ASSERT_EQ(boxes().size(), 1u);
    QTest::mouseClick(boxes().front()->button(button), Qt::LeftButton);
    EXPECT_TRUE(eventually([&] { return boxes().empty(); }));
  }
};

TEST_F(Everyday, TheSameFileOpensAsItWasLeft) {
  start();
  open("stack");
  render::Camera camera = window->viewport().camera();
  camera.target = {0.1, 0.2, 0.3};
  camera.distance = 1.5;
  window->viewport().setCamera(camera);
  render::ViewOptions view = session().focus().view();
  view.forces = false;
  view.wireframe = true;
  session().focus().setView(view);
  session().focus().selectByName("box_3");
  window->panel<LogPanel>().hide();
  ASSERT_TRUE(eventually([&] { return window->viewport().isSettled(); }));
  ASSERT_TRUE(window->close());

  start();
  auto* first = window->gallery().cards().front();
  EXPECT_EQ(first->content().name, "stack.yaml") << "what was open last comes first";
  EXPECT_EQ(QImage(first->content().picture).size(), QSize(576, 324)) << "with its last view";
  QTest::keyClick(first, Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return session().isOpen(); }));
  const auto looksAsLeft = [&] {
    EXPECT_EQ(window->viewport().camera().target, camera.target);
    EXPECT_EQ(window->viewport().camera().distance, 1.5);
    EXPECT_FALSE(session().focus().view().forces);
    EXPECT_TRUE(session().focus().view().wireframe);
    EXPECT_EQ(session().focus().selection(),
              render::Selection(render::SelectedBody{session().model()->findBody("box_3")}));
    EXPECT_FALSE(window->panel<LogPanel>().isVisible());
    EXPECT_TRUE(window->panel<ScenePanel>().isVisible());
  };
  looksAsLeft();
  EXPECT_EQ(session().document().file(), QString()) << "opened by its path it is still a shipped scene";

  // Another scene has looks of its own.
  open("sliding_box");
  EXPECT_NE(window->viewport().camera().target, camera.target);
  view = {};
  session().focus().setView(view);
  window->panel<LogPanel>().show();
  open("stack");
  looksAsLeft();

  window->resetView();
  window->resetLayout();
  EXPECT_EQ(session().focus().view(), render::ViewOptions{});
  EXPECT_NE(window->viewport().camera().target, camera.target);
  EXPECT_TRUE(window->panel<LogPanel>().isVisible());
  EXPECT_TRUE(window->close());
}

TEST_F(Everyday, RecentFilesAreForgottenOnDemandAndMissingOnesDoNotOpen) {
  const QString mine = settings.filePath("mine.yaml");
  ASSERT_TRUE(QFile::copy(
      QString::fromStdString((testing::sourceDir() / "assets/scenes/stack.yaml").string()), mine));
  start();
  open(mine);
  open("sliding_box");
  ASSERT_TRUE(QFile::remove(mine));
  window->showGallery();
  std::vector<GalleryCard*> cards = window->gallery().cards();
  EXPECT_EQ(cards[0]->content().name, "sliding_box.yaml");
  ASSERT_EQ(cards[1]->content().name, "mine.yaml");
  EXPECT_TRUE(cards[1]->content().isMissing);
  QTest::mouseClick(cards[1], Qt::LeftButton);
  EXPECT_FALSE(session().opener().isLoading());
  cards[1]->setFocus();
  QTest::keyClick(cards[1], Qt::Key_Delete);
  ASSERT_TRUE(eventually([&] { return window->knownFiles().files().size() == 1; }));
  for (const GalleryCard* card : window->gallery().cards()) EXPECT_NE(card->content().name, "mine.yaml");
  EXPECT_TRUE(window->close());
}

TEST_F(Everyday, ClosingAsksOnceWhereEditsAreNotSaved) {
  start();
  open("stack");
  session().numbers().editParameter("contact.friction", {0.25});
  session().undoStack().undo();
  QTest::keyClick(window.get(), Qt::Key_Q, Qt::ControlModifier);
  EXPECT_FALSE(window->isVisible()) << "an edit that was undone is none";

  start();
  open("stack");
  session().numbers().editParameter("contact.friction", {0.25});
  QTest::keyClick(window.get(), Qt::Key_Q, Qt::ControlModifier);
  EXPECT_FALSE(window->close());
  EXPECT_TRUE(window->isVisible());
  answer(QMessageBox::Cancel);
  EXPECT_TRUE(window->isVisible());
  EXPECT_EQ(session().numbers().parameter("contact.friction"), ParameterValue{0.25});

  // The end of the desktop's session closes every window; one that refuses keeps the session.
  QApplication::closeAllWindows();
  EXPECT_TRUE(window->isVisible());
  answer(QMessageBox::Discard);
  EXPECT_FALSE(window->isVisible());
}

TEST_F(Everyday, SavingFirstThenCloses) {
  const QString mine = settings.filePath("mine.yaml");
  ASSERT_TRUE(QFile::copy(
      QString::fromStdString((testing::sourceDir() / "assets/scenes/stack.yaml").string()), mine));
  start();
  open(mine);
  session().numbers().editParameter("contact.friction", {0.25});
  EXPECT_FALSE(window->close());
  answer(QMessageBox::Save);
  ASSERT_TRUE(eventually([&] { return !window->isVisible(); }));
  QFile written(mine);
  ASSERT_TRUE(written.open(QIODevice::ReadOnly));
  EXPECT_TRUE(written.readAll().contains("friction: 0.25"));
}

TEST_F(Everyday, WhatTheKeyboardReachesOfARobotHasAName) {
  start();
  open(QString::fromStdString((testing::sourceDir() / "assets/robots/arm7.urdf").string()));
  EXPECT_EQ(testing::namelessIn(*window).join("\n").toStdString(), "");
  window->showGallery();
  EXPECT_EQ(testing::namelessIn(*window).join("\n").toStdString(), "");
  EXPECT_TRUE(window->close());
}

}  // namespace
}  // namespace slipstick::ui
