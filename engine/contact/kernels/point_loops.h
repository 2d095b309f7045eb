// Loops over contact points, four side by side. Included once per instruction set.
#pragma once

#include "engine/contact/kernels/kernel_table.h"
#include "engine/contact/rigid_potentials.h"

namespace slipstick::contact {
inline namespace SIM_ISA {

using lanes::DoublePack;

/// A pack of points and the potential that they have.
struct PackView {
  const double* p;

  SIM_HD DoublePack get(int field) const { return DoublePack::load(p + kPointLanes * field); }
  SIM_HD V3<DoublePack> vector(int field) const { return {get(field), get(field + 1), get(field + 2)}; }
  SIM_HD LaggedContact<DoublePack> lagged() const {
    return {vector(PointField::Normal),   get(PointField::Force),         get(PointField::Stiffness),
            get(PointField::Dissipation), get(PointField::FrictionBound), get(PointField::Epsilon),
            get(PointField::Step)};
  }
};

struct LaggedPoints {
  SIM_HD static RigidPotential<DoublePack> at(const V3<DoublePack>& u, PackView pack) {
    return laggedRigidPotential(u, pack.lagged());
  }
};
struct SimilarPoints {
  SIM_HD static RigidPotential<DoublePack> at(const V3<DoublePack>& u, PackView pack) {
    return similarPotential(u, pack.lagged(), pack.get(PointField::Friction));
  }
};
struct SapPoints {
  SIM_HD static RigidPotential<DoublePack> at(const V3<DoublePack>& u, PackView pack) {
    return sapPotential(u, SapContact<DoublePack>{pack.vector(PointField::Normal),
                                                  pack.get(PointField::Friction), pack.get(PointField::Rt),
                                                  pack.get(PointField::Rn), pack.get(PointField::VHat)});
  }
};

SIM_HD void store(const V3<DoublePack>& a, double* pack, int field) {
  a.x.store(pack + kPointLanes * field);
  a.y.store(pack + kPointLanes * (field + 1));
  a.z.store(pack + kPointLanes * (field + 2));
}

/// A velocity (angular, linear) in every lane.
struct Twist {
  V3<DoublePack> w, v;
  SIM_HD explicit Twist(const double* V) : w{V[0], V[1], V[2]}, v{V[3], V[4], V[5]} {}
  SIM_HD V3<DoublePack> at(const V3<DoublePack>& r) const { return v + cross(w, r); }
};

template <class Law>
void pointImpulses(const PointArgs& args, double* wrench) {
  for (int k = 0; k < args.count; ++k) {
    const int pair = args.pairs[k];
    const Twist V(args.V + 6 * pair);
    V3<DoublePack> force{0.0, 0.0, 0.0}, torque{0.0, 0.0, 0.0};
    for (int i = args.ranges[pair].begin; i < args.ranges[pair].end; ++i) {
      const PackView pack{args.packs + i * kPointPackDoubles};
      const V3<DoublePack> r = pack.vector(PointField::R), u = V.at(r);
      const V3<DoublePack> gamma = Law::at(u, pack).gamma;
      double* const result = args.results + i * kResultPackDoubles;
      store(gamma, result, PointResult::Gamma);
      store(u, result, PointResult::Velocity);
      force += gamma;
      torque += cross(r, gamma);
    }
    double* out = wrench + 6 * pair;
    for (int c = 0; c < 3; ++c) {
      out[c] = torque[c].sum();
      out[3 + c] = force[c].sum();
    }
  }
}

/// K += Sᵀ G S with u = S V = v + w × r, lane by lane; entries (r, c) with r ≤ c of the 3 × 3 blocks on the
/// diagonal, all of the upper right one.
struct HessianSum {
  DoublePack aa[6], al[9], ll[6];

  SIM_HD HessianSum() {
    for (DoublePack& x : aa) x = 0.0;
    for (DoublePack& x : al) x = 0.0;
    for (DoublePack& x : ll) x = 0.0;
  }
  SIM_HD void add(const V3<DoublePack>& r, const M3<DoublePack>& G) {
    M3<DoublePack> rG;  // [r]× G
    for (int c = 0; c < 3; ++c) {
      rG(0, c) = r.y * G(2, c) - r.z * G(1, c);
      rG(1, c) = r.z * G(0, c) - r.x * G(2, c);
      rG(2, c) = r.x * G(1, c) - r.y * G(0, c);
    }
    for (int i = 0; i < 9; ++i) al[i] += rG.a[i];
    // −[r]× G [r]×
    aa[0] += r.y * rG(0, 2) - r.z * rG(0, 1);
    aa[1] += r.z * rG(0, 0) - r.x * rG(0, 2);
    aa[2] += r.x * rG(0, 1) - r.y * rG(0, 0);
    aa[3] += r.z * rG(1, 0) - r.x * rG(1, 2);
    aa[4] += r.x * rG(1, 1) - r.y * rG(1, 0);
    aa[5] += r.x * rG(2, 1) - r.y * rG(2, 0);
    ll[0] += G(0, 0), ll[1] += G(0, 1), ll[2] += G(0, 2);
    ll[3] += G(1, 1), ll[4] += G(1, 2), ll[5] += G(2, 2);
  }
  SIM_HD void store(double* K) const {
    constexpr int kRow[6] = {0, 0, 0, 1, 1, 2}, kColumn[6] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < 6; ++i) {
      const int r = kRow[i], c = kColumn[i];
      K[6 * c + r] = K[6 * r + c] = aa[i].sum();
      K[6 * (3 + c) + 3 + r] = K[6 * (3 + r) + 3 + c] = ll[i].sum();
    }
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) K[6 * (3 + c) + r] = K[6 * r + 3 + c] = al[3 * r + c].sum();
  }
};

template <class Law>
void pointHessians(const PointArgs& args, double* K) {
  for (int k = 0; k < args.count; ++k) {
    const int pair = args.pairs[k];
    const Twist V(args.V + 6 * pair);
    HessianSum sum;
    for (int i = args.ranges[pair].begin; i < args.ranges[pair].end; ++i) {
      const PackView pack{args.packs + i * kPointPackDoubles};
      const V3<DoublePack> r = pack.vector(PointField::R);
      sum.add(r, hessian(Law::at(V.at(r), pack), pack.vector(PointField::Normal)));
    }
    sum.store(K + 36 * pair);
  }
}

template <class Law>
double pointCost(const PointArgs& args) {
  DoublePack cost = 0.0;
  for (int k = 0; k < args.count; ++k) {
    const int pair = args.pairs[k];
    const Twist V(args.V + 6 * pair);
    for (int i = args.ranges[pair].begin; i < args.ranges[pair].end; ++i) {
      const PackView pack{args.packs + i * kPointPackDoubles};
      cost += Law::at(V.at(pack.vector(PointField::R)), pack).value;
    }
  }
  return cost.sum();
}

template <class Law>
void pointSlope(const PointArgs& args, double alpha, double* first, double* second) {
  DoublePack slope = 0.0, bend = 0.0;
  for (int k = 0; k < args.count; ++k) {
    const int pair = args.pairs[k];
    const double *V = args.V + 6 * pair, *dV = args.dV + 6 * pair;
    double moved[6];
    for (int c = 0; c < 6; ++c) moved[c] = V[c] + alpha * dV[c];
    const Twist change(dV), now(moved);
    for (int i = args.ranges[pair].begin; i < args.ranges[pair].end; ++i) {
      const PackView pack{args.packs + i * kPointPackDoubles};
      const V3<DoublePack> r = pack.vector(PointField::R), du = change.at(r);
      const RigidPotential<DoublePack> potential = Law::at(now.at(r), pack);
      slope -= dot(potential.gamma, du);
      bend += curvature(potential, pack.vector(PointField::Normal), du);
    }
  }
  *first = slope.sum();
  *second = bend.sum();
}

#define SLIPSTICK_POINT_LOOPS(Law) \
  { pointImpulses<Law>, pointHessians<Law>, pointCost<Law>, pointSlope<Law> }

}  // namespace SIM_ISA
}  // namespace slipstick::contact
