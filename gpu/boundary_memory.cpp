#include "gpu/boundary_memory.h"

#include <algorithm>

namespace slipstick::gpu {
namespace {

/// Bounds that there is room for at first.
constexpr std::size_t kFirstRoom = 1024;

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
      pinned_(executor),
      device_(executor),
      counts_(executor),
      bounded_(executor),
      ranges_(executor),
      bounds_(executor),
      given_(executor),
      groups_(executor),
      total_(executor),
      hostCounts_(executor),
      hostTotal_(executor),
      boundsWanted_(kFirstRoom) {
  view_.boundaries = static_cast<int>(model.boundaries.size());
  if (view_.boundaries == 0) return;
  counts_.ensure(1);
  hostCounts_.ensure(1);
  total_.ensure(boundaries());
  hostTotal_.ensure(boundaries());
}

void BoundaryMemory::freeze(const mpm::StepInput& input, double dt, int substeps) {
  if (view_.boundaries == 0) return;
  mpm::freezeBoundaries(model_, input, frozen_);
  const double substep = dt / substeps;
  const bool moves = mpm::moveBoundaries(model_, input, substep, frozen_);
  lists_ = moves ? static_cast<std::size_t>(substeps) : 1;
  if (pinned_.ensure(lists_ * boundaries())) {
    device_.ensure(lists_ * boundaries());
    grown_ = true;
  }
  mpm::freezeBoundaries(model_, input, frozen_);
  for (std::size_t list = 0; list < lists_; ++list) {
    mpm::moveBoundaries(model_, input, static_cast<double>(list) * substep, frozen_);
    write(pinned_.data() + list * boundaries());
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
  bool grown = std::exchange(grown_, false);
  grown = bounded_.ensure(blocks) || grown;
  grown = ranges_.ensure(blocks * kBlockNodes) || grown;
  grown = groups_.ensure(static_cast<std::size_t>(groupsFor(gridBlocks)) * boundaries()) || grown;
  grown = bounds_.ensure(boundsWanted_) || grown;
  grown = given_.ensure(boundsWanted_) || grown;
  view_.boundRoom = static_cast<int>(bounds_.size());
  view_.counts = counts_.data();
  view_.bounded = bounded_.data();
  view_.ranges = ranges_.data();
  view_.bounds = bounds_.data();
  view_.given = given_.data();
  view_.groups = groups_.data();
  view_.total = total_.data();
  return grown;
}

void BoundaryMemory::learn() {
  if (empty()) return;
  const auto needed = static_cast<std::size_t>(hostCounts_[0].needed);
  if (needed > bounds_.size()) boundsWanted_ = needed + needed / 2;
}

void BoundaryMemory::addTo(mpm::StepResult& result) const {
  if (empty()) return;
  for (std::size_t b = 0; b < boundaries(); ++b) {
    const DeviceImpulse& impulse = hostTotal_[b];
    result.boundaryImpulse[b] += Vec3(impulse.x, impulse.y, impulse.z);
    result.boundaryMagnitude += impulse.magnitude;
  }
}

}  // namespace slipstick::gpu
