// Playing the past: what is stored is shown, and nothing changes.
#include "ui/playback.h"

#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/sample_studio.h"
#include "ui/run_events.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

struct PlayedRun : ::testing::Test {
  SampleWindow window;
  Session& session = window.session();
  Playback& playback = session.playback();
};

TEST_F(PlayedRun, SpaceInThePastPlaysWhatIsStoredUpToTheNewestStep) {
  window.runTo(0.3);
  const RunStatus before = session.run().status();
  const std::uint64_t hash = session.moment().shown()->stateHash;
  session.moment().lookAtTime(0.1);
  std::vector<std::uint64_t> seen;
  QObject::connect(&session.moment(), &ShownMoment::shownChanged,
                   [&] { seen.push_back(session.moment().shown()->step); });
  QTest::keyClick(&*window, Qt::Key_Space);
  EXPECT_TRUE(playback.isPlaying());
  EXPECT_FALSE(session.run().status().playing) << "nothing is computed";
  ASSERT_TRUE(eventually([&] { return !playback.isPlaying(); }));
  EXPECT_TRUE(session.moment().isLive());
  EXPECT_EQ(session.moment().shown()->stateHash, hash);
  EXPECT_EQ(session.run().status().lastStep, before.lastStep);
  EXPECT_EQ(session.moment().branches().size(), 1u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_GT(seen.size(), 3u);
}

TEST_F(PlayedRun, SpacePausesItAndResumingIsAnotherButton) {
  window.runTo(0.3);
  session.transport().setSpeed(0.05);
  session.moment().lookAtTime(0.1);
  QTest::keyClick(&*window, Qt::Key_Space);
  ASSERT_TRUE(playback.isPlaying());
  QTest::keyClick(&*window, Qt::Key_Space);
  EXPECT_FALSE(playback.isPlaying());
  EXPECT_FALSE(session.moment().isLive());
  EXPECT_EQ(session.moment().branches().size(), 1u);
  QTest::mouseClick(&window->timeline().resumeButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return session.moment().isLive() && !session.transport().isGoingBack(); }));
  EXPECT_EQ(session.moment().branches().size(), 2u) << "what came after stays as a branch";
}

TEST_F(PlayedRun, ARangeThatLoopsIsNotLeft) {
  window.runTo(0.3);
  session.transport().setSpeed(8);
  TimelineBar& bar = window->timeline().bar();
  const auto at = [&](double time) { return QPoint(static_cast<int>(bar.xOf(time)), 20); };
  QTest::mousePress(&bar, Qt::LeftButton, Qt::ShiftModifier, at(0.1));
  QMouseEvent move(QEvent::MouseMove, at(0.2), bar.mapToGlobal(at(0.2)), Qt::NoButton, Qt::LeftButton,
                   Qt::ShiftModifier);
  QCoreApplication::sendEvent(&bar, &move);
  QTest::mouseRelease(&bar, Qt::LeftButton, Qt::ShiftModifier, at(0.2));
  ASSERT_TRUE(session.marks().range());
  EXPECT_NEAR(session.marks().range()->from, 0.1, 0.02);
  EXPECT_NEAR(session.marks().range()->to, 0.2, 0.02);
  QTest::mouseClick(&window->timeline().loopButton(), Qt::LeftButton);
  ASSERT_TRUE(playback.loops());
  int turns = 0;
  std::uint64_t last = 0;
  const double dt = session.model()->time.dt;
  QObject::connect(&session.moment(), &ShownMoment::shownChanged, [&] {
    const std::uint64_t step = session.moment().shown()->step;
    const double time = static_cast<double>(step) * dt;
    EXPECT_GE(time, session.marks().range()->from - dt);
    EXPECT_LE(time, session.marks().range()->to + dt);
    turns += step < last;
    last = step;
  });
  QTest::keyClick(&*window, Qt::Key_Space);
  EXPECT_TRUE(eventually([&] { return turns >= 2; }));
  QTest::keyClick(&*window, Qt::Key_Space);
  EXPECT_FALSE(playback.isPlaying());
}

TEST_F(PlayedRun, BookmarksAreWalkedAndSaidOnHover) {
  window.runTo(0.3);
  for (const double time : {0.1, 0.2}) {
    session.moment().lookAtTime(time);
    QTest::keyClick(&*window, Qt::Key_K);
  }
  ASSERT_EQ(session.marks().bookmarks().size(), 2u);
  session.marks().renameBookmark(0, "first touch");
  session.moment().lookAtTime(0.15);
  QTest::keyClick(&*window, Qt::Key_Left, Qt::ControlModifier);
  EXPECT_NEAR(session.moment().shown()->time, 0.1, 1e-9);
  QTest::keyClick(&*window, Qt::Key_Right, Qt::ControlModifier);
  EXPECT_NEAR(session.moment().shown()->time, 0.2, 1e-9);
  EXPECT_TRUE(window->timeline().eventsText(0.095, 0.105).startsWith("0.100 s: first touch"));
  QTest::keyClick(&*window, Qt::Key_K);
  EXPECT_EQ(session.marks().bookmarks().size(), 1u) << "the same key forgets it";
}

}  // namespace
}  // namespace slipstick::ui
