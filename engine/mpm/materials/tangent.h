// Stress and tangent of materials for implicit solves (Zong 2024): first Piola–Kirchhoff stress and the Hessian of the energy
// density by the elastic deformation gradient. In double.
//
// Isotropic laws need only slope and curvature of Ψ in the principal stretches: with F = U Σ Vᵀ, a change dF is
// D = Uᵀ dF V, whose diagonal sees ∂²Ψ/∂σ_i∂σ_j, and whose pairs D_ij ± D_ji see (ψ_i ∓ ψ_j)/(σ_i ∓ σ_j) (Stomakhin et al.
// 2012). Each of these four small matrices can be projected to its positive semidefinite part, and so is the whole then.
#pragma once

#include <optional>

#include "engine/foundation/math.h"
#include "engine/model/material.h"
#include "engine/model/model.h"
#include "engine/mpm/materials/constants.h"

namespace slipstick::mpm {

/// Row i + 3k of a vector of nine is entry (i, k) of a 3×3 matrix.
using Mat9 = Eigen::Matrix<double, 9, 9>;

/// Exact ones are indefinite where a law softens, or under pressure: a sum of them and of masses may be positive yet, and
/// with it Newton's steps converge where projected tangents lead there by a constant ratio.
enum class Tangents { Projected, Exact };

/// At one F.
struct ElasticResponse {
  double energy = 0;  ///< Ψ [J/m³]
  Mat3 P;             ///< ∂Ψ/∂F [Pa]
};

/// F = U diag(σ) Vᵀ, as svd3() has it.
struct Deformation {
  Mat3 F, U, V;
  Vec3 sigma;
};

/// What a particle's elasticity is during one implicit step: its law with what is lagged in it.
class ImplicitElasticity {
 public:
  /// Whether the law of a material can be solved for implicitly.
  static bool covers(MaterialModel model) { return model != MaterialModel::Cloth; }

  /// @param F  elastic deformation gradient at the step's start; Zong's R₀ is its rotation
  /// @param internal  internal variables at the step's start
  /// @param dt  of the step: viscosity resists the rate that leads from F [s]
  ImplicitElasticity(MaterialModel model, const MaterialConstants<double>& constants, const Mat3& F,
                     const Internal<double>& internal, double dt);

  /// Energy and stress alone.
  ElasticResponse respond(const Deformation& at) const;
  /// @param C  the Hessian there [Pa]
  ElasticResponse linearize(const Deformation& at, Mat9& C, Tangents tangents = Tangents::Projected) const;
  /// Whether Ψ is quadratic in F: then the tangent is the same everywhere, and exact.
  bool isQuadratic() const;

 private:
  ElasticResponse evaluate(const Deformation& at, Mat9* C, Tangents tangents) const;
  void addViscousModes(Mat9& C) const;

  MaterialModel model_;
  MaterialConstants<double> constants_;
  Mat3 R0_ = Mat3::Identity();
  Mat3 inverseF0_ = Mat3::Identity();
  double viscosity_ = 0;  ///< 2 J η / dt, of the squared deviator of sym(F F₀⁻¹) [Pa]
};

}  // namespace slipstick::mpm
