// Solves the contact problem of a ContactView on a device: the mathematics of mpm::ContactSolver<float>
// (engine/mpm/contact/contact_problem.h), as one algorithm for teams of any scope. It differs where the CPU solves densely: with
// up to kMaxNewtonContacts contacts Newton steps are found by conjugate gradients too, to kDirectTolerance.
#pragma once

#include "engine/model/contact_solver_name.h"
#include "engine/mpm/contact/contact_limits.h"
#include "gpu/contact_anderson.h"
#include "gpu/contact_links.h"
#include "gpu/device_line_search.h"
#include "gpu/device_newton.h"

namespace slipstick::gpu {

/// mpm::ContactSolverSettings, for kernels.
struct DeviceSolveSettings {
  ContactSolverName solver = ContactSolverName::MajorizedAnderson;
  double relativeTolerance = 5e-2;
  double absoluteTolerance = 1e-14;  ///< [√J]
  int maxIterations = 500;           ///< of all solves together
  int lagIterations = 0;
};

/// One solve, run by all threads of a team alike. The columns V, Plain and Accelerated of the nodes take turns as the
/// iterate: now_ is where it stands, spare_ is free for a trial; Plain is Anderson's.
template <class Team>
class ContactSolve {
 public:
  /// @param s  prepared by prepareContacts()
  SIM_HD ContactSolve(SolveContext<Team>& s, const DeviceSolveSettings& settings)
      : s_(s), settings_(settings), newton_(s) {}

  SIM_HD void run() {
    start(true);
    iterate();
    while (lagSolves_ < settings_.lagIterations && converged_ && correctFrictionBounds()) {
      ++lagSolves_;
      start(false);
      iterate();
    }
    writeSolution();
  }

 private:
  static constexpr float kEpsilon = 1.1920929e-7f;  // of float
  enum class Curvature { None, Majorant, Exact };
  struct Energy {
    double value;  ///< ℓ [J]
    float size;    ///< sum of the absolute values of its terms
  };

  // ---- energy ----

  /// ½ Σ m |v − v*|² at a column of the nodes.
  SIM_HD double kineticEnergy(int column) const {
    const auto& s = s_;
    const Sums<1> sum =
        s.team.template sums<1>(s.nodes, [&](int i) { return Sums<1>{{kinetic(i, s.node(column, i))}}; });
    return sum.value[0];
  }
  SIM_HD double kinetic(int i, const Vector& v) const {
    const Vector d = v - s_.freeVelocity(i);
    return 0.5 * static_cast<double>(s_.view.mass[i] * dot(d, d));
  }
  /// U, impulses and curvatures of all contacts at the velocities of(c). @param ofNodes  kinetic energy   @return ℓ
  template <class Of>
  SIM_HD Energy linearize(Curvature curvature, double ofNodes, const Of& of) {
    const auto& s = s_;
    const float boost = boost_;
    const Sums<2> sum = s.team.template sums<2>(s.contacts, [&](int c) {
      const Vector u = of(c);
      const contact::LaggedContact<float> law = s.law(c);
      const auto p = contact::laggedPotential(u, law);
      float block[6];
      mpm::contactBlock(p, law.normal, curvature == Curvature::Majorant, boost, block);
      s.setContact(ContactColumn::U, c, u);
      s.setContact(ContactColumn::Gamma, c, p.gamma);
      for (int k = 0; k < 6; ++k) s.ofContacts(ContactColumn::Block + k)[c] = block[k];
      const auto value = static_cast<double>(p.value);
      return Sums<2>{{value, lanes::abs(value)}};
    });
    linearized_ = curvature;
    return {ofNodes + sum.value[0], static_cast<float>(ofNodes + sum.value[1])};
  }
  SIM_HD Energy linearizeAt(int column, Curvature curvature) {
    return linearize(curvature, kineticEnergy(column), [&](int c) { return s_.relativeVelocity(column, c); });
  }
  SIM_HD bool lowers(const Energy& at) const {
    return at.value <= energy_.value + static_cast<double>(static_cast<float>(mpm::kEnergyRoundings) *
                                                           kEpsilon * energy_.size);
  }
  SIM_HD void take(int& column, const Energy& at) {
    const int left = now_;
    now_ = column;
    column = left;
    energy_ = at;
  }

  // ---- where a solve starts ----

  /// At v*, the allowed velocities nearest to it; or where the guessed impulses lead, or after friction bounds have
  /// changed where the last solve ended, if ℓ is lower there.
  SIM_HD void start(bool fromGuess) {
    anderson_.clear();
    newton_.restart();
    boost_ = 1;
    const Curvature curvature = majorizes(0) ? Curvature::Majorant : Curvature::Exact;
    const int other = fromGuess ? NodeColumn::Plain : now_;
    const int freely = fromGuess ? now_ : spare_;
    const bool guessed = fromGuess && setGuess();
    Energy at{};
    const int candidates = fromGuess && !guessed ? 1 : 2;
    SIM_ROLLED
    for (int k = 0; k < candidates; ++k) {
      const int column = k == 0 ? freely : other;
      if (k == 0) setFreeMotion(column);
      if (k == 0 || fromGuess) project(column);
      at = linearizeAt(column, curvature);
      if (k == 0) freeMotion_ = at.value, energy_ = at;
    }
    const bool better = at.value < freeMotion_;
    if (better) energy_ = at;
    if (fromGuess && better) copyNodes(NodeColumn::Plain, now_);
    if (!fromGuess && !better) {
      spare_ = now_;
      now_ = freely;
    }
    if (!better) linearized_ = guessed || !fromGuess ? Curvature::None : curvature;
  }
  SIM_HD void setFreeMotion(int column) const {
    const auto& s = s_;
    s.team.loop(s.nodes, [&](int i) { s.setNode(column, i, s.freeVelocity(i)); });
  }
  /// Plain = v* + M⁻¹Jᵀ guess. @return false: no impulses are guessed
  SIM_HD bool setGuess() const {
    const auto& s = s_;
    const int capacity = s.view.contactCapacity;
    const Sums<1> size = s.team.template sums<1>(s.contacts, [&](int c) {
      const Vector guess = loadVector(s.view.guess, capacity, c);
      return Sums<1>{{static_cast<double>(dot(guess, guess))}};
    });
    if (!(size.value[0] > 0)) return false;
    s.team.loop(s.nodes, [&](int i) {
      const Vector impulse = s.scattered(s.view.guess, capacity, i);
      s.setNode(NodeColumn::Plain, i, s.freeVelocity(i) + (1 / s.view.mass[i]) * impulse);
    });
    return true;
  }
  /// To the allowed velocities. A phase of its own, as all that asks bounds: their registers are not the others'.
  SIM_HD void project(int column) const {
    const auto& s = s_;
    if (!s.bounded) return;
    s.team.loop(s.nodes, [&](int i) {
      if (s.held(i)) s.setNode(column, i, DeviceBounds(s.view, i).allowed(s.node(column, i)));
    });
  }
  SIM_HD void copyNodes(int from, int to) const {
    const auto& s = s_;
    s.team.loop(s.nodes, [&](int i) { s.setNode(to, i, s.node(from, i)); });
  }

  // ---- iterations ----

  SIM_HD bool newtonAt(int k) const {
    if (s_.contacts > mpm::kMaxNewtonContacts) return k >= mpm::kLateNewtonPatience;
    return k >= (settings_.solver == ContactSolverName::ContactNewton ? 0 : mpm::kFirstOrderPatience);
  }
  SIM_HD bool majorizes(int k) const {
    return !newtonAt(k) && settings_.solver != ContactSolverName::QuasiNewton;
  }
  SIM_HD bool done() const {
    return converged_ || !(residual_ < 1e30f) || iterations_ >= settings_.maxIterations ||
           newton_.exhausted();
  }

  /// From now_ on. A Newton step under half-spaces takes two rounds: in the second one, `guarded`, it competes with the
  /// majorised step, which finds out which of them hold.
  SIM_HD void iterate() {
    const int before = iterations_;
    bool guarded = false;
    Energy tried{};
    for (int k = 0;;) {
      const bool newton = newtonAt(k), majorized = majorizes(k);
      const Curvature curvature = majorized || guarded ? Curvature::Majorant : Curvature::Exact;
      if (linearized_ != curvature) {
        const Energy at = linearizeAt(now_, curvature);
        if (!guarded) energy_ = at;
      }
      stepNodes(majorized, newton && !guarded, !guarded);
      if (guarded) {
        takeLower(tried);
        guarded = false;
        ++k;
        continue;
      }
      iterations_ = before + k;
      if (done()) return;
      if (majorized) {
        takeMajorizedStep();
        ++k;
        continue;
      }
      if (newton) newton_.step(now_);
      const double alpha = DeviceLineSearch<Team>(s_, now_).minimiser();
      if (newton && s_.oneSided) {
        tried = tryNewtonStep(lanes::min(alpha, newton_.roomAlong(now_)));
        guarded = true;
        continue;
      }
      moveAlong(s_.oneSided ? lanes::min(alpha, 1.0) : alpha, now_);  // v + step is allowed
      linearized_ = Curvature::None;
      ++k;
    }
  }

  /// At now_, linearised: gradient, stop test and the steps that minimise the nodes' quadratic models over the allowed
  /// velocities. @param majorized  these enter Anderson's history   @param newton  keeps what Newton steps need
  /// @param tested  the stop test counts
  SIM_HD void stepNodes(bool majorized, bool newton, bool tested) {
    const auto& s = s_;
    combines_ = majorized && anderson_.begin();
    const bool squared = linearized_ == Curvature::Exact;
    const Sums<3> sum = s.team.template sums<3>(s.nodes, [&](int i) {
      float block[6];
      const Vector impulse = sumContacts(i, squared, block), v = s.node(now_, i);
      const float m = s.view.mass[i];
      const Vector g = m * (v - s.freeVelocity(i)) - impulse;
      const bool held = s.held(i);
      if (newton) {
        s.setNewton(NewtonColumn::Gradient, i, g);
        for (int k = 0; k < 6; ++k) s.ofNewton(NewtonColumn::Block + k)[i] = block[k];
      }
      if (!held) keepStep(i, v, -mpm::solveBlock(m, block, g), majorized);
      return Sums<3>{{held ? 0.0 : static_cast<double>(dot(g, g) / m), static_cast<double>(m * dot(v, v)),
                      static_cast<double>(dot(impulse, impulse) / m)}};
    });
    const double left = s.bounded ? stepHeldNodes(squared, majorized) : 0;
    if (!tested) return;
    const double residual = lanes::sqrt(sum.value[0] + left);
    const double scale = lanes::sqrt(lanes::max(sum.value[1], sum.value[2]));
    converged_ = residual < settings_.absoluteTolerance + settings_.relativeTolerance * scale;
    residual_ = static_cast<float>(scale > 0 ? residual / scale : residual);
  }
  SIM_HD void keepStep(int i, const Vector& v, const Vector& step, bool majorized) const {
    if (majorized)
      anderson_.pushNode(s_, i, v + step, step, combines_);
    else
      s_.setNode(NodeColumn::Step, i, step);
  }
  /// @return Σ m |v − nearest allowed to v − M⁻¹∇ℓ|² of the nodes that boundaries hold
  SIM_HD double stepHeldNodes(bool squared, bool majorized) const {
    const auto& s = s_;
    const Sums<1> sum = s.team.template sums<1>(s.nodes, [&](int i) {
      if (!s.held(i)) return Sums<1>{{0}};
      const DeviceBounds bounds(s.view, i);
      const float m = s.view.mass[i];
      BlockMetric metric{m, {}};
      const Vector impulse = sumContacts(i, squared, metric.block), v = s.node(now_, i);
      const Vector g = m * (v - s.freeVelocity(i)) - impulse;
      const Vector left = v - bounds.allowed(v - (1 / m) * g);
      // The metric's rounding may leave the allowed velocities.
      const Vector to = bounds.allowed(bounds.nearest(v - mpm::solveBlock(m, metric.block, g), metric).v);
      keepStep(i, v, to - v, majorized);
      return Sums<1>{{static_cast<double>(m * dot(left, left))}};
    });
    return sum.value[0];
  }
  /// Jᵀγ of a node; and Σ w Ĝ of its contacts, or Σ w² G.
  SIM_HD Vector sumContacts(int i, bool squared, float (&block)[6]) const {
    const Share* const share = s_.memory.shares + s_.memory.firstShare[i];
    const int count = s_.memory.shareCount[i];
    Vector impulse{0, 0, 0};
    for (int k = 0; k < 6; ++k) block[k] = 0;
    for (int n = 0; n < count; ++n) {
      const Share at = share[n];
      const float w = squared ? at.weight * at.weight : at.weight;
      impulse += at.weight * s_.contact(ContactColumn::Gamma, at.contact);
      for (int k = 0; k < 6; ++k) block[k] += w * s_.ofContacts(ContactColumn::Block + k)[at.contact];
    }
    return impulse;
  }
  /// The plain majorised step, or the accelerated one where that lowers ℓ.
  SIM_HD void takeMajorizedStep() {
    const auto& s = s_;
    if (combines_) anderson_.finish(s);
    const Sums<2> kinetic = combineNodes();
    const Sums<2> projected = combines_ && s.bounded ? projectCombined() : Sums<2>::zero();
    const bool moved = projected.value[1] > 0;
    const double first = combines_ ? kinetic.value[1] + projected.value[0] : kinetic.value[0];
    Energy at = linearize(Curvature::Majorant, first, [&](int c) {
      const Vector u = s.relativeVelocity(NodeColumn::Plain, c);
      anderson_.pushContact(s, c, u, combines_);
      if (!combines_) return u;
      return moved ? s.relativeVelocity(spare_, c) : anderson_.combineContact(s, c, u);
    });
    if (combines_) {
      if (lowers(at)) return take(spare_, at);
      at = linearize(Curvature::Majorant, kinetic.value[0],
                     [&](int c) { return s.contact(ContactColumn::PlainU, c); });
    }
    if (lowers(at)) {
      copyNodes(NodeColumn::Plain, now_);
      energy_ = at;
      return;
    }
    // The velocity fell below the one that bounded the curvature: stay, and take a larger bound.
    enlargeBound();
    anderson_.clear();
  }
  /// The accelerated velocities. @return kinetic energies, plain and accelerated
  SIM_HD Sums<2> combineNodes() const {
    const auto& s = s_;
    return s.team.template sums<2>(s.nodes, [&](int i) {
      Sums<2> sum{{kinetic(i, s.node(NodeColumn::Plain, i)), 0}};
      if (!combines_) return sum;
      const Vector v = anderson_.combineNode(s, i);
      s.setNode(spare_, i, v);
      sum.value[1] = kinetic(i, v);
      return sum;
    });
  }
  /// Brings them to the allowed ones. @return what kinetic energy gains, and how many change by more than the
  /// combination is rounded
  SIM_HD Sums<2> projectCombined() const {
    constexpr float kRounding = static_cast<float>(mpm::kMovedRoundings) * kEpsilon;
    const auto& s = s_;
    return s.team.template sums<2>(s.nodes, [&](int i) {
      if (!s.held(i)) return Sums<2>::zero();
      const Vector before = s.node(spare_, i), v = DeviceBounds(s.view, i).allowed(before);
      const Vector change = v - before;
      s.setNode(spare_, i, v);
      const bool moved = dot(change, change) > kRounding * kRounding * dot(before, before);
      return Sums<2>{{kinetic(i, v) - kinetic(i, before), moved ? 1.0 : 0.0}};
    });
  }
  SIM_HD void enlargeBound() {
    boost_ = lanes::min(2 * boost_, static_cast<float>(mpm::kMaxBoost));
    linearized_ = Curvature::None;
  }

  /// v + α step of the iterate.
  SIM_HD void moveAlong(double alpha, int to) const {
    const auto& s = s_;
    const auto a = static_cast<float>(alpha);
    s.team.loop(s.nodes, [&](int i) { s.setNode(to, i, s.node(now_, i) + a * s.node(NodeColumn::Step, i)); });
  }

  /// Newton up to the first half-space in its way, in spare_. @return its ℓ
  SIM_HD Energy tryNewtonStep(double alpha) {
    moveAlong(alpha, spare_);
    project(spare_);
    const Energy at = linearizeAt(spare_, Curvature::Exact);
    linearized_ = Curvature::None;
    return at;
  }
  /// The lower one of the Newton step, tried before, and the majorised step.
  SIM_HD void takeLower(const Energy& tried) {
    moveAlong(1, NodeColumn::Plain);
    const Energy plain = linearizeAt(NodeColumn::Plain, Curvature::Majorant);
    linearized_ = Curvature::None;
    if (tried.value <= plain.value) {
      if (lowers(tried)) return take(spare_, tried);
    } else if (lowers(plain)) {
      copyNodes(NodeColumn::Plain, now_);
      energy_ = plain;
      return;
    }
    enlargeBound();
  }

  // ---- friction bounds ----

  /// γ_n of a particle's contact; what the bound gives to its node where the contact is a boundary's friction.
  SIM_HD float normalImpulseOf(int c) const {
    const ContactView& view = s_.view;
    if (view.bound[c] < 0) return lanes::max(0.0f, dot(s_.contact(ContactColumn::Gamma, c), s_.normal(c)));
    const int i = view.node[c];
    const float m = view.mass[i];
    const Vector impulse = s_.scattered(s_.ofContacts(ContactColumn::Gamma), s_.contacts, i);
    const Vector wanted = s_.freeVelocity(i) + (1 / m) * impulse;
    return m * DeviceBounds(view, i).nearest(wanted).pushOf(view.bound[c]);
  }
  /// Sets n₀ to the normal impulses just found, if that matters: a bound does where friction comes near it, while
  /// contacts that stick well inside both bounds don't mind. @return whether it did
  SIM_HD bool correctFrictionBounds() {
    const auto& s = s_;
    float* const found = s.memory.scratch;
    const Sums<2> sum = s.team.template sums<2>(s.contacts, [&](int c) {
      found[c] = normalImpulseOf(c);
      const Vector n = s.normal(c), gamma = s.contact(ContactColumn::Gamma, c);
      const Vector friction = gamma - dot(gamma, n) * n;
      const float mu = s.view.friction[c], before = mu * s.view.n0[c], after = mu * found[c];
      const float near = static_cast<float>(mpm::kNearBound) * lanes::min(before, after);
      const bool matters = dot(friction, friction) >= near * near;
      return Sums<2>{{matters ? lanes::abs(static_cast<double>(after) - static_cast<double>(before)) : 0.0,
                      static_cast<double>(lanes::max(before, after))}};
    });
    if (!(sum.value[0] > mpm::kLagTolerance * sum.value[1])) return false;
    s.team.loop(s.contacts, [&](int c) { s.setNormalImpulse(c, found[c]); });
    return true;
  }

  // ---- the solution ----

  SIM_HD void writeSolution() {
    const auto& s = s_;
    const ContactView& view = s.view;
    // Free of what the combinations and updates of J v were rounded by.
    s.team.loop(s.contacts, [&](int c) {
      const Vector u = s.relativeVelocity(now_, c);
      storeVector(view.u, view.contactCapacity, c, u);
      storeVector(view.gamma, view.contactCapacity, c, contact::laggedPotential(u, s.law(c)).gamma);
    });
    s.team.loop(s.nodes, [&](int i) {
      storeVector(view.v, view.nodeCapacity, i, s.node(now_, i));
      if (i > 0) return;
      *view.report = {s.particleContacts, s.nodes,   iterations_,   lagSolves_,
                      converged_ ? 1 : 0, residual_, energy_.value, freeMotion_};
    });
  }

  SolveContext<Team>& s_;
  const DeviceSolveSettings& settings_;
  DeviceAnderson<Team> anderson_;
  DeviceNewton<Team> newton_;
  int now_ = NodeColumn::V, spare_ = NodeColumn::Accelerated;
  Curvature linearized_ = Curvature::None;  ///< that of Block; None: `now_` has changed since
  bool combines_ = false;                   ///< the present evaluation differs from a last one
  float boost_ = 1;  ///< enlarges the normal majorant after a plain step that did not lower ℓ
  Energy energy_{};
  double freeMotion_ = 0;
  float residual_ = 0;  ///< as SolveReport::residual
  int iterations_ = 0, lagSolves_ = 0;
  bool converged_ = false;
};

}  // namespace slipstick::gpu
