// A sheet of cloth for tests of backends.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "engine/compile/compile.h"
#include "engine/model/cloth.h"
#include "engine/mpm/backend.h"
#include "engine/mpm/cloth_forces.h"
#include "engine/step/snapshot_builder.h"
#include "tests/support/backend_calls.h"

namespace slipstick::testing {

/// A sheet of h/2 mesh size, tilted against the grid, that spins and flies.
struct FlyingSheet {
  std::shared_ptr<Model> model;
  mpm::StepInput motion;

  explicit FlyingSheet(int count, int substeps = 16, double bendingStiffness = 2e-5) {
    Scene scene;
    scene.gridSpacing = 0.02;
    scene.time.substeps = substeps;
    scene.gravity.setZero();
    MaterialParameters p;
    p.model = MaterialModel::Cloth;
    p.E = 1e5;
    p.density = 500;
    p.bendingStiffness = bendingStiffness;
    scene.materials.push_back({"fabric", p});
    DeformableSpec sheet;
    sheet.name = "sheet";
    sheet.material = "fabric";
    sheet.sheet = SheetSpec{{0.01 * (count - 1), 0.01 * (count - 1)}, {count, count}};
    sheet.X_WD = Pose::fromRpy({0.4, 0.3, 0.2}, {0.013, 0.021, 0.3});
    sheet.velocity = {0.5, -0.3, -0.4};
    sheet.angularVelocity = {1, 2, -1.5};
    scene.deformables.push_back(sheet);
    Result<CompiledScene> compiled = compile(scene);
    EXPECT_TRUE(compiled) << compiled.error().message();
    model = std::make_shared<Model>(*compiled->model);
  }

  /// A ball in its way.
  void addBall() {
    Geometry ball;
    ball.shape = shape::Sphere{0.06};
    ball.X_BG = Pose::translation({0.03, 0, 0.22});
    model->geometries.push_back(ball);
    model->contactLaws.push_back({true, 0.4, 200, 1});
    motion.bodies.push_back({Pose{}, Velocity{{0, 0, 1}, {0, 0, 0.2}}});
    motion.laws = model->contactLaws;
    motion.gravity = {0, 0, -9.81};
  }

  /// The initial state with every vertex displaced by up to `size` edge lengths.
  mpm::ParticleState crumpled(double size) const {
    mpm::ParticleState p = mpm::particlesAtStart(*model);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int v = 0; v < clothOf(model->deformables[0])->vertices; ++v)
      p.x[static_cast<std::size_t>(v)] +=
          0.01 * size * Vec3(uniform(random), uniform(random), uniform(random));
    mpm::followVertices(model->deformables[0], p);
    return p;
  }

  mpm::ParticleState run(mpm::Backend& backend, mpm::ParticleState p, int steps, SoftOutcome& result,
                         double dt = 0.004) const {
    for (int i = 0; i < steps; ++i) {
      advance(backend, motion, dt, p, result);
      EXPECT_EQ(result.report.health, 0u);
    }
    return p;
  }

  /// Triangles' particles lie in the middle of their corners and have their deformation; vertices have none.
  /// @param way  how far off centroids may be [m]   @param rounding  of F
  void expectMeshFollowed(const mpm::ParticleState& p, double way, double rounding) const {
    const ClothMesh& mesh = *clothOf(model->deformables[0]);
    for (int v = 0; v < mesh.vertices; ++v) EXPECT_EQ(p.F[static_cast<std::size_t>(v)], Mat3::Identity());
    for (int t = 0; t < mesh.triangleCount(); ++t) {
      const auto i = static_cast<std::size_t>(mesh.vertices + t);
      Vec3 mean = Vec3::Zero();
      for (const int v : mesh.triangles[static_cast<std::size_t>(t)])
        mean += p.x[static_cast<std::size_t>(v)] / 3;
      EXPECT_LT((p.x[i] - mean).norm(), way);
      const Mat3 F = triangleDeformation(mesh, t, p.x.data(), p.F[i].col(2));
      EXPECT_LT((F - p.F[i]).norm(), rounding);
    }
  }
};

}  // namespace slipstick::testing
