// What detection and the solve leave behind of the particles' contacts in each substep, until the end of the step sums
// it up: columns as in ContactView, of one capacity per substep.
#pragma once

#include "engine/lanes/lane.h"
#include "gpu/memory_layout.h"

namespace slipstick::gpu {

struct ContactLog {
  int capacity;
  int *particle, *geometry;
  int* node;                      ///< 27 columns, as ContactView's
  float *penetration, *friction;  ///< [m], [-]
  float* middle;                  ///< mpm::ContactSample's [m]
  float* n0;                      ///< [N s]
  float *normal, *gamma, *u;      ///< 3 columns each [-], [N s], [m/s]
  double* position;               ///< 3 columns, W [m]

  /// @param length  of the whole log, and so of its substeps' capacities together
  static ContactLog placed(MemoryLayout& layout, int capacity, std::size_t length) {
    ContactLog log{};
    log.capacity = capacity;
    for (int** column : {&log.particle, &log.geometry}) *column = layout.take<int>(length);
    log.node = layout.take<int>(27 * length);
    for (float** column : {&log.penetration, &log.friction, &log.middle, &log.n0})
      *column = layout.take<float>(length);
    for (float** columns : {&log.normal, &log.gamma, &log.u}) *columns = layout.take<float>(3 * length);
    log.position = layout.take<double>(3 * length);
    return log;
  }

  /// The columns of one substep, seen from those of the first.
  SIM_HD ContactLog of(int substep) const {
    const auto row = static_cast<std::int64_t>(substep) * capacity;
    return {capacity,          particle + row,  geometry + row, node + 27 * row,
            penetration + row, friction + row,  middle + row,   n0 + row,
            normal + 3 * row,  gamma + 3 * row, u + 3 * row,    position + 3 * row};
  }
  /// Three columns of contact c as a vector.
  template <class T>
  SIM_HD lanes::V3<double> vector(const T* columns, int c) const {
    return {static_cast<double>(columns[c]), static_cast<double>(columns[capacity + c]),
            static_cast<double>(columns[2 * capacity + c])};
  }
};

}  // namespace slipstick::gpu
