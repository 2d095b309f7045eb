#include "engine/mpm/materials/tangent.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/foundation/require.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/lanes/polar.h"
#include "engine/mpm/materials/liquid.h"
#include "engine/mpm/materials/snow.h"

namespace slipstick::mpm {
namespace {

/// Below this, stretches and volume ratios go on with the curvature that they have there: laws that end at J = 0 have a
/// minimiser everywhere, and an inverted particle is pushed apart.
constexpr double kSmallestStretch = 1e-3;
/// Stretches that differ by less have one tangent between them.
constexpr double kEqualStretches = 1e-5;

/// Ψ in the principal stretches.
struct Principal {
  double energy;
  Vec3 slope;
  Mat3 curvature;
};

/// ln σ, with its first two derivatives; a parabola below kSmallestStretch.
struct Logarithm {
  double value, slope, curvature;
};
Logarithm logarithm(double sigma) {
  const double s = std::max(sigma, kSmallestStretch), below = std::min(0.0, sigma - s);
  return {std::log(s) + below / s - below * below / (2 * s * s), 1 / s - below / (s * s), -1 / (s * s)};
}

/// Adds a function of J = σ₀σ₁σ₂, given its value and first two derivatives.
void addVolumetric(const Vec3& s, double value, double slope, double curvature, Principal& law) {
  const Vec3 C(s.y() * s.z(), s.z() * s.x(), s.x() * s.y());
  law.energy += value;
  law.slope += slope * C;
  law.curvature += curvature * C * C.transpose();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    law.curvature(i, j) += slope * s[k];
    law.curvature(j, i) += slope * s[k];
  }
}

/// Ψ = μ Σ (σ_i − 1)² + λ/2 (J − 1)²
Principal fixedCorotated(const Vec3& s, double mu, double lambda) {
  const Vec3 stretch = s - Vec3::Ones();
  Principal law{mu * stretch.squaredNorm(), 2 * mu * stretch, 2 * mu * Mat3::Identity()};
  const double volume = s.prod() - 1;
  addVolumetric(s, 0.5 * lambda * volume * volume, lambda * volume, lambda, law);
  return law;
}

/// Ψ = μ/2 (Σ σ_i² − 3) − μ ln J + λ/2 ln²J
Principal neoHookean(const Vec3& s, double mu, double lambda) {
  Principal law{0.5 * mu * (s.squaredNorm() - 3), mu * s, mu * Mat3::Identity()};
  Vec3 slope, curvature;
  double lnJ = 0;
  for (int i = 0; i < 3; ++i) {
    const Logarithm ln = logarithm(s[i]);
    lnJ += ln.value, slope[i] = ln.slope, curvature[i] = ln.curvature;
  }
  const double pressure = lambda * lnJ - mu;
  law.energy += 0.5 * lambda * lnJ * lnJ - mu * lnJ;
  law.slope += pressure * slope;
  law.curvature += lambda * slope * slope.transpose();
  law.curvature.diagonal() += pressure * curvature;
  return law;
}

/// Ψ = μ Σ ε_i² + λ/2 (Σ ε_i)², ε_i = ln σ_i. Beyond the yield surface |dev ε| = r the work of the return map is dissipated
/// within the step, in all μ (2 r |dev ε| − r²) for μ |dev ε|²: its slope is the stress after the return, as that is
/// associative (Ortiz & Stainier 1999).
/// @param r  infinite without plasticity
Principal hencky(const Vec3& s, double mu, double lambda, double r) {
  Vec3 strain, slope, curvature;
  for (int i = 0; i < 3; ++i) {
    const Logarithm ln = logarithm(s[i]);
    strain[i] = ln.value, slope[i] = ln.slope, curvature[i] = ln.curvature;
  }
  const double sum = strain.sum(), bulk = lambda + 2 * mu / 3;
  const Vec3 shear = strain.array() - sum / 3;
  const double norm = shear.norm();
  const bool yields = norm > r;
  const double kept = yields ? r / norm : 1;
  const Vec3 stress = (2 * mu * kept * shear).array() + bulk * sum;
  Mat3 modulus = Mat3::Constant(bulk - 2 * mu * kept / 3);
  modulus.diagonal().array() += 2 * mu * kept;
  if (yields) modulus -= 2 * mu * kept / (norm * norm) * shear * shear.transpose();
  Principal law{mu * (yields ? r * (2 * norm - r) : norm * norm) + 0.5 * bulk * sum * sum,
                stress.cwiseProduct(slope), modulus.cwiseProduct(slope * slope.transpose())};
  law.curvature.diagonal() += stress.cwiseProduct(curvature);
  return law;
}

/// Tait: Ψ = B [(J^{1−γ} − 1)/(γ − 1) + J − 1]
Principal liquid(const Vec3& s, double B, double gamma) {
  constexpr double kLeast = kSmallestStretch;
  const double J = s.prod(), held = std::max(J, kLeast), below = J - held;
  const double power = std::pow(held, -gamma), slope = B * (1 - power), curvature = B * gamma * power / held;
  const double value = B * ((held * power - 1) / (gamma - 1) + held - 1);
  Principal law{0, Vec3::Zero(), Mat3::Zero()};
  addVolumetric(s, value + slope * below + 0.5 * curvature * below * below, slope + curvature * below,
                curvature, law);
  return law;
}

Principal principal(MaterialModel model, const MaterialConstants<double>& m, const Vec3& s) {
  switch (model) {
    case MaterialModel::NeoHookean:
      return neoHookean(s, m.mu, m.lambda);
    case MaterialModel::Hencky:
    case MaterialModel::DruckerPrager:
      return hencky(s, m.mu, m.lambda, std::numeric_limits<double>::infinity());
    case MaterialModel::HenckyVonMises:
      return hencky(s, m.mu, m.lambda, m.strainLimit);
    case MaterialModel::Liquid:
      return liquid(s, m.law[0], m.law[1]);
    default:
      return fixedCorotated(s, m.mu, m.lambda);
  }
}

Mat3 symmetric(const Mat3& A) {
  return 0.5 * (A + A.transpose());
}
Mat3 deviator(const Mat3& A) {
  return A - A.trace() / 3 * Mat3::Identity();
}

/// C += scale · vec(E) vec(E)ᵀ
void addMode(double scale, const Mat3& E, Mat9& C) {
  const Eigen::Map<const Eigen::Matrix<double, 9, 1>> e(E.data());
  for (int k = 0; k < 9; ++k) C.col(k) += scale * e[k] * e;
}

/// Symmetric directions E, each as the change of F that R E is.
void addSymmetricModes(double scale, const Mat3& R, Mat9& C) {
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      Mat3 E = Mat3::Zero();
      E(i, j) += 0.5, E(j, i) += 0.5;
      addMode(scale * (i == j ? 1 : 2), R * E, C);
    }
}

/// Of stretches, and of rotations and shears between them; projected ones have none where the law softens.
void addPrincipalModes(const Deformation& d, const Principal& law, Tangents tangents, Mat9& C) {
  const auto counts = [&](double value) { return value > 0 || (tangents == Tangents::Exact && value < 0); };
  Eigen::SelfAdjointEigenSolver<Mat3> stretches;
  stretches.computeDirect(law.curvature);
  for (int k = 0; k < 3; ++k) {
    const double value = stretches.eigenvalues()[k];
    if (counts(value))
      addMode(value, d.U * stretches.eigenvectors().col(k).asDiagonal() * d.V.transpose(), C);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      const double difference = d.sigma[i] - d.sigma[j], sum = d.sigma[i] + d.sigma[j];
      const double flip = std::abs(difference) > kEqualStretches
                              ? (law.slope[i] - law.slope[j]) / difference
                              : 0.5 * (law.curvature(i, i) + law.curvature(j, j)) - law.curvature(i, j);
      const double twist = (law.slope[i] + law.slope[j]) / std::max(sum, kEqualStretches);
      for (const auto& [value, sign] : {std::pair(flip, 1.0), std::pair(twist, -1.0)}) {
        if (!counts(value)) continue;
        const Mat3 E = d.U.col(i) * d.V.col(j).transpose() + sign * d.U.col(j) * d.V.col(i).transpose();
        addMode(0.5 * value, E, C);
      }
    }
}

}  // namespace

ImplicitElasticity::ImplicitElasticity(MaterialModel model, const MaterialConstants<double>& constants,
                                       const Mat3& F, const Internal<double>& internal, double dt)
    : model_(model), constants_(constants) {
  SIM_REQUIRE(covers(model), static_cast<int>(model));
  if (isQuadratic()) R0_ = toEigen(lanes::polarRotation(toLanes<double>(F)));
  if (model == MaterialModel::Snow) constants_ = Snow::hardened(internal, constants);
  if (model == MaterialModel::Liquid && constants.law[2] > 0) {
    inverseF0_ = F.inverse();
    viscosity_ = Liquid::ratio(toLanes<double>(F)) * constants.law[2] / dt;
  }
}

bool ImplicitElasticity::isQuadratic() const {
  return model_ == MaterialModel::LinearCorotated || model_ == MaterialModel::LinearCorotatedVonMises;
}

/// Of ν |dev sym(F G)|², G = F₀⁻¹ with rows g_k: (i, k), (j, l) is ν (δ_ij g_k·g_l + G_li G_kj − ⅔ G_ki G_lj).
void ImplicitElasticity::addViscousModes(Mat9& C) const {
  for (int l = 0; l < 3; ++l)
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = inverseF0_.row(k), b = inverseF0_.row(l);
      auto block = C.block<3, 3>(3 * k, 3 * l);
      block += viscosity_ * (b * a.transpose() - 2.0 / 3 * a * b.transpose());
      block.diagonal().array() += viscosity_ * a.dot(b);
    }
}

ElasticResponse ImplicitElasticity::respond(const Deformation& at) const {
  return evaluate(at, nullptr, Tangents::Projected);
}

ElasticResponse ImplicitElasticity::linearize(const Deformation& at, Mat9& C, Tangents tangents) const {
  C.setZero();
  return evaluate(at, &C, tangents);
}

/// @param C  is added to; none: not asked for
ElasticResponse ImplicitElasticity::evaluate(const Deformation& at, Mat9* C, Tangents tangents) const {
  ElasticResponse r;
  if (isQuadratic()) {
    // E = sym(R₀ᵀF) − I: the six symmetric directions, and their trace.
    const Mat3 E = symmetric(R0_.transpose() * at.F) - Mat3::Identity();
    r.energy = constants_.mu * E.squaredNorm() + 0.5 * constants_.lambda * E.trace() * E.trace();
    r.P = R0_ * (2 * constants_.mu * E + constants_.lambda * E.trace() * Mat3::Identity());
    if (C == nullptr) return r;
    addMode(constants_.lambda, R0_, *C);
    addSymmetricModes(2 * constants_.mu, R0_, *C);
    return r;
  }
  const Principal law = principal(model_, constants_, at.sigma);
  r.energy = law.energy;
  r.P = at.U * law.slope.asDiagonal() * at.V.transpose();
  if (C != nullptr) addPrincipalModes(at, law, tangents, *C);
  if (viscosity_ > 0) {
    const Mat3 rate = deviator(symmetric(at.F * inverseF0_));
    r.energy += viscosity_ * rate.squaredNorm();
    r.P += 2 * viscosity_ * rate * inverseF0_.transpose();
    if (C != nullptr) addViscousModes(*C);
  }
  return r;
}

}  // namespace slipstick::mpm
