// A robot and a body whose meshes are not convex, in the real window: the inspector offers to have convex parts of them touch
// rigid things.
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/prism.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/controls.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

void write(const QString& name, const std::string& text) {
  QFile file(name);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly) &&
              file.write(text.data(), static_cast<qint64>(text.size())) > 0);
}

bool isSurface(const Session& session) {
  return session.model()->geometries.at(0).contactShape->isSurface();
}

TEST_F(Studio, MeshesOfARobotAreSplitByAButtonAndTheSceneSaysSo) {
  const QTemporaryDir folder;
  write(folder.filePath("u.obj"), testing::objOf(testing::prism(testing::channelProfile(), 1)));
  write(
      folder.filePath("cup.urdf"),
      R"(<robot name="cup"><link name="base"><collision><geometry><mesh filename="u.obj" scale="0.1 0.1 0.1"/></geometry>
</collision></link></robot>)");
  session().opener().open(folder.filePath("cup.urdf"));
  ASSERT_TRUE(
      eventually([&] { return session().moment().isRobotViewer() && !session().opener().isLoading(); }));
  ASSERT_TRUE(isSurface(session()));
  auto* split = window.findChild<FlatButton*>("splitMeshes");
  ASSERT_TRUE(split);
  split->click();
  ASSERT_TRUE(eventually([&] { return !isSurface(session()); }));
  EXPECT_EQ(session().model()->scene->robots.at(0).convexParts, 12);
  EXPECT_EQ(logCount(window, "3 convex parts"), 1);
  EXPECT_TRUE(eventually([&] { return !window.findChild<FlatButton*>("splitMeshes"); }))
      << "nothing is left to offer";

  const QString file = folder.filePath("cup.yaml");
  session().document().save(file);
  ASSERT_TRUE(eventually([&] { return !session().document().isSaving(); }));
  session().opener().open(file);
  ASSERT_TRUE(
      eventually([&] { return !session().opener().isLoading() && session().document().file() == file; }));
  EXPECT_FALSE(isSurface(session()));
  EXPECT_EQ(session().model()->scene->robots.at(0).convexParts, 12);
}

TEST_F(Studio, MeshesOfABodyAreSplitByAButton) {
  const QTemporaryDir folder;
  write(folder.filePath("u.obj"), testing::objOf(testing::prism(testing::channelProfile(), 1)));
  write(folder.filePath("cup.yaml"), "bodies: {cup: {shapes: [{shape: mesh, file: u.obj, scale: 0.1}]}}\n");
  session().opener().open(folder.filePath("cup.yaml"));
  ASSERT_TRUE(eventually(
      [&] { return !session().opener().isLoading() && session().model()->robots.at(0).name == "cup"; }));
  session().focus().selectByName("cup");
  ASSERT_TRUE(eventually([&] { return window.findChild<FlatButton*>("splitMeshes"); }));
  window.findChild<FlatButton*>("splitMeshes")->click();
  ASSERT_TRUE(eventually([&] { return !isSurface(session()); }));
  const LinkGeometry& shape = session().model()->scene->robots.at(0).description.links.at(0).collisions.at(0);
  EXPECT_EQ(shape.source->convexParts, 12);
}

}  // namespace
}  // namespace slipstick::ui
