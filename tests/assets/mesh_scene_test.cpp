// A mesh on its own: a body that stands on the ground.
#include "assets/mesh_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/openable.h"
#include "assets/robot_io.h"
#include "engine/compile/compile.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

using testing::writeFile;

/// A box from a corner on, [m]; the faces can be left open.
std::string boxObj(const Vec3& corner, const Vec3& size, bool closed = true) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const Vec3 p = corner + size.cwiseProduct(Vec3(i == 1 || i == 2 || i == 5 || i == 6, i % 4 >= 2, i >= 4));
    text += "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
  }
  text += "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  return closed ? text + "f 5 6 7 8\n" : text;
}

const LinkSpec& bodyOf(const assets::LoadedScene& loaded) {
  return loaded.scene.robots.back().description.links.front();
}

TEST(MeshScene, StandsOnTheGroundWithTheMassOfItsVolume) {
  const auto file = writeFile("block.obj", boxObj({5, -3, 7}, {0.2, 0.3, 0.4}));
  const Result<assets::LoadedScene> loaded = assets::loadScene(file.string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(loaded->notices.empty());
  const LinkSpec& link = bodyOf(*loaded);
  EXPECT_NEAR(link.mass, 1000 * 0.2 * 0.3 * 0.4, 1e-4);  // files of meshes have single precision
  EXPECT_NEAR(link.inertia.trace(), link.mass / 12 * 2 * (0.04 + 0.09 + 0.16), 1e-4);
  EXPECT_TRUE(std::holds_alternative<shape::Mesh>(link.collisions.front().shape));
  const Vec3 com_W = loaded->scene.robots.back().X_PB * link.com;
  EXPECT_NEAR((com_W - Vec3(0, 0, 0.2)).norm(), 0, 1e-6);
  const Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_TRUE(compiled->notices.empty()) << compiled->notices.front().what;
}

TEST(MeshScene, AnOpenSurfaceWeighsAsTheBoxAroundIt) {
  const auto file = writeFile("bin.obj", boxObj({0, 0, 0}, {0.2, 0.2, 0.2}, false));
  const Result<assets::LoadedScene> loaded = assets::loadScene(file.string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->notices.size(), 1u);
  EXPECT_THAT(loaded->notices[0].what, ::testing::HasSubstr("not closed (4 open edges)"));
  EXPECT_NEAR(bodyOf(*loaded).mass, 8, 1e-6);
  EXPECT_TRUE(std::holds_alternative<shape::Box>(bodyOf(*loaded).collisions.front().shape));
  EXPECT_TRUE(assets::compileLoaded(*loaded));
}

TEST(MeshScene, AHugeOneIsTakenAsMillimetres) {
  const auto file = writeFile("part.obj", boxObj({0, 0, 0}, {120, 80, 60}));
  const Result<assets::LoadedScene> loaded = assets::loadScene(file.string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->notices.size(), 1u);
  EXPECT_THAT(loaded->notices[0].what, ::testing::HasSubstr("taken as millimetres, 0.12 m"));
  EXPECT_NEAR(bodyOf(*loaded).mass, 1000 * 0.12 * 0.08 * 0.06, 1e-6);
}

TEST(MeshScene, SeesAllOfItInItsCamera) {
  const auto file = writeFile("tall.obj", boxObj({0, 0, 0}, {0.1, 0.1, 3}));
  const Result<assets::LoadedScene> loaded = assets::loadScene(file.string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  const CameraSpec& camera = loaded->scene.cameras.at(0);
  const double halfView = camera.fieldOfView / 2 * 3.14159265 / 180, radius = Vec3(0.1, 0.1, 3).norm() / 2;
  EXPECT_NEAR(camera.target.z(), 1.5, 1e-6);
  EXPECT_GT((camera.position - camera.target).norm() * std::sin(halfView), radius);
}

TEST(Openable, TheListIsWhatLoads) {
  const std::vector<std::string> suffixes = assets::openableSuffixes();
  EXPECT_THAT(suffixes,
              ::testing::IsSupersetOf({"yaml", "yml", "urdf", "stl", "obj", "dae", "gltf", "glb", "ply"}));
  EXPECT_EQ(std::count(suffixes.begin(), suffixes.end(), "sdf"), assets::readsSdf() ? 1 : 0);
  for (const std::string& suffix : suffixes) EXPECT_TRUE(assets::kindOfFile("a." + suffix)) << suffix;
  EXPECT_EQ(assets::kindOfFile("PART.STL"), assets::FileKind::Mesh);
  EXPECT_EQ(assets::kindOfFile("notes.txt"), std::nullopt);
  EXPECT_EQ(assets::kindOfFile("yaml"), std::nullopt);
}

}  // namespace
}  // namespace slipstick
