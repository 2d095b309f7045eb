#include "tests/support/cube_model.h"

namespace slipstick::testing {

std::shared_ptr<Model> cubeModel(int particlesPerEdge, MaterialModel material, double gridSpacing) {
  auto model = std::make_shared<Model>();
  const double spacing = gridSpacing / 2;
  model->gridSpacing = gridSpacing;
  model->stictionSpeed = 1e-3;
  model->stictionSoftness = 1e-3;
  model->time.substeps = 1;
  for (int i = 0; i < particlesPerEdge; ++i)
    for (int j = 0; j < particlesPerEdge; ++j)
      for (int k = 0; k < particlesPerEdge; ++k)
        model->nodes.x.push_back(spacing * (Vec3(i, j, k) + Vec3(0.4, 0.5, 0.6)));
  const std::size_t n = model->nodes.x.size();
  model->nodes.v.assign(n, Vec3::Zero());
  model->nodes.velocityGradient.assign(n, Mat3::Zero());
  model->nodes.volume.assign(n, spacing * spacing * spacing);
  model->nodes.mass.assign(n, 1000 * spacing * spacing * spacing);
  Deformable deformable;
  deformable.material.model = material;
  deformable.material.yieldStress = 2e3;
  deformable.end = static_cast<int>(n);
  deformable.spacing = spacing;
  model->deformables.push_back(deformable);
  return model;
}

}  // namespace slipstick::testing
