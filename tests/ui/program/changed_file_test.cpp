// What others write into the file that the window has open: said, with a choice, and written over by nobody unasked.
#include "tests/ui/program/window_with_files.h"
#include "ui/banner.h"

namespace slipstick::ui {
namespace {

struct ChangedFile : ::testing::Test {
  WindowWithFiles desk;
  const std::string theirs = std::string(kFall) + "# theirs\n";
  void SetUp() override {
    desk.open(desk.mine);
    writeText(desk.mine, theirs);
    ASSERT_TRUE(eventually([&] { return desk.window->fileBanner().isVisible(); }));
    EXPECT_EQ(desk.window->fileBanner().text(), "mine.yaml was changed by another program.");
  }
  void click(FlatButton& button) { QTest::mouseClick(&button, Qt::LeftButton); }
};

TEST_F(ChangedFile, IsReloadedByAButtonThatAsksAsEveryWayOut) {
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  click(desk.window->fileBanner().action());
  ASSERT_NE(desk.question(), nullptr);
  EXPECT_EQ(desk.question()->text(), "Save the changes to mine.yaml?");
  desk.answer("Discard");
  ASSERT_TRUE(eventually([&] { return desk.opened == 2; }));
  EXPECT_FALSE(desk.document().isEdited());
  EXPECT_FALSE(desk.window->fileBanner().isVisible());
  EXPECT_EQ(textOf(desk.mine), theirs);
}

TEST_F(ChangedFile, IsWrittenOverOnlyOnceThePersonHasSaidSo) {
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.key(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return desk.question() != nullptr; }));
  EXPECT_TRUE(desk.question()->text().startsWith("mine.yaml was changed by another program"));
  EXPECT_EQ(textOf(desk.mine), theirs);
  desk.answer("Cancel");
  ASSERT_TRUE(desk.isBack());
  EXPECT_TRUE(desk.document().isEdited());
  EXPECT_EQ(textOf(desk.mine), theirs);
  click(desk.window->fileBanner().otherwise());  // keep mine
  EXPECT_FALSE(desk.document().isFileChanged());
  desk.key(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return !desk.document().isSaving(); }));
  ASSERT_EQ(desk.question(), nullptr) << desk.question()->text().toStdString();
  ASSERT_FALSE(desk.document().isEdited()) << desk.errors.join('\n').toStdString();
  EXPECT_NE(textOf(desk.mine).find("-0.02]"), std::string::npos);
}

TEST_F(ChangedFile, OnTheWayOutIsAskedAboutToo) {
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.window->close();
  desk.answer("Save");
  ASSERT_TRUE(eventually(
      [&] { return desk.question() && desk.question()->text().startsWith("mine.yaml was changed"); }));
  desk.answer("Cancel");
  EXPECT_TRUE(desk.window->isVisible());
  desk.window->close();
  desk.answer("Save");
  ASSERT_TRUE(eventually(
      [&] { return desk.question() && desk.question()->text().startsWith("mine.yaml was changed"); }));
  desk.chooseNext(desk.folder.filePath("ours.yaml"));
  desk.answer("Save as…");
  ASSERT_TRUE(eventually([&] { return !desk.window->isVisible(); }));
  EXPECT_EQ(textOf(desk.mine), theirs);
  EXPECT_NE(textOf(desk.folder.filePath("ours.yaml")).find("-0.02]"), std::string::npos);
}

TEST(SecondWindow, OnTheSameFileIsToldOfWhatTheFirstHasSaved) {
  WindowWithFiles first;
  first.open(first.mine);
  MainWindow second(app::studioServices(sceneOptions("")), QSize(900, 600), false);
  second.show();
  second.session().opener().open(first.mine);
  ASSERT_TRUE(eventually([&] { return second.session().isOpen(); }));
  first.session().numbers().editParameter("gravity.z", {kEdited});
  first.key(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return second.fileBanner().isVisible(); }));
  EXPECT_FALSE(first.window->fileBanner().isVisible()) << "its own";
  const std::string saved = textOf(first.mine);
  second.session().numbers().editParameter("gravity.z", {-5});
  second.session().document().save(first.mine);
  ASSERT_TRUE(eventually([&] { return !second.session().document().isSaving(); }));
  EXPECT_EQ(textOf(first.mine), saved);
  EXPECT_TRUE(second.session().document().isEdited());
  second.close();
}

}  // namespace
}  // namespace slipstick::ui
