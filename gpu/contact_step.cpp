#include "gpu/contact_step.h"

#include <algorithm>

namespace slipstick::gpu {
namespace {

void put(const Vec3& from, double (&to)[3]) {
  for (int a = 0; a < 3; ++a) to[a] = from(a);
}

DeviceGeometry onDevice(const mpm::StepGeometry<float>& g, const GeometryShape<float>& shape) {
  DeviceGeometry d{};
  d.shape = shape;
  d.body = g.body;
  d.heldReach = g.heldReach;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) d.R_WG[3 * i + j] = g.X_WG.R(i, j);
  put(g.X_WG.p, d.p_WG);
  put(g.V_WB.v, d.v_WB);
  put(g.V_WB.w, d.w_WB);
  put(g.p_WB, d.p_WB);
  return d;
}

}  // namespace

ContactStep::ContactStep(const Model& model, Executor& executor)
    : model_(model),
      memory_(executor),
      shapeMemory_(executor),
      heldReaches_(mpm::heldReaches(model)),
      outcome_(model, executor) {
  view_.geometryCount = static_cast<int>(model.geometries.size());
  for (const Geometry& g : model.geometries) shapes_.push_back(shapeMemory_.take(g.shape, g.sdf.get()));
}

bool ContactStep::makeRoom(int substeps, int blocks, int gridBlocks) {
  if (!any()) return false;
  bool grown = false;
  if (memory_.size() == 0 || view_.contacts.contactCapacity != contactCapacity_ ||
      view_.contacts.nodeCapacity != nodeCapacity_ || blockCapacity_ < blocks ||
      gridBlockCapacity_ < gridBlocks) {
    layOut(std::max(blocks, blockCapacity_), std::max(gridBlocks, gridBlockCapacity_));
    grown = true;
  }
  return outcome_.ensure(std::max(substeps, 1), contactCapacity_, nodeCapacity_) || grown;
}

void ContactStep::placeUploads(CopyLayout& layout, int substeps) {
  if (!any()) return;
  geometries_ = layout.take<DeviceGeometry>(static_cast<std::size_t>(substeps) * model_.geometries.size());
  laws_ = layout.take<DeviceLaw>(model_.contactLaws.size());
}

void ContactStep::placeReadBack(CopyLayout& layout, int substeps) {
  if (any()) outcome_.placeReadBack(layout, substeps);
}

/// All arrays that substeps use one after the other, in one allocation.
void ContactStep::layOut(int blocks, int gridBlocks) {
  blockCapacity_ = blocks;
  gridBlockCapacity_ = gridBlocks;
  const auto capacity = static_cast<std::size_t>(contactCapacity_),
             nodes = static_cast<std::size_t>(nodeCapacity_);
  const std::size_t particles = model_.nodeCount(), grid = static_cast<std::size_t>(gridBlocks);
  for (const bool measured : {false, true}) {
    MemoryLayout layout(measured ? memory_.data() : nullptr);
    ContactView& c = view_.contacts;
    c.counts = layout.take<ContactCounts>(1);
    for (float** column : {&c.vBody, &c.guess}) *column = layout.take<float>(3 * capacity);
    for (float** column : {&c.f0, &c.stiffness, &c.dissipation, &c.epsilon})
      *column = layout.take<float>(capacity);
    c.bound = layout.take<int>(capacity);
    c.weight = layout.take<float>(9 * capacity);
    c.mass = layout.take<float>(nodes);
    for (float** column : {&c.vStar, &c.v}) *column = layout.take<float>(3 * nodes);
    for (int** column : {&c.firstBound, &c.bounds}) *column = layout.take<int>(nodes);
    c.contactCapacity = contactCapacity_;
    c.nodeCapacity = nodeCapacity_;
    view_.placements =
        layout.take<BlockPlacement>(static_cast<std::size_t>(blocks) * model_.geometries.size());
    for (int** column : {&view_.found, &view_.before}) *column = layout.take<int>(particles);
    view_.touched = layout.take<std::uint64_t>(grid);
    for (int** column : {&view_.touchedCount, &view_.firstNode}) *column = layout.take<int>(grid);
    view_.gridNode = layout.take<int>(nodes);
    solve_ = contactMemory(layout, contactCapacity_, nodeCapacity_);
    if (!measured) memory_.ensure(layout.bytes());
  }
}

bool ContactStep::grow(const GridCounts& counts) {
  const auto more = [](int needed, int& capacity) {
    if (needed <= capacity) return false;
    capacity = needed + needed / 2;
    return true;
  };
  const bool contacts = more(counts.contactsNeeded, contactCapacity_);
  const bool nodes = more(counts.nodesNeeded, nodeCapacity_);
  return outcome_.grow(counts) || contacts || nodes;
}

void ContactStep::prepare(const mpm::StepInput& input, double dt, int substeps) {
  if (!any()) return;
  mpm::startGeometries(model_, input, started_);
  for (std::size_t g = 0; g < started_.size(); ++g)
    started_[g].heldReach = static_cast<float>(heldReaches_[g]);
  std::size_t at = 0;
  for (int k = 0; k < substeps; ++k) {
    mpm::moveGeometries(model_, input, k * dt / substeps, started_, [](std::size_t) {});
    for (std::size_t g = 0; g < started_.size(); ++g)
      geometries_.host[at++] = onDevice(started_[g], shapes_[g]);
  }
  for (std::size_t i = 0; i < input.laws.size(); ++i) {
    const ContactLaw& law = input.laws[i];
    laws_.host[i] = {law.enabled ? 1 : 0, static_cast<float>(law.friction), static_cast<float>(law.stiffness),
                     static_cast<float>(law.dissipation)};
  }
}

void ContactStep::finish(const GridCounts& counts, int substeps, mpm::StepAccount& account,
                         SoftOutcome& result) const {
  if (any())
    outcome_.enter(substeps, account);
  else
    account.addFreeSubstep();
  account.finish(result);
  if (any()) outcome_.takeContacts(counts.pairs, result.contacts);
}

}  // namespace slipstick::gpu
