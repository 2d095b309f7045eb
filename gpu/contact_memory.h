// Where a solve of contacts on a device keeps its numbers. The state is what every iteration reads and writes: in a
// block's own memory where it fits, else in device memory. Everything else is in device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/lanes/lane.h"
#include "engine/mpm/kernels/contact_arrays.h"
#include "gpu/memory_layout.h"

namespace slipstick::gpu {

/// Columns of a contact's state. Anderson's last contact velocities are PlainU; a line search's J step is there too.
struct ContactColumn {
  enum : int {
    U = 0,       ///< where the contacts have been linearised last, J v − v_body [m/s]
    PlainU = 3,  ///< of the plain step [m/s]
    Gamma = 6,   ///< at U [N s]
    Block = 9,   ///< contactBlock at U [kg]
    Ring = 15,   ///< Anderson's differences of PlainU, 3 each [m/s]
    Count = Ring + 3 * mpm::kAndersonDepth
  };
};
/// Columns of a node's state. Anderson's last value and residual are Plain and Step.
struct NodeColumn {
  enum : int {
    V = 0,  ///< three velocities that take turns as the iterate, see ContactSolve
    Plain = 3,
    Accelerated = 6,
    Step = 9,
    RingF = 12,  ///< Anderson's differences of Step, 3 each
    RingG = RingF + 3 * mpm::kAndersonDepth,
    Count = RingG + 3 * mpm::kAndersonDepth
  };
};
/// Columns of a node that Newton steps need.
struct NewtonColumn {
  enum : int {
    Gradient = 0,
    Block = 3,
    Remainder = 9,
    Preconditioned = 12,
    Direction = 15,
    Curved = 18,  ///< JᵀGJ of a direction
    Fixed = 21,   ///< projector on what active bounds fix: xx yy zz xy xz yz
    Shift = 27,   ///< to the active bounds [m/s]
    Count = 30
  };
};

/// A contact that touches a node, and with which weight.
struct alignas(8) Share {
  int contact;
  float weight;
};

/// What one thread writes for all.
struct SolveScalars {
  double gram[mpm::kAndersonDepth][mpm::kAndersonDepth];     ///< of Anderson's differences
  double factors[mpm::kAndersonDepth][mpm::kAndersonDepth];  ///< L below D of the regularised one's L D Lᵀ
  double theta[mpm::kAndersonDepth];                         ///< right-hand side, then solution
  float factor[mpm::kAndersonDepth];                         ///< of Anderson's combination
  float reach;    ///< 1/α of the nearest half-space in a step's way
  int nextShare;  ///< where the next node's list begins
};

/// Parts that nodes are dealt into to number their friction contacts.
inline constexpr int kFrictionParts = 256;

/// Device memory of one solve at a time; columns have the lengths of the view's capacities or shorter ones.
struct ContactMemory {
  float* state;    ///< (ContactColumn::Count · contactCapacity + NodeColumn::Count · nodeCapacity)
  float* newton;   ///< NewtonColumn::Count · nodeCapacity
  float* scratch;  ///< 3 · contactCapacity
  Share* shares;   ///< 27 · contactCapacity: lists of the nodes, ascending by contact
  int *firstShare, *shareCount;  ///< nodeCapacity
  int* unsorted;                 ///< 27 · contactCapacity: the same lists, contacts only, in any order
  int* taken;       ///< nodeCapacity: entries of a list that are filled; then a node's active bounds
  int* frictionOf;  ///< kFrictionParts: friction contacts of the parts
  SolveScalars* scalars;
};

/// The arrays of a ContactMemory in a layout.
inline ContactMemory contactMemory(MemoryLayout& layout, int contactCapacity, int nodeCapacity) {
  const auto contacts = static_cast<std::size_t>(contactCapacity),
             nodes = static_cast<std::size_t>(nodeCapacity);
  ContactMemory memory{};
  memory.scalars = layout.take<SolveScalars>(1);
  memory.state = layout.take<float>(ContactColumn::Count * contacts + NodeColumn::Count * nodes);
  memory.newton = layout.take<float>(NewtonColumn::Count * nodes);
  memory.scratch = layout.take<float>(3 * contacts);
  memory.shares = layout.take<Share>(27 * contacts);
  memory.unsorted = layout.take<int>(27 * contacts);
  memory.firstShare = layout.take<int>(nodes);
  memory.shareCount = layout.take<int>(nodes);
  memory.taken = layout.take<int>(nodes);
  memory.frictionOf = layout.take<int>(kFrictionParts);
  return memory;
}
/// Device memory that a solve of at most so many contacts and nodes needs.
inline std::size_t contactMemoryBytes(int contactCapacity, int nodeCapacity) {
  MemoryLayout layout(nullptr);
  contactMemory(layout, contactCapacity, nodeCapacity);
  return layout.bytes();
}
/// @param memory  contactMemoryBytes() of device memory, aligned to 256 bytes
inline ContactMemory contactMemory(void* memory, int contactCapacity, int nodeCapacity) {
  MemoryLayout layout(memory);
  return contactMemory(layout, contactCapacity, nodeCapacity);
}

/// Three of the columns that begin at `columns`.
SIM_HD lanes::V3<float> loadVector(const float* columns, int length, int i) {
  return {columns[i], columns[length + i], columns[2 * length + i]};
}
SIM_HD void storeVector(float* columns, int length, int i, const lanes::V3<float>& v) {
  columns[i] = v.x, columns[length + i] = v.y, columns[2 * length + i] = v.z;
}

}  // namespace slipstick::gpu
