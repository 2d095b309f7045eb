// The log: levels, filter, copying, clearing, and when it follows its end.
#include <gtest/gtest.h>

#include <QClipboard>
#include <QScrollBar>
#include <QTest>
#include <utility>

#include "tests/ui/sample_studio.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

struct LogWindow : ::testing::Test {
  SampleWindow window{QSize(1100, 800)};
  LogPanel& log = window->panel<LogPanel>();

  void SetUp() override {
    log.show();
    log.raise();
    log.clear();
  }
  void tell(LogLevel level, const QString& text) { window.session().messages().tell(level, text); }
  int shownLines() {
    int count = 0;
    for (int i = 0; i < log.list().count(); ++i) count += !log.list().item(i)->isHidden();
    return count;
  }
};

TEST_F(LogWindow, CountsItsLevelsAndHidesThoseThatAreSwitchedOff) {
  tell(LogLevel::Info, "opened");
  tell(LogLevel::Info, "saved");
  tell(LogLevel::Warning, "guessed a unit");
  tell(LogLevel::Error, "no such file");
  EXPECT_EQ(log.levelButton(LogLevel::Info).count(), 2);
  EXPECT_EQ(log.levelButton(LogLevel::Warning).count(), 1);
  EXPECT_EQ(log.levelButton(LogLevel::Error).count(), 1);
  log.levelButton(LogLevel::Info).setFocus();
  QTest::keyClick(&log.levelButton(LogLevel::Info), Qt::Key_Return);
  EXPECT_EQ(shownLines(), 2);
  tell(LogLevel::Info, "while it is off");
  EXPECT_EQ(shownLines(), 2);
  EXPECT_EQ(log.levelButton(LogLevel::Info).count(), 3);
  log.levelButton(LogLevel::Info).click();
  EXPECT_EQ(shownLines(), 5);
}

TEST_F(LogWindow, IsCopiedWholeOrAsSelectedWithTheKeyboard) {
  tell(LogLevel::Info, "first");
  tell(LogLevel::Warning, "second");
  tell(LogLevel::Error, "third");
  log.copy();
  const QStringList all = QGuiApplication::clipboard()->text().split('\n');
  ASSERT_EQ(all.size(), 3);
  EXPECT_TRUE(all[1].endsWith("  warning  second")) << all[1].toStdString();
  QListWidget& list = log.list();
  list.setFocus();
  list.setCurrentRow(1);
  QTest::keyClick(&list, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(&list, Qt::Key_C, Qt::ControlModifier);
  const QStringList two = QGuiApplication::clipboard()->text().split('\n');
  ASSERT_EQ(two.size(), 2);
  EXPECT_TRUE(two[0].endsWith("second"));
  EXPECT_TRUE(two[1].endsWith("error  third"));
  QTest::keyClick(&list, Qt::Key_A, Qt::ControlModifier);
  EXPECT_EQ(list.selectedItems().size(), 3) << "and not the window's key for fitting the view";
}

TEST_F(LogWindow, GoesOnFollowingWhateverTakesItsRoom) {
  for (int i = 0; i < 200; ++i) tell(LogLevel::Info, QString("line %1").arg(i));
  QScrollBar& bar = *log.list().verticalScrollBar();
  const auto isAtEnd = [&] { return bar.maximum() > 0 && bar.value() == bar.maximum(); };
  ASSERT_TRUE(eventually(isAtEnd));
  window->resize(1100, 600);  // as a plot that is pinned takes room
  ASSERT_TRUE(eventually([&] { return window->height() == 600; }));
  tell(LogLevel::Info, "after it");
  EXPECT_TRUE(eventually(isAtEnd));
  log.hide();
  for (int i = 0; i < 20; ++i) tell(LogLevel::Info, QString("behind %1").arg(i));
  log.show();
  log.raise();
  EXPECT_TRUE(eventually(isAtEnd));
}

TEST_F(LogWindow, FollowsItsEndOnlyFromThere) {
  for (int i = 0; i < 200; ++i) tell(LogLevel::Info, QString("line %1").arg(i));
  QScrollBar& bar = *log.list().verticalScrollBar();
  int most = -1;  // lines are laid out a while after they were added
  ASSERT_TRUE(eventually([&] {
    const bool isAtRest = bar.maximum() == std::exchange(most, bar.maximum());
    return isAtRest && most > 0 && bar.value() == most;
  }));
  bar.setValue(bar.maximum() / 2);
  const int before = bar.value();
  tell(LogLevel::Error, "something happens below");
  QTest::qWait(30);
  EXPECT_EQ(bar.value(), before) << "who reads is left in peace";
  EXPECT_EQ(log.levelButton(LogLevel::Error).count(), 1) << "and is told";
  bar.setValue(bar.maximum());
  tell(LogLevel::Info, "the next one");
  EXPECT_TRUE(eventually([&] { return bar.value() == bar.maximum(); }));
}

TEST_F(LogWindow, KeepsErrorsWhenItIsFullAndForgetsAllWhenCleared) {
  tell(LogLevel::Error, "the first thing that went wrong");
  for (int i = 0; i < 2500; ++i) tell(LogLevel::Info, "more");
  EXPECT_EQ(log.list().count(), 2000);
  EXPECT_EQ(log.list().item(0)->text(), "the first thing that went wrong");
  EXPECT_EQ(log.levelButton(LogLevel::Info).count(), 1999);
  log.clear();
  EXPECT_EQ(log.list().count(), 0);
  EXPECT_EQ(log.levelButton(LogLevel::Error).count(), 0);
  EXPECT_EQ(log.text(), "");
}

}  // namespace
}  // namespace slipstick::ui
