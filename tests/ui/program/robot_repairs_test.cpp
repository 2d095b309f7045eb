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
  session().opener().open(robot.fileName());
  ASSERT_TRUE(
      eventually([&] { return session().moment().isRobotViewer() && !session().opener().isLoading(); }));
  ASSERT_EQ(session().opener().notices().size(), 2u) << "a mass and limits were assumed";
  auto* adopt = window.findChild<FlatButton*>("adoptRepairs");
  ASSERT_TRUE(adopt);
  adopt->click();
  ASSERT_TRUE(eventually([&] { return !session().model()->scene->robots.at(0).linkInertias.empty(); }));
  const RobotSpec& adopted = session().model()->scene->robots.at(0);
  EXPECT_EQ(adopted.linkInertias.at("left.vane").mass, 1e-3);
  EXPECT_TRUE(std::isinf(*adopted.jointLimits.at("turn").upper));
  EXPECT_TRUE(eventually([&] { return !window.findChild<FlatButton*>("adoptRepairs"); }))
      << "nothing is left to offer";
  ASSERT_TRUE(eventually([&] { return session().undoStack().canUndo(); }));
  session().editor().undo();
  ASSERT_TRUE(
      eventually([&] { return session().run().newestModel()->scene->robots.at(0).linkInertias.empty(); }));
  session().editor().redo();
  ASSERT_TRUE(eventually([&] { return !session().model()->scene->robots.at(0).linkInertias.empty(); }));

  const QString file = folder.filePath("vane.yaml");
  session().document().save(file);
  ASSERT_TRUE(eventually([&] { return !session().document().isSaving(); }));
  session().opener().open(file);
  // The file was the document's before it was opened: what tells that it is read is that nothing was assumed.
  EXPECT_TRUE(
      eventually([&] { return !session().opener().isLoading() && session().opener().notices().empty(); }));
  EXPECT_EQ(session().document().file(), file);
  EXPECT_EQ(session().model()->tree.bodies.back().mass, 1e-3);
}

TEST_F(Studio, TheLoadReportOfARobotStaysWhateverElseIsInTheScene) {
  const QTemporaryDir folder;
  QFile robot(folder.filePath("vane.urdf"));
  ASSERT_TRUE(robot.open(QIODevice::WriteOnly) && robot.write(kRobot) > 0);
  robot.close();
  QFile scene(folder.filePath("scene.yaml"));
  ASSERT_TRUE(
      scene.open(QIODevice::WriteOnly) &&
      scene.write("robots:\n  vane: {urdf: vane.urdf}\nbodies:\n  ball: {base: free, mass: 1, position: "
                  "[1, 0, 1], shapes: [{shape: sphere, radius: 0.1}]}\n") > 0);
  scene.close();
  const auto reported = [&] {
    QStringList notes;
    for (const auto* label : window.panel<Inspector>().findChildren<ThemedLabel*>())
      if (label->text().contains("is given 1 g")) notes << label->text();
    return notes.size();
  };
  for (const QString& file : {robot.fileName(), scene.fileName()}) {
    bool opened = false;
    const auto connection =
        QObject::connect(&session().opener(), &SceneOpener::opened, [&] { opened = true; });
    session().opener().open(file);
    ASSERT_TRUE(eventually([&] { return opened; }));
    QObject::disconnect(connection);
    render::Selection selection;
    for (std::size_t r = 0; r < session().model()->robots.size(); ++r)
      if (!session().model()->robots[r].file.empty()) selection = render::SelectedRobot{static_cast<int>(r)};
    session().focus().select(selection);
    EXPECT_EQ(reported(), 1) << file.toStdString();
    session().editor().addBody("box", shape::Box{Vec3::Constant(0.05)});
    ASSERT_TRUE(eventually([&] { return session().model()->findBody("box") > 0; }));
    ASSERT_TRUE(eventually(
        [&] { return std::holds_alternative<render::SelectedRobot>(session().focus().selection()); }));
    EXPECT_TRUE(eventually([&] { return reported() == 1; })) << file.toStdString() << ": something was added";
  }
}

}  // namespace
}  // namespace slipstick::ui
