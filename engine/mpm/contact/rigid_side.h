// The rigid world as the substeps of a strongly coupled step see it. Its velocities v_r stand in each
// substep's contact problem beside those of the grid,
//   minimise ½‖v_d − v_d*‖²_M + ½‖v_r − v_r*‖²_A + ℓ_r(v_r) + ℓ_c(J_d v_d − J_r v_r),
// ℓ_r: joint limits, actuators, loops and contacts between rigid bodies. The interface through which the
// contact solver sees the rigid bodies.
#pragma once

#include <span>
#include <vector>

#include "engine/mpm/backend.h"
#include "engine/multibody/spatial.h"
#include "engine/numerics/root_finder.h"

namespace slipstick::mpm {

class RigidSide {
 public:
  /// Velocities of all that is rigid, and what they mean.
  struct Iterate {
    VecX v;                   ///< in an order of the rigid side's
    std::vector<Velocity> V;  ///< per body that the contacts touch, of its origin
    double energy = 0;        ///< ½‖v − v*‖²_A + ℓ_r(v) [J]
  };
  /// Of the contacts on one body, about its origin.
  struct Load {
    Wrench impulse;  ///< Σ −Jᵀγ [N s, N m s]
    multibody::Mat6 curvature =
        multibody::Mat6::Zero();  ///< a bound of Σ JᵀGJ, (angular, linear) [kg m², kg m, kg]
  };
  /// Norms in the metric of A's diagonal [√J].
  struct Residual {
    double error = 0;     ///< of the rigid part of ∇ℓ
    double impulse = 0;   ///< of what the contacts give to the rigid bodies
    double rounding = 0;  ///< below which an error means nothing
  };

  virtual ~RigidSide() = default;

  /// Where the bodies are now and how they move, per Model body.
  virtual const std::vector<StepInput::BodyMotion>& bodies() const = 0;
  /// Whether the velocity of a Model body is an unknown of the contact problem. Others move as they did at the step's
  /// start.
  virtual bool moves(int body) const = 0;

  /// A substep of this length begins, where the last one ended [s].
  virtual void begin(double dt) = 0;
  /// It ends, with these impulses on the Model bodies about their present origins: the bodies move.
  virtual void end(std::span<const Wrench> impulses) = 0;

  // Between begin() and end():

  /// The contact problem touches these Model bodies, all of which move.
  virtual void touch(std::span<const int> bodies) = 0;
  /// The velocities at the substep's start.
  virtual void start(Iterate& at) = 0;
  /// The velocities that minimise ½‖v − v*‖²_A + ℓ_r − Σ impulses·V, found from those that `at` has, if any.
  virtual void settle(std::span<const Wrench> impulses, Iterate& at) = 0;
  /// Fills V and energy from v.
  virtual void evaluate(Iterate& at) = 0;
  virtual Residual residual(const Iterate& at, std::span<const Load> loads) = 0;
  /// The minimiser, from `at` on, of ½‖v − v*‖²_A + ℓ_r and of the contacts' majorant, with their gradient and
  /// curvature at `at`: `next`.
  virtual void step(const Iterate& at, std::span<const Load> loads, Iterate& next) = 0;
  /// Linearises at `at`, where the contacts have these impulses and exactly these curvatures: g is the rigid part of ∇ℓ, S
  /// that of its Hessian, ∇²(½‖v − v*‖²_A + ℓ_r) + Σ JᵀKJ.
  virtual void linearize(const Iterate& at, std::span<const Load> loads) = 0;
  /// s = S⁻¹(Σ Jᵀwrenches − g), g only if asked for. @param V  per body: J s
  virtual void respond(std::span<const Wrench> wrenches, bool withGradient, VecX& s,
                       std::vector<Velocity>& V) = 0;
  using Slope = numerics::Slope;
  /// Derivatives of ½‖v − v*‖²_A + ℓ_r in α at v = at + α s [J].
  virtual Slope slope(const Iterate& at, const VecX& s, double alpha) = 0;
  /// A x.
  virtual void momentum(const VecX& x, VecX& Ax) const = 0;
};

/// How the touched bodies answer impulses on each other, after linearize(): the velocity of body a per impulse on body b is
/// mobility[a · bodies + b], (angular, linear).
void findMobility(RigidSide& rigid, std::size_t bodies, std::vector<multibody::Mat6>& mobility);

}  // namespace slipstick::mpm
