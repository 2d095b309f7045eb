// The exact line search of engine/mpm/contact_line_search.h on a device: along Step, from the iterate whose contact
// velocities are U.
#pragma once

#include "gpu/solve_context.h"

namespace slipstick::gpu {

template <class Team>
class DeviceLineSearch {
 public:
  /// Fills PlainU with J step. @param v  column of the iterate
  SIM_HD DeviceLineSearch(const SolveContext<Team>& s, int v) : s_(s) {
    const Sums<2> sum = s.team.template sums<2>(s.nodes, [&](int i) {
      const Vector step = s.node(NodeColumn::Step, i);
      const float m = s.view.mass[i];
      return Sums<2>{
          {static_cast<double>(m) * static_cast<double>(dot(s.node(v, i) - s.freeVelocity(i), step)),
           static_cast<double>(m) * static_cast<double>(dot(step, step))}};
    });
    massSlope_ = sum.value[0];
    massCurvature_ = sum.value[1];
    s.team.loop(s.contacts, [&](int c) {
      s.setContact(ContactColumn::PlainU, c, s.gathered(s.ofNodes(NodeColumn::Step), c));
    });
  }

  /// α > 0 with dℓ/dα = 0: Newton, inside a bracket that bisection falls back on.
  SIM_HD double minimiser() const {
    constexpr double kTolerance = 1e-4, kUnbounded = 1e300;
    double low = 0, high = kUnbounded, alpha = 0, enough = 0;
    SIM_ROLLED
    for (int k = 0; k <= 60; ++k) {
      const Sums<2> at = derivatives(alpha);
      const double slope = at.value[0], curvature = at.value[1];
      if (k == 0) {
        enough = kTolerance * lanes::abs(slope);
        alpha = 1;
        continue;
      }
      if (!(lanes::abs(slope) > enough)) break;
      (slope < 0 ? low : high) = alpha;
      const double target = alpha - slope / curvature;
      const double fallback = high < kUnbounded ? (low + high) / 2 : 2 * alpha;
      alpha = target > low && target < high && target < 4 * alpha ? target : fallback;
      if (high - low <= 1e-15 * high) break;
    }
    return alpha;
  }

 private:
  /// dℓ/dα and d²ℓ/dα² [J].
  SIM_HD Sums<2> derivatives(double alpha) const {
    const auto& s = s_;
    const auto a = static_cast<float>(alpha);
    Sums<2> sum = s.team.template sums<2>(s.contacts, [&](int c) {
      const contact::LaggedContact<float> law = s.law(c);
      const Vector du = s.contact(ContactColumn::PlainU, c);
      const auto p = contact::laggedPotential(s.contact(ContactColumn::U, c) + a * du, law);
      const float normalRate = dot(law.normal, du), slipRate = dot(p.slip, du);
      const float across = dot(du, du) - normalRate * normalRate - slipRate * slipRate;
      return Sums<2>{{-static_cast<double>(dot(p.gamma, du)),
                      static_cast<double>(p.tangential * across + p.normal * (normalRate * normalRate))}};
    });
    sum.value[0] += massSlope_ + alpha * massCurvature_;
    sum.value[1] += massCurvature_;
    return sum;
  }

  const SolveContext<Team>& s_;
  double massSlope_, massCurvature_;
};

}  // namespace slipstick::gpu
