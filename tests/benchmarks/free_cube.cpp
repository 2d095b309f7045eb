#include "tests/benchmarks/free_cube.h"

#include "tests/support/cube_model.h"

namespace slipstick {

std::shared_ptr<const Model> freeCube(int edge, MaterialModel material) {
  constexpr double kGridSpacing = 0.01;
  const std::shared_ptr<Model> model = testing::cubeModel(edge, material, kGridSpacing);
  model->time.dt = 1e-3;
  model->time.substeps = 20;
  for (std::size_t i = 0; i < model->nodeCount(); ++i)
    model->nodes.v[i] = Vec3(0.5, 0.2, 1).cross(model->nodes.x[i]);
  return model;
}

}  // namespace slipstick
