#include <cmath>
#include <limits>
#include <utility>

#include "engine/foundation/stopping.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/contact/contact_line_search.h"
#include "engine/mpm/contact/contact_newton_part.h"
#include "engine/mpm/contact/contact_rigid_part.h"
#include "engine/mpm/contact/contact_workspace.h"
#include "engine/mpm/kernel_choice.h"
#include "engine/mpm/kernels/contact_loops.h"

namespace slipstick::mpm {
namespace {

/// With fewer contacts, phases of some microseconds each, waiting for the others costs more than they help.
constexpr std::size_t kSharedContacts = 128;

/// Floats in the widest lanes of this machine; doubles, for reference, one by one.
template <class Real>
const ContactLoops<Real>& contactLoops();
template <>
const ContactLoops<float>& contactLoops() {
  return chooseKernels().contact;
}
template <>
const ContactLoops<double>& contactLoops() {
  static constexpr ContactLoops<double> kLoops = SLIPSTICK_CONTACT_LOOPS(double);
  return kLoops;
}

/// What the stop test asks of the residual over its scale.
double toleranceOf(const ContactSolverSettings& settings, double scale) {
  return scale > 0 ? settings.relativeTolerance + settings.absoluteTolerance / scale
                   : settings.absoluteTolerance;
}

}  // namespace

/// Loads the problem and stands at v*, or where the guessed impulses lead if that is better.
template <class Real>
void ContactSolver<Real>::Workspace::begin(ContactProblem<Real>& p) {
  problem = &p;
  team = p.contacts.size() >= kSharedContacts ? everybody : nullptr;
  layout.build(p, team);
  arrays = layout.arrays();
  nodes = p.mass.size();
  for (Iterate<Real>* it : {&now, &plain, &accelerated}) {
    it->v = layout.vStar;
    it->u.assign(layout.padded, 0);
  }
  for (Columns3<Real>* c : {&gamma, &slip, &stepU}) c->assign(layout.padded, 0);
  for (auto* c : {&tangential, &normal, &stickFraction, &found}) c->assign(layout.padded, 0);
  rows.assign(RowField::Count * layout.padded, 0);
  nodeRows.resize(RowField::Count * layout.paddedNodes);
  contactQuads.resize(layout.padded);
  for (auto* q : {&nodeQuads, &gradient, &step}) q->assign(layout.paddedNodes, Quad<Real>{});
  contactSums.resize(layout.chunks.size());
  kineticSums.resize(nodeChunks()), nodeSums.resize(nodeChunks());
  anderson.clear();
  newton.clear();
  boost = 1;
  orderChunks();
  bounded.find(p, layout.paddedNodes);
  moved.assign(layout.paddedNodes, 0);
  bounded.project(now.v);
  beginRigid();
  gather(now.v, now.u, true);
  evaluateEnergy(now);
  freeMotion = now;
  startIsOld = false;
  tryGuess();
  linearized.reset();
}

/// After friction bounds have changed: stays where the last solve ended, unless free motion is better now.
template <class Real>
void ContactSolver<Real>::Workspace::restart() {
  anderson.clear();
  boost = 1;
  startIsOld = false;
  evaluateEnergy(freeMotion);
  evaluateEnergy(now);
  if (freeMotion.energy < now.energy) now = freeMotion;
  linearized.reset();
}

/// γ_n of a particle's contact; what the bound gives to its node where the contact is a boundary's friction.
template <class Real>
Real ContactSolver<Real>::Workspace::normalImpulseOf(std::size_t i) const {
  const ContactPoint<Real>& c = problem->contacts[static_cast<std::size_t>(layout.order[i])];
  if (c.bound < 0) return std::max(Real(0), dot(gamma.at(i), layout.normal.at(i)));
  const auto node = static_cast<std::size_t>(c.node[0]);
  const Real m = problem->mass[node];
  const V3<Real> wanted = problem->vStar[node] + (1 / m) * impulseOn(node);
  const AllowedVelocity reached = nearestAllowed(toEigen(wanted), problem->bounds[node]);
  return m * static_cast<Real>(reached.push[static_cast<std::size_t>(c.bound)].norm());
}

/// Sets n₀ to the normal impulses just found, if that matters: a bound does where friction comes near it,
/// while contacts that stick well inside both bounds don't mind. @return whether it did
template <class Real>
bool ContactSolver<Real>::Workspace::correctFrictionBounds() {
  double wrong = 0, total = 0;
  const auto count = static_cast<std::size_t>(layout.contacts);
  for (std::size_t i = 0; i < count; ++i) {
    const Real mu = problem->contacts[static_cast<std::size_t>(layout.order[i])].friction;
    const Real before = layout.frictionBound[i], after = mu * (found[i] = normalImpulseOf(i));
    const V3<Real> slipping = slip.at(i);
    const Real friction = before * std::sqrt(dot(slipping, slipping));
    if (friction >= Real(kNearBound) * std::min(before, after))
      wrong += std::abs(double(after) - double(before));
    total += double(std::max(before, after));
  }
  if (!(wrong > kLagTolerance * total)) return false;
  for (std::size_t i = 0; i < count; ++i) layout.setNormalImpulse(i, found[i], *problem);
  return true;
}

template <class Real>
void ContactSolver<Real>::Workspace::tryGuess() {
  Real size = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout.contacts); ++i) {
    const V3<Real>& guess = problem->contacts[static_cast<std::size_t>(layout.order[i])].guess;
    contactQuads[i] = quad(guess);
    size += dot(guess, guess);
  }
  if (!(size > 0)) return;
  if (problem->change.empty()) scatter(contactQuads, nodeQuads);
  for (std::size_t i = 0; i < nodes; ++i)
    plain.v[i].x = layout.vStar[i].x +
                   (problem->change.empty() ? nodeQuads[i].x / problem->mass[i] : quad(problem->change[i]).x);
  bounded.project(plain.v);
  guessRigid();
  gather(plain.v, plain.u, true);
  evaluateEnergy(plain);
  if (!(plain.energy < now.energy)) return;
  std::swap(now, plain);
  startIsOld = !problem->change.empty();
}

/// Contacts are sorted by their nodes: a third of the way through the ones is a third of the way through the others.
template <class Real>
void ContactSolver<Real>::Workspace::orderChunks() {
  const std::size_t contacts = layout.chunks.size();
  chunkOrder.clear();
  std::size_t contact = 0;
  for (std::size_t node = 0; node < nodeChunks(); ++node) {
    for (; contact < contacts && (2 * contact + 1) * nodeChunks() < (2 * node + 1) * contacts; ++contact)
      chunkOrder.push_back({false, contact});
    chunkOrder.push_back({true, node});
  }
  for (; contact < contacts; ++contact) chunkOrder.push_back({false, contact});
}

/// f(0) … f(count − 1), by all who share this problem.
template <class Real>
template <class F>
void ContactSolver<Real>::Workspace::forEach(std::size_t count, const F& f) const {
  shareOut(team, count, 1, f);
}

/// Chunks of contacts and of nodes, those that lie near each other side by side.
template <class Real>
template <class OnContacts, class OnNodes>
void ContactSolver<Real>::Workspace::share(const OnContacts& onContacts, const OnNodes& onNodes) const {
  forEach(chunkOrder.size(), [&](std::size_t i) {
    const ChunkName& chunk = chunkOrder[i];
    chunk.ofNodes ? onNodes(chunk.index) : onContacts(chunk.index);
  });
}

template <class Real>
void ContactSolver<Real>::Workspace::gatherChunk(const ContactChunk& chunk, const Quads<Real>& v,
                                                 const char* movedNodes, Columns3<Real>& u,
                                                 bool subtractBody) const {
  loops.gather(arrays, chunk.beginStencil, chunk.endStencil, reals(v), movedNodes, u.columns().data(),
               subtractBody);
}

template <class Real>
void ContactSolver<Real>::Workspace::gather(const Quads<Real>& v, Columns3<Real>& u,
                                            bool subtractBody) const {
  forEach(layout.chunks.size(),
          [&](std::size_t i) { gatherChunk(layout.chunks[i], v, nullptr, u, subtractBody); });
}

/// v = Jᵀ values.
template <class Real>
void ContactSolver<Real>::Workspace::scatter(const Quads<Real>& values, Quads<Real>& v) const {
  forEach(nodeChunks(), [&](std::size_t chunk) {
    layout.scatter(values, chunk * kNodeChunk, static_cast<std::size_t>(endOfChunk(chunk)), v);
  });
}

template <class Real>
void ContactSolver<Real>::Workspace::kineticOfChunk(std::size_t chunk, const Quads<Real>& v) {
  kineticSums[chunk] =
      loops.kinetic(arrays, static_cast<int>(chunk * kNodeChunk), endOfChunk(chunk), reals(v));
}

/// ℓ of what the chunks have been summed for.
template <class Real>
void ContactSolver<Real>::Workspace::sumEnergy(Iterate<Real>& at) const {
  double kinetic = 0;
  for (const double sum : kineticSums) kinetic += sum / 2;
  at.energy = at.size = kinetic;
  for (const EnergySums& sum : contactSums) at.energy += sum.value, at.size += sum.size;
  if (problem->rigid == nullptr) return;
  at.energy += at.rigid.energy;
  at.size += std::abs(at.rigid.energy);
}

template <class Real>
void ContactSolver<Real>::Workspace::evaluateEnergy(Iterate<Real>& at) {
  share(
      [&](std::size_t i) {
        const ContactChunk& chunk = layout.chunks[i];
        contactSums[i] = loops.energy(arrays, chunk.begin, chunk.end, std::as_const(at.u).columns().data());
      },
      [&](std::size_t chunk) { kineticOfChunk(chunk, at.v); });
  sumEnergy(at);
}

template <class Real>
void ContactSolver<Real>::Workspace::linearizeChunk(std::size_t index, const Columns3<Real>& u,
                                                    RowKind kind) {
  const auto g = gamma.columns(), t = slip.columns();
  const Linearization<Real> out{{g[0], g[1], g[2]}, {t[0], t[1], t[2]},   tangential.data(),
                                normal.data(),      stickFraction.data(), rows.data()};
  const ContactChunk& chunk = layout.chunks[index];
  contactSums[index] = loops.linearize(arrays, chunk.begin, chunk.end, u.columns().data(), kind, boost, out);
  if (problem->rigid != nullptr) loadBodies(chunk, chunkLoads.data() + index * loads.size());
}

/// Impulses, curvatures and rows of all contacts at an iterate, and its energy.
template <class Real>
void ContactSolver<Real>::Workspace::linearize(Iterate<Real>& at, RowKind kind) {
  share([&](std::size_t i) { linearizeChunk(i, at.u, kind); },
        [&](std::size_t chunk) { kineticOfChunk(chunk, at.v); });
  sumEnergy(at);
  linearized = kind;
}

/// At `now`, linearised: the node blocks Σ_p w_ip Ĝ_p of the lumped majorant, or the block diagonal Σ_p w_ip² G_p
/// of JᵀGJ; the gradient M (v − v*) − Jᵀγ, its norm and the stop test's scale; and the steps that minimise the
/// nodes' quadratic models, −(m I + block)⁻¹ ∇ℓ where no boundary acts. @param majorized  takes them, to `plain`
template <class Real>
void ContactSolver<Real>::Workspace::stepNodes(RowKind kind, bool majorized) {
  if (majorized) anderson.begin(layout.paddedNodes, layout.padded);
  forEach(nodeChunks(), [&](std::size_t chunk) { stepChunk(chunk, kind, majorized); });
  ResidualSums sums{};
  for (const NodeSums& chunk : nodeSums) {
    sums.gradient += chunk.residual.gradient;
    sums.momentum += chunk.residual.momentum;
    sums.impulse += chunk.residual.impulse;
  }
  residual = std::sqrt(sums.gradient);
  scale = std::sqrt(std::max(sums.momentum, sums.impulse));
  findRigidResidual();
}

template <class Real>
void ContactSolver<Real>::Workspace::stepChunk(std::size_t chunk, RowKind kind, bool majorized) {
  const int begin = static_cast<int>(chunk * kNodeChunk), end = endOfChunk(chunk);
  NodeSums& sums = nodeSums[chunk];
  sums.residual = loops.nodeStep(
      arrays, begin, end,
      {rows.data(), reals(now.v), kind, bounded.free(), nodeRows.data(), reals(gradient), reals(step)});
  for (const std::size_t i : bounded.ofChunk(chunk)) {
    const V3<Real> v = xyz(now.v[i]), g = xyz(gradient[i]), held = bounded.heldGradient(i, v, g);
    sums.residual.gradient += double(dot(held, held) / problem->mass[i]);
    step[i] = quad(bounded.blockStep(i, v, g, xyz(step[i]), blockOf(i)));
  }
  if (!majorized) return;
  loops.combine({reals(now.v), {reals(step)}, {-1}, 1, reals(plain.v)}, 4 * begin, 4 * end);
  sums.products = anderson.pushNodes(begin, end, layout.mass, plain.v, step);
}

/// Jᵀγ where stepNodes() was called last.
template <class Real>
V3<Real> ContactSolver<Real>::Workspace::impulseOn(std::size_t node) const {
  const Real* row = nodeRows.data() + RowField::Count * node + RowField::Impulse;
  return {row[0], row[1], row[2]};
}

template <class Real>
std::array<Real, 6> ContactSolver<Real>::Workspace::blockOf(std::size_t node) const {
  std::array<Real, 6> block;
  std::copy_n(nodeRows.begin() + static_cast<std::ptrdiff_t>(RowField::Count * node + RowField::Block), 6,
              block.begin());
  return block;
}

template <class Real>
double ContactSolver<Real>::Workspace::exactLineSearch() const {
  return ContactLineSearch<Real>(layout, now.u, stepU, now.v, step, {problem->rigid, &now.rigid, &rigidStep})
      .minimiser();
}

/// stepU = J step
template <class Real>
void ContactSolver<Real>::Workspace::gatherStep() {
  gather(step, stepU, false);
  if (problem->rigid == nullptr) return;
  forEach(layout.chunks.size(), [&](std::size_t index) { subtractBodySteps(index); });
}

template <class Real>
void ContactSolver<Real>::Workspace::takeLineSearchStep(int iteration) {
  gatherStep();
  const double longest =
      bounded.oneSided() ? 1 : std::numeric_limits<double>::infinity();  // v + step is allowed
  const auto alpha = static_cast<Real>(std::min(exactLineSearch(), longest));
  for (std::size_t i = 0; i < nodes; ++i) now.v[i].x += alpha * step[i].x;
  if (problem->rigid != nullptr) {
    now.rigid.v += double(alpha) * rigidStep;
    problem->rigid->evaluate(now.rigid);
    placeBodies(now);
  }
  if (iteration % kRefreshPeriod == kRefreshPeriod - 1) {
    gather(now.v, now.u, true);
  } else {
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < layout.padded; ++i) now.u.a[k][i] += alpha * stepU.a[k][i];
  }
  evaluateEnergy(now);
  linearized.reset();
}

/// Projects a combination's nodes and notes whose velocity that changes by more than the combination is rounded.
template <class Real>
void ContactSolver<Real>::Workspace::projectCombined(std::size_t chunk, Quads<Real>& v) {
  constexpr Real kRounding = Real(kMovedRoundings) * std::numeric_limits<Real>::epsilon();
  for (const std::size_t i : bounded.ofChunk(chunk)) {
    const V3<Real> before = xyz(v[i]), after = bounded.allowed(i, before), change = after - before;
    moved[i] = dot(change, change) > kRounding * kRounding * dot(before, before);
    v[i] = quad(after);
  }
}

/// Contact velocities and the energy's kinetic part, of the plain step and of the combination if there is one.
template <class Real>
bool ContactSolver<Real>::Workspace::combine() {
  AndersonProducts products{};
  for (const NodeSums& chunk : nodeSums)
    for (std::size_t j = 0; j < kAndersonDepth; ++j) {
      products.gram[j] += chunk.products.gram[j];
      products.theta[j] += chunk.products.theta[j];
    }
  const bool strong = problem->rigid != nullptr;
  if (strong) {
    followNodes();
    const AndersonProducts rigid = pushRigid();
    for (std::size_t j = 0; j < kAndersonDepth; ++j) {
      products.gram[j] += rigid.gram[j];
      products.theta[j] += rigid.theta[j];
    }
  }
  const bool combined = anderson.finish(products);
  share(
      [&](std::size_t i) {
        const ContactChunk& chunk = layout.chunks[i];
        if (!strong) gatherChunk(chunk, plain.v, nullptr, plain.u, true);
        anderson.pushContacts(chunk.begin, chunk.end, plain.u);
      },
      [&](std::size_t chunk) {
        if (!combined) return;
        anderson.combineNodes(static_cast<int>(chunk * kNodeChunk), endOfChunk(chunk), accelerated.v);
        projectCombined(chunk, accelerated.v);
        kineticOfChunk(chunk, accelerated.v);
      });
  if (combined && strong) {
    anderson.combineRigid(accelerated.rigid.v);
    problem->rigid->evaluate(accelerated.rigid);
  }
  return combined;
}

/// The plain majorised step, or the accelerated one where that lowers ℓ.
template <class Real>
void ContactSolver<Real>::Workspace::takeMajorizedStep() {
  const double rounding = kEnergyRoundings * double(std::numeric_limits<Real>::epsilon()) * now.size;
  if (combine()) {
    if (!bounded.empty()) placeBodies(accelerated);
    forEach(layout.chunks.size(), [&](std::size_t i) {
      const ContactChunk& chunk = layout.chunks[i];
      anderson.combineContacts(chunk.begin, chunk.end, accelerated.u);
      if (!bounded.empty()) gatherChunk(chunk, accelerated.v, moved.data(), accelerated.u, true);
      linearizeChunk(i, accelerated.u, RowKind::Lumped);
    });
    sumEnergy(accelerated);
    linearized = RowKind::Lumped;
    if (accelerated.energy <= now.energy + rounding) return std::swap(now, accelerated);
  }
  linearize(plain, RowKind::Lumped);
  if (plain.energy <= now.energy + rounding) return std::swap(now, plain);
  // The velocity fell below the one that bounded the curvature: stay, and take a larger bound.
  boost = std::min(2 * boost, Real(kMaxBoost));
  anderson.clear();
  linearized.reset();
}

/// Newton up to the first half-space in its way, or the majorised step where that lowers ℓ further: it finds
/// out which half-spaces hold.
template <class Real>
void ContactSolver<Real>::Workspace::takeGuardedNewtonStep() {
  const double rounding = kEnergyRoundings * double(std::numeric_limits<Real>::epsilon()) * now.size;
  gatherStep();
  const auto alpha = static_cast<Real>(std::min(exactLineSearch(), bounded.roomAlong(step, now.v)));
  for (std::size_t i = 0; i < nodes; ++i) accelerated.v[i].x = now.v[i].x + alpha * step[i].x;
  bounded.project(accelerated.v);
  if (problem->rigid != nullptr) {
    accelerated.rigid.v = now.rigid.v + double(alpha) * rigidStep;
    problem->rigid->evaluate(accelerated.rigid);
    placeBodies(accelerated);
  }
  gather(accelerated.v, accelerated.u, true);
  evaluateEnergy(accelerated);
  linearize(now, RowKind::Lumped);
  stepNodes(RowKind::Lumped, false);
  for (std::size_t i = 0; i < nodes; ++i) plain.v[i].x = now.v[i].x + step[i].x;
  problem->rigid != nullptr ? followNodes() : gather(plain.v, plain.u, true);
  evaluateEnergy(plain);
  linearized.reset();
  Iterate<Real>& lower = accelerated.energy <= plain.energy ? accelerated : plain;
  if (lower.energy <= now.energy + rounding) return std::swap(now, lower);
  boost = std::min(2 * boost, Real(kMaxBoost));
}

/// After how many iterations Newton steps take over.
template <class Real>
int ContactSolver<Real>::Workspace::firstNewtonIteration(ContactSolverName solver) const {
  const bool many = layout.contacts > kMaxNewtonContacts;
  const bool strong = problem->rigid != nullptr;
  if (solver == ContactSolverName::ContactNewton && (strong || !many)) return 0;
  if (strong) return many ? kLateStrongPatience : kStrongPatience;
  return many ? kLateNewtonPatience : kFirstOrderPatience;
}

/// Solves from `now` on; `solution` has counted the iterations of the solves before.
template <class Real>
void ContactSolver<Real>::Workspace::iterate(const ContactSolverSettings& settings,
                                             ContactSolution<Real>& solution) {
  const ContactSolverName solver = settings.solver;
  const bool strong = problem->rigid != nullptr;
  const int firstNewton = firstNewtonIteration(solver), before = solution.iterations;
  solution.progress.clear();
  solution.trace.beginPass();
  gradientRoom = kFirstGradientRoom;
  gradientsLeft = kMaxGradientIterations;
  for (int k = 0;; ++k) {
    throwIfStopped(problem->stop);
    const bool newtonSteps = k >= firstNewton;
    const bool majorized = !newtonSteps && (strong || solver != ContactSolverName::QuasiNewton);
    const RowKind kind = majorized ? RowKind::Lumped : RowKind::Diagonal;
    curvatureWanted = !majorized;
    if (linearized != kind) linearize(now, kind);
    stepNodes(kind, majorized);
    solution.progress.push_back({now.energy, scale > 0 ? residual / scale : residual});
    solution.trace.add(solution.progress.back().residual);
    solution.iterations = before + k;
    solution.converged = residual < settings.absoluteTolerance + settings.relativeTolerance * scale &&
                         rigidConverged(settings) && !(k == 0 && startIsOld);
    if (solution.converged || !std::isfinite(residual) || before + k >= settings.maxIterations) return;
    if (gradientsLeft <= 0) return;
    if (newtonSteps && !newtonStep()) {
      solution.factored = false;
      return;
    }
    if (majorized) {
      takeMajorizedStep();
    } else if (newtonSteps && bounded.oneSided()) {
      takeGuardedNewtonStep();
    } else {
      takeLineSearchStep(k);
    }
  }
}

template <class Real>
void ContactSolver<Real>::Workspace::report(const ContactSolverSettings& settings,
                                            ContactSolution<Real>& solution) {
  placeBodies(now);
  gather(now.v, now.u, true);  // free of what the combinations and updates of J v were rounded by
  linearize(now, RowKind::Lumped);
  solution.residual = static_cast<Real>(solution.progress.back().residual);
  solution.potential = static_cast<Real>(solution.progress.back().potential);
  solution.potentialAtFreeMotion = static_cast<Real>(freeMotion.energy);
  solution.trace.finish(solution.converged, toleranceOf(settings, scale));
  problem->rigid != nullptr ? void(solution.rigid = now.rigid.v) : solution.rigid.resize(0);
  solution.v.resize(nodes);
  shareOut(team, nodes, kNodeChunk, [&](std::size_t i) { solution.v[i] = xyz(now.v[i]); });
  solution.gamma.resize(problem->contacts.size());
  solution.u.resize(problem->contacts.size());
  shareOut(team, problem->contacts.size(), kContactChunk, [&](std::size_t i) {
    const auto original = static_cast<std::size_t>(layout.order[i]);
    solution.gamma[original] = gamma.at(i);
    solution.u[original] = now.u.at(i);
  });
}

template <class Real>
void ContactSolver<Real>::solve(ContactProblem<Real>& problem, const ContactSolverSettings& settings,
                                ContactSolution<Real>& solution) {
  if (!work_) work_ = std::make_shared<Workspace>(team_, contactLoops<Real>());
  solution.iterations = solution.lagSolves = 0;
  solution.factored = true;
  solution.trace.clear();
  work_->begin(problem);
  work_->iterate(settings, solution);
  while (solution.lagSolves < settings.lagIterations && solution.converged &&
         work_->correctFrictionBounds()) {
    ++solution.lagSolves;
    work_->restart();
    work_->iterate(settings, solution);
  }
  work_->report(settings, solution);
}

template class ContactSolver<float>;
template class ContactSolver<double>;

}  // namespace slipstick::mpm
