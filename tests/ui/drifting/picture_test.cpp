// What drifts, in the picture: it is drawn as the triangles that it has, picked and pulled by these.
#include "tests/ui/drifting/window.h"
#include "tests/ui/program/person.h"

namespace slipstick::ui {
namespace {

struct DriftingPicture : DriftingWindow {
  void SetUp() override {
    DriftingWindow::SetUp();
    settle();
  }
  bool holds() { return !viewport().pullText().isEmpty(); }
};

TEST_F(DriftingPicture, EachTetrahedronIsDrawnWhereItIs) {
  for (const std::uint64_t step : {0u, 20u}) {
    if (step > 0) runToStep(step);
    settle();
    ASSERT_EQ(soft().meshes.size(), 2u);
    EXPECT_TRUE(soft().spheres.empty());
    for (std::size_t d = 0; d < 2; ++d) {
      const render::SoftMesh& mesh = soft().meshes[d];
      ASSERT_EQ(mesh.vertices.size(), 4u);
      EXPECT_EQ(mesh.indices.size(), 12u);
      for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(mesh.vertices[v].position, shown().particles[4 * d + v]);
    }
    EXPECT_EQ(viewport().picture()->request.frame->X_WB.back().p, ball().p);
  }
}

TEST_F(DriftingPicture, AClickOnOneSelectsItsDeformable) {
  for (const std::int32_t d : {1, 0}) {
    QTest::mouseClick(&viewport(), Qt::LeftButton, {}, pixelOf(middle(static_cast<std::size_t>(d))));
    ASSERT_TRUE(eventually(
        [&] { return session().focus().selection() == render::Selection(render::SelectedDeformable{d}); }));
    EXPECT_EQ(fact("nodes"), "4");
    EXPECT_EQ(fact("triangles"), "4");
  }
}

TEST_F(DriftingPicture, AHandPullsIt) {
  const QPoint at = pixelOf(middle(1));
  QTest::mousePress(&viewport(), Qt::RightButton, Qt::ControlModifier, at);
  ASSERT_TRUE(eventually([&] { return holds(); }));
  EXPECT_EQ(session().focus().selection(), render::Selection(render::SelectedDeformable{1}));
  testing::sendMouse(viewport(), QEvent::MouseMove, at - QPoint(0, 120), Qt::NoButton, Qt::RightButton,
                     Qt::ControlModifier);
  runToStep(6);
  EXPECT_GT(shown().pullForce.z(), 0);
  const double up = shown().deformables[1].velocity.z();
  EXPECT_GT(up, 0);
  EXPECT_LT(std::abs(shown().deformables[0].velocity.z()), 0.1 * up) << "the other one is not held";
  QTest::mouseRelease(&viewport(), Qt::RightButton, Qt::ControlModifier, at);
  EXPECT_FALSE(holds());
}

TEST_F(DriftingPicture, TheirContactHasAnArrowOfItsPair) {
  runToStep(20);
  settle();
  ASSERT_EQ(shown().contacts.size(), 1u);
  ASSERT_EQ(drawn().pairs.size(), 1u);
  const ContactPair& pair = drawn().pairs[0].force.pair;
  EXPECT_EQ(pair.a.deformable, 1) << "the later one comes first";
  EXPECT_EQ(pair.b.deformable, 0);
  EXPECT_FALSE(drawn().arrows.empty());
}

}  // namespace
}  // namespace slipstick::ui
