#include "gpu/outcome_memory.h"

#include <algorithm>

#include "engine/lanes/eigen_lanes.h"

namespace slipstick::gpu {

using lanes::toEigen;

OutcomeMemory::OutcomeMemory(const Model& model, Executor& executor) : memory_(executor) {
  view_.particles = static_cast<int>(model.nodeCount());
  view_.geometryCount = static_cast<int>(model.geometries.size());
  for (const Geometry& g : model.geometries) view_.bodies = std::max(view_.bodies, g.body + 1);
}

bool OutcomeMemory::ensure(int substeps, int contactCapacity, int nodeCapacity) {
  const bool fits = substeps <= substepCapacity_ && view_.log.capacity == contactCapacity &&
                    view_.nodeCapacity == nodeCapacity && view_.pairCapacity == pairCapacity_;
  if (fits && memory_.size() > 0) return false;  // without memory, the last attempt has failed
  substepCapacity_ = std::max(substeps, substepCapacity_);
  view_.log.capacity = contactCapacity;
  view_.nodeCapacity = nodeCapacity;
  view_.pairCapacity = pairCapacity_;
  layOut();
  return true;
}

void OutcomeMemory::layOut() {
  const auto substeps = static_cast<std::size_t>(substepCapacity_);
  const std::size_t contacts = substeps * static_cast<std::size_t>(view_.log.capacity),
                    nodes = substeps * static_cast<std::size_t>(view_.nodeCapacity);
  for (const bool measured : {false, true}) {
    MemoryLayout layout(measured ? memory_.data() : nullptr);
    view_.log = ContactLog::placed(layout, view_.log.capacity, contacts);
    view_.nodes = layout.take<NodeOutcome>(nodes);
    for (int** column : {&view_.set, &view_.parent}) *column = layout.take<int>(nodes);
    view_.ranges = layout.take<SetRange>(nodes);
    view_.sets = layout.take<SetSums>(nodes);
    for (std::uint64_t** column : {&view_.keys, &view_.sortedKeys})
      *column = layout.take<std::uint64_t>(contacts);
    for (int** column : {&view_.values, &view_.sortedValues, &view_.head, &view_.before})
      *column = layout.take<int>(contacts);
    view_.given = layout.take<BodyImpulse>(static_cast<std::size_t>(pairCapacity_));
    if (!measured) memory_.ensure(layout.bytes());
  }
}

void OutcomeMemory::placeReadBack(CopyLayout& layout, int substeps) {
  const auto rows = static_cast<std::size_t>(substeps);
  reports_ = layout.take<SolveReport>(rows);
  solves_ = layout.take<SolveSums>(rows);
  bodies_ = layout.take<BodyImpulse>(static_cast<std::size_t>(view_.bodies));
  sums_ = layout.take<DeviceContactSum>(static_cast<std::size_t>(pairCapacity_));
  view_.reports = reports_.device;
  view_.solves = solves_.device;
  view_.ofBody = bodies_.device;
  view_.sums = sums_.device;
}

bool OutcomeMemory::grow(const GridCounts& counts) {
  if (counts.pairs <= pairCapacity_) return false;
  pairCapacity_ = counts.pairs + counts.pairs / 2;
  return true;
}

void OutcomeMemory::show(DetectView& view, int substep) const {
  view.log = view_.log.of(substep);
  ContactView& c = view.contacts;
  c.report = view_.reports + substep;
  c.node = view.log.node;
  c.friction = view.log.friction;
  c.n0 = view.log.n0;
  c.normal = view.log.normal;
  c.gamma = view.log.gamma;
  c.u = view.log.u;
}

void OutcomeMemory::enter(int substeps, mpm::StepAccount& account) const {
  for (int k = 0; k < substeps; ++k) {
    const SolveReport& report = reports_.host[k];
    const SolveSums& sums = solves_.host[k];
    if (report.contacts == 0) {
      account.addFreeSubstep();
      continue;
    }
    account.addSolve({report.contacts, report.iterations, report.converged != 0, true, report.potential,
                      toEigen(sums.taken)});
    account.addRemainderSize(sums.remainderSize);
  }
  for (int b = 0; b < view_.bodies; ++b) {
    const BodyImpulse& body = bodies_.host[b];
    account.addToBody(b, {toEigen(body.force), toEigen(body.torque)}, body.magnitude);
    account.addRemainder(b, {toEigen(body.remainderForce), toEigen(body.remainderTorque)});
  }
}

void OutcomeMemory::takeContacts(int pairs, std::vector<TouchImpulse>& contacts) const {
  contacts.clear();
  for (int i = 0; i < pairs; ++i) {
    const DeviceContactSum& s = sums_.host[i];
    contacts.push_back({s.particle, s.geometry, toEigen(s.impulse), toEigen(s.point), toEigen(s.normal),
                        s.penetration, s.slipSpeed, s.frictionBound, s.springDepth, s.beyondMiddle,
                        s.middle});
  }
}

}  // namespace slipstick::gpu
