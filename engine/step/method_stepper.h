// What every method does alike in a step: commands, tuning, controllers, what people pull and drive, prescribed motion, the
// audit, build-then-commit, and the snapshot of what the step did. How soft bodies and mechanisms advance is the method's own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/step/controllers.h"
#include "engine/step/energy_audit.h"
#include "engine/step/fast_bodies.h"
#include "engine/step/goals.h"
#include "engine/step/joint_servo.h"
#include "engine/step/method.h"
#include "engine/step/sensors.h"
#include "engine/step/stepper.h"

namespace slipstick {

class MethodStepper final : public Stepper {
 public:
  /// Starts in the model's initial state.
  /// @param name    of the method
  /// @param method  made for this model
  MethodStepper(std::string name, std::shared_ptr<const Model> model, std::unique_ptr<Method> method);

  std::string_view method() const override { return name_; }
  std::string_view backendName() const override { return method_->backendName(); }
  std::string runsOn() const override { return method_->runsOn(); }
  std::string_view contactSolver() const override { return method_->contactSolver(); }
  bool reproduces() const override { return method_->reproduces(); }

  StepReport step(std::span<const Command> commands, Snapshot& snapshot, Detail detail,
                  const std::stop_token& stop) override;
  void takeBack() noexcept override { exchange(); }
  void observe(Snapshot& snapshot, Detail detail) override;
  void save(State& state) const override;
  void restore(const State& state) override;
  VecX carried(const std::shared_ptr<const Model>& from, std::string_view name,
               const VecX& values) const override {
    return method_->carried(from, name, values);
  }

 private:
  void tune(const std::shared_ptr<const Tuning>& tuning);
  void describe(std::span<const Command> commands);
  void apply(const Command& command);
  void freezeRigidMotion();
  void prescribeMotion();
  void carryWelded(const Loop& loop);
  void followPeople();
  void describeSoftStep();
  void describeRigidStep();
  void addScriptedForces();
  void reportRigidStep();
  double momentumError() const;
  void audit(std::span<const Command> commands);
  void auditEnergy(std::span<const Command> commands);
  StepReport take(Snapshot& snapshot, Detail detail);
  StepReport refuse(Snapshot& snapshot, Detail detail);
  void exchange() noexcept;
  void addStepFacts(Snapshot& snapshot, Detail detail) const;
  StepFacts factsBefore() const;
  void addSolverFacts(Snapshot& snapshot) const;

  std::string name_;
  std::shared_ptr<const Model> model_;  ///< with the numbers of the tuning in force
  std::unique_ptr<Method> method_;
  State live_;                            ///< but for its soft bodies, which the method has
  std::shared_ptr<const Tuning> tuning_;  ///< the tuning that the model's numbers are of
  bool halfTuned_ = false;                ///< the method has failed on the way to other numbers

  // Workspace of one step; nothing here outlives it, so equal states give equal steps.
  State next_;
  StepFrame frame_;
  StepOutcome outcome_;
  ActuatorTargets targets_;
  JointServo servo_;
  EffectorGoals goals_;
  VecX frozenV_;
  Wrench given_;  ///< by people, to bodies
  EnergyAudit energyAudit_;
  FastBodies fastBodies_;
  std::vector<HealthNote> notes_;  ///< of the last step
  VecX startQ_;                    ///< that frame_.X_WB is of
  std::vector<Pose> endX_WB_;
  std::vector<Velocity> endV_WB_;  ///< of the bodies' material at frame_.X_WB
};

}  // namespace slipstick
