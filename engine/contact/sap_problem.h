// The convex problem of one rigid step as flat arrays: minimise ½‖v − v*‖²_A + Σ ℓ_c(J_c v) (SAP: Castro,
// Permenter & Han 2022; Yu 2025 Eq. 3).
//
// Velocities are ordered tree by tree, so that A is block diagonal. Scalar constraints act on one or two
// velocities; loops and contacts act on the relative velocity of two bodies, so that a pair of bodies costs
// one 6×6 block however many points it touches in. All arrays keep their capacity from step to step.
#pragma once

#include <array>
#include <cstddef>
#include <stop_token>
#include <vector>

#include "engine/contact/box_law.h"
#include "engine/contact/potential_name.h"
#include "engine/contact/rigid_potentials.h"
#include "engine/foundation/math.h"
#include "engine/multibody/spatial.h"

namespace slipstick::contact {

using multibody::Mat6;
using multibody::Vec6;

/// Degrees of freedom that hang from the world through one joint.
struct SapTree {
  int start = 0;  ///< first velocity
  int size = 0;
  std::size_t block = 0;  ///< of its size × size blocks in SapProblem::A and choleskyA, column-major
};

/// A body that a loop or a contact acts on. Index 0 of SapProblem::bodies is the world.
struct SapBody {
  int tree = -1;          ///< −1: nothing moves it in this step
  Vec3 p = Vec3::Zero();  ///< origin, W [m]
  std::size_t jacobian =
      0;  ///< 6 × tree size in SapProblem::jacobians, column-major; rows angular, linear, W
  Vec6 prescribed = Vec6::Zero();  ///< part of its velocity that the problem cannot change
  bool free = false;  ///< its velocity is its tree's v: the Jacobian is 1 and nothing is prescribed
};

/// u = Σ c_k v_k over one or two velocities.
struct ScalarConstraint {
  enum class Kind { LowerLimit, UpperLimit, DryFriction, Mimic, Pd };
  Kind kind = Kind::Pd;
  int index = 0;  ///< of the joint
  int slot = 0;   ///< in the warm-start vector
  bool active = true;
  std::array<int, 2> dof = {0, -1};   ///< −1: unused
  std::array<int, 2> tree = {0, -1};  ///< of each velocity
  std::array<double, 2> coefficient = {1, 0};
  BoxLaw law;
  double gamma = 0;  ///< result [N s] or [N m s]

  /// u at the velocities v of the problem.
  double velocity(const VecX& v) const {
    double u = coefficient[0] * v[dof[0]];
    if (dof[1] >= 0) u += coefficient[1] * v[dof[1]];
    return u;
  }
};

/// A point where two bodies touch. r is measured from the pair's origin.
struct ContactPointLaw {
  Vec3 r = Vec3::Zero();
  LaggedContact<double> law;     ///< lagged and similar
  SapContact<double> sap;        ///< SAP
  double mu = 0;                 ///< [-]
  double w = 0;                  ///< Delassus estimate [1/kg]
  Vec3 gamma = Vec3::Zero();     ///< result: impulse on B [N s]
  Vec3 velocity = Vec3::Zero();  ///< result: v_B − v_A [m/s]
};

/// Two bodies (indices into SapProblem::bodies) and what acts on their relative velocity V = V_B − V_A, taken
/// at `origin`, W axes, (angular, linear).
struct BodyPair {
  int bodyA = 0, bodyB = 0;
  Vec3 origin = Vec3::Zero();
  int rowCount = 0;  ///< of a loop: rows·V with a law each
  std::array<Vec6, 6> rows;
  std::array<BoxLaw, 6> laws;
  int loop = -1;                     ///< index of the loop, −1: a contact
  int slot = 0;                      ///< loops: in the warm-start vector
  int pointBegin = 0, pointEnd = 0;  ///< into SapProblem::points
  Vec6 gamma = Vec6::Zero();         ///< result of a loop's rows
};

struct SapProblem {
  std::vector<SapTree> trees;
  std::vector<double> A;          ///< M + Δt · damping, block by block
  std::vector<double> choleskyA;  ///< its lower Cholesky factors
  VecX vStar;                     ///< free-motion velocity
  std::vector<SapBody> bodies;
  std::vector<double> jacobians;
  std::vector<ScalarConstraint> scalars;
  std::vector<BodyPair> pairs;
  std::vector<ContactPointLaw> points;
  ContactPotentialName potential = ContactPotentialName::Lagged;
  std::stop_token stop;  ///< ends a solve by Stopped

  using Block = Eigen::Map<MatX>;
  using ConstBlock = Eigen::Map<const MatX>;
  ConstBlock blockA(const SapTree& t) const { return {A.data() + t.block, t.size, t.size}; }
  /// Requires body.tree ≥ 0.
  ConstBlock jacobian(const SapBody& body) const {
    return {jacobians.data() + body.jacobian, 6, trees[static_cast<std::size_t>(body.tree)].size};
  }
};

/// Parts of the problem that do not influence each other.
struct SapIsland {
  std::vector<int> trees, scalars, pairs, bodies;  ///< indices into the problem's arrays, ascending
};

}  // namespace slipstick::contact
