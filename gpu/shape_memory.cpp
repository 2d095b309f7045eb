#include "gpu/shape_memory.h"

namespace slipstick::gpu {

GeometryShape<float> ShapeMemory::take(const Shape& shape, const SdfGrid* grid) {
  GeometryShape<float> lowered = lowerShape<float>(shape, grid);
  if (lowered.type != ShapeType::Mesh) return lowered;
  const auto [at, isNew] = distances_.try_emplace(grid, executor_);
  if (isNew) uploadAll(executor_, at->second, grid->distance);
  lowered.grid.distance = at->second.data();
  return lowered;
}

}  // namespace slipstick::gpu
