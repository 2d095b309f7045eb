#include "engine/contact/rigid_potentials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace slipstick::contact {
namespace {

using V = V3<double>;
using Evaluate = std::function<RigidPotential<double>(const V&)>;

/// One contact: v_n0 −0.1, f₀ 15, k 3e5, d 15, Δt 0.01, μ 0.5, w 1, σ 1e-3.
LaggedContact<double> oracleContact() {
  return {{0, 0, 1}, 15, 3e5, 15, 0.5 * 0.375, 1.875e-4, 0.01};
}

SapContact<double> oracleSap() {
  return sapContact<double>({0, 0, 1}, 0.5, -1e-4, 3e5, 0.02, 0.01, 1, 1e-3);
}

void expectVector(const V& actual, const V& expected, double relative) {
  const double size = std::sqrt(dot(expected, expected));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(actual[i], expected[i], relative * size) << "component " << i;
}

TEST(RigidPotential, LaggedGivesTheOracleValues) {
  const auto p = laggedRigidPotential<double>({0.01, -0.01, -0.15}, oracleContact());
  EXPECT_NEAR(p.value, 0.89417923, 1e-8);
  expectVector(p.gamma, {-0.13257087, 0.13257087, 15.1125}, 1e-8);
  const M3<double> G = hessian(p, V{0, 0, 1});
  EXPECT_NEAR(G(0, 0), 6.6297085, 1e-6);
  EXPECT_NEAR(G(0, 1), 6.62738, 1e-5);
  EXPECT_NEAR(G(2, 2), 167.25, 1e-6);
  EXPECT_NEAR(G(0, 2), 0, 1e-12);
}

TEST(RigidPotential, SimilarGivesTheOracleValues) {
  const auto p = similarPotential<double>({0.01, -0.01, -0.15}, oracleContact(), 0.5);
  EXPECT_NEAR(p.value, 1.0011394, 1e-7);
  expectVector(p.gamma, {-5.7629341, 5.7629341, 16.301472}, 1e-7);
  EXPECT_NEAR(similarPotential<double>({1e-6, 0, -0.1}, oracleContact(), 0.5).gamma.z, 7.8750002, 1e-7);
  const auto open = similarPotential<double>({0.01, 0, 0.1}, oracleContact(), 0.5);
  expectVector(open.gamma, {0, 0, 0}, 1);
  EXPECT_EQ(dot(open.gamma, open.gamma), 0);
}

TEST(RigidPotential, SapGivesTheOracleValues) {
  EXPECT_NEAR(oracleSap().Rn, 0.0253303, 1e-7);
  const auto stick = sapPotential<double>({1e-4, 0, -0.1}, oracleSap());
  expectVector(stick.gamma, {-0.1, 0, 4.0794365}, 1e-7);
  const auto slide = sapPotential<double>({0.1, -0.2, -0.1}, oracleSap());
  expectVector(slide.gamma, {-1.8805895, 3.7611790, 8.4102519}, 1e-7);
  EXPECT_NEAR(slide.value, 0.904677, 1e-6);
  const auto open = sapPotential<double>({0, 0, 0.1}, oracleSap());
  EXPECT_EQ(dot(open.gamma, open.gamma), 0);
}

struct Draw {
  std::mt19937 random{7};
  std::uniform_real_distribution<double> unit{0, 1};
  std::normal_distribution<double> gauss;

  double logUniform(double lo, double hi) { return lo * std::pow(hi / lo, unit(random)); }
  V direction() {
    V d = {gauss(random), gauss(random), gauss(random)};
    return (1 / std::sqrt(dot(d, d))) * d;
  }
  /// Pressing, opening and separated contacts; fast, slow and vanishing slip.
  V velocity(const V& n, double opening) {
    V t = direction();
    t = t - dot(t, n) * n;
    const double slip = unit(random) < 0.3 ? 1e-9 : logUniform(1e-5, 1);
    const double un =
        unit(random) < 0.3 ? opening * (1.1 + unit(random)) : opening * (0.9 - 3 * unit(random));
    return slip * t + un * n;
  }
  LaggedContact<double> contact() {
    LaggedContact<double> c{direction(), logUniform(1e-2, 1e2), logUniform(1e2, 1e5), 0, 0, 0, 0};
    c.dt = logUniform(1e-4, 1e-2);
    c.dissipation = unit(random) < 0.3 ? 0 : logUniform(0.1, 20);
    c.frictionBound = unit(random) * c.dt * c.f0;
    c.epsilon = frictionEpsilon(1e-4, c.frictionBound, logUniform(0.1, 30), 1e-3);
    return c;
  }
};

/// γ = −∂ℓ/∂u and G = −∂γ/∂u by central differences with a step that suits the law's scales; symmetric and
/// positive semidefinite; curvature() is duᵀ G du.
void expectConsistent(const Evaluate& evaluate, const V& n, const V& u, double h, const V& probe) {
  const RigidPotential<double> p = evaluate(u);
  const M3<double> G = hessian(p, n);
  const double gammaScale = std::sqrt(dot(p.gamma, p.gamma)) + 1e-12;
  double stiffness = 1e-12;
  for (int i = 0; i < 9; ++i) stiffness = std::max(stiffness, std::abs(G.a[i]));
  const double rounding = 1e-15 / h * (gammaScale + stiffness * std::sqrt(dot(u, u)));
  for (int i = 0; i < 3; ++i) {
    V step = {0, 0, 0};
    step[i] = h;
    const RigidPotential<double> plus = evaluate(u + step), minus = evaluate(u - step);
    const RigidPotential<double> plus2 = evaluate(u + 2.0 * step), minus2 = evaluate(u - 2.0 * step);
    // Differences of fourth order: the laws bend within ε, and smaller steps would drown in rounding.
    const double slopeOfValue = (8 * (plus.value - minus.value) - (plus2.value - minus2.value)) / (12 * h);
    EXPECT_NEAR(-slopeOfValue, p.gamma[i],
                1e-6 * gammaScale + 1e-15 * std::abs(p.value) / h + 1e-6 * stiffness * h);
    const V slope = (-1 / (12 * h)) * (8.0 * (plus.gamma - minus.gamma) - (plus2.gamma - minus2.gamma));
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(slope[k], G(k, i), 1e-6 * stiffness + rounding);
      EXPECT_NEAR(G(k, i), G(i, k), 1e-12 * stiffness);
    }
  }
  const V Gdu = G * probe;
  EXPECT_GE(dot(probe, Gdu), -1e-12 * stiffness);
  EXPECT_NEAR(curvature(p, n, probe), dot(probe, Gdu), 1e-12 * stiffness);
}

/// Whether a kink of the law (opening, stick to slide) lies within reach of the difference step.
bool isSmoothAt(const Evaluate& evaluate, const V& u, double h) {
  const auto changes = [&](const RigidPotential<double>& a, const RigidPotential<double>& b) {
    return (a.normal == 0) != (b.normal == 0) || (a.tilt == 0) != (b.tilt == 0);
  };
  const RigidPotential<double> p = evaluate(u);
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {-3.0, 3.0}) {
      V moved = u;
      moved[i] += sign * h;
      if (changes(p, evaluate(moved))) return false;
    }
  }
  return true;
}

TEST(RigidPotential, LaggedAndSimilarAreConsistentWithTheirDerivatives) {
  Draw draw;
  int checked = 0;
  for (int i = 0; i < 2000; ++i) {
    const LaggedContact<double> c = draw.contact();
    const double mu = draw.unit(draw.random);
    const double opening =
        std::min(c.f0 / (c.dt * c.stiffness), c.dissipation > 0 ? 1 / c.dissipation : 1e30);
    const V u = draw.velocity(c.normal, opening);
    const double h = 2e-3 * std::min(c.epsilon, opening);
    const Evaluate lagged = [&](const V& x) { return laggedRigidPotential(x, c); };
    const Evaluate similar = [&](const V& x) { return similarPotential(x, c, mu); };
    for (const Evaluate& law : {lagged, similar}) {
      if (!isSmoothAt(law, u, h)) continue;
      expectConsistent(law, c.normal, u, h, draw.direction());
      ++checked;
    }
  }
  EXPECT_GT(checked, 3500);
}

TEST(RigidPotential, SapIsConsistentWithItsDerivatives) {
  Draw draw;
  int checked = 0;
  for (int i = 0; i < 2000; ++i) {
    const V n = draw.direction();
    const double phi = (draw.unit(draw.random) < 0.2 ? 1 : -1) * draw.logUniform(1e-6, 1e-3);
    const SapContact<double> c =
        sapContact<double>(n, draw.unit(draw.random), phi, draw.logUniform(1e2, 1e6), 0.02,
                           draw.logUniform(1e-4, 1e-2), draw.logUniform(0.1, 30), 1e-3);
    const V u = draw.velocity(n, 0.05);
    const double slip2 = dot(u, u) - dot(n, u) * dot(n, u);
    const double h = 2e-4 * std::max(1e-3 * std::abs(dot(n, u)), std::sqrt(std::max(0.0, slip2)));
    const Evaluate law = [&](const V& x) { return sapPotential(x, c); };
    if (h == 0 || !isSmoothAt(law, u, h)) continue;
    expectConsistent(law, n, u, h, draw.direction());
    ++checked;
  }
  EXPECT_GT(checked, 1500);
}

TEST(RigidPotential, FrictionStaysInsideItsCone) {
  Draw draw;
  for (int i = 0; i < 2000; ++i) {
    const LaggedContact<double> c = draw.contact();
    const double mu = draw.unit(draw.random);
    const V u = draw.velocity(c.normal, 0.1);
    const auto tangential = [&](const V& g) {
      return std::sqrt(std::max(0.0, dot(g, g) - dot(c.normal, g) * dot(c.normal, g)));
    };
    const V lagged = laggedRigidPotential(u, c).gamma, similar = similarPotential(u, c, mu).gamma;
    const SapContact<double> sap = sapContact(c.normal, mu, -1e-4, c.stiffness, 0.02, c.dt, 1.0, 1e-3);
    const V gamma = sapPotential(u, sap).gamma;
    EXPECT_LE(tangential(lagged), c.frictionBound * (1 + 1e-12) + 1e-15);
    EXPECT_LE(tangential(similar), mu * dot(c.normal, similar) * (1 + 1e-9) + 1e-12);
    EXPECT_LE(tangential(gamma), mu * dot(c.normal, gamma) * (1 + 1e-9) + 1e-6);
    for (const V& g : {lagged, similar, gamma}) EXPECT_GE(dot(c.normal, g), -1e-14);
  }
}

}  // namespace
}  // namespace slipstick::contact
