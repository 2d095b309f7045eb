// `slipstick FILE --screenshot`: the whole window as a person sees it, at a time that the real stepper has come to.
#include <QImage>

#include "tests/app/program_run.h"
#include "tests/ui/program/studio_fixture.h"

namespace slipstick::ui {
namespace {

struct Screenshot : testing::ProgramTest {
  QImage taken(const std::string& name, const std::string& options) {
    const Outcome outcome = run("drop.yaml --screenshot " + name + " " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return QImage(QString::fromStdString(path(name)));
  }
};

/// Pixels that differ by more than a shade, of the middle of the window, where the scene is.
int changedPixels(const QImage& a, const QImage& b) {
  int count = 0;
  for (int y = a.height() / 4; y < a.height() / 2; ++y)
    for (int x = a.width() / 3; x < 2 * a.width() / 3; ++x) {
      const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
      const int apart = std::max(
          {std::abs(p.red() - q.red()), std::abs(p.green() - q.green()), std::abs(p.blue() - q.blue())});
      count += apart > 24 ? 1 : 0;
    }
  return count;
}

TEST_F(Screenshot, ShowsTheWindowAtTheTimeThatIsAskedFor) {
  const QImage start = taken("start.png", "--window-size 1100x700"),
               again = taken("again.png", "--window-size 1100x700"),
               later = taken("later.png", "--window-size 1100x700 --at 0.1");
  ASSERT_EQ(start.size(), QSize(1100, 700));
  ASSERT_EQ(later.size(), start.size());
  EXPECT_EQ(changedPixels(start, again), 0) << "nothing has moved";
  EXPECT_GT(changedPixels(start, later), 200) << "the puck has fallen by 5 cm of its 10 cm";
}

TEST_F(Screenshot, ThatCannotBeWrittenIsSaidBeforeAnythingRuns) {
  const Outcome outcome = run("drop.yaml --screenshot nowhere/a.png");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("nowhere"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace slipstick::ui
