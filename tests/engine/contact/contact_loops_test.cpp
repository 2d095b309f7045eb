// The contact solver's loops in floats, on every instruction set that this machine has, beside the same loops in
// doubles and beside sums written out.
#include "engine/mpm/kernels/contact_loops.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "engine/mpm/contact/contact_layout.h"
#include "engine/mpm/kernel_choice.h"

namespace slipstick::mpm {
namespace {

constexpr int kNodes = 61, kContacts = 37;  // neither fills its last group

/// A problem of cells that share nodes, several contacts in most of them; the same numbers in both precisions.
template <class Real>
ContactProblem<Real> someProblem() {
  std::mt19937 random(7);
  const auto number = [&](double low, double high) {
    // Rounded to float: the two precisions then differ by what the loops do to them.
    return static_cast<Real>(static_cast<float>(std::uniform_real_distribution<double>(low, high)(random)));
  };
  const auto vector = [&](double size) {
    const Real x = number(-size, size), y = number(-size, size), z = number(-size, size);
    return V3<Real>{x, y, z};
  };
  ContactProblem<Real> problem;
  problem.dt = Real(1e-3f);
  problem.stictionSpeed = Real(1e-3f);
  problem.stictionSoftness = Real(1e-3f);
  for (int i = 0; i < kNodes; ++i) {
    problem.mass.push_back(number(1e-4, 1e-3));
    problem.vStar.push_back(vector(0.1));
  }
  for (int c = 0; c < kContacts; ++c) {
    ContactPoint<Real> point{};
    point.normal = c % 2 == 0 ? V3<Real>{0, 0, 1} : V3<Real>{Real(0.6f), 0, Real(0.8f)};
    point.vBody = vector(0.05);
    point.f0 = number(0, 2);
    point.stiffness = number(1e3, 1e4);
    point.dissipation = number(0, 10);
    point.friction = number(0, 1);
    point.n0 = number(0, 1e-3);
    const int cell = c / 3;
    for (std::size_t n = 0; n < 27; ++n) {
      point.node[n] = (5 * cell + 2 * static_cast<int>(n)) % kNodes;
      point.weight[n] = number(0, 2.0 / 27);
    }
    problem.contacts.push_back(point);
  }
  return problem;
}

/// What the loops make of the problem at velocities that differ from v*.
template <class Real>
struct Outcome {
  Columns3<Real> u, gamma, slip;
  std::vector<Real> tangential, normal, stickFraction, rows, nodeRows, unbounded;
  Quads<Real> v, gradient, step;
  EnergySums energy{}, energyAlone{};
  double kinetic = 0;
  ResidualSums residual{};

  Outcome(const ContactLoops<Real>& loops, const ContactLayout<Real>& layout, RowKind kind) {
    const ContactArrays<Real> arrays = layout.arrays();
    for (Columns3<Real>* c : {&u, &gamma, &slip}) c->assign(layout.padded, 0);
    for (auto* c : {&tangential, &normal, &stickFraction}) c->assign(layout.padded, 0);
    rows.assign(RowField::Count * layout.padded, 0);
    nodeRows.assign(RowField::Count * layout.paddedNodes, 0);
    unbounded.assign(layout.paddedNodes, 1);
    gradient.assign(layout.paddedNodes, Quad<Real>{});
    step = gradient, v = layout.vStar;
    for (std::size_t i = 0; i < kNodes; ++i) v[i].x *= Real(0.5f);
    const int contacts = static_cast<int>(layout.padded), nodes = static_cast<int>(layout.paddedNodes);
    loops.gather(arrays, 0, static_cast<int>(layout.stencils.size()), reals(v), nullptr, u.columns().data(),
                 true);
    const auto g = gamma.columns(), t = slip.columns();
    energy = loops.linearize(arrays, 0, contacts, std::as_const(u).columns().data(), kind, 2,
                             {{g[0], g[1], g[2]},
                              {t[0], t[1], t[2]},
                              tangential.data(),
                              normal.data(),
                              stickFraction.data(),
                              rows.data()});
    energyAlone = loops.energy(arrays, 0, contacts, std::as_const(u).columns().data());
    kinetic = loops.kinetic(arrays, 0, nodes, reals(v));
    residual = loops.nodeStep(
        arrays, 0, nodes,
        {rows.data(), reals(v), kind, unbounded.data(), nodeRows.data(), reals(gradient), reals(step)});
  }
};

template <class Real>
ContactLayout<Real> layoutOf(ContactProblem<Real>& problem) {
  ContactLayout<Real> layout;
  layout.build(problem);
  return layout;
}

constexpr ContactLoops<double> kDoubles = SLIPSTICK_CONTACT_LOOPS(double);

void expectNear(const Quads<float>& a, const Quads<double>& b, const char* what) {
  double size = 0;
  for (const Quad<double>& q : b)
    size = std::max({size, std::abs(q.x[0]), std::abs(q.x[1]), std::abs(q.x[2])});
  ASSERT_GT(size, 0) << what;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[i].x[k], b[i].x[k], 1e-5 * size) << what << ' ' << i;
}

void expectAgreement(const ContactLoops<float>& loops) {
  ContactProblem<float> problem = someProblem<float>();
  ContactProblem<double> reference = someProblem<double>();
  const ContactLayout<float> layout = layoutOf(problem);
  const ContactLayout<double> wide = layoutOf(reference);
  for (const RowKind kind : {RowKind::Lumped, RowKind::Diagonal}) {
    const Outcome<float> f(loops, layout, kind);
    const Outcome<double> d(kDoubles, wide, kind);
    for (std::size_t i = 0; i < kContacts; ++i)
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(f.u.at(i)[k], d.u.at(i)[k], 1e-6) << i;
    EXPECT_NEAR(f.energy.value, d.energy.value, 1e-5 * d.energy.size);
    EXPECT_EQ(f.energyAlone.value, f.energy.value);
    EXPECT_NEAR(f.kinetic, d.kinetic, 1e-5 * d.kinetic);
    EXPECT_NEAR(f.residual.gradient, d.residual.gradient, 1e-4 * d.residual.gradient);
    EXPECT_NEAR(f.residual.momentum, d.residual.momentum, 1e-5 * d.residual.momentum);
    EXPECT_NEAR(f.residual.impulse, d.residual.impulse, 1e-4 * d.residual.impulse);
    expectNear(f.gradient, d.gradient, "gradient");
    expectNear(f.step, d.step, "step");
  }
}

TEST(ContactLoops, AgreeWithDoublesOnEveryInstructionSet) {
  for (const char* const set : {"base", "avx2", "avx512"}) {
    SCOPED_TRACE(set);
    setenv("SLIPSTICK_ISA", set, 1);
    const KernelTable& kernels = chooseKernels();  // what this machine has of it
    expectAgreement(kernels.contact);
  }
  unsetenv("SLIPSTICK_ISA");
}

TEST(ContactLoops, StepSolvesTheNodesBlockForTheGradient) {
  ContactProblem<double> problem = someProblem<double>();
  const ContactLayout<double> layout = layoutOf(problem);
  for (const RowKind kind : {RowKind::Lumped, RowKind::Diagonal}) {
    const Outcome<double> at(kDoubles, layout, kind);
    std::vector<Vec3> impulse(kNodes, Vec3::Zero());
    std::vector<Mat3> block(kNodes, Mat3::Zero());
    for (std::size_t i = 0; i < kContacts; ++i) {
      const ContactPoint<double>& c = problem.contacts[static_cast<std::size_t>(layout.order[i])];
      const auto p = contact::laggedPotential(at.u.at(i), layout.lanes(i));
      const Vec3 n(c.normal.x, c.normal.y, c.normal.z), t(p.slip.x, p.slip.y, p.slip.z);
      const Mat3 lumped =
          p.tangential * (Mat3::Identity() - n * n.transpose()) + 2 * p.normalBound * n * n.transpose();
      const Mat3 exact = p.tangential * (Mat3::Identity() - n * n.transpose() - t * t.transpose()) +
                         p.normal * n * n.transpose();
      for (std::size_t k = 0; k < 27; ++k) {
        const auto node = static_cast<std::size_t>(c.node[k]);
        const double w = c.weight[k];
        impulse[node] += w * Vec3(p.gamma.x, p.gamma.y, p.gamma.z);
        block[node] += kind == RowKind::Lumped ? Mat3(w * lumped) : Mat3(w * w * exact);
      }
    }
    for (std::size_t i = 0; i < kNodes; ++i) {
      const double m = problem.mass[i];
      const auto vec = [](const Quad<double>& q) { return Vec3(q.x[0], q.x[1], q.x[2]); };
      const Vec3 gradient = m * (vec(at.v[i]) - vec(layout.vStar[i])) - impulse[i];
      EXPECT_TRUE(vec(at.gradient[i]).isApprox(gradient, 1e-12)) << i;
      const Mat3 H = m * Mat3::Identity() + block[i];
      EXPECT_TRUE((H * vec(at.step[i])).isApprox(-gradient, 1e-10)) << i;
    }
  }
}

}  // namespace
}  // namespace slipstick::mpm
