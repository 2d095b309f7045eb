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
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) d.R_WG[3 * i + j] = g.X_WG.R(i, j);
  put(g.X_WG.p, d.p_WG);
  put(g.V_WB.v, d.v_WB);
  put(g.V_WB.w, d.w_WB);
  put(g.p_WB, d.p_WB);
  return d;
}

V3<float> vector(const float (&a)[3]) {
  return {a[0], a[1], a[2]};
}

}  // namespace

ContactStep::ContactStep(const Model& model, Executor& executor)
    : model_(model),
      executor_(executor),
      memory_(executor),
      shapeMemory_(executor),
      hostGeometries_(executor),
      hostLaws_(executor),
      geometries_(executor),
      laws_(executor),
      contacts_(executor),
      nodes_(executor),
      reports_(executor),
      boundaryContacts_(executor),
      hostContacts_(executor),
      hostNodes_(executor),
      hostReports_(executor),
      hostBoundaryContacts_(executor) {
  view_.geometryCount = static_cast<int>(model.geometries.size());
  for (const Geometry& g : model.geometries) shapes_.push_back(shapeMemory_.take(g.shape, g.sdf.get()));
}

bool ContactStep::makeRoom(int substeps, int blocks, int gridBlocks) {
  if (!any()) return false;
  bool grown = false;
  if (view_.contacts.contactRoom != contactRoom_ || view_.contacts.nodeRoom != nodeRoom_ ||
      blockRoom_ < blocks || gridBlockRoom_ < gridBlocks) {
    layOut(std::max(blocks, blockRoom_), std::max(gridBlocks, gridBlockRoom_));
    grown = true;
  }
  const auto steps = static_cast<std::size_t>(std::max(substeps, 1));
  const std::size_t contacts = steps * static_cast<std::size_t>(contactRoom_),
                    nodes = steps * static_cast<std::size_t>(nodeRoom_);
  grown = contacts_.ensure(contacts) || grown;
  grown = nodes_.ensure(nodes) || grown;
  grown = reports_.ensure(steps) || grown;
  grown = boundaryContacts_.ensure(steps) || grown;
  grown = geometries_.ensure(steps * model_.geometries.size()) || grown;
  grown = laws_.ensure(model_.contactLaws.size()) || grown;
  grown = hostContacts_.ensure(contacts) || grown;
  grown = hostNodes_.ensure(nodes) || grown;
  grown = hostReports_.ensure(steps) || grown;
  return hostBoundaryContacts_.ensure(steps) || grown;
}

/// All arrays of one substep in one allocation.
void ContactStep::layOut(int blocks, int gridBlocks) {
  blockRoom_ = blocks;
  gridBlockRoom_ = gridBlocks;
  const auto room = static_cast<std::size_t>(contactRoom_), nodes = static_cast<std::size_t>(nodeRoom_);
  const std::size_t particles = model_.particleCount(), grid = static_cast<std::size_t>(gridBlocks);
  for (const bool measured : {false, true}) {
    MemoryLayout layout(measured ? memory_.data() : nullptr);
    ContactView& c = view_.contacts;
    c.counts = layout.take<ContactCounts>(1);
    c.report = layout.take<SolveReport>(1);
    for (float** column : {&c.normal, &c.vBody, &c.guess, &c.gamma, &c.u})
      *column = layout.take<float>(3 * room);
    for (float** column : {&c.f0, &c.stiffness, &c.dissipation, &c.friction, &c.n0, &c.epsilon})
      *column = layout.take<float>(room);
    c.bound = layout.take<int>(room);
    c.node = layout.take<int>(27 * room);
    c.weight = layout.take<float>(9 * room);
    c.mass = layout.take<float>(nodes);
    for (float** column : {&c.vStar, &c.v}) *column = layout.take<float>(3 * nodes);
    for (int** column : {&c.firstBound, &c.bounds}) *column = layout.take<int>(nodes);
    c.contactRoom = contactRoom_;
    c.nodeRoom = nodeRoom_;
    view_.placements =
        layout.take<BlockPlacement>(static_cast<std::size_t>(blocks) * model_.geometries.size());
    for (int** column : {&view_.found, &view_.before}) *column = layout.take<int>(particles);
    view_.touched = layout.take<std::uint64_t>(grid);
    for (int** column : {&view_.touchedCount, &view_.firstNode}) *column = layout.take<int>(grid);
    for (int** column : {&view_.particle, &view_.geometry}) *column = layout.take<int>(room);
    view_.penetration = layout.take<float>(room);
    view_.position = layout.take<double>(3 * room);
    view_.gridNode = layout.take<int>(nodes);
    solve_ = contactMemory(layout, contactRoom_, nodeRoom_);
    if (!measured) memory_.ensure(layout.bytes());
  }
}

bool ContactStep::grow(const GridCounts& counts) {
  const auto more = [](int needed, int& room) {
    if (needed <= room) return false;
    room = needed + needed / 2;
    return true;
  };
  const bool contacts = more(counts.contactsNeeded, contactRoom_);
  return more(counts.nodesNeeded, nodeRoom_) || contacts;
}

void ContactStep::prepare(const mpm::StepInput& input, double dt, int substeps) {
  if (!any()) return;
  hostGeometries_.ensure(static_cast<std::size_t>(substeps) * model_.geometries.size());
  hostLaws_.ensure(input.laws.size());
  mpm::startGeometries(model_, input, started_);
  std::size_t at = 0;
  for (int k = 0; k < substeps; ++k) {
    mpm::moveGeometries(model_, input, k * dt / substeps, started_, [](std::size_t) {});
    for (std::size_t g = 0; g < started_.size(); ++g)
      hostGeometries_[at++] = onDevice(started_[g], shapes_[g]);
  }
  for (std::size_t i = 0; i < input.laws.size(); ++i) {
    const ContactLaw& law = input.laws[i];
    hostLaws_[i] = {law.enabled ? 1 : 0, static_cast<float>(law.friction), static_cast<float>(law.stiffness),
                    static_cast<float>(law.dissipation)};
  }
}

void ContactStep::recordUploads(int substeps) {
  if (!any()) return;
  executor_.upload(geometries_.data(), hostGeometries_.data(),
                   static_cast<std::size_t>(substeps) * model_.geometries.size() * sizeof(DeviceGeometry));
  executor_.upload(laws_.data(), hostLaws_.data(), model_.contactLaws.size() * sizeof(DeviceLaw));
}

void ContactStep::recordDownloads(int substeps) {
  if (!any()) return;
  const auto rows = static_cast<std::size_t>(substeps);
  executor_.download(hostContacts_.data(), contacts_.data(),
                     rows * static_cast<std::size_t>(contactRoom_) * sizeof(ContactRecord));
  executor_.download(hostNodes_.data(), nodes_.data(),
                     rows * static_cast<std::size_t>(nodeRoom_) * sizeof(NodeRecord));
  executor_.download(hostReports_.data(), reports_.data(), rows * sizeof(SolveReport));
  executor_.download(hostBoundaryContacts_.data(), boundaryContacts_.data(), rows * sizeof(int));
}

void ContactStep::enter(const mpm::StepInput& input, double dt, int substeps, mpm::StepAccount& account) {
  if (!any()) return account.addFreeSubstep();
  problem_.dt = static_cast<float>(dt / substeps);
  problem_.stictionSpeed = static_cast<float>(model_.stictionSpeed);
  mpm::freezeBoundaries(model_, input, frozen_);
  for (int k = 0; k < substeps; ++k) {
    if (hostReports_[static_cast<std::size_t>(k)].contacts == 0) {
      account.addFreeSubstep();
      continue;
    }
    mpm::moveBoundaries(model_, input, k * dt / substeps, frozen_);
    enterSubstep(k, account);
  }
}

/// Puts the problem of the log together again, as far as its outcome needs it.
void ContactStep::enterSubstep(int substep, mpm::StepAccount& account) {
  const SolveReport& report = hostReports_[static_cast<std::size_t>(substep)];
  rebuildContacts(substep);
  rebuildNodes(substep);
  solution_.iterations = report.iterations;
  solution_.converged = report.converged != 0;
  solution_.potential = static_cast<float>(report.potential);
  outcome_.enter(problem_, solution_, detected_, nodeAt_, account);
}

void ContactStep::rebuildContacts(int substep) {
  const auto row = static_cast<std::size_t>(substep);
  const ContactRecord* const record = contactsOf(substep);
  const int ofParticles = hostReports_[row].contacts;
  const auto contacts = static_cast<std::size_t>(ofParticles + hostBoundaryContacts_[row]);
  problem_.contacts.resize(contacts);
  solution_.gamma.resize(contacts);
  solution_.u.resize(contacts);
  detected_.resize(static_cast<std::size_t>(ofParticles));
  for (std::size_t c = 0; c < contacts; ++c) {
    const ContactRecord& r = record[c];
    mpm::ContactPoint<float>& point = problem_.contacts[c];
    point.friction = r.friction;
    point.n0 = r.n0;
    point.bound = r.bound;
    for (std::size_t n = 0; n < 27; ++n) {
      const bool there = r.node[n] >= 0;
      point.node[n] = there ? r.node[n] : r.node[r.bound < 0 ? 13 : 0];
      point.weight[n] = there ? r.weight[n / 9] * r.weight[3 + n / 3 % 3] * r.weight[6 + n % 3] : 0;
    }
    solution_.gamma[c] = vector(r.gamma);
    solution_.u[c] = vector(r.u);
    if (r.particle < 0) continue;
    const mpm::StepGeometry<float>& g = started_[static_cast<std::size_t>(r.geometry)];
    detected_[c] = {r.particle,
                    r.geometry,
                    g.body,
                    static_cast<double>(r.penetration),
                    Vec3(r.x[0], r.x[1], r.x[2]),
                    toEigen(vector(r.normal)),
                    g.p_WB0};
  }
}

/// The bounds of nodes are found again, in double: the device has the same ones, rounded.
void ContactStep::rebuildNodes(int substep) {
  const NodeRecord* const node = hostNodes_.data() + static_cast<std::ptrdiff_t>(substep) * nodeRoom_;
  const auto nodes = static_cast<std::size_t>(hostReports_[static_cast<std::size_t>(substep)].nodes);
  problem_.mass.resize(nodes);
  problem_.vStar.resize(nodes);
  solution_.v.resize(nodes);
  nodeAt_.resize(nodes);
  std::vector<const mpm::FrozenBoundary*> all;
  for (const mpm::FrozenBoundary& b : frozen_) all.push_back(&b);
  bounds_.clear();
  boundsOf_.resize(all.empty() ? 0 : nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    problem_.mass[i] = node[i].mass;
    problem_.vStar[i] = vector(node[i].vStar);
    solution_.v[i] = vector(node[i].v);
    nodeAt_[i] = model_.gridSpacing * Vec3(node[i].place[0], node[i].place[1], node[i].place[2]);
    if (all.empty()) continue;
    const std::size_t begin = bounds_.size();
    if (node[i].bounds > 0) mpm::addBounds(nodeAt_[i], all, model_.gridSpacing, bounds_);
    boundsOf_[i] = {begin, bounds_.size()};
  }
  problem_.bounds.resize(boundsOf_.size());
  for (std::size_t i = 0; i < boundsOf_.size(); ++i)
    problem_.bounds[i] =
        mpm::NodeBounds(bounds_).subspan(boundsOf_[i].first, boundsOf_[i].second - boundsOf_[i].first);
}

void ContactStep::lastImpulses(int substeps, std::vector<ParticleState::ContactImpulse>& impulses) const {
  impulses.clear();
  if (!any() || substeps == 0) return;
  const ContactRecord* const record = contactsOf(substeps - 1);
  const int count = hostReports_[static_cast<std::size_t>(substeps - 1)].contacts;
  for (int c = 0; c < count; ++c)
    impulses.push_back({record[c].particle, record[c].geometry, toEigen(vector(record[c].gamma))});
}

}  // namespace slipstick::gpu
