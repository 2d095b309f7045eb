// What the view is fitted to, and what is kept of it.
#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/sample_studio.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

TEST(Framing, AViewFittedToWhatFliesOffComesBackWithTheTime) {
  SampleWindow window(QSize(900, 600), "editable");
  const auto looksAt = [&] { return window->viewport().camera().target.z(); };
  window.session().numbers().editParameter("gravity.z", {100});
  window.runTo(1);
  QTest::keyClick(&window->viewport(), Qt::Key_A, Qt::ControlModifier);
  EXPECT_GT(looksAt(), 20) << "½ g t² is 50 m";
  window.session().moment().lookAtStep(0);
  EXPECT_LT(looksAt(), 1) << "where the crate starts, at 0.2 m";
  window.session().moment().goLive();
  QTest::keyClick(&window->viewport(), Qt::Key_A, Qt::ControlModifier);
  const render::Camera mine = [&] {
    render::Camera camera = window->viewport().camera();
    camera.distance *= 2;
    window->viewport().setCamera(camera);
    return camera;
  }();
  window.session().moment().lookAtStep(0);
  EXPECT_EQ(window->viewport().camera().distance, mine.distance) << "what a person has turned stays";
}

/// Cards are of the moment; the picture of a recent file is of its scene.
TEST(Framing, ThePictureThatIsKeptHasNoCards) {
  SampleWindow window(QSize(900, 600));
  window.runTo(1);
  Viewport& viewport = window->viewport();
  ASSERT_TRUE(eventually([&] { return viewport.isSettled(); }));
  const QImage kept = viewport.sceneImage();
  ASSERT_FALSE(kept.isNull());
  EXPECT_NE(kept, viewport.picture()->image) << "there are cards";
  render::ViewOptions view = window.session().focus().view();
  view.hud = false;
  window.session().focus().setView(view);
  ASSERT_TRUE(
      eventually([&] { return viewport.isSettled() && !viewport.picture()->request.hud.options.hud; }));
  EXPECT_EQ(kept, viewport.picture()->image);
}

}  // namespace
}  // namespace slipstick::ui
