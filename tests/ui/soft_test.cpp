// Soft things and boundaries in the panels.
#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/sample_studio.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

struct SoftScene : ::testing::Test {
  SampleWindow window{QSize(1000, 640), "soft"};
  QString fact(const QString& label) { return window->panel<Inspector>().factText(label); }
  void selectDeformable(int index) { window.session().focus().select(render::SelectedDeformable{index}); }
  QTreeWidgetItem* item(const QString& name) {
    const auto found =
        window->panel<ScenePanel>().tree().findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.front();
  }
};

TEST_F(SoftScene, TheInspectorShowsWhatEachMaterialIsMadeOf) {
  const auto field = [&](const char* material, const char* key) {
    const NumberField* shown =
        window->panel<Inspector>().parameterField(std::string("materials.") + material + "." + key);
    return shown ? shown->text() : QString("none");
  };
  const auto& names = window.session().model()->materials;
  selectDeformable(0);
  EXPECT_EQ(fact("thickness"), "2.00");  // mm
  EXPECT_EQ(fact("triangles"), "512");
  EXPECT_EQ(field(names[0].c_str(), "bulk_modulus"), "none");
  selectDeformable(1);
  EXPECT_EQ(field(names[1].c_str(), "bulk_modulus"), "50");  // kPa
  EXPECT_EQ(fact("speed of sound"), "7.07");
  EXPECT_EQ(fact("pulled apart"), "parts");
  EXPECT_EQ(field(names[1].c_str(), "E"), "none");
  selectDeformable(2);
  EXPECT_EQ(fact("elastic energy"), "0.250");
  selectDeformable(3);
  EXPECT_EQ(fact("friction angle"), "25.0");
  EXPECT_EQ(field(names[3].c_str(), "hardening_deg.0"), "35");
}

TEST_F(SoftScene, ABoundaryIsSelectedInTheTreeAndSaysWhenItActs) {
  QTreeWidgetItem* ball = item("ball");
  ASSERT_NE(ball, nullptr);
  ASSERT_NE(ball->parent(), nullptr);
  EXPECT_EQ(ball->parent()->text(0), "Boundaries");
  QTreeWidget& tree = window->panel<ScenePanel>().tree();
  tree.scrollToItem(ball);
  QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualItemRect(ball).center());
  EXPECT_EQ(window.session().focus().selection(), render::Selection(render::SelectedBoundary{2}));
  EXPECT_EQ(fact("kind"), "slip");
  EXPECT_EQ(fact("radius"), "0.0500");
  EXPECT_EQ(fact("speed"), "0.100");
  EXPECT_EQ(fact("acts"), "not now");
  window.runTo(1.5);
  EXPECT_TRUE(eventually([&] { return fact("position") == "0.300, 0.050, 0.100"; }));
  EXPECT_EQ(fact("acts"), "now");
  EXPECT_EQ(fact("force on it"), "5.00");
}

TEST_F(SoftScene, KeysChangeHowSoftThingsAreDrawnAndHideBoundaries) {
  using render::SoftStyle;
  for (const SoftStyle style : {SoftStyle::Particles, SoftStyle::Surface, SoftStyle::Scene}) {
    QTest::keyClick(&*window, Qt::Key_L);
    EXPECT_EQ(window.session().focus().view().softStyle, style);
  }
  QTest::keyClick(&*window, Qt::Key_B);
  EXPECT_FALSE(window.session().focus().view().boundaries);
}

TEST_F(SoftScene, TheMenuChoosesTheColouring) {
  QAction* pressure = nullptr;
  for (QAction* action : window->findChildren<QAction*>())
    if (action->text() == "Pressure") pressure = action;
  ASSERT_NE(pressure, nullptr);
  pressure->trigger();
  EXPECT_EQ(window.session().focus().view().particleColor, render::ParticleColor::Pressure);
}

}  // namespace
}  // namespace slipstick::ui
