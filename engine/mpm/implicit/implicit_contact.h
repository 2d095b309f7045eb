// A row of an implicit step's contact problem.
#pragma once

#include <array>
#include <span>

#include "engine/contact/rigid_potentials.h"
#include "engine/foundation/math.h"
#include "engine/foundation/set_size.h"
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

  std::span<const int> touched() const { return std::span(node).first(static_cast<std::size_t>(nodes)); }
  std::span<const double> weights() const { return std::span(weight).first(static_cast<std::size_t>(nodes)); }
  /// Of the grid at the contact, whose nodes have these velocities.
  Vec3 gather(const VecX& v) const {
    Vec3 u = Vec3::Zero();
    for (int n = 0; n < nodes; ++n)
      u += weight[static_cast<std::size_t>(n)] * v.segment<3>(3 * node[static_cast<std::size_t>(n)]);
    return u;
  }
  /// Adds an impulse on the grid to its nodes.
  void scatter(const Vec3& impulse, VecX& v) const {
    for (int n = 0; n < nodes; ++n)
      v.segment<3>(3 * node[static_cast<std::size_t>(n)]) += weight[static_cast<std::size_t>(n)] * impulse;
  }
  /// JᵀGJ on its nodes, lower triangle of blocks (node, node).
  template <class Matrix>
  void findElement(const Mat3& G, Matrix& K) const {
    setSize(K, 3 * nodes, 3 * nodes);
    for (int j = 0; j < nodes; ++j)
      for (int i = j; i < nodes; ++i)
        K.template block<3, 3>(3 * i, 3 * j) =
            (weight[static_cast<std::size_t>(i)] * weight[static_cast<std::size_t>(j)] * G)
                .template cast<typename Matrix::Scalar>();
  }

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

  struct Projection {
    Vec3 y;     ///< in the cone [N s]
    Mat3 G;     ///< ∂y/∂(D z) [kg]
    Mat3 R, D;  ///< regularisation, and the norm of the projection [1/kg]
  };
  /// The projection of z = y − D⁻¹(u + R y − v̂) on the friction cone in the norm of D, which is isotropic along the contact
  /// and across it, and near W + R.
  /// @param y  impulse on the grid [N s]   @param u  its velocity relative to the body [m/s]
  /// @param W  what impulses do to that velocity, more or less: any will do [1/kg]
  Projection project(const Vec3& y, const Vec3& u, const Mat3& W) const {
    const Mat3 one = Mat3::Identity();
    if (holds) {
      const double d = W.trace() / 3 + law.Rn;
      return {held * (y - (u + law.Rn * y) / d), held / d, law.Rn * one, d * one};
    }
    const Vec3 n = lanes::toEigen(law.normal);
    const Mat3 along = n * n.transpose(), across = one - along;
    const double wn = n.dot(W * n), wt = 0.5 * (W.trace() - wn);
    contact::SapContact<double> cone = law;
    cone.Rn += wn, cone.Rt += wt, cone.vHat = 0;
    const Mat3 R = law.Rn * along + law.Rt * across, D = cone.Rn * along + cone.Rt * across;
    // Cones have no scale, but the potential's smooth norm has one, which shall not show.
    constexpr double kScale = 1e6;
    const Vec3 z = kScale * (D * y - (u + R * y - law.vHat * n));  // times D
    const contact::RigidPotential<double> at =
        contact::sapPotential(lanes::toLanes<double>((-z).eval()), cone);
    return {lanes::toEigen(at.gamma) / kScale, lanes::toEigen(contact::hessian(at, law.normal)), R, D};
  }
};

}  // namespace slipstick::mpm
