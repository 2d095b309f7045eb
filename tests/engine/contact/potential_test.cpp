#include "engine/contact/potential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/test_paths.h"

namespace slipstick::contact {
namespace {

using V = V3<double>;

LaggedContact<double> pressingContact() {
  return {{0, 0, 1}, 15, 3e5, 15, 0.5 * 0.375, 1.875e-4, 0.01};
}

V vec(const nlohmann::json& j) {
  return {j[0], j[1], j[2]};
}

struct RandomContact {
  LaggedContact<double> contact;
  V u;
};

/// Contacts over the whole range of stiffness, damping and slip, some open, some with almost no slip.
RandomContact draw(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::normal_distribution<double> gauss;
  const auto logUniform = [&](double lo, double hi) { return lo * std::pow(hi / lo, unit(random)); };
  RandomContact r;
  V n = {gauss(random), gauss(random), gauss(random)};
  n = (1 / std::sqrt(dot(n, n))) * n;
  LaggedContact<double>& c = r.contact;
  c.normal = n;
  c.dt = logUniform(1e-4, 1e-2);
  c.f0 = logUniform(1e-2, 1e2);
  c.stiffness = logUniform(1e2, 1e5);
  c.dissipation = unit(random) < 0.3 ? 0 : logUniform(0.1, 20);
  c.frictionBound = laggedNormalImpulse(c.f0, c.dissipation, 0.1 * gauss(random), c.dt) * unit(random);
  c.epsilon = frictionEpsilon(1e-3, c.frictionBound, logUniform(1, 300), 1e-3);
  V t = {gauss(random), gauss(random), gauss(random)};
  t -= dot(t, n) * n;
  const double opening = std::min(c.f0 / (c.dt * c.stiffness), c.dissipation > 0 ? 1 / c.dissipation : 1e30);
  const double slip = unit(random) < 0.3 ? 1e-9 : logUniform(1e-5, 1);
  r.u = slip * t +
        (unit(random) < 0.3 ? opening * (1.1 + unit(random)) : opening * (0.9 - 3 * unit(random))) * n;
  return r;
}

TEST(LaggedNormalImpulse, GivesTheOracleValueAndRegularization) {
  const double n0 = laggedNormalImpulse(15.0, 0.01, -0.1, 0.01);
  EXPECT_NEAR(n0, 0.15015, 1e-12);
  EXPECT_NEAR(frictionEpsilon(1e-4, 0.5 * n0, 1.0, 0.01), 7.5075e-4, 1e-15);
  const double n1 = laggedNormalImpulse(15.0, 15.0, -0.1, 0.01);
  EXPECT_NEAR(n1, 0.375, 1e-12);
  EXPECT_NEAR(frictionEpsilon(1e-4, 0.5 * n1, 1.0, 1e-3), 1.875e-4, 1e-15);
}

TEST(LaggedPotential, GivesTheOracleValuesOfASlidingContact) {
  const auto c = pressingContact();
  const auto p = laggedPotential(V{0.01, -0.01, -0.15}, c);
  const auto G = hessian(p, c.normal);
  EXPECT_NEAR(p.value, 0.89417923, 5e-9);
  EXPECT_NEAR(p.gamma.x, -0.13257087, 5e-9);
  EXPECT_NEAR(p.gamma.y, 0.13257087, 5e-9);
  EXPECT_NEAR(p.gamma.z, 15.1125, 1e-9);
  EXPECT_NEAR(G(0, 0), 6.6297085, 5e-7);
  EXPECT_NEAR(G(0, 1), 6.62738, 5e-6);
  EXPECT_NEAR(G(2, 2), 167.25, 1e-9);
  EXPECT_EQ(G(0, 2), 0);
}

TEST(LaggedPotential, GivesTheOracleValuesOfASlowAndOfAnOpenContact) {
  const auto c = pressingContact();
  const auto slow = laggedPotential(V{1e-6, 0, -0.1}, c);
  EXPECT_NEAR(slow.value, 0.32625, 5e-7);
  EXPECT_NEAR(slow.gamma.x, -9.9998578e-4, 5e-12);
  EXPECT_NEAR(slow.gamma.z, 7.875, 1e-9);
  EXPECT_NEAR(hessian(slow, c.normal)(0, 0), 999.95733, 5e-6);
  EXPECT_NEAR(hessian(slow, c.normal)(2, 2), 122.25, 1e-9);
  const auto open = laggedPotential(V{0.01, 0, 0.1}, c);
  EXPECT_NEAR(open.gamma.x, -0.18746705, 5e-9);
  EXPECT_EQ(open.gamma.z, 0);
}

TEST(LaggedPotential, MatchesTheReferenceData) {
  const nlohmann::json file = slipstick::testing::readData("mpm/potential.json");
  ASSERT_EQ(file["cases"].size(), 40u);
  for (const auto& j : file["cases"]) {
    LaggedContact<double> c;
    c.normal = vec(j["normal"]);
    c.f0 = j["f0"], c.stiffness = j["k"], c.dissipation = j["d"], c.dt = j["dt"];
    const double n0 = laggedNormalImpulse<double>(c.f0, c.dissipation, j["v_n0"], c.dt);
    EXPECT_NEAR(n0, j["n0"], 1e-14 + 1e-12 * n0);
    c.frictionBound = double(j["mu"]) * n0;
    c.epsilon = frictionEpsilon<double>(1e-3, c.frictionBound, j["w_t"], 1e-3);
    EXPECT_NEAR(c.epsilon, j["eps"], 1e-12 * c.epsilon);
    const auto p = laggedPotential(vec(j["u"]), c);
    const auto G = hessian(p, c.normal);
    const double gammaSize = std::sqrt(dot(p.gamma, p.gamma)), GSize = p.tangential + p.normal;
    EXPECT_NEAR(p.value, j["value"], 1e-12 * (std::abs(p.value) + c.dt * c.f0 * 0.1));
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(p.gamma[a], double(j["gamma"][a]), 1e-12 * gammaSize + 1e-17);
      for (int b = 0; b < 3; ++b) EXPECT_NEAR(G(a, b), double(j["G"][a][b]), 1e-11 * GSize + 1e-17);
    }
  }
}

TEST(LaggedPotential, ImpulseIsTheNegativeGradientOfTheValue) {
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    const auto [c, u] = draw(random);
    const double h = 1e-4 * c.epsilon;
    const auto p = laggedPotential(u, c);
    const double size = std::abs(p.gamma.x) + std::abs(p.gamma.y) + std::abs(p.gamma.z);
    // The subtraction of two values loses eps·|ℓ|/h; the rest is the scheme's h².
    const double tolerance = 1e-6 * (size + c.frictionBound) + 1e-15 * std::abs(p.value) / h;
    for (int a = 0; a < 3; ++a) {
      V up = u, down = u;
      up[a] += h, down[a] -= h;
      const double slope = (laggedPotential(up, c).value - laggedPotential(down, c).value) / (2 * h);
      EXPECT_NEAR(-slope, p.gamma[a], tolerance) << "contact " << i;
    }
  }
}

TEST(LaggedPotential, HessianIsTheDerivativeOfTheImpulse) {
  std::mt19937 random(2);
  for (int i = 0; i < 400; ++i) {
    const auto [c, u] = draw(random);
    const double h = 1e-4 * c.epsilon;
    const auto p = laggedPotential(u, c);
    const auto G = hessian(p, c.normal);
    const double size = std::sqrt(dot(p.gamma, p.gamma));
    // Rounding: eps of γ itself, and eps·|u| in the tangential velocity.
    const double rounding = 1e-15 * (size + (p.tangential + p.normal) * std::sqrt(dot(u, u)));
    const double tolerance = 1e-6 * (p.tangential + p.normal) + rounding / h;
    for (int a = 0; a < 3; ++a) {
      V up = u, down = u;
      up[a] += h, down[a] -= h;
      const V slope = (1 / (2 * h)) * (laggedPotential(up, c).gamma - laggedPotential(down, c).gamma);
      for (int b = 0; b < 3; ++b) EXPECT_NEAR(-slope[b], G(b, a), tolerance) << "contact " << i;
    }
  }
}

TEST(LaggedPotential, RootOfTheHessianSquaresToIt) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const auto [c, u] = draw(random);
    const auto p = laggedPotential(u, c);
    const auto G = hessian(p, c.normal), S = hessianRoot(p, c.normal), SS = S * S;
    // u_t = u − u_n n leaves eps·|u| along the normal, which the unit slip direction magnifies by 1/s.
    const double noise = 1e-14 + 1e-15 * std::sqrt(dot(u, u)) / c.epsilon;
    for (int a = 0; a < 9; ++a) EXPECT_NEAR(SS.a[a], G.a[a], noise * (p.tangential + p.normal));
  }
}

TEST(LaggedPotential, ImpulseStaysInsideTheLaggedConeForAnyVelocity) {
  std::mt19937 random(4);
  std::normal_distribution<double> gauss;
  for (int i = 0; i < 400; ++i) {
    auto [c, u] = draw(random);
    u += 10.0 * V{gauss(random), gauss(random), gauss(random)};
    const auto p = laggedPotential(u, c);
    const double normal = dot(p.gamma, c.normal);
    const V tangential = p.gamma - normal * c.normal;
    EXPECT_GE(normal, -1e-14 * std::sqrt(dot(p.gamma, p.gamma)));
    EXPECT_LE(std::sqrt(dot(tangential, tangential)), c.frictionBound * (1 + 1e-9) + 1e-15 * normal);
  }
}

TEST(LaggedPotential, FloatAndPackAgreeWithDouble) {
  std::mt19937 random(5);
  using lanes::Pack;
  for (int i = 0; i < 100; ++i) {
    const RandomContact drawn = draw(random);
    const LaggedContact<double>& c = drawn.contact;
    const V u = drawn.u;
    const auto f = [](double x) { return static_cast<float>(x); };
    const auto inType = [&]<class T>(T) {
      const auto v = [&](const V& a) { return V3<T>{T(f(a.x)), T(f(a.y)), T(f(a.z))}; };
      const LaggedContact<T> contact = {
          v(c.normal),           T(f(c.f0)),      T(f(c.stiffness)), T(f(c.dissipation)),
          T(f(c.frictionBound)), T(f(c.epsilon)), T(f(c.dt))};
      return laggedPotential(v(u), contact);
    };
    const auto exact = laggedPotential(u, c);
    const auto single = inType(0.0f);
    const auto pack = inType(Pack(0.0f));
    // u_n = n·u is known to eps·|u| only, which the normal curvature and the friction curvature amplify.
    const double noise = 1e-5 * (std::sqrt(dot(exact.gamma, exact.gamma)) + c.frictionBound +
                                 (exact.normal + exact.tangential) * std::sqrt(dot(u, u)));
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(single.gamma[a], exact.gamma[a], noise) << "contact " << i;
    for (int lane = 0; lane < Pack::kLanes; ++lane)
      for (int a = 0; a < 3; ++a) EXPECT_FLOAT_EQ(pack.gamma[a][lane], single.gamma[a]);
  }
}

}  // namespace
}  // namespace slipstick::contact
