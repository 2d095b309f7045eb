// What a method is: how soft bodies and mechanisms get from t_n to t_{n+1}. Everything else of a step, from commands to the
// snapshot, is done by MethodStepper, for all methods alike.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/soft_outcome.h"
#include "engine/model/state.h"
#include "engine/rigid/rigid_step.h"

namespace slipstick {

/// What a step is given. A method reads it while it advances and keeps nothing of it.
struct StepFrame {
  double time = 0;         ///< t_n [s]
  std::vector<Pose> X_WB;  ///< per body at t_n
  std::vector<Velocity>
      V_WB;  ///< per body at t_n; of what is prescribed, and what is welded to it, this step's
  /// Positions and velocities at t_n, Δt, gravity, and what actuators, scripts and people ask of mechanisms; without impulses
  /// of soft bodies. Its stop token is that of the whole step.
  RigidStepInput rigid;
  std::vector<BoundaryMotion> boundaries;  ///< those that act now
  std::vector<Pull> pulls;                 ///< those on soft bodies
};

/// What a step gives back. Its memory is used again.
struct StepOutcome {
  VecX q, v;              ///< at t_{n+1}; those of t_n where the method leaves them
  RigidStepOutput rigid;  ///< tau is what was asked for explicitly where nothing rigid can move
  SoftOutcome soft;
  /// Per body: work of the soft bodies' contacts on it [J]; empty where they met the velocities of t_n.
  std::vector<double> touchWork;
  /// After which soft bodies look for contact again; 0: they foresee what they would touch by the step's end [s].
  double contactInterval = 0;
  StepReport report;  ///< health, phases, and what the soft part tells; the rigid part follows from `rigid`
  /// What the method tells of its own: one number per row of its MethodRows::observables.
  std::vector<double> observables;

  /// Nothing has happened yet.
  void begin(const Model& model, const State& state, const VecX& effort);
};

/// What a method must know of the steps before, by name: a part of the state, so that a step follows from the state alone.
class MethodMemory {
 public:
  explicit MethodMemory(State& state) : state_(state) {}
  VecX& at(std::string_view name) { return state_.remembered(name); }

 private:
  State& state_;
};

/// A motion of bodies as a step knows it: that of a state, but for velocities of what is prescribed, which it knows before.
struct BodyMotion {
  const VecX& q;
  const VecX& v;
  const std::vector<Pose>& X_WB;  ///< per body, at q
};

/// Owns the live soft bodies, in the form in which they are stepped fastest, and no other physical memory: equal states and
/// frames give equal outcomes. Where what it runs on fails, its functions throw StepFailure.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view backendName() const = 0;
  /// What it runs on, for people: "CPU · 2 threads · avx512".
  virtual std::string runsOn() const = 0;
  /// Name of what solves contact problems, where it is not the scene's solver.contact; else empty.
  virtual std::string_view contactSolver() const { return {}; }
  /// Whether equal states and frames give the same bits again here.
  virtual bool reproduces() const { return true; }

  /// From now on the numbers of this model count: it differs from the one before in Model::tuning and what follows from that.
  /// The live state stays. Where it throws, it must be called again before anything else counts on the numbers.
  virtual void tune(std::shared_ptr<const Model> model) = 0;
  /// Takes over soft bodies, rounded to the numbers that it computes with; those before are gone. Until then they are as the
  /// scene has them start. Throws StepFailure where they lack a field that save() gives: another method made them.
  virtual void restore(const SoftState& soft) = 0;
  /// The live soft bodies; restore(save()) is the identity, bit for bit.
  virtual void save(SoftState& soft) const = 0;

  /// What it remembered of another model, by name, in the terms of its own: after an edit of the scene. Empty: it starts anew.
  virtual VecX carried(const std::shared_ptr<const Model>& /*from*/, std::string_view /*name*/,
                       const VecX& /*values*/) const {
    return {};
  }

  /// A person has put a body where q of the state has it now, at rest: a method that has bodies in coordinates of its own takes
  /// it from there.
  virtual void placed(int /*body*/, MethodMemory /*memory*/) const {}

  /// Advances a copy of the live state by Δt. Where the outcome's report is refused(), and where it throws, the copy is
  /// worthless. It throws Stopped soon after the frame's stop token was asked to.
  virtual void advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) = 0;
  /// Exchanges the live state and the copy of the last advance(), which was not refused: once takes the step, a second time
  /// takes it back.
  virtual void accept() noexcept = 0;

  /// Where the bodies of a state are. The default is the tree's kinematics at its q; a method that has bodies in coordinates of
  /// its own finds them in what it remembers in the state.
  /// @param X_WB  per body
  virtual void poses(const Model& model, const State& state, std::vector<Pose>& X_WB) const;
  /// How the bodies of a state move, likewise.
  /// @param V_WB  per body, of the body's origin
  virtual void velocities(const Model& model, const State& state, const BodyMotion& motion,
                          std::vector<Velocity>& V_WB) const;

  /// Of the live soft bodies; null: there are none.
  virtual const SoftFacts* facts() const = 0;
  /// How the live soft bodies look; only where there are some. Whatever the view has is memory that serves again.
  virtual void look(SoftView& view) = 0;
};

}  // namespace slipstick
