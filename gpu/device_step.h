// One step on the device: the capacities that it needs, its graph, and what comes back.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/foundation/stopping.h"
#include "engine/model/cloth.h"
#include "engine/mpm/backend.h"
#include "engine/mpm/material_floats.h"
#include "engine/mpm/substeps.h"
#include "gpu/boundary_memory.h"
#include "gpu/cloth_memory.h"
#include "gpu/contact_step.h"
#include "gpu/grid_memory.h"
#include "gpu/kernels/look_kernels.h"
#include "gpu/kernels/transfer_kernels.h"

namespace slipstick::gpu {

/// The MaterialModel of all deformables, or kAnyModel.
inline int onlyModelOf(const Model& model) {
  int only = kAnyModel;
  for (const Deformable& d : model.deformables) {
    const auto its = static_cast<int>(d.material.model);
    if (clothOf(d) || (only != kAnyModel && only != its)) return kAnyModel;
    only = its;
  }
  return only;
}
/// f(std::integral_constant<int, model>)
template <class F>
void withModel(int model, const F& f) {
  const auto tryEach = [&]<int... kModel>(std::integer_sequence<int, kModel...>) {
    return ((model == kModel ? (f(std::integral_constant<int, kModel>{}), true) : false) || ...);
  };
  if (!tryEach(std::make_integer_sequence<int, kPointMaterials>{}))
    f(std::integral_constant<int, kAnyModel>{});
}

template <class Exec>
class DeviceStep {
 public:
  DeviceStep(const Model& model, Exec& executor, Reproducibility reproducibility);
  ~DeviceStep() { executor_.dropGraphs(); }
  DeviceStep(const DeviceStep&) = delete;
  DeviceStep& operator=(const DeviceStep&) = delete;

  /// Sorts particles that have just been loaded. @return their facts
  SoftFacts settle(ParticleStore& live);
  /// Advances a copy of the live particles, whose facts these are. Fills `result`.
  /// @param speed  the particles' largest at the start [m/s]
  void run(ParticleStore& live, const mpm::StepInput& input, double dt, const SoftFacts& facts, double speed,
           SoftOutcome& result);
  /// What there is to see of sorted particles.
  void lookAt(ParticleStore& store, const LookView& look);
  /// The copy becomes the live particles, and they the copy.
  void accept(ParticleStore& live) noexcept { swap(live, *advanced_); }
  /// Drops those of all steps on this executor.
  void forgetGraphs();

 private:
  /// What a graph was recorded for.
  struct Plan {
    int substeps = 0;    ///< 0: sort and sums alone
    int sortPeriod = 1;  ///< substeps from one sort to the next
    double dt = 0;       ///< Δt [s]
    Vec3 gravity = Vec3::Zero();
    bool boundariesMove = false;
    long live = 0;  ///< the store that it starts from, by its layout

    bool operator==(const Plan&) const = default;
  };
  struct Recorded {
    Plan plan;
    int graph;
    ParticleStore* advanced;
  };

  GridView view(ParticleStore& store);
  void makeRoom(const Plan& plan, const ParticleStore& live);
  bool ensureCapacities(const Plan& plan, const ParticleStore& live);
  const Recorded& recorded(const Plan& plan, ParticleStore& live);
  ParticleStore* record(const Plan& plan, ParticleStore& live);
  void recordSort(ParticleStore& from, ParticleStore& to);
  void recordSubstep(ParticleStore& store, int substep, float dt, const Vec3& gravity, bool scatters);
  BlockScatter scatterOf(ParticleStore& store, float dt) { return {view(store), dt, reproducibility_}; }
  /// Forces of cloth need vertices of other blocks first.
  bool advancesScatter() const { return cloth_.empty(); }
  bool attempt(const Plan& plan, ParticleStore& live);
  int sortPeriod(const Plan& plan, double speed) const;
  SoftFacts factsRead() const;
  int particles() const { return static_cast<int>(model_.nodeCount()); }

  const Model& model_;
  Exec& executor_;
  Reproducibility reproducibility_;
  int onlyModel_;  ///< a MaterialModel, or kAnyModel
  GridMemory grid_;
  ContactStep contacts_;
  ParticleStore work_, spare_;
  ParticleStore* advanced_ = nullptr;  ///< of work_ and spare_, the one that the last attempt ended in
  DeviceArray<int> deformableOfParticle_;
  DeviceArray<DeviceDeformable> deformables_;
  ClothMemory cloth_;
  BoundaryMemory boundaries_;
  DeviceArray<FactsChunk> chunks_;
  std::vector<FactsChunk> hostChunks_;
  CopiedMemory uploads_, readBack_;  ///< what crosses once per step
  Copied<GridCounts> counts_;
  Copied<FactsSums> sums_;
  int blocksWanted_ = 0, gridBlocksWanted_ = 0;
  std::vector<Recorded> graphs_;
  mpm::StepAccount account_;
};

template <class Exec>
DeviceStep<Exec>::DeviceStep(const Model& model, Exec& executor, Reproducibility reproducibility)
    : model_(model),
      executor_(executor),
      reproducibility_(reproducibility),
      onlyModel_(onlyModelOf(model)),
      grid_(executor),
      contacts_(model, executor),
      work_(executor),
      spare_(executor),
      deformableOfParticle_(executor),
      deformables_(executor),
      cloth_(executor, model),
      boundaries_(executor, model),
      chunks_(executor),
      uploads_(executor),
      readBack_(executor) {
  const std::size_t count = model.nodeCount();
  std::vector<DeviceDeformable> deformables;
  int cloths = 0;
  std::vector<int> owner(count);
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    const Deformable& from = model.deformables[d];
    deformables.push_back({static_cast<int>(from.material.model), from.begin, from.end,
                           static_cast<float>(from.apicDamping), mpm::floatsOf(from.material),
                           clothOf(from) ? cloths++ : -1});
    for (int p = from.begin; p < from.end; ++p) owner[static_cast<std::size_t>(p)] = static_cast<int>(d);
    for (int p = from.begin; p < from.end; p += kFactsChunk)
      hostChunks_.push_back({static_cast<int>(d), p, std::min(from.end, p + kFactsChunk)});
  }
  uploadAll(executor, deformables_, deformables);
  uploadAll(executor, deformableOfParticle_, owner);
  uploadAll(executor, chunks_, hostChunks_);
  blocksWanted_ = static_cast<int>(count) / 8 + 16;
  gridBlocksWanted_ = 4 * blocksWanted_ + 64;
}

template <class Exec>
GridView DeviceStep<Exec>::view(ParticleStore& store) {
  const mpm::PositionFormat format(model_.gridSpacing);
  GridView v{};
  v.particles = particles();
  v.blockCapacity = store.blockCapacity();
  v.h = model_.gridSpacing;
  v.blockEdge = kBlockEdge * model_.gridSpacing;
  v.roundCoarse = format.roundCoarse();
  v.roundFine = format.roundFine();
  constexpr double kRound = 3 << 22;  // added to a float, leaves no room for less than one step
  v.coarse = static_cast<float>(format.coarse());
  v.roundCoarseFloat = static_cast<float>(kRound * format.coarse());
  v.roundFineFloat = static_cast<float>(kRound * format.fine());
  v.deformableOfParticle = deformableOfParticle_.data();
  v.deformables = deformables_.data();
  v.deformableCount = static_cast<int>(model_.deformables.size());
  v.counts = counts_.device;
  grid_.show(v);
  store.show(v);
  return v;
}

/// Memory for what the last attempt asked for. Graphs that name memory that is gone go with it.
template <class Exec>
void DeviceStep<Exec>::makeRoom(const Plan& plan, const ParticleStore& live) {
  try {
    if (ensureCapacities(plan, live)) forgetGraphs();
  } catch (...) {
    forgetGraphs();  // some memory has been given back before there was none left
    throw;
  }
}

/// @return whether anything was allocated
template <class Exec>
bool DeviceStep<Exec>::ensureCapacities(const Plan& plan, const ParticleStore& live) {
  bool grown = grid_.ensure(particles(), blocksWanted_, gridBlocksWanted_);
  grown = contacts_.makeRoom(plan.substeps, blocksWanted_, grid_.gridBlockCapacity()) || grown;
  const int impulses = std::max(contacts_.contactCapacity(), live.impulseCapacity());
  for (ParticleStore* store : {&work_, &spare_})
    grown = store->ensure(particles(), blocksWanted_, impulses) || grown;
  grown = boundaries_.ensure(grid_.gridBlockCapacity()) || grown;
  grown = uploads_.layOut([&](CopyLayout& layout) {
    contacts_.placeUploads(layout, plan.substeps);
    boundaries_.placeUploads(layout);
  }) || grown;
  return readBack_.layOut([&](CopyLayout& layout) {
    counts_ = layout.take<GridCounts>(1);
    sums_ = layout.take<FactsSums>(hostChunks_.size());
    cloth_.placeReadBack(layout);
    contacts_.placeReadBack(layout, plan.substeps);
    boundaries_.placeReadBack(layout);
  }) || grown;
}

template <class Exec>
void DeviceStep<Exec>::forgetGraphs() {
  executor_.dropGraphs();
  graphs_.clear();
}

template <class Exec>
auto DeviceStep<Exec>::recorded(const Plan& plan, ParticleStore& live) -> const Recorded& {
  constexpr std::size_t kMaxGraphs = 8;
  for (const Recorded& r : graphs_)
    if (r.plan == plan) return r;
  if (graphs_.size() == kMaxGraphs) forgetGraphs();
  graphs_.reserve(kMaxGraphs);
  executor_.beginGraph();
  try {
    ParticleStore* const advanced = record(plan, live);
    graphs_.push_back({plan, executor_.endGraph(), advanced});
  } catch (...) {
    executor_.abandonGraph();
    throw;
  }
  return graphs_.back();
}

/// @return the store in which the particles end
template <class Exec>
ParticleStore* DeviceStep<Exec>::record(const Plan& plan, ParticleStore& live) {
  executor_.clear(counts_.device, sizeof(GridCounts));
  if (plan.substeps > 0) {
    uploads_.upload();
    boundaries_.begin(executor_);
  }
  ParticleStore *from = &live, *to = &work_;
  recordSort(*from, *to);
  // Forces are no state: whoever comes from restore() has none. Later sorts take them along.
  if (plan.substeps > 0) cloth_.follow(executor_, view(*to));
  const auto dt = static_cast<float>(plan.dt / std::max(1, plan.substeps));
  for (int k = 0; k < plan.substeps; ++k) {
    if (k > 0 && k % plan.sortPeriod == 0) {
      from = std::exchange(to, to == &work_ ? &spare_ : &work_);
      recordSort(*from, *to);
    }
    const bool sorted = k % plan.sortPeriod == 0, lastOfSort = (k + 1) % plan.sortPeriod == 0;
    boundaries_.findNodes(executor_, view(*to), k, sorted);
    if (sorted || !advancesScatter()) executor_.launch(Scatter{scatterOf(*to, dt)}, to->blockCapacity());
    recordSubstep(*to, k, dt, plan.gravity, advancesScatter() && !lastOfSort && k + 1 < plan.substeps);
    boundaries_.sumUp(executor_, view(*to), (k + 1) % plan.sortPeriod == 0 || k + 1 == plan.substeps);
  }
  if (plan.substeps > 0) executor_.launch(CountActiveNodes{view(*to)}, teamsFor(grid_.gridBlockCapacity()));
  contacts_.recordSums(executor_, view(*to), plan.substeps);
  executor_.launch(FindFacts{view(*to), to->lastImpulses(), chunks_.data(), sums_.device},
                   static_cast<int>(hostChunks_.size()));
  cloth_.findFacts(executor_, view(*to));
  readBack_.download();
  return to;
}

template <class Exec>
void DeviceStep<Exec>::recordSort(ParticleStore& from, ParticleStore& to) {
  const GridView grid = view(to);
  grid_.sort(executor_, view(from), grid);
  executor_.launch(CopyImpulses{from.lastImpulses(), to.lastImpulses(), particles()},
                   teamsFor(std::max(particles(), to.lastImpulses().capacity)));
  executor_.launch(FindStress{grid}, teamsFor(particles()));
}

template <class Exec>
void DeviceStep<Exec>::recordSubstep(ParticleStore& store, int substep, float dt, const Vec3& gravity,
                                     bool scatters) {
  const GridView grid = view(store);
  const auto along = [&](int a) { return dt * static_cast<float>(gravity(a)); };
  executor_.launch(Reduce{grid, {along(0), along(1), along(2)}},
                   (grid.gridBlockCapacity + Reduce::kBlocksEach - 1) / Reduce::kBlocksEach);
  if (contacts_.any())
    contacts_.recordSubstep(executor_, grid, boundaries_.view(), store.lastImpulses(), substep, dt);
  boundaries_.apply(executor_, grid, contacts_.touched());
  withModel(onlyModel_, [&](auto model) {
    executor_.launch(Advance<model()>{{grid, dt}, scatterOf(store, dt), scatters}, grid.blockCapacity);
  });
  cloth_.follow(executor_, grid);
}

/// @return whether all capacities were large enough and all particles stayed in their tiles
template <class Exec>
bool DeviceStep<Exec>::attempt(const Plan& plan, ParticleStore& live) {
  const Recorded& r = recorded(plan, live);
  executor_.replay(r.graph);
  executor_.wait();
  advanced_ = r.advanced;
  const GridCounts& counts = *counts_.host;
  const auto more = [](int needed) { return needed + needed / 2; };
  if (counts.failed == 0) return true;
  if (counts.blocksNeeded > work_.blockCapacity()) blocksWanted_ = more(counts.blocksNeeded);
  if (counts.gridBlocksNeeded > grid_.gridBlockCapacity()) gridBlocksWanted_ = more(counts.gridBlocksNeeded);
  contacts_.grow(counts);
  if (plan.substeps > 0) boundaries_.learn();
  return false;
}

/// Substeps that particles of this speed may take before they leave their tiles. Of the state alone, never of
/// what the steps before have learnt: sums depend on the sort, and a resumed state must go on as the live one.
template <class Exec>
int DeviceStep<Exec>::sortPeriod(const Plan& plan, double speed) const {
  constexpr double kDrift = 0.9;  // of the cell that a tile has on each side
  const double way = speed * plan.dt / plan.substeps, most = kDrift * model_.gridSpacing;
  return way * plan.substeps <= most ? plan.substeps : std::max(1, static_cast<int>(most / way));
}

template <class Exec>
SoftFacts DeviceStep<Exec>::settle(ParticleStore& live) {
  Plan plan;
  plan.live = live.layout();
  do makeRoom(plan, live);
  while (!attempt(plan, live));
  accept(live);
  return factsRead();
}

template <class Exec>
void DeviceStep<Exec>::run(ParticleStore& live, const mpm::StepInput& input, double dt,
                           const SoftFacts& facts, double speed, SoftOutcome& result) {
  mpm::SubstepSchedule schedule(model_, dt, facts);
  while (!schedule.done()) schedule.next(speed);
  Plan plan{schedule.taken(), schedule.taken(), dt, input.gravity, false, live.layout()};
  plan.sortPeriod = sortPeriod(plan, speed);
  const auto outruns = [&](double fastest) {
    return fastest * dt / plan.substeps >= 0.5 * model_.gridSpacing;
  };
  bool tooFast = false;
  for (;;) {
    throwIfStopped(input.stop);
    plan.boundariesMove = boundaries_.plan(input, dt, plan.substeps);
    makeRoom(plan, live);
    contacts_.prepare(input, dt, plan.substeps);
    boundaries_.freeze(input, dt, plan.substeps);
    if (!attempt(plan, live)) continue;
    const GridCounts& counts = *counts_.host;
    if (counts.nonFinite != 0 || counts.outside != 0) break;
    if (counts.leftTile != 0 && plan.sortPeriod > 1) {
      plan.sortPeriod = (plan.sortPeriod + 1) / 2;
      continue;
    }
    const double fastest = std::sqrt(static_cast<double>(counts.maxSpeedSquared));
    tooFast = outruns(fastest);
    constexpr double kMargin = 1.25;
    const int needed = mpm::substepsByCfl(model_, dt, kMargin * fastest);
    if (!tooFast || schedule.keepsLength() || needed <= plan.substeps) break;
    plan.substeps = needed;
    plan.sortPeriod = sortPeriod(plan, fastest);
  }
  const GridCounts& counts = *counts_.host;
  if (counts.nonFinite != 0) raise(result.report.health, Health::NonFinite);
  if (counts.outside != 0 && counts.nonFinite == 0) raise(result.report.health, Health::ParticlesOutside);
  if (result.report.health != 0) return;
  if (tooFast || schedule.cflExceeded()) raise(result.report.health, Health::CflExceeded);
  account_.begin(input.bodies.size(), model_.boundaries.size());
  contacts_.finish(counts, plan.substeps, account_, result);
  result.facts = factsRead();
  boundaries_.addTo(result);
  result.report.substeps = plan.substeps;
  result.report.activeNodes = counts.activeNodes;
}

template <class Exec>
void DeviceStep<Exec>::lookAt(ParticleStore& store, const LookView& look) {
  const GridView grid = view(store);
  executor_.launch(LookAtParticles{grid, look}, teamsFor(particles()));
  cloth_.lookAt(executor_, grid, look);
}

template <class Exec>
SoftFacts DeviceStep<Exec>::factsRead() const {
  SoftFacts facts;
  facts.deformables.resize(model_.deformables.size());
  for (std::size_t c = 0; c < hostChunks_.size(); ++c) {
    const FactsSums& s = sums_.host[c];
    const auto vector = [&](int first) { return Vec3(s.sum[first], s.sum[first + 1], s.sum[first + 2]); };
    DeformableSums part;
    part.mass = s.sum[FactsSums::Mass];
    part.moment = vector(FactsSums::Moment);
    part.momentum = vector(FactsSums::Momentum);
    part.angularMomentum = vector(FactsSums::AngularMomentum);
    part.kineticEnergy = s.sum[FactsSums::Kinetic];
    part.elasticEnergy = s.sum[FactsSums::Elastic];
    part.volume = s.sum[FactsSums::Volume];
    for (int a = 0; a < 3; ++a) {
      part.lower(a) = -fromOrdered(s.box[a]);
      part.upper(a) = fromOrdered(s.box[3 + a]);
    }
    part.maxSpeed = std::sqrt(static_cast<double>(s.maxSpeedSquared));
    part.stiffening = static_cast<double>(s.stiffening);
    facts.deformables[static_cast<std::size_t>(hostChunks_[c].deformable)].add(part);
    facts.hash += s.hash;
  }
  cloth_.addTo(facts);
  return facts;
}

}  // namespace slipstick::gpu
