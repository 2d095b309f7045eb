// The window never waits for a step: dragging the timeline while a step takes a second.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <cstdio>

#include "tests/ui/sample_studio.h"

namespace slipstick::ui {
namespace {

/// Largest time between two turns of the event loop while it lives [ms].
class LoopWatch {
 public:
  LoopWatch() {
    QObject::connect(&timer_, &QTimer::timeout, [this] {
      largest_ = std::max(largest_, clock_.restart());
      ++turns_;
    });
    timer_.setTimerType(Qt::PreciseTimer);
    clock_.start();
    timer_.start(5);
  }
  qint64 largestGap_ms() const { return largest_; }
  int turns() const { return turns_; }

 private:
  QTimer timer_;
  QElapsedTimer clock_;
  qint64 largest_ = 0;
  int turns_ = 0;
};

struct Drag {
  qint64 largestGap_ms = 0;
  int turns = 0;
  std::set<std::uint64_t> seen;  ///< steps that were shown
};

Drag dragBackAndForth(testing::SampleWindow& window) {
  TimelineBar& bar = window->timeline().bar();
  const auto at = [&](double time) { return QPoint(static_cast<int>(bar.xOf(time)), 20); };
  Drag drag;
  QTest::mousePress(&bar, Qt::LeftButton, {}, at(0.4));
  const LoopWatch watch;
  for (int i = 0; i <= 60; ++i) {
    QTest::mouseMove(&bar, at(0.4 - 0.35 * std::abs(30 - i) / 30));
    drag.seen.insert(window.session().moment().shown()->step);
    QTest::qWait(20);
  }
  QTest::mouseRelease(&bar, Qt::LeftButton, {}, at(0.2));
  drag.largestGap_ms = watch.largestGap_ms();
  drag.turns = watch.turns();
  return drag;
}

TEST(Scrubbing, TheWindowShowsThePastWhileOneStepIsComputed) {
  testing::SampleWindow window(QSize(900, 560));
  window.runTo(0.5);
  window.control().stepSleep_ms = 20000;
  const int before = window.control().stepsBegun;
  window.session().transport().play();
  ASSERT_TRUE(testing::eventually([&] { return window.control().stepsBegun > before; }));

  // All of the drag lies within this one step: a window that waits for it would show nothing until it ends.
  const int during = window.control().stepsBegun;
  const Drag drag = dragBackAndForth(window);
  EXPECT_EQ(window.control().stepsBegun, during) << "the step has ended: the drag says nothing";
  EXPECT_GE(drag.turns, 20);
  EXPECT_GE(drag.seen.size(), 2u);  // it did scrub
  EXPECT_EQ(window->viewport().isVisible(), true);
  EXPECT_FALSE(window.session().moment().isLive());
  EXPECT_TRUE(window.session().run().status().playing);  // and the simulation goes on
  std::printf("  largest gap of the event loop while a step takes 20 s: %lld ms\n",
              static_cast<long long>(drag.largestGap_ms));
  window.control().stepSleep_ms = 0;
}

}  // namespace
}  // namespace slipstick::ui
