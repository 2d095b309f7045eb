#include "engine/mpm/contact/contact_line_search.h"

#include <gtest/gtest.h>

namespace slipstick::mpm {
namespace {

/// One node that one contact touches, pressed in.
ContactProblem<double> oneContact() {
  ContactProblem<double> problem;
  problem.dt = 1e-3;
  problem.stictionSpeed = 1e-3;
  problem.stictionSoftness = 1e-3;
  problem.mass = {1e-3};
  problem.vStar = {{0.1, 0, -0.5}};
  ContactPoint<double> point{};
  point.normal = {0, 0, 1};
  point.f0 = 1;
  point.stiffness = 1e4;
  point.dissipation = 1;
  point.friction = 0.5;
  point.n0 = 1e-3;
  point.weight[0] = 1;
  problem.contacts.push_back(point);
  return problem;
}

/// ℓ at v, up to a constant.
double energyAt(const ContactProblem<double>& problem, const ContactLayout<double>& layout,
                const V3<double>& v) {
  const V3<double> d = v - problem.vStar[0];
  return 0.5 * problem.mass[0] * dot(d, d) + contact::laggedPotential(v, layout.lanes(0)).value;
}

TEST(ContactLineSearch, FindsTheMinimumHoweverFarBeyondTheStepItLies) {
  ContactProblem<double> problem = oneContact();
  ContactLayout<double> layout;
  layout.build(problem);
  const V3<double> v = problem.vStar[0];
  for (const double size : {1e-3, 1e-2, 0.1, 1.0, 10.0}) {
    SCOPED_TRACE(size);
    const V3<double> step{-0.2 * size, 0, size};
    Quads<double> at(layout.paddedNodes, quad(V3<double>{0, 0, 0})), along = at;
    at[0] = quad(v);
    along[0] = quad(step);
    Columns3<double> u, stepU;
    u.assign(layout.padded, 0);
    stepU.assign(layout.padded, 0);
    for (int k = 0; k < 3; ++k) {
      u.a[static_cast<std::size_t>(k)][0] = v[k];
      stepU.a[static_cast<std::size_t>(k)][0] = step[k];
    }
    const double alpha = ContactLineSearch<double>(layout, u, stepU, at, along).minimiser();
    const auto energy = [&](double a) { return energyAt(problem, layout, v + a * step); };
    EXPECT_LT(energy(alpha), energy(0));
    EXPECT_LT(energy(alpha), energy(0.999 * alpha));
    EXPECT_LT(energy(alpha), energy(1.001 * alpha));
  }
}

}  // namespace
}  // namespace slipstick::mpm
