// Contact problems in which the velocity of a rigid body is an unknown.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/contact/contact_limits.h"
#include "tests/engine/contact/free_rigid_body.h"
#include "tests/engine/contact/synthetic_layer.h"

namespace slipstick::mpm {
namespace {

/// A layer of particles on a body whose origin is below the layer's middle.
template <class Real>
ContactProblem<Real> layerOnBody(const SyntheticLayer& layer, RigidSide& body) {
  LayerPlaces places;
  ContactProblem<Real> problem = syntheticLayer<Real>(layer, &places);
  const Vec3 origin(0.5 * 0.01 * layer.side, 0.5 * 0.01 * layer.side, -0.05);
  problem.rigid = &body;
  problem.bodies = {1};
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    problem.contacts[c].body = 0;
    problem.contacts[c].arm = toLanes<Real>(Vec3(places.contacts[c] - origin));
  }
  return problem;
}

constexpr SyntheticLayer kLayer = {.side = 9, .stiffnessPerMass = 1e6, .dissipation = 1};
/// Of the layer's three rows.
constexpr double kLayerMass = 3 * 81 * 1e-3;

FreeRigidBody bodyOf(double mass) {
  return {mass, mass * 0.1 * 0.1 / 6, {Vec3(0.1, -0.2, 0.05), Vec3(0.05, -0.02, 0.1)}};
}

ContactSolverSettings tight() {
  return {ContactSolverName::MajorizedAnderson, 1e-9, 1e-300, 20000};
}

/// How far a solution is from where ∇ℓ vanishes, recomputed from its velocities alone, over Σ|γ|.
double error(const ContactProblem<double>& p, const ContactSolution<double>& s, const FreeRigidBody& body) {
  const multibody::Vec6 V = s.rigid;
  std::vector<Vec3> node(p.mass.size());
  for (std::size_t i = 0; i < node.size(); ++i) node[i] = p.mass[i] * toEigen(s.v[i] - p.vStar[i]);
  multibody::Vec6 rigid = body.A() * (V - body.freeMotion());
  double total = 0, worst = 0;
  for (const ContactPoint<double>& c : p.contacts) {
    const Vec3 arm = toEigen(c.arm);
    Vec3 u = -(V.tail<3>() + V.head<3>().cross(arm));
    for (std::size_t n = 0; n < 27; ++n) u += c.weight[n] * toEigen(s.v[static_cast<std::size_t>(c.node[n])]);
    const contact::LaggedContact<double> law{c.normal,          c.f0,      c.stiffness, c.dissipation,
                                             c.friction * c.n0, c.epsilon, p.dt};
    const auto at = contact::laggedPotential(toLanes<double>(u), law);
    const Vec3 gamma = toEigen(at.gamma);
    for (std::size_t n = 0; n < 27; ++n) node[static_cast<std::size_t>(c.node[n])] -= c.weight[n] * gamma;
    rigid.tail<3>() += gamma;
    rigid.head<3>() += arm.cross(gamma);
    total += gamma.norm();
  }
  for (const Vec3& g : node) worst = std::max(worst, g.norm());
  return std::max(worst, rigid.norm()) / total;
}

TEST(StrongContact, TheGradientVanishesForGridAndBodyAtEveryRatioOfMasses) {
  for (const double ratio : {0.01, 1.0, 150.0, 1e4}) {
    FreeRigidBody body = bodyOf(ratio * kLayerMass);
    ContactProblem<double> problem = layerOnBody<double>(kLayer, body);
    ContactSolver<double> solver;
    ContactSolution<double> s;
    solver.solve(problem, tight(), s);
    EXPECT_TRUE(s.converged) << ratio << ": " << s.iterations << " iterations";
    EXPECT_LT(error(problem, s, body), 1e-7) << ratio;
  }
}

TEST(StrongContact, ThePotentialNeverRises) {
  FreeRigidBody body = bodyOf(kLayerMass);
  ContactProblem<double> problem = layerOnBody<double>(kLayer, body);
  ContactSolver<double> solver;
  ContactSolution<double> s;
  solver.solve(problem, tight(), s);
  ASSERT_GT(s.progress.size(), 3u);
  for (std::size_t k = 1; k < s.progress.size(); ++k)
    EXPECT_LE(s.progress[k].potential,
              s.progress[k - 1].potential + 1e-12 * std::abs(s.potentialAtFreeMotion))
        << k;
}

TEST(StrongContact, AnImmenselyHeavyBodyIsOneThatDoesNotGiveWay) {
  FreeRigidBody body = bodyOf(1e9 * kLayerMass);
  ContactProblem<double> strong = layerOnBody<double>(kLayer, body), frozen = strong;
  frozen.rigid = nullptr;
  const multibody::Vec6& V = body.freeMotion();
  for (ContactPoint<double>& c : frozen.contacts) {
    c.body = -1;
    c.vBody = toLanes<double>(Vec3(V.tail<3>() + V.head<3>().cross(toEigen(c.arm))));
  }
  ContactSolver<double> solver;
  ContactSolution<double> a, b;
  solver.solve(strong, tight(), a);
  solver.solve(frozen, tight(), b);
  double total = 0;
  for (const V3<double>& gamma : b.gamma) total += toEigen(gamma).norm();
  for (std::size_t c = 0; c < a.gamma.size(); ++c)
    EXPECT_LT(toEigen(a.gamma[c] - b.gamma[c]).norm(), 1e-7 * total) << c;
}

TEST(StrongContact, FloatsFindTheSameWithinTheirTolerance) {
  FreeRigidBody body = bodyOf(kLayerMass);
  ContactProblem<double> wide = layerOnBody<double>(kLayer, body);
  ContactProblem<float> narrow = layerOnBody<float>(kLayer, body);
  ContactSolver<double> inDouble;
  ContactSolver<float> inFloat;
  ContactSolution<double> a;
  ContactSolution<float> b;
  inDouble.solve(wide, tight(), a);
  inFloat.solve(narrow, {ContactSolverName::MajorizedAnderson, 1e-3, 1e-14, 500}, b);
  EXPECT_TRUE(b.converged) << b.iterations;
  EXPECT_LT((a.rigid - b.rigid).norm(), 2e-3 * (a.rigid - body.freeMotion()).norm());
}

/// Majorised steps serve where bodies are heavy against what touches them; Newton steps take over where they don't.
TEST(StrongContact, LightBodiesAndStiffContactsEndWithAFewNewtonSteps) {
  constexpr int kFewNewtonSteps = 12;  // near the minimiser
  constexpr int kNewtonSteps =
      2 * 14;  // from v*: of stiff layers on a fixed body a dense Newton takes 13 to 14
  for (const double stiffness : {1e5, 1e6, 1e7})
    for (const double ratio : {0.01, 0.1, 1.0, 10.0, 150.0, 1000.0})
      for (const ContactSolverName name :
           {ContactSolverName::MajorizedAnderson, ContactSolverName::ContactNewton}) {
        SyntheticLayer layer = kLayer;
        layer.stiffnessPerMass = stiffness;
        FreeRigidBody body = bodyOf(ratio * kLayerMass);
        ContactProblem<float> problem = layerOnBody<float>(layer, body);
        ContactSolver<float> solver;
        ContactSolution<float> s;
        solver.solve(problem, {name, 1e-3, 1e-14, 500}, s);
        ASSERT_GT(problem.contacts.size(), std::size_t(kMaxNewtonContacts));
        EXPECT_TRUE(s.converged) << stiffness << ", " << ratio;
        EXPECT_LE(s.iterations, name == ContactSolverName::ContactNewton
                                    ? kNewtonSteps
                                    : kLateStrongPatience + kFewNewtonSteps)
            << stiffness << ", " << ratio;
      }
}

}  // namespace
}  // namespace slipstick::mpm
