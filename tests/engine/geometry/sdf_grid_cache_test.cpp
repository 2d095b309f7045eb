#include "engine/geometry/sdf_grid_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "tests/engine/geometry/contact_meshes.h"

namespace slipstick {
namespace {

TriangleMesh meshOfHeight(double height) {
  return *boxMesh(Vec3(0.04, 0.03, height)).mesh;
}

std::size_t bytesOf(const TriangleMesh& mesh) {
  return SdfGrid::build(mesh).value()->distance.size() * sizeof(float);
}

TEST(SdfGridCache, GivesTheSameGridToMeshesOfTheSameContent) {
  SdfGridCache cache(std::size_t{64} << 20);
  TriangleMesh mesh = meshOfHeight(0.02);
  const auto first = cache.gridOf(mesh);
  ASSERT_TRUE(first);
  mesh.name = "another file";
  const auto second = cache.gridOf(mesh);
  ASSERT_TRUE(second);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(cache.builds(), 1u);
  EXPECT_EQ((*first)->distance, SdfGrid::build(mesh).value()->distance);
}

TEST(SdfGridCache, TellsAVertexAndATriangleApart) {
  SdfGridCache cache(std::size_t{64} << 20);
  TriangleMesh moved = meshOfHeight(0.02), turned = moved;
  moved.vertices[0].z() = std::nextafter(moved.vertices[0].z(), -1);
  std::swap(turned.triangles[0], turned.triangles[1]);
  const auto plain = cache.gridOf(meshOfHeight(0.02)), other = cache.gridOf(moved),
             third = cache.gridOf(turned);
  ASSERT_TRUE(plain && other && third);
  EXPECT_NE(*plain, *other);
  EXPECT_NE(*plain, *third);
  EXPECT_EQ(cache.builds(), 3u);
}

TEST(SdfGridCache, DropsTheLeastRecentlyAskedForWhenFull) {
  const TriangleMesh a = meshOfHeight(0.020), b = meshOfHeight(0.021), c = meshOfHeight(0.022);
  const std::size_t slack = 4096;  // the meshes
  SdfGridCache cache(bytesOf(a) + bytesOf(b) + bytesOf(c) / 2 + slack);
  const std::weak_ptr<const SdfGrid> ofA = cache.gridOf(a).value(), ofB = cache.gridOf(b).value();
  ASSERT_TRUE(cache.gridOf(a));  // b is the oldest now
  ASSERT_TRUE(cache.gridOf(c));
  EXPECT_FALSE(ofA.expired());
  EXPECT_TRUE(ofB.expired());
  ASSERT_TRUE(cache.gridOf(a));
  EXPECT_EQ(cache.builds(), 3u);
  ASSERT_TRUE(cache.gridOf(b));
  EXPECT_EQ(cache.builds(), 4u);
}

TEST(SdfGridCache, AnOpenMeshIsAnErrorEachTime) {
  SdfGridCache cache(std::size_t{64} << 20);
  TriangleMesh open = meshOfHeight(0.02);
  open.triangles.pop_back();
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(cache.gridOf(open));
  EXPECT_EQ(cache.builds(), 0u);
}

TEST(SdfGridCache, ThreadsThatAskAtOnceShareOneBuild) {
  SdfGridCache cache(std::size_t{64} << 20);
  const TriangleMesh mesh = meshOfHeight(0.02);
  std::vector<std::shared_ptr<const SdfGrid>> grids(4);
  {
    std::vector<std::jthread> threads;
    for (auto& grid : grids) threads.emplace_back([&] { grid = cache.gridOf(mesh).value(); });
  }
  for (const auto& grid : grids) EXPECT_EQ(grid, grids.front());
  EXPECT_EQ(cache.builds(), 1u);
}

}  // namespace
}  // namespace slipstick
