// The contact problem on nodes that boundaries hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/contact/potential.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/contact/contact_problem.h"
#include "tests/engine/contact/synthetic_layer.h"

namespace slipstick::mpm {
namespace {

constexpr ContactSolverName kAll[] = {ContactSolverName::QuasiNewton, ContactSolverName::MajorizedAnderson,
                                      ContactSolverName::ContactNewton};

/// A layer whose nodes are held in every way that there is, in turn: sticky, slip, separate (pressed, just
/// leaving, in a corner), free. The lists of bounds must outlive the problem.
struct BoundedLayer {
  std::vector<std::vector<NodeBound>> lists;
  ContactProblem<double> problem;

  BoundedLayer(const SyntheticLayer& layer, bool oneSided) : problem(syntheticLayer<double>(layer)) {
    const auto separate = [&](const Vec3& n, const Vec3& v) {
      return NodeBound{oneSided ? BoundaryKind::Separate : BoundaryKind::Slip, 0, n, v};
    };
    lists = {{{BoundaryKind::Sticky, 0, Vec3::UnitZ(), {0.1, 0, 0.02}}},
             {{BoundaryKind::Slip, 0, Vec3(0.6, 0, 0.8), {0.3, 0, 0}}},
             {separate(Vec3::UnitZ(), Vec3::Zero())},
             {separate(Vec3::UnitX(), {0.45, 0, 0})},
             {separate(Vec3::UnitZ(), {0, 0, -0.1}), separate(-Vec3::UnitX(), {0.4, 0, 0})},
             {},
             {}};
    for (std::size_t i = 0; i < problem.mass.size(); ++i)
      problem.bounds.emplace_back(lists[i % lists.size()]);
  }
};

/// Normals of one node are perpendicular here: projecting on one after the other is exact.
Vec3 projected(Vec3 v, NodeBounds bounds) {
  for (const NodeBound& b : bounds) {
    if (b.kind == BoundaryKind::Sticky) return b.velocity;
    const double gap = gapOf(b, v);
    if (b.kind == BoundaryKind::Slip || gap < 0) v -= gap * b.normal;
  }
  return v;
}

/// ∇ℓ written out from its definition.
std::vector<Vec3> gradientOf(const ContactProblem<double>& p, const std::vector<Vec3>& v) {
  std::vector<Vec3> gradient;
  for (std::size_t i = 0; i < v.size(); ++i) gradient.push_back(p.mass[i] * (v[i] - toEigen(p.vStar[i])));
  for (const ContactPoint<double>& c : p.contacts) {
    Vec3 u = -toEigen(c.vBody);
    for (std::size_t j = 0; j < 27; ++j) u += c.weight[j] * v[static_cast<std::size_t>(c.node[j])];
    const contact::LaggedContact<double> law{c.normal,          c.f0,      c.stiffness, c.dissipation,
                                             c.friction * c.n0, c.epsilon, p.dt};
    const Vec3 gamma = toEigen(contact::laggedPotential(toLanes<double>(u), law).gamma);
    for (std::size_t j = 0; j < 27; ++j) gradient[static_cast<std::size_t>(c.node[j])] -= c.weight[j] * gamma;
  }
  return gradient;
}

/// No curvature of M^{-½} ∇²ℓ M^{-½} exceeds this: row sums of the lumped majorant.
double curvatureBound(const ContactProblem<double>& p) {
  std::vector<double> sum(p.mass.size(), 0);
  for (const ContactPoint<double>& c : p.contacts) {
    const double normal = p.dt * (c.stiffness * p.dt * (1 + 10 * c.dissipation) + c.dissipation * c.f0);
    for (std::size_t j = 0; j < 27; ++j)
      sum[static_cast<std::size_t>(c.node[j])] += c.weight[j] * (c.friction * c.n0 / c.epsilon + normal);
  }
  double bound = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) bound = std::max(bound, 1 + sum[i] / p.mass[i]);
  return bound;
}

/// Accelerated projected gradients in the mass metric, restarted where they overshoot: slow, simple and sure.
std::vector<Vec3> bruteForce(const ContactProblem<double>& p, int iterations) {
  const double step = 1 / curvatureBound(p);
  std::vector<Vec3> v, last, look;
  for (std::size_t i = 0; i < p.mass.size(); ++i) v.push_back(projected(toEigen(p.vStar[i]), p.bounds[i]));
  last = look = v;
  int sinceRestart = 0;
  for (int k = 0; k < iterations; ++k) {
    const std::vector<Vec3> g = gradientOf(p, look);
    double uphill = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = projected(look[i] - step / p.mass[i] * g[i], p.bounds[i]);
      uphill += p.mass[i] * (look[i] - v[i]).dot(v[i] - last[i]);
    }
    sinceRestart = uphill > 0 ? 0 : sinceRestart + 1;
    for (std::size_t i = 0; i < v.size(); ++i)
      look[i] = v[i] + sinceRestart / (sinceRestart + 3.0) * (v[i] - last[i]);
    last = v;
  }
  return v;
}

void expectAllReachTheBruteForceMinimum(bool oneSided) {
  for (const double stiffness : {1.5e3, 2e4}) {
    BoundedLayer layer({.side = 5, .stiffness = stiffness, .dissipation = 1}, oneSided);
    std::vector<ContactSolution<double>> found;
    for (const ContactSolverName name : kAll) {
      ContactSolver<double> solver;
      solver.solve(layer.problem, {name, 1e-8, 1e-300, 20000}, found.emplace_back());
      EXPECT_TRUE(found.back().converged) << int(name) << " residual " << found.back().residual;
    }
    const std::vector<Vec3> exact = bruteForce(layer.problem, 20000);
    std::size_t held = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      held += !layer.problem.bounds[i].empty();
      for (const auto& s : found) EXPECT_LT((toEigen(s.v[i]) - exact[i]).norm(), 2e-6) << "node " << i;
    }
    EXPECT_GT(held, exact.size() / 2);
  }
}

TEST(BoundedContact, AllSolversReachTheConstrainedMinimiserWithEqualities) {
  expectAllReachTheBruteForceMinimum(false);
}
TEST(BoundedContact, AllSolversReachTheConstrainedMinimiserWithHalfSpaces) {
  expectAllReachTheBruteForceMinimum(true);
}

TEST(BoundedContact, EveryVelocityIsAllowedAndThePotentialNeverRises) {
  for (const ContactSolverName name : kAll)
    for (const double stiffness : {1e4, 1e5}) {
      BoundedLayer layer({.side = 6, .stiffness = stiffness, .dissipation = 5}, true);
      ContactSolver<double> solver;
      ContactSolution<double> s;
      solver.solve(layer.problem, {name, 1e-6, 1e-300, 5000}, s);
      EXPECT_TRUE(s.converged) << int(name);
      for (std::size_t i = 0; i < s.v.size(); ++i)
        EXPECT_LT((projected(toEigen(s.v[i]), layer.problem.bounds[i]) - toEigen(s.v[i])).norm(), 1e-12);
      for (std::size_t k = 1; k < s.progress.size(); ++k)
        EXPECT_LE(s.progress[k].potential,
                  s.progress[k - 1].potential + 1e-13 * std::abs(s.potentialAtFreeMotion));
    }
}

/// A corner node between moving walls, contacts far stiffer than the nodes are heavy.
TEST(BoundedContact, NewtonSettlesStiffContactsInFewIterations) {
  BoundedLayer layer({.side = 6, .stiffness = 1e6}, true);
  ContactSolver<double> solver;
  ContactSolution<double> s;
  solver.solve(layer.problem, {ContactSolverName::ContactNewton, 1e-8, 1e-300, 200}, s);
  EXPECT_TRUE(s.converged) << s.residual;
  EXPECT_LT(s.iterations, 60);
}

/// A layer pressed down on nodes that a floor holds: Coulomb's law between floor and nodes.
TEST(BoundedContact, FrictionOfBoundariesObeysCoulombInTheSameSolve) {
  constexpr double kFriction = 0.4;
  BoundedLayer layer({.side = 6, .stiffness = 1e4, .dissipation = 1}, true);
  for (auto& list : layer.lists)
    for (NodeBound& b : list) b.friction = kFriction;
  const std::size_t particles = layer.problem.contacts.size();
  for (auto& c : layer.problem.contacts)
    c.normal = {0, 0, -1}, c.vBody = {0.2, 0.1, -2};  // presses from above
  addBoundaryFriction(layer.problem);
  ASSERT_GT(layer.problem.contacts.size(), particles + 20);
  for (const ContactSolverName name : kAll) {
    ContactSolver<double> solver;
    ContactSolution<double> s;
    solver.solve(layer.problem, {name, 1e-6, 1e-300, 20000, 20}, s);
    ASSERT_TRUE(s.converged) << int(name) << " residual " << s.residual;
    std::vector<Vec3> impulse(s.v.size(), Vec3::Zero());
    for (std::size_t c = 0; c < layer.problem.contacts.size(); ++c)
      for (std::size_t j = 0; j < 27; ++j)
        impulse[static_cast<std::size_t>(layer.problem.contacts[c].node[j])] +=
            layer.problem.contacts[c].weight[j] * toEigen(s.gamma[c]);
    int sliding = 0;
    double beyond = 0, wrong = 0, bound = 0;  // sums: the lag solves stop at kLagTolerance of theirs
    for (std::size_t c = particles; c < layer.problem.contacts.size(); ++c) {
      const auto& point = layer.problem.contacts[c];
      const auto node = static_cast<std::size_t>(point.node[0]);
      const Vec3 a = toEigen(layer.problem.vStar[node]) + impulse[node] / layer.problem.mass[node];
      const AllowedVelocity reached = nearestAllowed(a, layer.problem.bounds[node]);
      const double push =
          layer.problem.mass[node] * reached.push[static_cast<std::size_t>(point.bound)].norm();
      const double friction = toEigen(s.gamma[c]).norm();
      beyond += std::max(0.0, friction - kFriction * push);
      bound += kFriction * push;
      const Vec3 normal = toEigen(point.normal), u = toEigen(s.u[c]), slip = u - normal * normal.dot(u);
      if (slip.norm() < 10 * point.epsilon) continue;
      ++sliding;
      wrong += std::abs(friction - kFriction * push);
      EXPECT_LE(slip.dot(toEigen(s.gamma[c])), -0.999 * slip.norm() * friction) << "against the slip";
    }
    EXPECT_LT(beyond, 2 * kLagTolerance * bound);
    EXPECT_LT(wrong, 2 * kLagTolerance * bound);
    EXPECT_GT(bound, 0);
    EXPECT_GT(sliding, 5);
  }
}

TEST(BoundedContact, BoundsThatDoNotHoldChangeNoBit) {
  for (const ContactSolverName name : kAll) {
    ContactProblem<double> free = syntheticLayer<double>({.side = 6, .stiffness = 5e3});
    ContactProblem<double> bounded = free;
    bounded.bounds.assign(free.mass.size(), {});
    ContactSolver<double> solver;
    ContactSolution<double> a, b;
    solver.solve(free, {name, 1e-4, 1e-300, 1000}, a);
    solver.solve(bounded, {name, 1e-4, 1e-300, 1000}, b);
    EXPECT_EQ(a.iterations, b.iterations);
    for (std::size_t i = 0; i < a.v.size(); ++i) EXPECT_EQ(toEigen(a.v[i]), toEigen(b.v[i]));
  }
}

}  // namespace
}  // namespace slipstick::mpm
