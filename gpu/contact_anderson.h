// Anderson acceleration on a device: engine/mpm/contact/anderson.h's mathematics, with the differences among the columns of
// the state. Plain and Step hold the last value g and residual f = g − v, PlainU the last contact velocities.
#pragma once

#include "gpu/solve_context.h"

namespace slipstick::gpu {

/// θ with (gram + regularisation) θ = right, by L D Lᵀ; 0 for differences that are 0 or say nothing new. In memory: one
/// thread's registers would be everybody's.
SIM_HD void solveAnderson(SolveScalars& at, int count) {
  SIM_ROLLED
  for (int j = 0; j < count; ++j) {
    double pivot = at.gram[j][j] * (1 + mpm::kAndersonRegularization<float>);
    SIM_ROLLED
    for (int k = 0; k < j; ++k) {
      pivot -= at.factors[j][k] * at.factors[j][k] * at.factors[k][k];
      at.theta[j] -= at.factors[j][k] * at.theta[k];
    }
    const bool used = pivot > 1e-12 * at.gram[j][j];
    at.factors[j][j] = used ? pivot : 0;
    SIM_ROLLED
    for (int i = j + 1; i < count; ++i) {
      double x = at.gram[i][j];
      SIM_ROLLED
      for (int k = 0; k < j; ++k) x -= at.factors[i][k] * at.factors[j][k] * at.factors[k][k];
      at.factors[i][j] = used ? x / pivot : 0;
    }
  }
  SIM_ROLLED
  for (int j = count - 1; j >= 0; --j) {
    double x = at.factors[j][j] > 0 ? at.theta[j] / at.factors[j][j] : 0;
    SIM_ROLLED
    for (int i = j + 1; i < count; ++i) x -= at.factors[i][j] * at.theta[i];
    at.theta[j] = at.factors[j][j] > 0 ? x : 0;
    at.factor[j] = static_cast<float>(at.theta[j]);
  }
}

template <class Team>
struct DeviceAnderson {
  static constexpr int kDepth = mpm::kAndersonDepth;

  int count = 0, next = 0;
  int slot = 0;         ///< of the present difference
  bool primed = false;  ///< there is a last evaluation

  SIM_HD void clear() { count = 0, next = 0, primed = false; }

  /// Before the nodes' new values go in. @return whether there is a last evaluation to differ from
  SIM_HD bool begin() {
    slot = next;
    if (primed) {
      count = count < kDepth ? count + 1 : kDepth;
      next = (next + 1) % kDepth;
      return true;
    }
    primed = true;
    return false;
  }
  /// Value and residual of a node. @param differs  what begin() said
  SIM_HD void pushNode(const SolveContext<Team>& s, int i, const Vector& g, const Vector& f,
                       bool differs) const {
    if (differs) {
      s.setNode(NodeColumn::RingF + 3 * slot, i, f - s.node(NodeColumn::Step, i));
      s.setNode(NodeColumn::RingG + 3 * slot, i, g - s.node(NodeColumn::Plain, i));
    }
    s.setNode(NodeColumn::Step, i, f);
    s.setNode(NodeColumn::Plain, i, g);
  }
  SIM_HD void pushContact(const SolveContext<Team>& s, int c, const Vector& u, bool differs) const {
    if (differs) s.setContact(ContactColumn::Ring + 3 * slot, c, u - s.contact(ContactColumn::PlainU, c));
    s.setContact(ContactColumn::PlainU, c, u);
  }

  /// The combination whose residual is smallest to first order, once all nodes are in.
  SIM_HD void finish(const SolveContext<Team>& s) const {
    const Sums<2 * kDepth> found = s.team.template sums<2 * kDepth>(s.nodes, [&](int i) {
      Sums<2 * kDepth> sum;
      const float m = s.view.mass[i];
      const Vector df = m * s.node(NodeColumn::RingF + 3 * slot, i), f = m * s.node(NodeColumn::Step, i);
      for (int j = 0; j < kDepth; ++j) {
        sum.value[j] = sum.value[kDepth + j] = 0;
        if (j >= count) continue;
        const Vector stored = s.node(NodeColumn::RingF + 3 * j, i);
        sum.value[j] = static_cast<double>(dot(df, stored));
        sum.value[kDepth + j] = static_cast<double>(dot(f, stored));
      }
      return sum;
    });
    SolveScalars& scalars = *s.memory.scalars;
    s.team.each([&](int thread) {
      if (thread > 0) return;
      for (int j = 0; j < kDepth; ++j) {
        if (j >= count) continue;
        scalars.gram[slot][j] = scalars.gram[j][slot] = found.value[j];
        scalars.theta[j] = found.value[kDepth + j];
      }
    });
    s.team.each([&](int thread) {
      if (thread == 0) solveAnderson(scalars, count);
    });
  }
  SIM_HD Vector combineNode(const SolveContext<Team>& s, int i) const {
    Vector v = s.node(NodeColumn::Plain, i);
    for (int j = 0; j < count; ++j) v -= s.memory.scalars->factor[j] * s.node(NodeColumn::RingG + 3 * j, i);
    return v;
  }
  SIM_HD Vector combineContact(const SolveContext<Team>& s, int c, Vector u) const {
    for (int j = 0; j < count; ++j)
      u -= s.memory.scalars->factor[j] * s.contact(ContactColumn::Ring + 3 * j, c);
    return u;
  }
};

}  // namespace slipstick::gpu
