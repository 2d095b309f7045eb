// Settings and the list of known files that are broken: the window says so, and starts.
#include <gmock/gmock.h>

#include <QDir>
#include <QFile>
#include <random>

#include "tests/ui/own_settings.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/broken_habits.h"

namespace slipstick::ui {
namespace {

using ::testing::HasSubstr;

class Habits : public ::testing::Test {
 protected:
  /// What a window that was used and closed has left.
  void SetUp() override {
    MainWindow window(app::studioServices(sceneOptions("")), QSize(1280, 800), true);
    window.show();
    window.session().opener().open("stack");
    ASSERT_TRUE(eventually([&] { return window.session().isOpen(); }));
    render::ViewOptions view = window.session().focus().view();
    view.wireframe = true;
    window.session().focus().setView(view);
    window.close();
    QSettings("slipstick", "studio").sync();
    for (const QString& file : {conf(), list()}) {
      ASSERT_TRUE(QFile::exists(file)) << file.toStdString();
      whole_.push_back(bytesOf(file));
    }
    EXPECT_TRUE(brokenHabits().empty());
  }
  static QString conf() { return QSettings("slipstick", "studio").fileName(); }
  static QString list() { return QFileInfo(conf()).dir().filePath("files.json"); }
  static QByteArray bytesOf(const QString& name) {
    QFile file(name);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
    return file.readAll();
  }
  static void put(const QString& name, const QByteArray& bytes) {
    QFile file(name);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }

  testing::OwnSettings settings_;
  std::vector<QByteArray> whole_;  ///< settings, list
};

TEST_F(Habits, ThatAreBrokenAreSaidAndKeptAsideAndTheWindowStartsAsAtFirst) {
  put(conf(), "no [settings\n\xff\x01 at all\n");
  put(list(), whole_[1].first(whole_[1].size() / 2));
  const QByteArray half = bytesOf(list());
  {
    MainWindow window(app::studioServices(sceneOptions("")), QSize(1280, 800), true);
    window.show();
    EXPECT_EQ(logCount(window, "the settings of the window cannot be read whole"), 1);
    EXPECT_EQ(logCount(window, "the list of files that were open cannot be read"), 1);
    EXPECT_EQ(window.session().focus().view(), render::ViewOptions{});
    EXPECT_TRUE(window.knownFiles().files().empty());
    EXPECT_EQ(bytesOf(list() + ".broken"), half);
    window.session().opener().open("stack");
    ASSERT_TRUE(eventually([&] { return window.session().isOpen(); }));
    window.close();
  }
  EXPECT_TRUE(brokenHabits().empty()) << "they are whole again";
  MainWindow next(app::studioServices(sceneOptions("")), QSize(1280, 800), true);
  EXPECT_EQ(logCount(next, "cannot be read"), 0);
  EXPECT_EQ(next.knownFiles().files().size(), 1u);
}

/// "{…" that ends too early is a value as any other to Qt: the rest of the file can be read.
TEST_F(Habits, OfWhichAValueIsCutOffAreSaidOnceAndTheirOnlyWholeCopyStays) {
  const QByteArray cut = whole_[0].first(whole_[0].indexOf("view=") + 40);
  put(conf(), cut);
  {
    MainWindow window(app::studioServices(sceneOptions("")), QSize(1280, 800), true);
    window.show();
    EXPECT_EQ(logCount(window, "the broken file is kept as studio.conf.broken"), 1);
    window.close();
  }
  QSettings("slipstick", "studio").sync();
  put(conf(), bytesOf(conf()));  // as another program reads it
  MainWindow next(app::studioServices(sceneOptions("")), QSize(1280, 800), true);
  EXPECT_EQ(logCount(next, "cannot be read"), 0);
  EXPECT_EQ(bytesOf(conf() + ".broken"), cut);
  EXPECT_FALSE(QSettings("slipstick", "studio").value("layout").toString().isEmpty())
      << "what is whole stays";
}

/// A folder of their name: that may nobody read as a file, whoever runs the tests.
TEST_F(Habits, ThatMayNotBeReadAreSaidAndWhatWasKeptBeforeStays) {
  for (const QString& file : {conf(), list()}) {
    put(file + ".broken", "earlier");
    ASSERT_TRUE(QFile::remove(file) && QDir().mkdir(file));
    const std::vector<Error> errors = brokenHabits();
    ASSERT_EQ(errors.size(), 1u) << file.toStdString();
    EXPECT_THAT(errors[0].message(), HasSubstr("the broken file could not be copied; check its permissions"));
    EXPECT_EQ(bytesOf(file + ".broken"), "earlier");
    ASSERT_TRUE(QDir().rmdir(file));
  }
}

TEST_F(Habits, AListThatIsTooLongToBeReadIsSaid) {
  const QByteArray list = "{\"files\": [" + QByteArray(KnownFiles::kLargestList, ' ') + "]}";
  put(this->list(), list);
  ASSERT_EQ(brokenHabits().size(), 1u);
  EXPECT_EQ(bytesOf(this->list() + ".broken"), list);
  EXPECT_TRUE(brokenHabits().empty()) << "once";
}

TEST_F(Habits, OfFilesCutOffAnywhereAreSaidToBeBroken) {
  std::mt19937 random(52);
  for (int i = 0; i < 200; ++i) {
    const qsizetype size = std::uniform_int_distribution<qsizetype>(1, whole_[1].size() - 1)(random);
    put(list(), whole_[1].first(size));
    const std::vector<Error> errors = brokenHabits();
    ASSERT_EQ(errors.size(), 1u) << size;
    EXPECT_THAT(errors[0].message(), HasSubstr("files.json.broken")) << size;
    EXPECT_TRUE(KnownFiles(true).files().empty());
  }
}

}  // namespace
}  // namespace slipstick::ui
