#include "engine/step/method_stepper.h"

#include <algorithm>

#include "engine/foundation/scope_timer.h"
#include "engine/foundation/set_size.h"
#include "engine/model/method_choice.h"
#include "engine/model/tuned_model.h"
#include "engine/step/contact_force.h"
#include "engine/step/drives.h"
#include "engine/step/intents.h"
#include "engine/step/snapshot_builder.h"
#include "engine/step/thin_shapes.h"
#include "engine/step/yielding.h"

namespace slipstick {

namespace {

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

MethodStepper::MethodStepper(std::string name, std::shared_ptr<const Model> model,
                             std::unique_ptr<Method> method)
    : name_(std::move(name)), model_(withRowsOf(std::move(model), name_)), method_(std::move(method)) {
  SIM_REQUIRE(model_->nodeCount() == 0 || method_->facts() != nullptr, model_->nodeCount());
  live_ = State::initial(*model_);
  tune(live_.tuning);
}

void MethodStepper::observe(Snapshot& snapshot, Detail detail) {
  buildSnapshot(*model_, live_, *method_, detail, snapshot);
}

/// Works on copies, which take the live state's place at the end: a step that fails leaves it as it was.
StepReport MethodStepper::step(std::span<const Command> commands, Snapshot& snapshot, Detail detail,
                               const std::stop_token& stop) {
  makeRoomFor(live_, next_);
  next_ = live_;
  describe(commands);
  frame_.rigid.stop = stop;
  method_->advance(frame_, MethodMemory(next_), outcome_);
  HealthFlags& health = outcome_.report.health;
  if (!outcome_.q.allFinite() || !outcome_.v.allFinite()) raise(health, Health::NonFinite);
  if (refused(health)) return refuse(snapshot, detail);
  std::swap(next_.q, outcome_.q);
  std::swap(next_.v, outcome_.v);
  reportRigidStep();
  outcome_.report.momentumError = momentumError();
  audit(commands);
  return take(snapshot, detail);
}

/// Applies the commands to the step's copy of the state, and fills the frame.
void MethodStepper::describe(std::span<const Command> commands) {
  double control = 0;
  {
    const ScopeTimer timer(control);
    for (const Command& command : commands) apply(command, *model_, next_);
    tune(next_.tuning);
    evaluateControllers(*model_, model_->time.dt, next_, targets_);
    freezeRigidMotion();
    followPeople();
    describeSoftStep();
    describeRigidStep();
  }
  outcome_.begin(*model_, next_, targets_.effort);
  at(outcome_.report.phases, Phase::Control) = control;
  if (!targets_.saturated.empty()) raise(outcome_.report.health, Health::ActuatorSaturated);
  if (!targets_.unreached.empty()) raise(outcome_.report.health, Health::IkFailed);
}

/// Makes the step's copies the live state, and describes them. What fails at that takes the step back.
StepReport MethodStepper::take(Snapshot& snapshot, Detail detail) {
  ++next_.step;
  next_.time = static_cast<double>(next_.step) * model_->time.dt;
  exchange();
  try {
    const ScopeTimer timer(at(outcome_.report.phases, Phase::Snapshot));
    observe(snapshot, detail);
    addStepFacts(snapshot, detail);
  } catch (...) {
    exchange();
    throw;
  }
  snapshot.report = outcome_.report;
  return outcome_.report;
}

/// What the step did to energies, and what may have passed each other unseen.
void MethodStepper::audit(std::span<const Command> commands) {
  notes_.clear();
  method_->poses(*model_, next_, endX_WB_);
  method_->velocities(*model_, next_, {startQ_, next_.v, frame_.X_WB}, endV_WB_);
  auditEnergy(commands);
  fastBodies_.find({model_, frame_.X_WB, endX_WB_, frame_.V_WB, method_->facts(), outcome_.contactInterval,
                    outcome_.touchWork.empty()},
                   notes_);
  addThinShapes(*model_, outcome_.soft.contacts, notes_);
  for (const HealthNote& note : notes_) raise(outcome_.report.health, note.flag);
}

/// Energy that a person puts in by other numbers or another pose is nobody's fault: the audit begins again.
void MethodStepper::auditEnergy(std::span<const Command> commands) {
  const bool touches = !outcome_.soft.contacts.empty() || !outcome_.soft.softContacts.empty() ||
                       !outcome_.rigid.contacts.pairs.empty();
  const bool hasPast = std::any_of(next_.memory.begin(), next_.memory.end(),
                                   [](const State::Memory& memory) { return memory.name == kAuditMemory; });
  if (!touches && !hasPast) return;
  const bool changes = std::any_of(commands.begin(), commands.end(), [](const Command& command) {
    return std::holds_alternative<SetParameter>(command) || std::holds_alternative<Place>(command);
  });
  VecX& past = next_.remembered(kAuditMemory);
  if (changes || next_.step == 0) past = EnergyAudit::unknownPast();
  energyAudit_.examine({*model_, frame_, endV_WB_, outcome_, method_->facts()}, past, notes_);
}

/// The live state and the copy of the last step change places.
void MethodStepper::exchange() noexcept {
  std::swap(live_, next_);
  method_->accept();
}

void MethodStepper::save(State& state) const {
  SoftState soft = std::move(state.soft);  // its memory serves again
  state = live_;
  state.soft = std::move(soft);
  method_->save(state.soft);
}

void MethodStepper::restore(const State& state) {
  State next = state;
  next.soft = {};
  tune(state.tuning);
  method_->restore(state.soft);
  live_ = std::move(next);
}

/// Has every part of the step work with the numbers of a tuning, as if the scene had been written with them.
void MethodStepper::tune(const std::shared_ptr<const Tuning>& tuning) {
  if (tuning == tuning_ && !halfTuned_) return;
  if (halfTuned_ || hashOf(*tuning) != hashOf(model_->tuning)) {
    std::shared_ptr<const Model> tuned = tunedModel(*model_, *tuning);
    halfTuned_ = true;
    method_->tune(tuned);
    halfTuned_ = false;
    model_ = std::move(tuned);
  }
  tuning_ = tuning;
}

/// The rigid pose and velocity at t_n; of what is prescribed, and all that it carries, the velocity of this step, which is
/// known already.
void MethodStepper::freezeRigidMotion() {
  startQ_ = next_.q;
  method_->poses(*model_, next_, frame_.X_WB);
  prescribeMotion();
  frozenV_ = next_.v;
  for (std::size_t k = 0; k < model_->prescribed.size(); ++k) {
    const Velocity& V = frame_.rigid.prescribed[k];
    frozenV_.segment<6>(model_->tree.joints[static_cast<std::size_t>(model_->prescribed[k].joint)].vStart)
        << V.w,
        V.v;
  }
  method_->velocities(*model_, next_, {next_.q, frozenV_, frame_.X_WB}, frame_.V_WB);
  for (const Loop& loop : model_->loops) carryWelded(loop);
}

/// The constant velocities that bring prescribed bodies to their paths' poses at t_{n+1}.
void MethodStepper::prescribeMotion() {
  const double dt = model_->time.dt;
  frame_.rigid.prescribed.resize(model_->prescribed.size());
  for (std::size_t k = 0; k < model_->prescribed.size(); ++k) {
    const PrescribedMotion& motion = model_->prescribed[k];
    const Pose goal = model_->paths[static_cast<std::size_t>(motion.path)].at(next_.time + dt);
    const multibody::Joint& joint = model_->tree.joints[static_cast<std::size_t>(motion.joint)];
    const Pose& now = frame_.X_WB[static_cast<std::size_t>(joint.child)];
    frame_.rigid.prescribed[k] = velocityBetween(now, goal, dt);
  }
}

/// A weld between a prescribed body and one that is not gives that one, with all that is fixed to it, the
/// first one's velocity.
void MethodStepper::carryWelded(const Loop& loop) {
  if (loop.kind != LoopKind::Weld) return;
  const auto groupOf = [&](int body) { return model_->compositeOf[static_cast<std::size_t>(body)]; };
  if (isPrescribed(*model_, loop.bodyA) == isPrescribed(*model_, loop.bodyB)) return;
  const int leader = isPrescribed(*model_, loop.bodyA) ? loop.bodyA : loop.bodyB;
  const int follower = leader == loop.bodyA ? loop.bodyB : loop.bodyA;
  if (groupOf(follower) == 0) return;  // cannot move: the weld gives way
  const auto from = static_cast<std::size_t>(leader);
  for (std::size_t body = 0; body < frame_.V_WB.size(); ++body)
    if (model_->compositeOf[body] == groupOf(follower))
      frame_.V_WB[body] = {frame_.V_WB[from].w,
                           frame_.V_WB[from].at(frame_.X_WB[body].p - frame_.X_WB[from].p)};
}

/// Tools and joints that people drive, over what the scene's controllers ask of them.
void MethodStepper::followPeople() {
  if (next_.drives.empty() && next_.goals.empty()) return;
  servo_.prepare(*model_, frame_.X_WB);
  goals_.evaluate(*model_, frame_.X_WB, servo_, next_, targets_);
  evaluateDrives(*model_, servo_, next_, targets_);
}

/// What moves soft bodies beside contact.
void MethodStepper::describeSoftStep() {
  const double dt = model_->time.dt;
  frame_.time = next_.time;
  frame_.boundaries.clear();
  for (std::size_t i = 0; i < model_->boundaries.size(); ++i) {
    const Boundary& boundary = model_->boundaries[i];
    const double middle = next_.time + 0.5 * dt;
    if (middle < boundary.from || middle >= boundary.until) continue;
    const Pose now = model_->boundaryPose(boundary, next_.time);
    const Pose then = model_->boundaryPose(boundary, next_.time + dt);
    frame_.boundaries.push_back({static_cast<int>(i), now, velocityBetween(now, then, dt)});
  }
  frame_.pulls.clear();
  for (const Pull& pull : next_.pulls)
    if (pull.body < 0) frame_.pulls.push_back(pull);
}

/// What actuators, scripts and people ask of mechanisms.
void MethodStepper::describeRigidStep() {
  RigidStepInput& rigid = frame_.rigid;
  rigid.q = &next_.q;
  rigid.v = &next_.v;
  rigid.dt = model_->time.dt;
  rigid.gravity = model_->gravity;
  rigid.externalWrench.assign(model_->tree.bodies.size(), {});
  given_ = {};
  if (model_->tree.nv > 0) {
    given_ = addIntentWrenches(*model_, next_, frame_.X_WB, frame_.V_WB, rigid.externalWrench);
    addScriptedForces();
  }
  rigid.effort = targets_.effort;
  rigid.targets = targets_.pd;
}

void MethodStepper::addScriptedForces() {
  for (const ActuatorTargets::Force& f : targets_.forces) {
    const auto body = static_cast<std::size_t>(f.body);
    const Vec3 lever_W = frame_.X_WB[body].R * f.p_B;
    frame_.rigid.externalWrench[body] +=
        Wrench{f.wrench.force, f.wrench.torque + lever_W.cross(f.wrench.force)};
  }
}

/// The report's part of the rigid step.
void MethodStepper::reportRigidStep() {
  const RigidStepOutput& rigid = outcome_.rigid;
  StepReport& report = outcome_.report;
  report.rigidIterations = rigid.iterations;
  report.rigidContacts = static_cast<int>(rigid.contacts.points.size());
  report.rigidPairs = static_cast<int>(rigid.contacts.pairs.size());
  if (!rigid.converged) {
    raise(report.health, Health::NotConverged);
    ++report.notConvergedSolves;
  }
  if (!rigid.factored) raise(report.health, Health::FactorFailed);
  if (!rigid.saturated.empty()) raise(report.health, Health::ActuatorSaturated);
}

/// |Δp − Σmg Δt − Σ pulls + Σ impulses on bodies and boundaries| / (Σ|γ| + Σ|impulses of boundaries| + |Σ pulls|): what soft
/// bodies gained beyond gravity and what a person gave, the others must have lost.
double MethodStepper::momentumError() const {
  const SoftFacts* const before = method_->facts();
  if (before == nullptr) return 0;
  const SoftOutcome& soft = outcome_.soft;
  Vec3 imbalance = soft.facts.momentum() - before->momentum() -
                   before->mass() * model_->time.dt * model_->gravity - soft.pullImpulse;
  for (const Wrench& impulse : soft.wrenchImpulse) imbalance += impulse.force;
  for (const Vec3& impulse : soft.boundaryImpulse) imbalance += impulse;
  double total = soft.boundaryMagnitude + soft.pullImpulse.norm();
  for (const TouchImpulse& contact : soft.contacts) total += contact.impulse.norm();
  return total > 0 ? imbalance.norm() / total : 0;
}

/// Adds to the snapshot what only this step knows: contacts in newtons, wrenches and actuator forces.
void MethodStepper::addStepFacts(Snapshot& snapshot, Detail detail) const {
  const double dt = model_->time.dt;
  const SoftOutcome& soft = outcome_.soft;
  contactsFrom(soft, *model_, dt, snapshot.contacts);
  for (std::size_t body = 0; body < soft.wrenchImpulse.size(); ++body) {
    snapshot.contactWrench[body] = soft.wrenchImpulse[body] * (1 / dt);
    snapshot.contactRemainder[body] = {soft.remainderImpulse[body].force * (1 / dt),
                                       snapshot.contactWrench[body].torque};
  }
  // Each substep's forces turned the body from where they acted; a contact stands at the mean of its places.
  // What the mean loses belongs to the remainder, so that wrenches sum up however many substeps there are.
  for (const Contact& c : snapshot.contacts) {
    if (!c.a.isRigid()) continue;
    const auto body = static_cast<std::size_t>(c.a.body);
    snapshot.contactRemainder[body].torque -= (c.p_WC - frame_.X_WB[body].p).cross(c.f_Bc_W);
  }
  for (std::size_t i = 0; i < soft.boundaryImpulse.size(); ++i)
    snapshot.boundaryForce[i] = soft.boundaryImpulse[i] / dt;
  addRigidContacts(outcome_.rigid, *model_, dt, detail, snapshot);
  snapshot.tau = outcome_.rigid.tau;
  addSolverFacts(snapshot);
  snapshot.healthNotes = notes_;
  snapshot.ownObservables = outcome_.observables;
  snapshot.pullForce = given_.force + soft.pullImpulse / dt;
  snapshot.twistTorque = given_.torque;
  if (!model_->sensors.empty()) readSensors(*model_, factsBefore(), snapshot);
}

/// Poses and velocities at the start of the step that was just accepted.
StepFacts MethodStepper::factsBefore() const {
  StepFacts before;
  before.time = next_.time;
  before.X_WB = frame_.X_WB;
  method_->velocities(*model_, next_, {next_.q, next_.v, before.X_WB}, before.V_WB);
  return before;
}

/// How the solves went, and which actuators and goals made a health flag.
void MethodStepper::addSolverFacts(Snapshot& snapshot) const {
  snapshot.contactSolve = outcome_.soft.contactSolve;
  snapshot.rigidSolve = outcome_.rigid.trace;
  std::vector<std::int32_t>& joints = snapshot.saturatedJoints;
  joints = targets_.saturated;
  joints.insert(joints.end(), outcome_.rigid.saturated.begin(), outcome_.rigid.saturated.end());
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  snapshot.unreachedGoals = targets_.unreached;
}

StepReport MethodStepper::refuse(Snapshot& snapshot, Detail detail) {
  tune(live_.tuning);
  observe(snapshot, detail);
  snapshot.report = outcome_.report;
  return outcome_.report;
}

}  // namespace slipstick
