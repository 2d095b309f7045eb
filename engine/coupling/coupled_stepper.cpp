#include "engine/coupling/coupled_stepper.h"

#include <algorithm>
#include <cmath>

#include "engine/coupling/contact_force.h"
#include "engine/coupling/drives.h"
#include "engine/coupling/intents.h"
#include "engine/coupling/snapshot_builder.h"
#include "engine/coupling/thin_shapes.h"
#include "engine/coupling/yielding.h"
#include "engine/foundation/scope_timer.h"
#include "engine/foundation/set_size.h"
#include "engine/model/tuned_model.h"
#include "engine/mpm/grid.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {

namespace {

bool isFinite(const std::vector<Wrench>& wrenches) {
  return std::all_of(wrenches.begin(), wrenches.end(), [](const Wrench& wrench) {
    return wrench.force.allFinite() && wrench.torque.allFinite();
  });
}

/// The constant velocity that brings a frame from one pose to another in the time dt.
Velocity velocityBetween(const Pose& from, const Pose& to, double dt) {
  const Eigen::AngleAxisd turn(to.R * from.R.transpose());
  return {turn.angle() / dt * turn.axis(), (to.p - from.p) / dt};
}

/// Before one state is assigned to another: what would take another size there, see setSize().
void makeRoomFor(const State& from, State& to) {
  for (std::size_t i = 0; i < std::min(from.memory.size(), to.memory.size()); ++i)
    setSize(to.memory[i].values, from.memory[i].values.size());
  const auto fits = [](const State::Goal& a, const State::Goal& b) {
    return a.q.size() == b.q.size() && a.detour.size() == b.detour.size();
  };
  if (!std::equal(from.goals.begin(), from.goals.end(), to.goals.begin(), to.goals.end(), fits))
    to.goals.clear();
}

}  // namespace

CoupledStepper::CoupledStepper(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend)
    : model_(std::move(model)), backend_(std::move(backend)) {
  SIM_REQUIRE(model_->particleCount() == 0 || backend_ != nullptr, model_->particleCount());
}

void CoupledStepper::observe(Snapshot& snapshot, Detail detail) {
  buildSnapshot(*model_, live_, backend_.get(), detail, snapshot);
}

/// Works on copies, which take the live state's place at the end: a step that fails leaves it as it was.
StepReport CoupledStepper::step(std::span<const Command> commands, Snapshot& snapshot, Detail detail) {
  StepReport report;
  makeRoomFor(live_, next_);
  next_ = live_;
  {
    const ScopeTimer timer(at(report.phases, Phase::Control));
    for (const Command& command : commands) apply(command, *model_, next_);
    tune(next_.tuning);
    evaluateControllers(*model_, model_->time.dt, next_, targets_);
    freezeRigidMotion();
    followPeople();
  }
  advance(report);
  if (!next_.q.allFinite() || !next_.v.allFinite()) raise(report.health, Health::NonFinite);
  if (refused(report.health)) return refuse(report, snapshot, detail);
  audit(commands, report);
  return take(report, snapshot, detail);
}

/// Makes the step's copies the live state, and describes them. What fails at that takes the step back.
StepReport CoupledStepper::take(StepReport report, Snapshot& snapshot, Detail detail) {
  ++next_.step;
  next_.time = static_cast<double>(next_.step) * model_->time.dt;
  exchange();
  try {
    const ScopeTimer timer(at(report.phases, Phase::Snapshot));
    observe(snapshot, detail);
    addStepFacts(snapshot, detail);
  } catch (...) {
    exchange();
    throw;
  }
  snapshot.report = report;
  return report;
}

/// What the step did to energies, and what may have passed each other unseen.
void CoupledStepper::audit(std::span<const Command> commands, StepReport& report) {
  notes_.clear();
  multibody::computePoses(model_->tree, next_.q, endX_WB_);
  multibody::computeVelocities(model_->tree, startQ_, next_.v, X_WB_, endV_WB_);
  auditEnergy(commands);
  const bool frozen = model_->solver.geometry == SubstepGeometry::Frozen;
  const double interval = model_->time.dt / (frozen ? 1 : std::max(1, report.substeps));
  fastBodies_.find({model_, X_WB_, endX_WB_, V_WB_, backend_ ? &backend_->facts() : nullptr,
                    foreseesContact() ? 0 : interval, particleWork().empty()},
                   notes_);
  addThinShapes(*model_, mpm_.contacts, notes_);
  for (const HealthNote& note : notes_) raise(report.health, note.flag);
}

/// Energy that a person puts in by other numbers or another pose is nobody's fault: the audit begins again.
void CoupledStepper::auditEnergy(std::span<const Command> commands) {
  const bool touches = !mpm_.contacts.empty() || !rigid_.contacts.pairs.empty();
  const bool hasPast = std::any_of(next_.memory.begin(), next_.memory.end(),
                                   [](const State::Memory& memory) { return memory.name == kAuditMemory; });
  if (!touches && !hasPast) return;
  const bool changes = std::any_of(commands.begin(), commands.end(), [](const Command& command) {
    return std::holds_alternative<SetParameter>(command) || std::holds_alternative<Place>(command);
  });
  VecX& past = next_.remembered(kAuditMemory);
  if (changes || next_.step == 0) past = EnergyAudit::unknownPast();
  energyAudit_.examine({*model_, X_WB_, V_WB_, endV_WB_, particleWork(),
                        backend_ ? &backend_->facts() : nullptr, input_, mpm_, rigid_},
                       past, notes_);
}

/// The live state and the copy of the last step change places.
void CoupledStepper::exchange() noexcept {
  std::swap(live_, next_);
  if (backend_) backend_->accept();
}

void CoupledStepper::save(State& state) const {
  ParticleState particles = std::move(state.particles);  // its memory serves again
  state = live_;
  state.particles = std::move(particles);
  if (backend_)
    backend_->save(state.particles);
  else
    state.particles = {};
}

void CoupledStepper::restore(const State& state) {
  State next = state;
  next.particles = {};
  tune(state.tuning);
  if (backend_) backend_->restore(state.particles);
  live_ = std::move(next);
}

/// Has every part of the step work with the numbers of a tuning, as if the scene had been written with them.
void CoupledStepper::tune(const std::shared_ptr<const Tuning>& tuning) {
  if (tuning == tuning_ && !halfTuned_) return;
  if (halfTuned_ || hashOf(*tuning) != hashOf(model_->tuning)) {
    // What may run out of memory comes first: then everything has the old numbers, or everything the new.
    std::shared_ptr<const Model> tuned = tunedModel(*model_, *tuning);
    prepare(tuned);
    halfTuned_ = true;
    if (backend_) backend_->tune(tuned);
    halfTuned_ = false;
    use();
    model_ = std::move(tuned);
  }
  tuning_ = tuning;
}

/// The rigid pose and velocity at t_n, which all substeps see (Yu 2025, IV-A); of what is prescribed, and all
/// that it carries, the velocity of this step, which is known already.
void CoupledStepper::freezeRigidMotion() {
  startQ_ = next_.q;
  multibody::computePoses(model_->tree, next_.q, X_WB_);
  prescribeMotion();
  frozenV_ = next_.v;
  for (std::size_t k = 0; k < model_->prescribed.size(); ++k) {
    const Velocity& V = rigidInput_.prescribed[k];
    frozenV_.segment<6>(model_->tree.joints[static_cast<std::size_t>(model_->prescribed[k].joint)].vStart)
        << V.w,
        V.v;
  }
  multibody::computeVelocities(model_->tree, next_.q, frozenV_, X_WB_, V_WB_);
  for (const Loop& loop : model_->loops) carryWelded(loop);
  input_.bodies.resize(X_WB_.size());
  for (std::size_t body = 0; body < X_WB_.size(); ++body) input_.bodies[body] = {X_WB_[body], V_WB_[body]};

  input_.boundaries.clear();
  for (std::size_t i = 0; i < model_->boundaries.size(); ++i) {
    const Boundary& boundary = model_->boundaries[i];
    const double middle = next_.time + 0.5 * model_->time.dt;
    if (middle < boundary.from || middle >= boundary.until) continue;
    const Pose now = model_->boundaryPose(boundary, next_.time);
    const Pose then = model_->boundaryPose(boundary, next_.time + model_->time.dt);
    input_.boundaries.push_back({static_cast<int>(i), now, velocityBetween(now, then, model_->time.dt)});
  }

  input_.gravity = model_->gravity;
  input_.laws = model_->contactLaws;
  input_.pulls.clear();
  for (const Pull& pull : next_.pulls)
    if (pull.body < 0) input_.pulls.push_back(pull);
}

/// Tools and joints that people drive, over what the scene's controllers ask of them.
void CoupledStepper::followPeople() {
  if (next_.drives.empty() && next_.goals.empty()) return;
  servo_.prepare(*model_, X_WB_);
  goals_.evaluate(*model_, X_WB_, servo_, next_, targets_);
  evaluateDrives(*model_, servo_, next_, targets_);
}

/// A weld between a prescribed body and one that is not gives that one, with all that is fixed to it, the
/// first one's velocity.
void CoupledStepper::carryWelded(const Loop& loop) {
  if (loop.kind != LoopKind::Weld) return;
  const auto groupOf = [&](int body) { return model_->compositeOf[static_cast<std::size_t>(body)]; };
  if (isPrescribed(*model_, loop.bodyA) == isPrescribed(*model_, loop.bodyB)) return;
  const int leader = isPrescribed(*model_, loop.bodyA) ? loop.bodyA : loop.bodyB;
  const int follower = leader == loop.bodyA ? loop.bodyB : loop.bodyA;
  if (groupOf(follower) == 0) return;  // cannot move: the weld gives way
  const auto from = static_cast<std::size_t>(leader);
  for (std::size_t body = 0; body < V_WB_.size(); ++body)
    if (model_->compositeOf[body] == groupOf(follower))
      V_WB_[body] = {V_WB_[from].w, V_WB_[from].at(X_WB_[body].p - X_WB_[from].p)};
}

void CoupledStepper::advanceParticles(StepReport& report) {
  mpm_.reset(model_->tree.bodies.size(), model_->boundaries.size());
  if (!backend_) return;
  backend_->advance(input_, model_->time.dt, mpm_);

  const StepReport before = report;
  report = mpm_.report;
  report.health |= before.health;
  for (std::size_t i = 0; i < before.phases.size(); ++i) report.phases[i] += before.phases[i];
  SIM_REQUIRE(mpm_.wrenchImpulse.size() == model_->tree.bodies.size(), mpm_.wrenchImpulse.size());
  SIM_REQUIRE(mpm_.remainderImpulse.size() == model_->tree.bodies.size(), mpm_.remainderImpulse.size());
  SIM_REQUIRE(mpm_.boundaryImpulse.size() == model_->boundaries.size(), mpm_.boundaryImpulse.size());
  if (!isFinite(mpm_.wrenchImpulse)) raise(report.health, Health::NonFinite);
  if (!refused(report.health)) report.momentumError = momentumError();
}

/// |Δp − Σmg Δt − Σ pulls + Σ impulses on bodies and boundaries| / (Σ|γ| + Σ|impulses of boundary nodes| + |Σ
/// pulls|): what the particles gained beyond gravity and what a person gave, the others must have lost.
double CoupledStepper::momentumError() const {
  const mpm::ParticleFacts& before = backend_->facts();
  Vec3 imbalance = mpm_.facts.momentum() - before.momentum() -
                   before.mass() * model_->time.dt * model_->gravity - mpm_.pullImpulse;
  for (const Wrench& impulse : mpm_.wrenchImpulse) imbalance += impulse.force;
  for (const Vec3& impulse : mpm_.boundaryImpulse) imbalance += impulse;
  double total = mpm_.boundaryMagnitude + mpm_.pullImpulse.norm();
  for (const mpm::ContactSum& contact : mpm_.contacts) total += contact.impulse.norm();
  return total > 0 ? imbalance.norm() / total : 0;
}

bool CoupledStepper::describeRigidStep(StepReport& report) {
  if (!targets_.saturated.empty()) raise(report.health, Health::ActuatorSaturated);
  if (!targets_.unreached.empty()) raise(report.health, Health::IkFailed);
  rigid_.tau = targets_.effort;
  rigid_.contacts.clear();
  rigid_.saturated.clear();
  rigid_.trace.clear();
  rigid_.contactImpulse.clear();
  given_ = {};
  if (model_->tree.nv == 0) return false;

  rigidInput_.q = &next_.q;
  rigidInput_.v = &next_.v;
  rigidInput_.dt = model_->time.dt;
  rigidInput_.gravity = model_->gravity;
  rigidInput_.wrenchImpulse.clear();
  rigidInput_.externalWrench.assign(model_->tree.bodies.size(), {});
  given_ = addIntentWrenches(*model_, next_, X_WB_, V_WB_, rigidInput_.externalWrench);
  for (const ActuatorTargets::Force& f : targets_.forces) {
    const auto body = static_cast<std::size_t>(f.body);
    const Vec3 lever_W = X_WB_[body].R * f.p_B;
    rigidInput_.externalWrench[body] +=
        Wrench{f.wrench.force, f.wrench.torque + lever_W.cross(f.wrench.force)};
  }
  rigidInput_.effort = targets_.effort;
  rigidInput_.targets = targets_.pd;
  return true;
}

void CoupledStepper::reportRigidStep(StepReport& report) const {
  report.rigidIterations = rigid_.iterations;
  report.rigidContacts = static_cast<int>(rigid_.contacts.points.size());
  report.rigidPairs = static_cast<int>(rigid_.contacts.pairs.size());
  if (!rigid_.converged) {
    raise(report.health, Health::NotConverged);
    ++report.notConvergedSolves;
  }
  if (!rigid_.factored) raise(report.health, Health::FactorFailed);
  if (!rigid_.saturated.empty()) raise(report.health, Health::ActuatorSaturated);
}

/// The constant velocities that bring prescribed bodies to their paths' poses at t_{n+1}.
void CoupledStepper::prescribeMotion() {
  const double dt = model_->time.dt;
  rigidInput_.prescribed.resize(model_->prescribed.size());
  for (std::size_t k = 0; k < model_->prescribed.size(); ++k) {
    const PrescribedMotion& motion = model_->prescribed[k];
    const Pose goal = model_->paths[static_cast<std::size_t>(motion.path)].at(next_.time + dt);
    const multibody::Joint& joint = model_->tree.joints[static_cast<std::size_t>(motion.joint)];
    const Pose& now = X_WB_[static_cast<std::size_t>(joint.child)];
    rigidInput_.prescribed[k] = velocityBetween(now, goal, dt);
  }
}

/// Adds to the snapshot what only this step knows: contacts in newtons, wrenches and actuator forces.
void CoupledStepper::addStepFacts(Snapshot& snapshot, Detail detail) const {
  const double dt = model_->time.dt;
  contactsFrom(mpm_, *model_, input_.laws, dt, snapshot.contacts);
  for (std::size_t body = 0; body < mpm_.wrenchImpulse.size(); ++body) {
    snapshot.contactWrench[body] = mpm_.wrenchImpulse[body] * (1 / dt);
    snapshot.contactRemainder[body] = {mpm_.remainderImpulse[body].force * (1 / dt),
                                       snapshot.contactWrench[body].torque};
  }
  // Each substep's forces turned the body from where they acted; a contact stands at the mean of its places.
  // What the mean loses belongs to the remainder, so that wrenches sum up however many substeps there are.
  for (const Contact& c : snapshot.contacts) {
    const auto body = static_cast<std::size_t>(c.body);
    snapshot.contactRemainder[body].torque -= (c.p_WC - X_WB_[body].p).cross(c.f_Bc_W);
  }
  for (std::size_t i = 0; i < mpm_.boundaryImpulse.size(); ++i)
    snapshot.boundaryForce[i] = mpm_.boundaryImpulse[i] / dt;
  addRigidContacts(rigid_, *model_, dt, detail, snapshot);
  snapshot.tau = rigid_.tau;
  addSolverFacts(snapshot);
  snapshot.healthNotes = notes_;
  snapshot.pullForce = given_.force + mpm_.pullImpulse / dt;
  snapshot.twistTorque = given_.torque;
  if (!model_->sensors.empty()) readSensors(*model_, factsBefore(), snapshot);
}

/// Poses and velocities at the start of the step that was just accepted.
StepFacts CoupledStepper::factsBefore() const {
  StepFacts before;
  before.time = next_.time;
  before.X_WB = X_WB_;
  multibody::computeVelocities(model_->tree, next_.q, next_.v, before.X_WB, before.V_WB);
  return before;
}

/// How the solves went, and which actuators and goals made a health flag.
void CoupledStepper::addSolverFacts(Snapshot& snapshot) const {
  snapshot.contactSolve = mpm_.contactSolve;
  snapshot.rigidSolve = rigid_.trace;
  std::vector<std::int32_t>& joints = snapshot.saturatedJoints;
  joints = targets_.saturated;
  joints.insert(joints.end(), rigid_.saturated.begin(), rigid_.saturated.end());
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  snapshot.unreachedGoals = targets_.unreached;
}

StepReport CoupledStepper::refuse(StepReport report, Snapshot& snapshot, Detail detail) {
  tune(live_.tuning);
  observe(snapshot, detail);
  snapshot.report = report;
  return report;
}

std::vector<Error> gridObstacles(const Model& model) {
  std::vector<Error> obstacles;
  const double reach = mpm::kDomainCells * model.gridSpacing;
  for (const Deformable& d : model.deformables) {
    const auto begin = model.particles.x.begin() + d.begin, end = model.particles.x.begin() + d.end;
    if (std::all_of(begin, end, [&](const Vec3& x) { return x.cwiseAbs().maxCoeff() < reach; })) continue;
    obstacles.push_back({ErrorCode::Unsupported, "it starts more than 10,000 grid cells from the origin",
                         model.file + ", deformable '" + d.name + "'",
                         "move it closer, or choose a larger grid spacing"});
  }
  return obstacles;
}

}  // namespace slipstick
