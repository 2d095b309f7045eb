// What a contact solve hands on, at the loose tolerance of the tasks and after a cap: the velocity of its
// last iterate, impulses that obey the law there, and all of the momentum.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/contact/potential.h"
#include "engine/lanes/eigen_lanes.h"
#include "tests/engine/contact/recorded_problem.h"
#include "tests/engine/contact/synthetic_layer.h"

namespace slipstick::mpm {
namespace {

struct Case {
  const char* name;
  double stiffness = 0;  ///< of a synthetic layer [N/m]; 0: the name is that of a recorded task
  double dissipation = 0;
};

std::string nameOf(const Case& c) {
  return c.stiffness > 0 ? "layer, k " + std::to_string(c.stiffness) + ", d " + std::to_string(c.dissipation)
                         : c.name;
}

template <class Real>
RecordedProblem<Real> problemOf(const Case& c) {
  if (!(c.stiffness > 0)) return recordedProblem<Real>(c.name);
  RecordedProblem<Real> r;
  LayerPlaces places;
  r.problem =
      syntheticLayer<Real>({.side = 12, .stiffness = c.stiffness, .dissipation = c.dissipation}, &places);
  r.nodeAt = places.nodes;
  r.bodies = 2;
  for (std::size_t i = 0; i < places.contacts.size(); ++i) {
    DetectedContact d;
    d.particle = static_cast<int>(i);
    d.body = static_cast<int>(i % 2);  // two bodies share the remainder
    d.x = places.contacts[i];
    d.p_WB0 = {0.01 * d.body, 0.05, 0};
    r.detected.push_back(d);
  }
  return r;
}

Vec3 contactVelocity(const ContactPoint<double>& c, const std::vector<Vec3>& v) {
  Vec3 u = -toEigen(c.vBody);
  for (std::size_t j = 0; j < 27; ++j) u += c.weight[j] * v[static_cast<std::size_t>(c.node[j])];
  return u;
}

template <class Real>
ContactPoint<double> widened(const ContactPoint<Real>& c) {
  ContactPoint<double> d{};
  d.normal = toLanes<double>(toEigen(c.normal)), d.vBody = toLanes<double>(toEigen(c.vBody));
  d.f0 = double(c.f0), d.stiffness = double(c.stiffness), d.dissipation = double(c.dissipation);
  d.friction = double(c.friction), d.n0 = double(c.n0), d.epsilon = double(c.epsilon);
  d.node = c.node, d.bound = c.bound;
  for (std::size_t j = 0; j < 27; ++j) d.weight[j] = double(c.weight[j]);
  return d;
}

/// ℓ and Σ of the absolute values of its terms, written out from the definition in double.
template <class Real>
std::pair<double, double> potentialAt(const ContactProblem<Real>& p, const std::vector<Vec3>& v) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    sum += 0.5 * double(p.mass[i]) * (v[i] - toEigen(p.vStar[i])).squaredNorm();
  double size = sum;
  for (const auto& point : p.contacts) {
    const ContactPoint<double> c = widened(point);
    const contact::LaggedContact<double> law{c.normal,          c.f0,      c.stiffness, c.dissipation,
                                             c.friction * c.n0, c.epsilon, double(p.dt)};
    const double value = contact::laggedPotential(toLanes<double>(contactVelocity(c, v)), law).value;
    sum += value, size += std::abs(value);
  }
  return {sum, size};
}

template <class Real>
std::vector<Vec3> wide(const std::vector<V3<Real>>& v) {
  std::vector<Vec3> r;
  for (const V3<Real>& entry : v) r.push_back(toEigen(entry));
  return r;
}

template <class Real>
std::vector<Vec3> freeMotion(const ContactProblem<Real>& p) {
  std::vector<Vec3> v = wide(p.vStar);
  for (std::size_t i = 0; i < p.bounds.size(); ++i) v[i] = nearestAllowed(v[i], p.bounds[i]).v;
  return v;
}

/// Momentum and angular momentum, about `about`, that nodes gained and boundaries did not give.
template <class Real>
Wrench takenFromTheGrid(const RecordedProblem<Real>& r, const ContactSolution<Real>& s, const Vec3& about) {
  std::vector<Vec3> impulse(r.nodeAt.size(), Vec3::Zero());
  for (std::size_t c = 0; c < r.problem.contacts.size(); ++c)
    for (std::size_t j = 0; j < 27; ++j)
      impulse[static_cast<std::size_t>(r.problem.contacts[c].node[j])] +=
          double(r.problem.contacts[c].weight[j]) * toEigen(s.gamma[c]);
  Wrench taken;
  std::vector<BoundaryImpulse> boundaries(static_cast<std::size_t>(r.boundaries));
  const auto add = [&](std::size_t node, const Vec3& p) { taken += {p, (r.nodeAt[node] - about).cross(p)}; };
  for (std::size_t i = 0; i < r.nodeAt.size(); ++i) {
    const double m = double(r.problem.mass[i]);
    const Vec3 vStar = toEigen(r.problem.vStar[i]);
    add(i, m * (toEigen(s.v[i]) - vStar));
    if (!r.bounds.empty() && !r.bounds[i].empty())
      add(i, -pushBounds(vStar + impulse[i] / m, m, r.bounds[i], boundaries));
  }
  for (std::size_t c = r.detected.size(); c < r.problem.contacts.size(); ++c)  // friction of boundaries
    add(static_cast<std::size_t>(r.problem.contacts[c].node[0]), -toEigen(s.gamma[c]));
  return taken;
}

template <class Real>
void expectSoundOutcome(const Case& which, int cap, int lagIterations) {
  constexpr bool kFloat = std::is_same_v<Real, float>;
  RecordedProblem<Real> r = problemOf<Real>(which);
  ContactSolver<Real> solver;
  ContactSolution<Real> s;
  solver.solve(r.problem, {ContactSolverName::MajorizedAnderson, 5e-2, 1e-14, cap, lagIterations}, s);
  SCOPED_TRACE(nameOf(which) + (kFloat ? ", float" : ", double") + ", cap " + std::to_string(cap) + ", lag " +
               std::to_string(lagIterations));

  const std::vector<Vec3> v = wide(s.v);
  const auto [atSolution, size] = potentialAt(r.problem, v);
  EXPECT_LE(atSolution, potentialAt(r.problem, freeMotion(r.problem)).first) << "of size " << size;

  double magnitude = 0, slip = 0, speed = 0, worstSlip = 0, moments = 0;
  const Vec3 about = r.detected.front().p_WB0;
  for (std::size_t c = 0; c < r.problem.contacts.size(); ++c) {
    const Vec3 normal = toEigen(r.problem.contacts[c].normal), u = toEigen(s.u[c]),
               gamma = toEigen(s.gamma[c]);
    const Vec3 applied = contactVelocity(widened(r.problem.contacts[c]), v);
    EXPECT_GE(gamma.dot(normal), -1e-6 * gamma.norm()) << "contact " << c << " pulls";
    worstSlip = std::max(worstSlip, (applied - u).norm());
    speed = std::max(speed, applied.norm() + toEigen(r.problem.contacts[c].vBody).norm());
    if (c >= r.detected.size()) continue;
    slip += (applied - applied.dot(normal) * normal).norm();
    magnitude += gamma.norm();
    moments += (r.detected[c].x - about).norm() * gamma.norm();
  }
  EXPECT_LT(worstSlip, (kFloat ? 4e-6 : 1e-13) * speed) << "reported slip is not that of the grid";

  ContactOutcome<Real> outcome;
  StepAccount account;
  account.begin(static_cast<std::size_t>(r.bodies), static_cast<std::size_t>(r.boundaries));
  outcome.enter(r.problem, s, r.detected, r.nodeAt, account);
  SoftOutcome result;
  account.finish(result);
  Wrench balance = takenFromTheGrid(r, s, about);
  for (std::size_t b = 0; b < result.wrenchImpulse.size(); ++b) {
    Vec3 origin = about;
    for (const DetectedContact& d : r.detected)
      if (d.body == static_cast<int>(b)) origin = d.p_WB0;
    balance += result.wrenchImpulse[b];
    balance.torque += (origin - about).cross(result.wrenchImpulse[b].force);
  }
  EXPECT_LT(balance.force.norm(), 1e-6 * magnitude);
  EXPECT_LT(balance.torque.norm(), 1e-6 * moments);
  EXPECT_LT(result.report.momentumError, 1e-6);
  std::printf(
      "%-34s %-6s cap %3d lag %d: %4zu contacts, %3d iterations, %d lag solves, mean slip %.2e m/s, "
      "remainder %.1e\n",
      nameOf(which).c_str(), kFloat ? "float" : "double", cap, lagIterations, r.detected.size(), s.iterations,
      s.lagSolves, slip / double(r.detected.size()), result.report.contactRemainder);
}

class AppliedVelocity : public ::testing::TestWithParam<Case> {};

TEST_P(AppliedVelocity, KeepsTheLawAndTheMomentumAtALooseToleranceAndAtACap) {
  for (const int cap : {500, 5})
    for (const int lag : {0, 2}) {
      expectSoundOutcome<float>(GetParam(), cap, lag);
      expectSoundOutcome<double>(GetParam(), cap, lag);
    }
}

INSTANTIATE_TEST_SUITE_P(RecordedTasks, AppliedVelocity,
                         ::testing::Values(Case{"dough_rolling"}, Case{"box_bagging"}, Case{"laundry"},
                                           Case{"tshirt_folding"}, Case{"shake"}),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Layers, AppliedVelocity,
                         ::testing::Values(Case{"k1e4d1", 1e4, 1}, Case{"k1e4d100", 1e4, 100},
                                           Case{"k5e4d1", 5e4, 1}, Case{"k5e4d100", 5e4, 100}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace slipstick::mpm
