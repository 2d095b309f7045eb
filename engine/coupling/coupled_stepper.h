// What every method that steps particles and mechanisms together does alike: commands, tuning, controllers, people's
// hands, prescribed motion, the live state, and the snapshot of what a step did. How particles and mechanisms advance is
// the method's own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/coupling/controllers.h"
#include "engine/coupling/energy_audit.h"
#include "engine/coupling/fast_bodies.h"
#include "engine/coupling/goals.h"
#include "engine/coupling/joint_servo.h"
#include "engine/coupling/sensors.h"
#include "engine/coupling/stepper.h"
#include "engine/mpm/backend.h"
#include "engine/rigid/rigid_solver.h"

namespace slipstick {

class CoupledStepper : public Stepper {
 public:
  std::string_view backendName() const override { return backend_ ? backend_->name() : "rigid only"; }
  std::string runsOn() const override { return backend_ ? backend_->runsOn() : "CPU · 1 thread"; }
  std::string_view contactSolver() const override {
    return backend_ ? backend_->contactSolver() : std::string_view();
  }
  bool reproduces() const override { return !backend_ || backend_->reproduces(); }

  StepReport step(std::span<const Command> commands, Snapshot& snapshot, Detail detail) final;
  void takeBack() noexcept final { exchange(); }
  void observe(Snapshot& snapshot, Detail detail) final;
  void save(State& state) const final;
  void restore(const State& state) final;

 protected:
  /// The method's constructor makes its own parts, then restores the initial state.
  /// @param backend  null for a scene without particles
  CoupledStepper(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend);

  /// Brings next_ and the backend's particles from t_n to t_{n+1}: leaves impulses in mpm_, what is rigid in rigid_. Where
  /// the report's health is refused(), it may leave them anyhow.
  virtual void advance(StepReport& report) = 0;
  /// Makes whatever depends on a model's numbers, without taking it into use: may run out of memory.
  virtual void prepare(const std::shared_ptr<const Model>& tuned) = 0;
  /// Takes into use what prepare() made.
  virtual void use() noexcept = 0;

  /// Per body: work of the particles' contacts on it in the last advance() [J]; empty where particles met the velocities of
  /// t_n.
  virtual std::span<const double> particleWork() const { return {}; }
  /// Whether particles are in contact with what they would touch by the end of a step.
  virtual bool foreseesContact() const { return false; }

  /// Runs the backend's substeps and takes over their report.
  void advanceParticles(StepReport& report);
  /// Notes what the controllers could not do, and describes the rigid step without the particles' impulses: rigidInput_.
  /// @return false: nothing can move
  bool describeRigidStep(StepReport& report);
  /// The report's part of rigid_.
  void reportRigidStep(StepReport& report) const;

  std::shared_ptr<const Model> model_;  ///< with the numbers of the tuning in force
  std::unique_ptr<mpm::Backend> backend_;
  State live_;  ///< but for its particles, which the backend has

  // Workspace of one step; nothing here outlives it, so equal states give equal steps.
  State next_;
  mpm::StepInput input_;
  mpm::StepResult mpm_;
  RigidStepInput rigidInput_;
  RigidStepOutput rigid_;
  std::vector<Pose> X_WB_;      ///< at t_n
  std::vector<Velocity> V_WB_;  ///< at t_n, see freezeRigidMotion()

 private:
  void tune(const std::shared_ptr<const Tuning>& tuning);
  void freezeRigidMotion();
  void followPeople();
  void prescribeMotion();
  void carryWelded(const Loop& loop);
  StepReport take(StepReport report, Snapshot& snapshot, Detail detail);
  void exchange() noexcept;
  void audit(std::span<const Command> commands, StepReport& report);
  void auditEnergy(std::span<const Command> commands);
  void addStepFacts(Snapshot& snapshot, Detail detail) const;
  StepFacts factsBefore() const;
  void addSolverFacts(Snapshot& snapshot) const;
  StepReport refuse(StepReport report, Snapshot& snapshot, Detail detail);
  double momentumError() const;

  std::shared_ptr<const Tuning> tuning_;  ///< the tuning that the model's numbers are of
  bool halfTuned_ = false;                ///< the backend has failed on the way to other numbers
  ActuatorTargets targets_;
  JointServo servo_;
  EffectorGoals goals_;
  VecX frozenV_;
  Wrench given_;  ///< by people, to bodies
  EnergyAudit energyAudit_;
  FastBodies fastBodies_;
  std::vector<HealthNote> notes_;  ///< of the last step
  VecX startQ_;                    ///< that X_WB_ is of
  std::vector<Pose> endX_WB_;
  std::vector<Velocity> endV_WB_;  ///< of the bodies' material at X_WB_
};

/// Why no explicit MPM can step a model: deformables that start beyond what the sparse grid can number.
std::vector<Error> gridObstacles(const Model& model);

}  // namespace slipstick
