// Where stage 2 of an implicit step stands, at the contacts and in all that is rigid: velocities, the contacts' impulses and
// curvatures, and how a step changes them. What the grid does, whoever moves it says.
#pragma once

#include <span>
#include <vector>

#include "engine/mpm/implicit/implicit_problem.h"
#include "engine/numerics/root_finder.h"

namespace slipstick::mpm {

struct ContactIterate {
  std::vector<Vec3> u;      ///< of the grid relative to the body, per contact [m/s]
  std::vector<Vec3> gamma;  ///< −∇ℓ_c at u, on the grid [N s]
  std::vector<Mat3> G;      ///< ∇²ℓ_c at u [kg]
  RigidSide::Iterate rigid;
  std::vector<Vec3> du;  ///< of u, by the step that was asked for last

  /// All at zero. @param problem  stays where it is
  void begin(ImplicitProblem& problem);
  std::size_t size() const { return u.size(); }

  /// u at the grid velocities v and those of `rigid`.
  void findVelocities(const VecX& v);
  /// γ and G at u. @return Σ ℓ_c
  double linearize();
  /// Adds Jᵀ of impulses on the grid.
  void scatter(std::span<const Vec3> impulses, VecX& v) const;
  /// How the bodies move with these impulses on the grid, from the velocities that they have here, if any.
  void settle(std::span<const Vec3> onGrid);
  /// Impulses and curvatures of the contacts on the bodies, for the three below.
  void sumLoads();
  /// Whether the bodies have the impulses that γ gives them.
  bool bodiesConverged(double relativeTolerance) const;

  /// The bodies' Hessian where they are, with the contacts' curvature on them.
  void linearizeBodies();
  /// The same without that curvature, which then stands elsewhere, and how they answer impulses on each other, see findMobility().
  void findMobility(std::vector<multibody::Mat6>& mobility);

  // After either of these:

  /// du for the grid's step s, with how the bodies follow it.
  /// @param withGradient  of the bodies: their own way to the minimum is part of the step, here and below
  void respond(const VecX& s, bool withGradient);
  /// The same, with Jᵀ G du added to Hs.
  void addResponse(const VecX& s, bool withGradient, VecX& Hs);
  /// Subtracts from du how the bodies move with these impulses on them.
  void respondToImpulses(std::span<const Vec3> onBodies, bool withGradient);

  // After that:

  /// Where ℓ is least on the way along du: α > 0. Where rounding keeps the search from ending, its last α: the solve's own
  /// test, which follows, tells what that is worth.
  /// @param first, second  derivatives of the grid's part at α = 0 [J]; it is quadratic
  double lineSearch(double first, double second) const;
  /// Goes on by α du.
  void advance(double alpha);

 private:
  numerics::Slope slope(double alpha, double first, double second) const;
  void sumWrenches(std::span<const Vec3> onBodies);

  ImplicitProblem* problem_ = nullptr;
  std::vector<RigidSide::Load> loads_;
  std::vector<Wrench> wrenches_;
  VecX rigidStep_;
  std::vector<Velocity> bodySteps_;
  std::vector<Vec3> impulses_;
};

}  // namespace slipstick::mpm
