// Shapes as kernels take them, with the distance grids of meshes in device memory.
#pragma once

#include <map>

#include "engine/geometry/shape_lowering.h"
#include "gpu/executor.h"

namespace slipstick::gpu {

/// Holds what the shapes that it gives away point to. For the shapes of one model.
class ShapeMemory {
 public:
  explicit ShapeMemory(Executor& executor) : executor_(executor) {}

  /// Waits for a mesh's distances to be there; they are uploaded once, however many shapes share them.
  /// @param grid  as lowerShape() wants it
  GeometryShape<float> take(const Shape& shape, const SdfGrid* grid);

 private:
  Executor& executor_;
  std::map<const SdfGrid*, DeviceArray<float>> distances_;
};

}  // namespace slipstick::gpu
