// How mechanisms get over a step: what they are given, what they give back, and what takes them from one to the other.
#pragma once

#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/contact/solve_trace.h"
#include "engine/foundation/math.h"
#include "engine/geometry/rigid_contact_set.h"
#include "engine/model/model.h"

namespace slipstick {

/// Implicit PD on one joint coordinate: τ = kp (q_goal − q⁺) + kd (v_goal − v⁺), q⁺ = q + Δt v⁺, τ within
/// the effort limit.
struct PdTarget {
  int joint = 0;  ///< 1-DoF joint, index into Tree::joints
  double q = 0, v = 0;
  double kp = 0, kd = 0;
  multibody::EffortRange effortLimit = 0;  ///< [N m] or [N]
  /// That bound is a chosen force: running at it does not count as saturated.
  bool lowerIsMeant = false, upperIsMeant = false;
};

struct RigidStepInput {
  const VecX* q = nullptr;
  const VecX* v = nullptr;
  double dt = 0;
  Vec3 gravity = Vec3::Zero();
  /// Per body about its origin at t_n: MPM contact [N s], exactly once; may be empty.
  std::vector<Wrench> wrenchImpulse = {};
  /// Per body about its origin: forces of people and scripts [N]; may be empty.
  std::vector<Wrench> externalWrench = {};
  /// Explicit generalized forces [N m] or [N], length nv; may be empty.
  VecX effort = {};
  /// At most one per joint.
  std::vector<PdTarget> targets = {};
  /// Per Model::prescribed: velocity of the joint's child over the step; may be empty (at rest).
  std::vector<Velocity> prescribed = {};
  /// Per tree of TreeLayout: whether it takes part; empty: all do. Nothing is known of the contacts of those that do not,
  /// and they keep their velocities.
  std::vector<char> trees = {};
  std::stop_token stop = {};  ///< ends the step by Stopped
};

/// What one point of a rigid contact did.
struct RigidContactResult {
  Vec3 impulse = Vec3::Zero();   ///< on the body of geometry B, W axes [N s]
  Vec3 velocity = Vec3::Zero();  ///< v_B − v_A at the point after the step, W axes [m/s]
  double friction = 0;           ///< μ of the pair [-]
  double frictionBound = 0;      ///< the largest friction impulse it could have given [N s]
  /// What the impulse gave to both bodies: by the mean of the velocities before and after. Where others press them on
  /// while they touch, these work along the way that the bodies go, by the velocity after: then by that [J].
  double work = 0;
  double energy = 0;  ///< of its spring at t_n, ½ k depth² [J]
};

/// Wall time of one rigid step by its parts [s].
struct RigidTimes {
  double dynamics = 0;   ///< poses, forces, mass matrices, free motion
  double collision = 0;  ///< broad and narrow phase
  double assembly = 0;   ///< laws and Jacobians of constraints and contacts
  double solve = 0;      ///< islands, Newton, corrected friction bounds
};

struct RigidStepOutput {
  VecX v;                                   ///< v⁺
  VecX tau;                                 ///< actuator forces: effort + PD, length nv
  std::vector<Pose> X_WB;                   ///< per body, at t_n
  RigidContactSet contacts;                 ///< at t_n
  std::vector<RigidContactResult> results;  ///< per contacts.points
  int iterations = 0;                       ///< Newton iterations, the largest of all islands
  int lagSolves = 0;                        ///< islands that were solved again with corrected friction bounds
  int islands = 0;
  bool converged = true;
  bool factored = true;  ///< false: a mass matrix or a Hessian could not be factored
  std::vector<std::int32_t>
      saturated;        ///< joints whose actuators ran at their limits; those that are meant don't count
  double residual = 0;  ///< ‖D∇ℓ‖ relative to its scale
  contact::SolveTrace trace;  ///< as StepFacts::rigidSolve
  RigidTimes times;
  /// What the contacts give to each body, about its origin at t_n [N s, N m s], where results are no sums over the whole
  /// step; empty: those sum up to it.
  std::vector<Wrench> contactImpulse;

  /// Keeps a trace that tells more than the one here: a failure before what converged, then what took longer.
  void keepTrace(const contact::SolveTrace& other);
};

/// Keeps workspaces; what it answers depends only on its model, the input and the memory. A steady state allocates nothing.
class RigidStep {
 public:
  virtual ~RigidStep() = default;
  /// Of what it remembers from step to step, among what a method remembers.
  virtual std::string_view memoryName() const = 0;
  /// @param memory  of the step before in, of this step out; empty: nothing is known of one
  virtual void step(const RigidStepInput& input, VecX& memory, RigidStepOutput& output) = 0;
  /// What a step of another model remembered, in the terms of this one: joints and loops are known by their names.
  virtual VecX carried(const std::shared_ptr<const Model>& from, const VecX& memory) const = 0;
};

}  // namespace slipstick
