// A row of an implicit step's contact problem.
#pragma once

#include <array>

#include "engine/contact/rigid_potentials.h"
#include "engine/foundation/math.h"
#include "engine/lanes/eigen_lanes.h"

namespace slipstick::mpm {

/// A particle that touches a geometry, or a node inside a boundary.
struct ImplicitContact {
  contact::SapContact<double> law;
  /// It is no contact: the node has the boundary's velocity in the directions of `held`, with law.Rn.
  bool holds = false;
  Mat3 held = Mat3::Zero();  ///< a projector
  std::array<int, 27> node{};
  std::array<double, 27> weight{};
  int nodes = 27;             ///< how many of them count
  int body = -1;              ///< index into ImplicitProblem::bodies; −1: vBody is all
  Vec3 arm = Vec3::Zero();    ///< from the body's origin [m]
  Vec3 vBody = Vec3::Zero();  ///< [m/s]
  Vec3 guess = Vec3::Zero();  ///< of the impulse on the grid [N s]

  /// Of its point on the body: velocity per (angular, linear) velocity of the body's origin.
  Eigen::Matrix<double, 3, 6> bodyJacobian() const {
    Eigen::Matrix<double, 3, 6> J;
    J << -skew(arm), Mat3::Identity();
    return J;
  }

  struct Linear {
    double value;  ///< ℓ_c [J]
    Vec3 gamma;    ///< −∇ℓ_c, on the grid [N s]
    Mat3 G;        ///< ∇²ℓ_c [kg]
  };
  /// @param u  of the grid relative to the body [m/s]
  Linear linearize(const Vec3& u) const {
    if (holds) {
      const Mat3 G = held / law.Rn;
      const Vec3 gamma = -(G * u);
      return {-0.5 * gamma.dot(u), gamma, G};
    }
    const contact::RigidPotential<double> p = contact::sapPotential(lanes::toLanes<double>(u), law);
    return {p.value, lanes::toEigen(p.gamma), lanes::toEigen(contact::hessian(p, law.normal))};
  }
};

}  // namespace slipstick::mpm
