// The bar of the timeline under the pointer: zoom, pan, the ends of a range, bookmarks, and what it names.
#include "ui/timeline_bar.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

namespace slipstick::ui {
namespace {

struct ZoomedBar : ::testing::Test {
  TimelineBar bar;
  static constexpr int kBar = 20, kFlag = 31, kScale = 45, kOverview = 56;

  void SetUp() override {
    bar.resize(632, 62);
    bar.setRange({10, 0, 8, 2});
    bar.show();
  }
  int x(double time) const { return static_cast<int>(std::lround(bar.xOf(time))); }
  void wheel(double time, int notches, Qt::KeyboardModifiers modifiers = {}) {
    const QPointF at(bar.xOf(time), kBar);
    QWheelEvent event(at, bar.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&bar, &event);
  }
  void move(QPointF to, Qt::MouseButton button) {
    QMouseEvent event(QEvent::MouseMove, to, bar.mapToGlobal(to), Qt::NoButton, button, {});
    QCoreApplication::sendEvent(&bar, &event);
  }
  void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&bar, button, {}, from);
    move(QPointF(from + to) / 2, button);
    move(to, button);
    QTest::mouseRelease(&bar, button, {}, to);
  }
};

TEST_F(ZoomedBar, TheWheelZoomsAboutThePointerAndADoubleClickShowsAll) {
  const qreal before = bar.xOf(3);
  wheel(3, 4);
  EXPECT_TRUE(bar.isZoomed());
  EXPECT_NEAR(bar.xOf(3), before, 1e-6) << "what is under the pointer stays";
  EXPECT_NEAR(bar.view().second - bar.view().first, 10 / std::pow(1.25, 4), 1e-9);
  for (const double time : {2.5, 3.0, 5.0}) EXPECT_NEAR(bar.timeAt(bar.xOf(time)), time, 1e-9);
  for (int i = 0; i < 400; ++i) wheel(3, 1);
  EXPECT_GT(bar.view().second - bar.view().first, 0);
  wheel(3, -1000);
  EXPECT_FALSE(bar.isZoomed()) << "never more than the run";
  bar.showStretch(2, 4);
  QTest::mouseDClick(&bar, Qt::LeftButton, {}, QPoint(x(3), kBar));
  EXPECT_FALSE(bar.isZoomed());
}

TEST_F(ZoomedBar, TheScaleTheMiddleButtonAndTheStripPan) {
  bar.showStretch(2, 4);
  QSignalSpy head(&bar, &TimelineBar::dragged);
  drag({x(3), kScale}, {x(3.5), kScale});
  EXPECT_NEAR(bar.view().first, 1.5, 0.01);
  drag({300, kBar}, {300 + 60, kBar}, Qt::MiddleButton);
  EXPECT_NEAR(bar.view().first, 1.3, 0.01);
  drag({200, kOverview}, {260, kOverview});
  EXPECT_NEAR(bar.view().first, 2.3, 0.01) << "of the strip a pixel is one of the whole run";
  EXPECT_NEAR(bar.view().second, 4.3, 0.01);
  drag({200, kOverview}, {-4000, kOverview});
  EXPECT_EQ(bar.view().first, 0) << "not beyond the run";
  EXPECT_EQ(head.count(), 0) << "none of it moves the play head";
}

TEST_F(ZoomedBar, ThePlayHeadTakesTheViewAlong) {
  bar.showStretch(2, 4);
  bar.setRange({10, 0, 8, 3.9});
  EXPECT_EQ(bar.view().first, 2);
  bar.setRange({10, 0, 8, 4.1});
  EXPECT_GT(bar.view().second, 4.1);
  EXPECT_LT(bar.view().first, 4.1);
  EXPECT_NEAR(bar.view().second - bar.view().first, 2, 1e-9);
}

TEST_F(ZoomedBar, ARangeIsDraggedAtItsEnds) {
  bar.setSelected(std::pair(2.0, 5.0));
  std::vector<std::pair<double, double>> ranges;
  QObject::connect(&bar, &TimelineBar::rangeDragged, &bar, [&](double from, double to) {
    ranges.emplace_back(from, to);
    bar.setSelected(ranges.back());
  });
  QSignalSpy cleared(&bar, &TimelineBar::rangeCleared), head(&bar, &TimelineBar::dragged);
  drag({x(5), kBar}, {x(7), kBar});
  ASSERT_FALSE(ranges.empty());
  EXPECT_NEAR(ranges.back().first, 2, 1e-9);
  EXPECT_NEAR(ranges.back().second, 7, 0.02);
  drag({x(2), kBar}, {x(3), kBar});
  EXPECT_NEAR(ranges.back().first, 3, 0.02);
  EXPECT_NEAR(ranges.back().second, 7, 0.02);
  EXPECT_EQ(cleared.count() + head.count(), 0);
}

TEST_F(ZoomedBar, ABookmarkIsClickedAndWhatIsUnderThePointerIsNamedAtOnce) {
  bar.setBookmarks({1.25, 6});
  QSignalSpy head(&bar, &TimelineBar::dragged), hovered(&bar, &TimelineBar::hovered);
  QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(x(1.25) + 3, kFlag));
  ASSERT_EQ(head.count(), 1);
  EXPECT_EQ(head[0][0].toDouble(), 1.25) << "its own time, not the pointer's";
  move(QPointF(x(6), kBar), Qt::NoButton);
  ASSERT_TRUE(hovered.wait(2000));
  EXPECT_LT(hovered[0][0].toDouble(), 6);
  EXPECT_GT(hovered[0][1].toDouble(), 6);
  EXPECT_LT(hovered[0][1].toDouble() - hovered[0][0].toDouble(), 0.2);
}

}  // namespace
}  // namespace slipstick::ui
