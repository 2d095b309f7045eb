// The fast backend: float lanes, 16 particles at a time, blocks of the grid shared out to a thread team. Its
// loops are in kernels/; here is their order. Bit-identical for any number of threads: every block's sums are
// its own, and blocks are added in fixed order.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "engine/foundation/scope_timer.h"
#include "engine/foundation/stopping.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/model/cloth.h"
#include "engine/mpm/backend.h"
#include "engine/mpm/backends/cpu_boundaries.h"
#include "engine/mpm/backends/cpu_candidates.h"
#include "engine/mpm/backends/cpu_cloth.h"
#include "engine/mpm/backends/cpu_contacts.h"
#include "engine/mpm/backends/cpu_grid.h"
#include "engine/mpm/backends/pack_motion.h"
#include "engine/mpm/cloth_forces.h"
#include "engine/mpm/contact/rigid_substep.h"
#include "engine/mpm/kernel_choice.h"
#include "engine/mpm/material_floats.h"
#include "engine/mpm/particle_blocks.h"
#include "engine/mpm/particle_health.h"
#include "engine/mpm/particle_pull.h"
#include "engine/mpm/step_account.h"
#include "engine/mpm/step_geometry.h"
#include "engine/mpm/substeps.h"
#include "engine/mpm/thread_team.h"

namespace slipstick::mpm {
namespace {

/// Below this many particles per thread, waiting for the others costs more than they help.
constexpr std::size_t kParticlesPerThread = 500;

int teamSize(int threads, std::size_t particles) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int useful = std::max(1, static_cast<int>(particles / kParticlesPerThread));
  return std::min({threads > 0 ? threads : cores, useful, ThreadTeam::kMaxThreads});
}

std::vector<MaterialFloats> materialsOf(const Model& model) {
  std::vector<MaterialFloats> materials;
  for (const Deformable& d : model.deformables) materials.push_back(floatsOf(d.material));
  return materials;
}

DeformableSums sumsOf(const RangeSums& r) {
  const auto vector = [](const double(&a)[3]) { return Vec3(a[0], a[1], a[2]); };
  DeformableSums sums;
  sums.mass = r.mass;
  sums.moment = vector(r.moment);
  sums.momentum = vector(r.momentum);
  sums.angularMomentum = vector(r.angularMomentum);
  sums.kineticEnergy = r.kineticEnergy;
  sums.elasticEnergy = r.elasticEnergy;
  sums.volume = r.volume;
  sums.lower = vector(r.lower);
  sums.upper = vector(r.upper);
  sums.maxSpeed = std::sqrt(static_cast<double>(r.maxSpeedSquared));
  sums.stiffening = static_cast<double>(r.stiffening);
  return sums;
}

/// The CPU backend of one model; see Backend.
class CpuBackend {
 public:
  CpuBackend(std::shared_ptr<const Model> model, int threads)
      : model_(std::move(model)),
        kernels_(chooseKernels()),
        team_(teamSize(threads, model_->nodeCount())),
        materials_(materialsOf(*model_)),
        live_(*model_),
        blocks_(*model_),
        unsorted_(*model_),
        cloth_(*model_, kernels_, materials_),
        grid_(kernels_),
        boundaries_(*model_),
        heldReaches_(heldReaches(*model_)),
        contacts_(*model_, boundaries_.nodes(), team_) {}

  std::string runsOn() const {
    const std::string threads = std::to_string(team_.size()) + (team_.size() == 1 ? " thread" : " threads");
    return "CPU · " + threads + " · " + std::string(cpuInstructionSet());
  }

  void restore(const ParticleState& particles);
  void save(ParticleState& particles) const;
  void advance(const StepInput& motion, double dt, SoftOutcome& result);
  void accept() noexcept;
  const SoftFacts& facts() const { return facts_; }
  void look(SoftView& view);

 private:
  void start(const StepInput& motion, double dt);
  void moveRigid(const StepInput& motion, double elapsed);
  void place(std::size_t geometry);
  void sortFrom(const ParticleBlocks& particles);
  void sortAgain();
  void findCandidates() { candidates_.find(*model_, blocks_, geometries_, stepLength_, strong_); }
  void findStress(ParticleBlocks& particles);
  void runCloth(ParticleBlocks& particles, CpuCloth::Run run);
  void finishCloth();
  void findFacts(const ParticleBlocks& particles, SoftFacts& facts);
  void addCloth(const ParticleBlocks& particles, SoftFacts& facts) const;
  void sumUp(const ParticleBlocks& particles, std::size_t range, RangeSums& sums) const;
  void substep(double dt, const StepInput& motion, const SubstepSchedule& schedule);
  void divideBlocks(bool contact);
  void blockToGrid(std::size_t block, float dt);
  void gridToBlock(std::size_t block, float dt);
  void lookAtBlock(const ParticleBlock& block, SoftView& view) const;
  RangeArgs argsOf(ParticleBlocks& particles, const ParticleBlock& block, const ParticleRange& range) const;
  std::size_t modelIndex(int deformable) const {
    return static_cast<std::size_t>(model_->deformables[static_cast<std::size_t>(deformable)].material.model);
  }

  std::shared_ptr<const Model> model_;
  const KernelTable& kernels_;
  ThreadTeam team_;
  std::vector<MaterialFloats> materials_;  ///< per deformable

  ParticleBlocks live_;
  ParticleBlocks blocks_;    ///< the particles inside a step; become the live ones when it is accepted
  ParticleBlocks unsorted_;  ///< those again while they are sorted within a step
  CpuCloth cloth_;           ///< of blocks_; valid only within a step: fill it before reading it elsewhere
  SoftFacts facts_, advancedFacts_;
  std::vector<ContactImpulse> impulses_, advancedImpulses_;
  std::vector<RangeSums> sums_;  ///< per range
  /// Particles that cannot be stepped, kept as they came: they have no place on the grid.
  ParticleState unfit_;
  ParticleState looked_;  ///< the live particles in the model's order, for cloth that is looked at
  HealthFlags unfitness_ = 0;
  CpuGrid grid_;
  /// The tiles hold what the next substep wants of the particles: the last one has gone ahead.
  bool onGrid_ = false;
  std::vector<RangeReport> reports_;  ///< per particle block
  RangeReport worst_{};

  std::vector<StepGeometry<float>> geometries_;
  double stepLength_ = 0;              ///< Δt [s]
  std::vector<DetectArgs> detection_;  ///< per geometry, without a range
  std::vector<Pose> X_GW_;             ///< per geometry
  std::vector<char> enabled_;          ///< [deformable · geometries + geometry]
  CpuCandidates candidates_;
  bool strong_ = false;               ///< bodies move with the substeps
  std::vector<BlockContacts> found_;  ///< per particle block
  CpuBoundaries boundaries_;
  std::vector<double> heldReaches_;  ///< per geometry
  bool boundariesMoved_ = true;      ///< since they were last looked for among the nodes
  CpuContacts contacts_;
  std::vector<std::size_t> freeBlocks_, contactBlocks_;  ///< see divideBlocks
  StepAccount account_;
  std::vector<Wrench> rigidImpulses_;  ///< per body, of a substep
  PhaseTimes phases_{};
};

void CpuBackend::restore(const ParticleState& particles) {
  unfitness_ = particleHealth(particles, model_->gridSpacing);
  if (unfitness_ != 0) {
    unfit_ = particles;
    facts_ = factsOf(*model_, particles);
    return;
  }
  const FlushDenormals flush;
  live_.load(particles);
  impulses_ = particles.contacts;
  findStress(live_);
  runCloth(live_, CpuCloth::Run::Sums);
  findFacts(live_, facts_);
  facts_.hash += hashOf(impulses_);
}

void CpuBackend::save(ParticleState& particles) const {
  if (unfitness_ != 0) {
    particles = unfit_;
  } else {
    live_.store(particles);
    particles.contacts = impulses_;
  }
}

void CpuBackend::accept() noexcept {
  std::swap(live_, blocks_);
  std::swap(facts_, advancedFacts_);
  std::swap(impulses_, advancedImpulses_);
}

void CpuBackend::advance(const StepInput& motion, double dt, SoftOutcome& result) {
  result.reset(motion.bodies.size(), model_->boundaries.size());
  result.report.health = unfitness_;
  if (unfitness_ != 0) return;

  const FlushDenormals flush;
  account_.begin(motion.bodies.size(), model_->boundaries.size());
  contacts_.lastImpulses().load(impulses_);
  phases_ = {};
  start(motion, dt);
  sortFrom(live_);
  double speed = facts_.maxSpeed();
  for (const Pull& pull : motion.pulls) {
    const PullImpulse given = pullParticles(pull, *model_, dt, PackMotion{blocks_});
    result.pullImpulse += given.sum;
    speed += given.fastest;
  }
  // A step depends on what restore() would give to it, to the last bit: the mesh's sums of the last substep
  // would count with the corners of the sort before.
  advancedFacts_ = facts_;
  addCloth(blocks_, advancedFacts_);
  SubstepSchedule schedule(*model_, dt, advancedFacts_);
  while (!schedule.done()) {
    throwIfStopped(motion.stop);
    if (!onGrid_) moveRigid(motion, schedule.elapsed());
    if (worst_.leftTile) sortAgain();
    const double length = schedule.next(speed);
    substep(length, motion, schedule);
    if (worst_.nonFinite) raise(result.report.health, Health::NonFinite);
    if (worst_.outside && !worst_.nonFinite) raise(result.report.health, Health::ParticlesOutside);
    if (result.report.health != 0) return;
    speed = std::sqrt(static_cast<double>(worst_.maxSpeedSquared));
    schedule.finished(speed);
  }

  {
    const ScopeTimer timer(at(phases_, Phase::Sort));
    finishCloth();
    findFacts(blocks_, advancedFacts_);
    contacts_.lastImpulses().store(advancedImpulses_);
    advancedFacts_.hash += hashOf(advancedImpulses_);
    result.facts = advancedFacts_;
  }
  account_.finish(result);
  result.report.substeps = schedule.taken();
  result.report.activeNodes = grid_.activeNodes();
  result.report.phases = phases_;
  if (schedule.cflExceeded()) raise(result.report.health, Health::CflExceeded);
}

/// The rigid side of a step of dt.
void CpuBackend::start(const StepInput& motion, double dt) {
  stepLength_ = dt;
  strong_ = motion.rigid != nullptr;
  startGeometries(*model_, motion, geometries_);
  boundaries_.freeze(motion);
  detection_.resize(geometries_.size());
  X_GW_.resize(geometries_.size());
  for (std::size_t g = 0; g < geometries_.size(); ++g) {
    geometries_[g].heldReach = static_cast<float>(heldReaches_[g]);
    detection_[g].shape = geometries_[g].shape;
    detection_[g].reach = geometries_[g].heldReach;
    place(g);
  }
  enabled_.resize(motion.laws.size());
  std::transform(motion.laws.begin(), motion.laws.end(), enabled_.begin(),
                 [](const ContactLaw& l) { return l.enabled; });
}

/// The rigid side comes to t_n + elapsed.
void CpuBackend::moveRigid(const StepInput& motion, double elapsed) {
  if (motion.rigid != nullptr) {
    placeGeometries(*model_, *motion.rigid, geometries_, [this](std::size_t g) { place(g); });
    if (!candidates_.hold(geometries_)) findCandidates();
  } else {
    moveGeometries(*model_, motion, elapsed, geometries_, [this](std::size_t g) { place(g); });
  }
  if (boundaries_.move(motion, elapsed)) boundariesMoved_ = true;
}

/// A geometry as the detection kernel wants it.
void CpuBackend::place(std::size_t geometry) {
  DetectArgs& args = detection_[geometry];
  const Pose& X_GW = X_GW_[geometry] = geometries_[geometry].X_WG.inverse();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) args.R_GW[3 * i + j] = static_cast<float>(X_GW.R(i, j));
}

void CpuBackend::sortFrom(const ParticleBlocks& particles) {
  const ScopeTimer timer(at(phases_, Phase::Sort));
  blocks_.sortFrom(particles, team_);
  const std::size_t count = blocks_.blocks.size();
  grid_.resize(blocks_);
  contacts_.forgetNodes();
  reports_.resize(count);
  if (found_.size() < count) found_.resize(count);  // never smaller: lists keep their room
  // What looks at blocks alone goes beside what looks at particles.
  const auto beside = [&](int index) {
    index == 0 ? findCandidates() : boundaries_.findBlocks(blocks_.gridBlocks, stepLength_);
  };
  ThreadTeam::Offer offered = team_.offer(2, beside);
  findStress(blocks_);
  runCloth(blocks_, CpuCloth::Run::ForcesAndSums);
  offered.finish();
  boundariesMoved_ = true;
  onGrid_ = false;
  worst_ = {};
}

/// Particles have left their tiles in the middle of a step.
void CpuBackend::sortAgain() {
  finishCloth();
  std::swap(blocks_, unsorted_);
  sortFrom(unsorted_);
}

/// Of what the particles are, wherever they came from; puts the cloth's mesh where its particles are.
void CpuBackend::findStress(ParticleBlocks& particles) {
  cloth_.begin(particles);
  team_.run(static_cast<int>(particles.blocks.size()), [&](int index) {
    const ParticleBlock& block = particles.blocks[static_cast<std::size_t>(index)];
    for (int r = block.firstRange; r < block.endRange; ++r) {
      const ParticleRange& range = particles.ranges[static_cast<std::size_t>(r)];
      if (cloth_.isCloth(range)) {
        cloth_.place(range, particles);
        cloth_.collect(range, block, particles);
      } else {
        kernels_.stress[modelIndex(range.deformable)](argsOf(particles, block, range));
      }
    }
  });
}

/// The part of a substep that needs neighbours in the mesh instead of the grid.
void CpuBackend::runCloth(ParticleBlocks& particles, CpuCloth::Run run) {
  team_.run(cloth_.taskCount(particles), [&](int task) { cloth_.runTask(task, particles, run); });
}

/// Clears from the packs what a substep leaves there that is no state.
void CpuBackend::finishCloth() {
  for (const ParticleRange& range : blocks_.ranges)
    if (cloth_.isCloth(range)) cloth_.resetVertices(range, blocks_);
}

/// Sums over all particles, range by range in fixed order. The cloth's last forces must be with sums.
void CpuBackend::findFacts(const ParticleBlocks& particles, SoftFacts& facts) {
  sums_.resize(particles.ranges.size());
  team_.run(static_cast<int>(sums_.size()), [&](int index) {
    const auto r = static_cast<std::size_t>(index);
    sumUp(particles, r, sums_[r]);
  });
  facts.deformables.assign(model_->deformables.size(), {});
  facts.hash = 0;
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    facts.deformables[static_cast<std::size_t>(particles.ranges[r].deformable)].add(sumsOf(sums_[r]));
    facts.hash += sums_[r].hash;
  }
  addCloth(particles, facts);
}

/// What the mesh knows of the cloth's facts. Its last forces must be with sums.
void CpuBackend::addCloth(const ParticleBlocks& particles, SoftFacts& facts) const {
  for (std::size_t d = 0; d < model_->deformables.size(); ++d) {
    if (!clothOf(model_->deformables[d])) continue;
    const ClothSums sums = cloth_.sums(particles, d);
    facts.deformables[d].elasticEnergy = sums.energy;
    facts.deformables[d].stiffening = static_cast<double>(sums.stiffening);
  }
}

void CpuBackend::sumUp(const ParticleBlocks& particles, std::size_t r, RangeSums& sums) const {
  const ParticleRange& range = particles.ranges[r];
  const Vec3& corner = particles.blocks[static_cast<std::size_t>(particles.blockOfRange[r])].corner;
  sums = {};
  std::fill_n(sums.lower, 3, std::numeric_limits<double>::infinity());
  std::fill_n(sums.upper, 3, -std::numeric_limits<double>::infinity());
  sums.stiffening = 1;
  const FactsArgs args{particles.pack(range.firstSlot),
                       particles.particleOfSlot.data() + range.firstSlot,
                       range.count,
                       {corner.x(), corner.y(), corner.z()},
                       model_->gridSpacing,
                       materials_[static_cast<std::size_t>(range.deformable)]};
  (clothOf(model_->deformables[static_cast<std::size_t>(range.deformable)])
       ? kernels_.factsCloth
       : kernels_.facts[modelIndex(range.deformable)])(args, sums);
}

RangeArgs CpuBackend::argsOf(ParticleBlocks& particles, const ParticleBlock& block,
                             const ParticleRange& range) const {
  RangeArgs args{};
  args.particles = particles.pack(range.firstSlot);
  args.count = range.count;
  for (int a = 0; a < 3; ++a) args.corner[a] = static_cast<float>(block.corner(a));
  constexpr double kRound = 3 << 22;  // added to a float, leaves no room for less than one step
  args.coarse = static_cast<float>(particles.format().coarse());
  args.roundCoarse = static_cast<float>(kRound * particles.format().coarse());
  args.roundFine = static_cast<float>(kRound * particles.format().fine());
  args.h = static_cast<float>(model_->gridSpacing);
  args.material = materials_[static_cast<std::size_t>(range.deformable)];
  args.apicDamping =
      static_cast<float>(model_->deformables[static_cast<std::size_t>(range.deformable)].apicDamping);
  args.domain = static_cast<float>(kDomainCells * model_->gridSpacing);
  return args;
}

void CpuBackend::substep(double length, const StepInput& motion, const SubstepSchedule& schedule) {
  const auto dt = static_cast<float>(length);
  RigidSide* const rigid = motion.rigid;
  if (rigid != nullptr) rigid->begin(length);
  {
    const ScopeTimer timer(at(phases_, Phase::Transfer));
    const auto findNodes = [&](int) { boundaries_.findNodes(blocks_.gridBlocks); };
    ThreadTeam::Offer offered = team_.offer(std::exchange(boundariesMoved_, false) ? 1 : 0, findNodes);
    if (!onGrid_)
      team_.run(static_cast<int>(blocks_.blocks.size()),
                [&](int index) { blockToGrid(static_cast<std::size_t>(index), dt); });
    grid_.reduce(blocks_, dt, motion.gravity, team_);
    offered.finish();
  }
  // Where all that the next P2G needs is known, it follows a block's G2P while its particles are at hand.
  const bool goesAhead = !schedule.done() && schedule.keepsLength() && !cloth_.hasCloth();
  const auto sweep = [&](std::size_t block) {
    gridToBlock(block, dt);
    const RangeReport& report = reports_[block];
    if (goesAhead && !report.leftTile && !report.outside && !report.nonFinite) blockToGrid(block, dt);
  };
  // While contacts are solved, threads that have nothing to do there go on with the blocks that wait for no
  // contact, as if it were over.
  const auto free = [&](int index) { sweep(freeBlocks_[static_cast<std::size_t>(index)]); };
  bool contact = false;
  {
    const ScopeTimer timer(at(phases_, Phase::Contact));
    contact = contacts_.assemble(dt, found_, blocks_, geometries_, motion, grid_);
    boundaries_.apply(team_, grid_.nodes(), contact ? contacts_.touched() : std::span<const NodeMask>(),
                      account_);
    divideBlocks(contact);
    if (goesAhead && rigid == nullptr) moveRigid(motion, schedule.elapsed());
  }
  ThreadTeam::Offer offered = team_.offer(static_cast<int>(freeBlocks_.size()), free);
  if (contact) {
    const ScopeTimer timer(at(phases_, Phase::Contact));
    contacts_.solve(grid_);
  }
  if (rigid != nullptr) {
    contacts_.enter(geometries_, account_);
    endSubstep(*rigid, motion.bodies, account_, rigidImpulses_);
    if (goesAhead) moveRigid(motion, schedule.elapsed());
  }
  const ScopeTimer timer(at(phases_, Phase::Transfer));
  team_.run(static_cast<int>(contactBlocks_.size()) + 1, [&](int index) {
    if (index == 0) return rigid == nullptr ? contacts_.enter(geometries_, account_) : void();
    sweep(contactBlocks_[static_cast<std::size_t>(index - 1)]);
  });
  offered.finish();
  onGrid_ = goesAhead;
  runCloth(blocks_, schedule.done() ? CpuCloth::Run::ForcesAndSums : CpuCloth::Run::Forces);
  worst_ = {};
  worst_.leftTile = cloth_.leftTile();
  for (const RangeReport& r : reports_) {
    worst_.maxSpeedSquared = std::max(worst_.maxSpeedSquared, r.maxSpeedSquared);
    worst_.nonFinite |= r.nonFinite;
    worst_.outside |= r.outside;
    worst_.leftTile |= r.leftTile;
  }
}

/// Into those whose particles read velocities that the contact solve decides, and the others. In a strongly coupled step it
/// decides where bodies come to, and with them the next contacts of every block.
void CpuBackend::divideBlocks(bool contact) {
  freeBlocks_.clear();
  contactBlocks_.clear();
  for (std::size_t b = 0; b < blocks_.blocks.size(); ++b)
    (strong_ || (contact && grid_.reads(blocks_.blocks[b], b, contacts_.touched())) ? contactBlocks_
                                                                                    : freeBlocks_)
        .push_back(b);
}

/// The mesh's news, contacts at x^k, then P2G into the block's tile.
void CpuBackend::blockToGrid(std::size_t block, float dt) {
  BlockContacts& found = found_[block];
  found.clear();
  const ParticleBlock& b = blocks_.blocks[block];
  TileBox& box = grid_.startBox(block);
  for (int r = b.firstRange; r < b.endRange; ++r) {
    const ParticleRange& range = blocks_.ranges[static_cast<std::size_t>(r)];
    if (cloth_.isCloth(range)) cloth_.distribute(range, blocks_);
    kernels_.bound(argsOf(blocks_, b, range), box);
  }
  grid_.clear(block);
  for (int r = b.firstRange; r < b.endRange; ++r) {
    const ParticleRange& range = blocks_.ranges[static_cast<std::size_t>(r)];
    RangeArgs args = argsOf(blocks_, b, range);
    args.dt = dt;
    args.tile = grid_.tile(block);
    for (const int g : candidates_.near(block)) {
      if (!enabled_[static_cast<std::size_t>(range.deformable) * geometries_.size() +
                    static_cast<std::size_t>(g)])
        continue;
      DetectArgs detect = detection_[static_cast<std::size_t>(g)];
      const Pose& X_GW = X_GW_[static_cast<std::size_t>(g)];
      const Vec3 corner_G = X_GW * b.corner;
      for (int a = 0; a < 3; ++a) detect.p_GX[a] = static_cast<float>(corner_G(a));
      detect.particles = args.particles;
      detect.count = range.count;
      detect.firstSlot = range.firstSlot;
      RawContact* const room = found.room(range.count);
      const int touching = kernels_.detect(detect, room);
      for (int c = 0; c < touching; ++c) room[c].geometry = g;
      found.add(touching);
    }
    (cloth_.isCloth(range) ? kernels_.scatterCloth : kernels_.scatter)(args);
  }
}

/// G2P, motion, return map and stress of the block's particles.
void CpuBackend::gridToBlock(std::size_t block, float dt) {
  const ParticleBlock& b = blocks_.blocks[block];
  grid_.load(b, block);
  reports_[block] = {};
  for (int r = b.firstRange; r < b.endRange; ++r) {
    const ParticleRange& range = blocks_.ranges[static_cast<std::size_t>(r)];
    RangeArgs args = argsOf(blocks_, b, range);
    args.dt = dt;
    args.tile = grid_.tile(block);
    if (cloth_.isCloth(range)) {
      kernels_.gatherCloth(args, reports_[block]);
      cloth_.collect(range, b, blocks_);
    } else {
      kernels_.gather[modelIndex(range.deformable)](args, reports_[block]);
    }
  }
}

void CpuBackend::look(SoftView& view) {
  if (unfitness_ != 0) {
    lookAtMotion(unfit_, view);
    return;
  }
  const std::size_t count = model_->nodeCount();
  view.x.resize(count);
  for (auto* values : {&view.speed, &view.stress, &view.pressure, &view.plasticStrain}) values->resize(count);
  team_.run(static_cast<int>(live_.blocks.size()),
            [&](int b) { lookAtBlock(live_.blocks[static_cast<std::size_t>(b)], view); });
  bool hasCloth = false;
  for (const Deformable& d : model_->deformables) hasCloth |= clothOf(d) != nullptr;
  if (!hasCloth) return;
  live_.store(looked_);
  for (const Deformable& d : model_->deformables)
    if (clothOf(d)) lookAtCloth(d, looked_, view);
}

void CpuBackend::lookAtBlock(const ParticleBlock& block, SoftView& view) const {
  for (int r = block.firstRange; r < block.endRange; ++r) {
    const ParticleRange& range = live_.ranges[static_cast<std::size_t>(r)];
    for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
      const auto p = static_cast<std::size_t>(live_.particleOfSlot[static_cast<std::size_t>(slot)]);
      const auto at = [&](int field) { return live_.value(slot, field); };
      view.x[p] = live_.position(slot, block).cast<float>();
      view.speed[p] = toEigen(live_.vector(slot, PackField::V)).cast<float>().norm();
      view.plasticStrain[p] = at(PackField::Plastic);
      if (cloth_.isCloth(range)) continue;  // stress of a cloth is the mesh's affair
      const float xx = at(PackField::Tau), yy = at(PackField::Tau + 1), zz = at(PackField::Tau + 2);
      const float xy = at(PackField::Tau + 3), xz = at(PackField::Tau + 4), yz = at(PackField::Tau + 5);
      const float mean = (xx + yy + zz) / 3;
      const float squared = (xx - mean) * (xx - mean) + (yy - mean) * (yy - mean) +
                            (zz - mean) * (zz - mean) + 2 * (xy * xy + xz * xz + yz * yz);
      view.stress[p] = std::sqrt(1.5f * squared);
      view.pressure[p] = -mean;
    }
  }
}

/// The backend of the model as it is tuned now. Other numbers mean another backend that goes on from the same
/// particles: restore(save()) is the identity, and nothing that depends on a number can be left behind.
class TunedCpuBackend final : public Backend {
 public:
  TunedCpuBackend(std::shared_ptr<const Model> model, int threads)
      : threads_(threads), present_(std::make_unique<CpuBackend>(std::move(model), threads)) {}

  std::string_view name() const override { return "cpu"; }
  std::string runsOn() const override { return present_->runsOn(); }
  bool couplesStrongly() const override { return true; }
  void tune(std::shared_ptr<const Model> model) override {
    ParticleState particles;
    present_->save(particles);
    auto next = std::make_unique<CpuBackend>(std::move(model), threads_);
    next->restore(particles);
    present_ = std::move(next);
  }
  void restore(const ParticleState& particles) override { present_->restore(particles); }
  void save(ParticleState& particles) const override { present_->save(particles); }
  void advance(const StepInput& input, double dt, SoftOutcome& result) override {
    present_->advance(input, dt, result);
  }
  void accept() noexcept override { present_->accept(); }
  const SoftFacts& facts() const override { return present_->facts(); }
  void look(SoftView& view) override { present_->look(view); }

 private:
  int threads_;
  std::unique_ptr<CpuBackend> present_;
};

}  // namespace

std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model, int threads) {
  return std::make_unique<TunedCpuBackend>(std::move(model), threads);
}

}  // namespace slipstick::mpm
