// The exact line search of the contact problem. It touches contacts only, since J v and J step are known; the mass
// term is an exact quadratic in α.
#pragma once

#include <array>
#include <cstddef>

#include "engine/contact/potential.h"
#include "engine/lanes/lane_of.h"
#include "engine/mpm/contact/contact_layout.h"
#include "engine/mpm/contact/rigid_side.h"
#include "engine/numerics/root_finder.h"

namespace slipstick::mpm {

/// The part of a step that the rigid side takes; none where `side` is null.
struct RigidStep {
  RigidSide* side = nullptr;
  const RigidSide::Iterate* at = nullptr;
  const VecX* step = nullptr;
};

template <class Real>
class ContactLineSearch {
 public:
  /// @param u  J v − v_body, and its change along the step  @param v, step  of nodes
  ContactLineSearch(const ContactLayout<Real>& layout, const Columns3<Real>& u, const Columns3<Real>& stepU,
                    const Quads<Real>& v, const Quads<Real>& step, const RigidStep& rigid = {})
      : layout_(layout), u_(u), stepU_(stepU), rigid_(rigid) {
    for (std::size_t i = 0; i < layout.paddedNodes; ++i) {
      const V3<Real> d = xyz<Real>({v[i].x - layout.vStar[i].x}), s = xyz(step[i]);
      const double m = double(layout.mass[i].x[0]);
      massSlope_ += m * double(dot(d, s));
      massCurvature_ += m * double(dot(s, s));
    }
  }

  /// α > 0 with dℓ/dα = 0. Where rounding keeps the search from ending, its last α: the solve's own test, which follows, tells
  /// what that is worth.
  double minimiser() const {
    return numerics::minimiseAlongRay([this](double alpha) { return at(alpha); },
                                      numerics::kRayTolerance<Real>)
        .alpha;
  }

 private:
  /// dℓ/dα, d²ℓ/dα² [J]
  numerics::Slope at(double alpha) const {
    using L = LaneOf<Real>;
    using Lane = typename L::type;
    const Lane a = Lane(Real(alpha));
    numerics::Slope sum{massSlope_ + alpha * massCurvature_, massCurvature_};
    std::array<Real, 2 * L::kLanes> lane;
    for (std::size_t i = 0; i < layout_.padded; i += L::kLanes) {
      const auto c = layout_.lanes(i);
      const V3<Lane> du = stepU_.lanes(i);
      const auto p = contact::laggedPotential(u_.lanes(i) + a * du, c);
      const Lane normalRate = dot(c.normal, du), slipRate = dot(p.slip, du);
      const Lane across = dot(du, du) - normalRate * normalRate - slipRate * slipRate;
      L::store(dot(p.gamma, du), lane.data());
      L::store(p.tangential * across + p.normal * (normalRate * normalRate), lane.data() + L::kLanes);
      for (std::size_t k = 0; k < L::kLanes; ++k) {
        sum.first -= double(lane[k]);
        sum.second += double(lane[L::kLanes + k]);
      }
    }
    if (rigid_.side != nullptr) {
      const numerics::Slope slope = rigid_.side->slope(*rigid_.at, *rigid_.step, alpha);
      sum.first += slope.first;
      sum.second += slope.second;
    }
    return sum;
  }

  const ContactLayout<Real>& layout_;
  const Columns3<Real>&u_, &stepU_;
  RigidStep rigid_;
  double massSlope_ = 0, massCurvature_ = 0;
};

}  // namespace slipstick::mpm
