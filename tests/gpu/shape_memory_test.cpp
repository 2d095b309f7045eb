#include "gpu/shape_memory.h"

#include <gtest/gtest.h>

#include "engine/geometry/signed_distance.h"
#include "gpu/host_executor.h"

using namespace slipstick;

namespace {

TriangleMesh tetrahedron() {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

}  // namespace

TEST(ShapeMemory, KeepsTheDistancesOfAMeshOnceHoweverManyShapesShareThem) {
  const auto grid = SdfGrid::build(tetrahedron(), 0.02);
  ASSERT_TRUE(grid);
  gpu::HostExecutor executor;
  gpu::ShapeMemory memory(executor);
  const auto sphere = memory.take(shape::Sphere{0.3}, nullptr);
  EXPECT_EQ(sphere.type, ShapeType::Sphere);
  EXPECT_EQ(executor.counts().bytes, 0u);
  const auto first = memory.take(shape::Mesh{}, grid->get());
  const std::size_t bytes = (*grid)->distance.size() * sizeof(float);
  EXPECT_EQ(executor.counts().bytes, bytes);
  const auto second = memory.take(shape::Mesh{}, grid->get());
  EXPECT_EQ(executor.counts().bytes, bytes);
  EXPECT_EQ(first.grid.distance, second.grid.distance);
  EXPECT_NE(first.grid.distance, (*grid)->distance.data());
  // Memory of this executor can be read here.
  for (const Vec3& p : {Vec3(0.05, 0.05, 0.03), Vec3(0.2, 0.1, 0.05), Vec3(-0.3, 0, 0)}) {
    const auto at = signedDistance<float>(
        first,
        lanes::V3<float>{static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
    EXPECT_NEAR(static_cast<double>(at.phi), (*grid)->at(p).distance, 1e-6);
  }
}
