#include "gpu/boundary_memory.h"

#include <algorithm>

namespace slipstick::gpu {
namespace {

/// Bounds that there is room for at first.
constexpr std::size_t kFirstCapacity = 1024;

DevicePoint pointOf(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

DeviceBoundary lowered(const mpm::FrozenBoundary& from) {
  DeviceBoundary to{};
  to.boundary = from.index;
  to.kind = static_cast<int>(from.kind);
  to.friction = static_cast<float>(from.friction);
  to.shape = from.shape;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) to.R_SW[3 * i + j] = from.X_SW.R(i, j);
    to.p_SW[i] = from.X_SW.p(i);
  }
  to.p_WS = pointOf(from.X_WS.p);
  to.v = pointOf(from.V_WS.v);
  to.w = pointOf(from.V_WS.w);
  return to;
}

}  // namespace

BoundaryMemory::BoundaryMemory(Executor& executor, const Model& model)
    : model_(model),
      bounded_(executor),
      ranges_(executor),
      bounds_(executor),
      given_(executor),
      groups_(executor),
      boundsWanted_(kFirstCapacity) {
  view_.boundaries = static_cast<int>(model.boundaries.size());
}

bool BoundaryMemory::plan(const mpm::StepInput& input, double dt, int substeps) {
  if (view_.boundaries == 0) return false;
  mpm::freezeBoundaries(model_, input, frozen_);
  const bool move = mpm::moveBoundaries(model_, input, dt / substeps, frozen_);
  lists_ = move ? static_cast<std::size_t>(substeps) : 1;
  return moves();
}

void BoundaryMemory::freeze(const mpm::StepInput& input, double dt, int substeps) {
  if (empty()) return;
  mpm::freezeBoundaries(model_, input, frozen_);
  for (std::size_t list = 0; list < lists_; ++list) {
    mpm::moveBoundaries(model_, input, static_cast<double>(list) * dt / substeps, frozen_);
    write(list_.host + list * boundaries());
  }
}

void BoundaryMemory::write(DeviceBoundary* list) const {
  std::transform(frozen_.begin(), frozen_.end(), list, lowered);
  for (std::size_t b = frozen_.size(); b < boundaries(); ++b) {
    list[b] = {};
    list[b].boundary = -1;
  }
}

bool BoundaryMemory::ensure(int gridBlocks) {
  if (view_.boundaries == 0) return false;
  const auto blocks = static_cast<std::size_t>(gridBlocks);
  bool grown = bounded_.ensure(blocks);
  grown = ranges_.ensure(blocks * kBlockNodes) || grown;
  grown = groups_.ensure(static_cast<std::size_t>(groupsFor(gridBlocks)) * boundaries()) || grown;
  grown = bounds_.ensure(boundsWanted_) || grown;
  grown = given_.ensure(boundsWanted_) || grown;
  view_.boundCapacity = static_cast<int>(bounds_.size());
  view_.bounded = bounded_.data();
  view_.ranges = ranges_.data();
  view_.bounds = bounds_.data();
  view_.given = given_.data();
  view_.groups = groups_.data();
  return grown;
}

void BoundaryMemory::placeReadBack(CopyLayout& layout) {
  counts_ = layout.take<BoundCounts>(1);
  total_ = layout.take<DeviceImpulse>(boundaries());
  view_.counts = counts_.device;
  view_.total = total_.device;
}

void BoundaryMemory::learn() {
  if (empty()) return;
  const auto needed = static_cast<std::size_t>(counts_.host->needed);
  if (needed > bounds_.size()) boundsWanted_ = needed + needed / 2;
}

void BoundaryMemory::addTo(SoftOutcome& result) const {
  if (empty()) return;
  for (std::size_t b = 0; b < boundaries(); ++b) {
    const DeviceImpulse& impulse = total_.host[b];
    result.boundaryImpulse[b] += Vec3(impulse.x, impulse.y, impulse.z);
    result.boundaryMagnitude += impulse.magnitude;
  }
}

}  // namespace slipstick::gpu
