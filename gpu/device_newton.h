// Newton steps of the contact problem on a device: (M + JᵀGJ) step = −∇ℓ by preconditioned conjugate gradients, in the
// directions that no active bound fixes, within the active set method of engine/mpm/contact/bounded_nodes.h. U, Gamma and Block
// (of G) are those of the iterate, and the columns Gradient and Block of its nodes.
#pragma once

#include "gpu/atomics.h"
#include "gpu/solve_context.h"

namespace slipstick::gpu {

/// Of the steps with so few contacts that the CPU solves them directly; relative. Tighter ones cost more iterations of
/// conjugate gradients than they save of Newton's.
inline constexpr double kDirectTolerance = 1e-2;
/// Iterations of one of them: what a direct solve replaces may cost.
inline constexpr int kMaxDirectGradients = 400;

template <class Team>
class DeviceNewton {
 public:
  SIM_HD explicit DeviceNewton(const SolveContext<Team>& s) : s_(s) { restart(); }

  SIM_HD void restart() {
    capacity_ = mpm::kFirstGradientRoom;
    left_ = mpm::kMaxGradientIterations;
  }
  /// No iterations are left for further steps.
  SIM_HD bool exhausted() const { return left_ <= 0; }

  /// Fills Step. @param v  column of the iterate
  SIM_HD void step(int v) {
    SIM_ROLLED
    for (int pass = 0; pass < mpm::kActiveSetPasses; ++pass) {
      if (s_.bounded && !chooseActive(v, pass == 0)) break;
      solve();
      if (!s_.oneSided) break;
    }
  }

  /// The largest α for which v + α step is allowed at all nodes.
  SIM_HD double roomAlong(int v) const {
    const auto& s = s_;
    SolveScalars* const scalars = s.memory.scalars;
    s.team.each([&](int thread) {
      if (thread == 0) scalars->reach = 0;
    });
    s.team.loop(s.nodes, [&](int i) {
      if (!s.held(i)) return;
      const DeviceBounds bounds(s.view, i);
      const Vector from = s.node(v, i), step = s.node(NodeColumn::Step, i);
      const float size = lanes::sqrt(dot(step, step));
      for (int k = 0; k < bounds.count; ++k) {
        const float rate = dot(normalOf(bounds.first[k]), step), gap = gapOf(bounds.first[k], from);
        if (!isKind(bounds.first[k], BoundaryKind::Separate) || rate >= -1e-6f * size) continue;
        raiseTo(&scalars->reach, gap > 0 ? -rate / gap : 1e30f);
      }
    });
    const float reach = s.team.uniform(&scalars->reach);
    return reach > 0 ? 1 / static_cast<double>(reach) : 1e300;
  }

 private:
  /// The bounds that hold where the model's gradient leads from the step found so far; see mpm::BoundedNodes.
  /// @return whether any has changed
  SIM_HD bool chooseActive(int v, bool first) const {
    const auto& s = s_;
    int* const active = s.memory.taken;
    const Sums<1> changed = s.team.template sums<1>(s.nodes, [&](int i) {
      if (!s.held(i)) return Sums<1>{{0}};
      const DeviceBounds bounds(s.view, i);
      const Vector from = s.node(v, i);
      // v + s − (m s + JᵀGJ s + g)/m; v − g/m before there is a step s.
      Vector push = s.newton(NewtonColumn::Gradient, i);
      if (!first) push += s.newton(NewtonColumn::Curved, i);
      const int chosen = static_cast<int>(bounds.nearest(from - (1 / s.view.mass[i]) * push).active);
      const bool change = first || chosen != active[i];
      active[i] = chosen;
      float projector[6];
      bounds.fixedBy(static_cast<unsigned>(chosen), projector);
      for (int k = 0; k < 6; ++k) s.ofNewton(NewtonColumn::Fixed + k)[i] = projector[k];
      s.setNewton(NewtonColumn::Shift, i, bounds.onto(from, static_cast<unsigned>(chosen)) - from);
      return Sums<1>{{change ? 1.0 : 0.0}};
    });
    return changed.value[0] > 0;
  }

  /// (1 − Q) x
  SIM_HD Vector keepFree(int i, const Vector& x) const {
    if (!s_.held(i)) return x;
    float q[6];
    for (int k = 0; k < 6; ++k) q[k] = s_.ofNewton(NewtonColumn::Fixed + k)[i];
    return x - mpm::symmetricTimes(q, x);
  }
  SIM_HD Vector preconditioned(int i, const Vector& r) const {
    float block[6];
    for (int k = 0; k < 6; ++k) block[k] = s_.ofNewton(NewtonColumn::Block + k)[i];
    return keepFree(i, mpm::solveBlock(s_.view.mass[i], block, r));
  }

  /// Curved = JᵀGJ x. @param x  three columns of nodes   @return xᵀ(M + JᵀGJ)x, of free directions x
  SIM_HD double curve(const float* x) const {
    const auto& s = s_;
    s.team.loop(s.contacts, [&](int c) {
      const Vector u = s.gathered(x, c);
      float g[6];
      for (int k = 0; k < 6; ++k) g[k] = s.ofContacts(ContactColumn::Block + k)[c];
      storeVector(s.memory.scratch, s.contacts, c, mpm::symmetricTimes(g, u));
    });
    const Sums<1> sum = s.team.template sums<1>(s.nodes, [&](int i) {
      const Vector curved = s.scattered(s.memory.scratch, s.contacts, i), p = loadVector(x, s.nodes, i);
      s.setNewton(NewtonColumn::Curved, i, curved);
      return Sums<1>{{static_cast<double>(dot(p, s.view.mass[i] * p + curved))}};
    });
    return sum.value[0];
  }

  /// The step that minimises the quadratic model where the active bounds hold, nearly. Under half-spaces it ends with
  /// Curved of the step.
  SIM_HD void solve() {
    const auto& s = s_;
    const bool few = s.contacts <= mpm::kMaxNewtonContacts;
    const double tolerance = few ? kDirectTolerance : mpm::kNewtonTolerance;
    const int wanted = few ? kMaxDirectGradients : capacity_, most = wanted < left_ ? wanted : left_;
    s.team.loop(s.nodes, [&](int i) {
      s.setNode(NodeColumn::Step, i, s.held(i) ? s.newton(NewtonColumn::Shift, i) : Vector{0, 0, 0});
    });
    double rz = 0, enough = 0;
    int taken = -1;  // H is applied to the shift first
    for (;;) {
      const bool first = taken < 0;
      const float* const x = first ? s.ofNodes(NodeColumn::Step) : s.ofNewton(NewtonColumn::Direction);
      const double curvature = curve(x);
      if (!first && !(curvature > 0)) break;  // rounding has taken over
      const double before = rz;
      rz = advance(first, first ? 1.0 : rz / curvature);
      if (++taken == 0) enough = tolerance * tolerance * rz;
      if (!(taken < most && rz > enough)) break;
      turn(first ? 0.0 : rz / before);
    }
    left_ -= taken;
    if (!few && taken == capacity_) capacity_ *= 2;
    if (s.oneSided) curve(s.ofNodes(NodeColumn::Step));
  }

  /// Remainder −∇ℓ − H step at first, later −= α H p and step += α p. @return rᵀz
  SIM_HD double advance(bool first, double alpha) const {
    const auto& s = s_;
    const auto a = static_cast<float>(alpha);
    const Sums<1> rz = s.team.template sums<1>(s.nodes, [&](int i) {
      const Vector step = s.node(NodeColumn::Step, i);
      const Vector p = first ? step : s.newton(NewtonColumn::Direction, i);
      const Vector from = first ? -s.newton(NewtonColumn::Gradient, i) : s.newton(NewtonColumn::Remainder, i);
      const Vector r = keepFree(i, from - a * (s.view.mass[i] * p + s.newton(NewtonColumn::Curved, i)));
      if (!first) s.setNode(NodeColumn::Step, i, step + a * p);
      s.setNewton(NewtonColumn::Remainder, i, r);
      const Vector z = preconditioned(i, r);
      s.setNewton(NewtonColumn::Preconditioned, i, z);
      return Sums<1>{{static_cast<double>(dot(r, z))}};
    });
    return rz.value[0];
  }

  /// The next direction, z + β p.
  SIM_HD void turn(double beta) const {
    const auto& s = s_;
    const auto b = static_cast<float>(beta);
    s.team.loop(s.nodes, [&](int i) {
      Vector p = s.newton(NewtonColumn::Preconditioned, i);
      if (b > 0) p += b * s.newton(NewtonColumn::Direction, i);
      s.setNewton(NewtonColumn::Direction, i, p);
    });
  }

  const SolveContext<Team>& s_;
  int capacity_ = 0, left_ = 0;
};

}  // namespace slipstick::gpu
