// What a build without libsdformat says of SDF files.
#include <gmock/gmock.h>

#include "assets/robot_io.h"
#include "assets/scene_io.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

TEST(SdfMissing, FilesAndScenesAreRefusedWithTheReasonAndWhatToDo) {
  EXPECT_FALSE(assets::readsSdf());
  const auto file =
      testing::writeFile("one.sdf", "<sdf version='1.7'><model name='m'><link name='l'/></model></sdf>");
  const std::initializer_list<std::string> words = {"one.sdf", "reads no SDF files", "convert the file"};
  const auto alone = assets::loadModel(file.string());
  ASSERT_FALSE(alone);
  testing::expectFault(alone.error().message(), words);
  const auto scene = testing::parsed("robots: {m: {sdf: " + file.string() + "}}\n");
  ASSERT_FALSE(scene);
  testing::expectFault(scene.error().message(), words);
}

}  // namespace
}  // namespace slipstick
