// The exact line search of engine/mpm/contact/contact_line_search.h on a device: along Step, from the iterate whose contact
// velocities are U.
#pragma once

#include "engine/contact/potential.h"
#include "engine/numerics/root_finder.h"
#include "gpu/contact_memory.h"
#include "gpu/solve_context.h"
#include "gpu/team.h"

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

  /// α > 0 with dℓ/dα = 0; where rounding keeps the search from ending, its last α.
  SIM_HD double minimiser() const {
    return numerics::minimiseAlongRay([this](double alpha) { return derivatives(alpha); },
                                      numerics::kRayTolerance<float>)
        .alpha;
  }

 private:
  /// dℓ/dα and d²ℓ/dα² [J].
  SIM_HD numerics::Slope derivatives(double alpha) const {
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
    return {sum.value[0], sum.value[1]};
  }

  const SolveContext<Team>& s_;
  double massSlope_, massCurvature_;
};

}  // namespace slipstick::gpu
