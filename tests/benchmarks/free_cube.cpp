#include "tests/benchmarks/free_cube.h"

namespace slipstick {

std::shared_ptr<const Model> freeCube(int edge, MaterialModel material) {
  auto model = std::make_shared<Model>();
  constexpr double kSpacing = 0.005;
  model->gridSpacing = 2 * kSpacing;
  model->stictionSpeed = 1e-3;
  model->time.dt = 1e-3;
  model->time.substeps = 20;
  for (int i = 0; i < edge; ++i)
    for (int j = 0; j < edge; ++j)
      for (int k = 0; k < edge; ++k) model->particles.x.push_back(kSpacing * Vec3(i + 0.4, j + 0.5, k + 0.6));
  const std::size_t count = model->particles.x.size();
  for (const Vec3& x : model->particles.x) model->particles.v.push_back(Vec3(0.5, 0.2, 1).cross(x));
  model->particles.C.assign(count, Mat3::Zero());
  model->particles.volume.assign(count, kSpacing * kSpacing * kSpacing);
  model->particles.mass.assign(count, 1000 * kSpacing * kSpacing * kSpacing);
  Deformable d;
  d.material.model = material;
  d.material.yieldStress = 2e3;
  d.end = static_cast<int>(count);
  d.particleSpacing = kSpacing;
  model->deformables.push_back(d);
  return model;
}

ParticleState startOf(const Model& model) {
  ParticleState particles{model.particles.x, model.particles.v, {}, model.particles.C, {}, {}, {}};
  particles.F.assign(model.particleCount(), Mat3::Identity());
  particles.plastic.assign(model.particleCount(), 0);
  particles.internal.assign(model.particleCount(), Eigen::Vector2d::Zero());
  return particles;
}

}  // namespace slipstick
