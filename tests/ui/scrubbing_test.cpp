// The window never waits for a step: dragging the timeline while a step takes a second.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>

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

TEST(Scrubbing, TheEventLoopAnswersWithin50MsWhileAStepTakesASecond) {
  testing::SampleWindow window(QSize(900, 560));
  window.runTo(0.5);
  // What is drawn is not the subject, and drawing in software is slow: the picture is left out.
  window->viewport().hide();
  window.control().stepSleep_ms = 1000;
  const int before = window.control().stepsBegun;
  window.session().play();
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.control().stepsBegun > before; }, 5000));

  TimelineBar& bar = window->timeline().bar();
  const auto at = [&](double time) { return QPoint(static_cast<int>(bar.xOf(time)), 20); };
  QTest::mousePress(&bar, Qt::LeftButton, {}, at(0.4));
  QTest::qWait(100);  // the first refresh of the panels loads fonts and icons
  const LoopWatch watch;
  std::set<std::uint64_t> seen;
  for (int i = 0; i <= 80; ++i) {
    QTest::mouseMove(&bar, at(0.4 - 0.35 * std::abs(40 - i) / 40));
    seen.insert(window.session().shown()->step);
    QTest::qWait(20);
  }
  QTest::mouseRelease(&bar, Qt::LeftButton, {}, at(0.2));

  EXPECT_LE(watch.largestGap_ms(), 50);
  EXPECT_GT(watch.turns(), 100);
  EXPECT_GE(seen.size(), 2u);  // it did scrub
  EXPECT_FALSE(window.session().isLive());
  EXPECT_TRUE(window.session().status().playing);  // and the simulation went on
  window.control().stepSleep_ms = 0;
}

}  // namespace
}  // namespace slipstick::ui
