// A robot whose file leaves out what a solver needs, in the real window: the inspector offers to write what was assumed into
// the scene, which then says it itself.
#include <QFile>
#include <QTemporaryDir>

#include "tests/ui/program/studio_fixture.h"
#include "ui/controls.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

constexpr const char* kRobot = R"(<robot name="vane"><link name="base"/><link name="left.vane"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="left.vane"/><axis xyz="0 0 1"/></joint></robot>
)";

TEST_F(Studio, WhatWasAssumedOfARobotBecomesTheScenesOwn) {
  const QTemporaryDir folder;
  QFile robot(folder.filePath("vane.urdf"));
  ASSERT_TRUE(robot.open(QIODevice::WriteOnly) && robot.write(kRobot) > 0);
  robot.close();
  session().open(robot.fileName());
  ASSERT_TRUE(eventually([&] { return session().isRobotViewer() && !session().isLoading(); }));
  ASSERT_EQ(session().notices().size(), 2u) << "a mass and limits were assumed";
  auto* adopt = window.findChild<FlatButton*>("adoptRepairs");
  ASSERT_TRUE(adopt);
  adopt->click();
  ASSERT_TRUE(eventually([&] { return !session().model()->scene->robots.at(0).linkInertias.empty(); }));
  const RobotSpec& adopted = session().model()->scene->robots.at(0);
  EXPECT_EQ(adopted.linkInertias.at("left.vane").mass, 1e-3);
  EXPECT_TRUE(std::isinf(*adopted.jointLimits.at("turn").upper));
  EXPECT_TRUE(eventually([&] { return !window.findChild<FlatButton*>("adoptRepairs"); }))
      << "nothing is left to offer";

  const QString file = folder.filePath("vane.yaml");
  session().document().save(file);
  ASSERT_TRUE(eventually([&] { return !session().document().isSaving(); }));
  session().open(file);
  ASSERT_TRUE(eventually([&] { return !session().isLoading() && session().document().file() == file; }));
  EXPECT_TRUE(session().notices().empty()) << session().notices().front().what;
  EXPECT_EQ(session().model()->tree.bodies.back().mass, 1e-3);
}

}  // namespace
}  // namespace slipstick::ui
