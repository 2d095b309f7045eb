// Which file a name stands for, and what is refused as none; the scenes that ship.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "assets/scene_io.h"
#include "tests/assets/scene_text.h"
#include "tests/support/comma_locale.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::kScene;

TEST(LoadScene, UnknownNameSuggestsAShippedScene) {
  const Result<assets::LoadedScene> loaded = assets::loadScene("dough_roling");
  ASSERT_FALSE(loaded);
  expectFault(loaded.error().message(), {"dough_roling", "did you mean 'dough_rolling'?"});
}

/// Works in an empty folder as long as it lives.
class InFolder {
 public:
  explicit InFolder(const std::string& name)
      : before_(std::filesystem::current_path()),
        folder_(std::filesystem::path(::testing::TempDir()) / name) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  ~InFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path before_, folder_;
};

TEST(LoadScene, AFolderOrAPipeNeverShadowsWhatShips) {
  const InFolder here("shadows");
  std::filesystem::create_directory("dough_rolling");
  std::filesystem::create_directory("arm7.urdf");
  const Result<assets::LoadedScene> scene = assets::loadScene("dough_rolling");
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->scene.name, "dough_rolling");
  const Result<assets::LoadedScene> robot = assets::loadScene("arm7.urdf");
  ASSERT_TRUE(robot) << robot.error().message();
  ASSERT_EQ(mkfifo("hold", 0600), 0);
  EXPECT_TRUE(assets::loadScene("hold"));
}

TEST(LoadScene, FoldersPipesAndDevicesAreRefusedByWhatTheyAre) {
  const InFolder here("no_files");
  for (const char* folder : {"arm.urdf", "arm.sdf", "cube.stl", "drop.yaml", "drop"}) {
    std::filesystem::create_directory(folder);
    expectFault(assets::loadScene(std::string("./") + folder).error().message(),
                {folder, "this is a folder", "name a file in it"});
  }
  ASSERT_EQ(mkfifo("pipe.yaml", 0600), 0);
  expectFault(assets::loadScene("pipe.yaml").error().message(), {"pipe.yaml", "this is not a regular file"});
  expectFault(assets::loadScene("/dev/zero").error().message(), {"this is not a regular file"});
}

TEST(LoadScene, FoldersAndUnreadableFilesAreErrors) {
  expectFault(assets::loadScene(::testing::TempDir()).error().message(),
              {"this is a folder", "name a file in it"});
  const auto truncated = testing::writeFile("cut.yaml", kScene.substr(0, kScene.find("nu: 0.3")));
  EXPECT_FALSE(assets::loadModel(truncated.string()));
  const auto binary = testing::writeFile("noise.yaml", std::string("\x00\x01\xff\xfe\x80{[", 7));
  EXPECT_FALSE(assets::loadModel(binary.string()));
}

TEST(ShippedScenes, AreListedWithTitlesAndAllLoad) {
  const std::vector<assets::ShippedScene> scenes = assets::shippedScenes();
  ASSERT_GE(scenes.size(), 4u);
  EXPECT_TRUE(std::is_sorted(scenes.begin(), scenes.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const assets::ShippedScene& scene : scenes) {
    EXPECT_NE(scene.title, scene.name);
    const Result<assets::LoadedModel> loaded = assets::loadModel(scene.name);
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_GT(loaded->model->nodeCount() + static_cast<std::size_t>(loaded->model->tree.nv), 0u)
        << scene.name << ": nothing can move";
    for (const Notice& notice : loaded->notices)
      EXPECT_NE(notice.level, Notice::Level::Warning) << notice.where << ": " << notice.what;
  }
}

TEST(SceneFile, ReadsAndNamesNumbersWithAPointUnderACommaLocale) {
  const testing::CommaLocale comma;
  const Result<assets::LoadedScene> loaded = testing::parsed(testing::kScene, {"time.dt_ms=2.5"});
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->scene.gridSpacing, 0.02);
  EXPECT_EQ(loaded->scene.time.dt, 2.5e-3);
  testing::expectFault(testing::faultOf(testing::varied("nu: 0.3", "nu: 0.7")), {"test.yaml:6", "0.5"});
  testing::expectFault(testing::faultOf(testing::varied("spacing: 0.02", "spacing: '0,02'")),
                       {"'0,02' is not a number"});
}

}  // namespace
}  // namespace slipstick
