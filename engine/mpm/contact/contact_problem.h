// The convex contact problem of one substep (Yu 2025 Eq. 8) on the nodes that contacting particles touch:
//   minimise ½ Σ m_i |v_i − v*_i|² + Σ ℓ_p(u_p),  u_p = Σ_i w_ip v_i − v_body,p
// over the velocities v_i that the boundaries allow. All other nodes keep v* (or the allowed velocity nearest
// to it), because the lumped mass matrix is diagonal. In a strongly coupled step the velocities of rigid bodies are
// unknowns, too (RigidSide). Everything in W axes.
#pragma once

#include <array>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/contact/solve_trace.h"
#include "engine/model/scene.h"
#include "engine/mpm/contact/contact_limits.h"
#include "engine/mpm/contact/rigid_side.h"
#include "engine/mpm/lanes.h"
#include "engine/mpm/node_bounds.h"

namespace slipstick::mpm {

class ThreadTeam;

/// One (particle, geometry) pair with signed distance < 0 at the start of the substep.
template <class Real>
struct ContactPoint {
  V3<Real> normal;   ///< outward unit normal of the body, towards the particle
  V3<Real> vBody;    ///< body's velocity at the contact [m/s]
  Real f0;           ///< k · penetration [N]
  Real stiffness;    ///< k > 0 [N/m]
  Real dissipation;  ///< d [s/m]
  Real friction;     ///< μ [-]
  V3<Real> guess;    ///< impulse that the solve may start from; 0 if none is known [N s]
  Real n0;           ///< lagged normal impulse δt f₀ (1 − d v_n0)₊ [N s]
  Real epsilon;      ///< friction regularisation max(v_s, μ σ w_t n₀) [m/s]; filled by solve()
  /// −1: a particle. Otherwise the friction of this bound of node[0], see addBoundaryFriction.
  int bound = -1;
  std::array<int, 27> node;     ///< indices into the problem's nodes
  std::array<Real, 27> weight;  ///< w_ip, sum 1
  /// Index into ContactProblem::bodies, whose velocity is the body's; vBody does not count. −1: vBody is all.
  int body = -1;
  V3<Real> arm = {0, 0, 0};  ///< from that body's origin to the contact, W [m]
};

template <class Real>
struct ContactProblem {
  Real dt = 0;                  ///< δt [s]
  Real stictionSpeed = 0;       ///< v_s [m/s]
  Real stictionSoftness = 0;    ///< σ [-]
  std::vector<Real> mass;       ///< m_i [kg], touched nodes
  std::vector<V3<Real>> vStar;  ///< free-motion velocity [m/s]
  std::vector<ContactPoint<Real>> contacts;
  std::vector<NodeBounds> bounds;  ///< per node; or empty: no boundary acts on any of them
  /// Per node, what contacts changed its velocity by in the substep before: where the solve may start from, rather than
  /// from the contacts' guesses. Empty: not known [m/s]
  std::vector<V3<Real>> change;
  RigidSide* rigid = nullptr;  ///< whose velocities are unknowns, too; null: none
  std::vector<int> bodies;     ///< of the rigid side, that contacts touch: Model bodies
  std::stop_token stop;        ///< ends a solve by Stopped
};

/// Where a solve stood before one of its iterations.
struct ContactProgress {
  double potential = 0;  ///< ℓ [J], never rising beyond rounding
  double residual = 0;   ///< as ContactSolution::residual
};

template <class Real>
struct ContactSolution {        // the last iterate, and everything else at it
  std::vector<V3<Real>> v;      ///< node velocities [m/s]
  std::vector<V3<Real>> gamma;  ///< impulses on the particles [N s]
  std::vector<V3<Real>> u;      ///< relative velocities at the solution [m/s]
  int iterations = 0;           ///< of all solves
  int lagSolves = 0;            ///< how often friction bounds were corrected
  bool converged = true;
  bool factored = true;  ///< false: a Newton step had no factor, and was left out
  Real residual = 0;  ///< ‖M^{-½}∇ℓ‖ over its scale max(‖M^{½}v‖, ‖M^{-½}Jᵀγ‖); under bounds see solve()
  Real potential = 0;              ///< ℓ at the solution [J]
  Real potentialAtFreeMotion = 0;  ///< ℓ at v*, or at the allowed velocity nearest to it [J]
  /// Of the last solve, the start first, the solution last; without lag solves iterations + 1 entries.
  std::vector<ContactProgress> progress;
  contact::SolveTrace trace;  ///< of all solves: the residual curve that a person looks at
  VecX rigid;                 ///< the rigid side's velocities, in its order
};

struct ContactSolverSettings {
  ContactSolverName solver = ContactSolverName::MajorizedAnderson;
  double relativeTolerance = 5e-2;
  double absoluteTolerance = 1e-14;  ///< [√J]
  int maxIterations = 500;           ///< of all solves together
  /// How often the problem is solved again with the normal impulses that it found, where those before the
  /// substep (n₀) bounded friction wrongly.
  int lagIterations = 0;
};

ContactSolverSettings contactSettings(const SolverSpec& spec);

/// Friction of boundaries within the convex problem: each slip or separate bound with friction, of a node
/// that contacts touch, becomes a contact on that node alone, whose normal impulse the bound itself provides:
/// f₀ = 0, n₀ = the bound's impulse at v*. Call after the problem's other contacts are known.
template <class Real>
void addBoundaryFriction(ContactProblem<Real>& problem);

/// Solves problems one after the other; keeps its workspace, so that a steady state allocates nothing. The
/// result depends only on the arguments. Instantiated for float and double; sums over nodes and contacts are
/// accumulated in double in both.
///
/// Starts from v*, or where ℓ is lower from v* + change, if that is known, or else from v* + M⁻¹Jᵀ guess. Stops when
/// ‖M^{-½}∇ℓ‖ < ε_a + ε_r max(‖M^{½}v‖, ‖M^{-½}Jᵀγ‖), both sides at the present iterate; a solve that reaches the cap
/// first, or meets a number that is not finite, says converged = false.
///
/// Friction is bounded by lagged normal impulses n₀, which a contact that begins does not have, and which
/// those of a contact that chatters are not. While they are wrong by more than kLagTolerance where friction
/// comes near them, up to lagIterations times, the solve goes on from where it stands with n₀ = the normal
/// impulses found (of boundaries, those of the bounds). The problem then holds the n₀ and ε used last.
///
/// - QuasiNewton: Yu 2025, Algorithm 1. Δv = −H⁻¹∇ℓ with the 3×3 block diagonal of H = M + JᵀGJ, and an exact
///   line search.
/// - MajorizedAnderson: Δv = −Ĥ⁻¹∇ℓ with the lumped majorant Ĥ_i = m_i I + Σ_p w_ip Ĝ_p, unit steps, and
///   Anderson(5). An accelerated step is taken only if ℓ falls, else the plain one, which always lowers ℓ.
/// - ContactNewton: exact Newton, reduced to the 3 n_c contact velocities by the Woodbury identity, with
///   exact line search. With more than kMaxNewtonContacts contacts it is MajorizedAnderson.
///
/// Which of them runs when: the one that is asked for, until it converges. The first two are first-order methods,
/// which stiff or light contacts make slow. So with up to 64 contacts they go on as ContactNewton after 100
/// iterations. With more they take inexact Newton steps after 200, by conjugate gradients with the block diagonal of
/// M + JᵀGJ, until these have taken 4,000 iterations in all; a solve that has not converged by then reports it. See
/// kMaxNewtonContacts, kFirstOrderPatience, kLateNewtonPatience, kMaxGradientIterations.
///
/// Nodes inside boundaries stay among their allowed velocities K. In place of ∇ℓ the stop test takes
/// M (v − nearest in K to v − M⁻¹∇ℓ), which vanishes at the minimiser and is ∇ℓ where nothing holds. The
/// block steps of the first two are the exact minimisers of their quadratic models over K; the Newton step
/// keeps to the directions that no active bound fixes, and competes with the majorised step where half-spaces
/// may open or close.
///
/// A strongly coupled problem is solved by MajorizedAnderson, or by Newton steps alone if ContactNewton is asked for.
/// A majorised step minimises over the grid with the rigid velocities fixed, then over these with the grid's fixed: rigid
/// constraints as they are (RigidSide::step), so that nothing need be shared out between J_d and J_r. After 20 iterations,
/// or 60 with more than 64 contacts, Newton steps take over: with up to 64 in contact space as ever, with more on the
/// grid, to which every mechanism gives way as its Hessian says: what an arrow-shaped matrix leaves when its rigid blocks
/// are eliminated. The rigid part of ∇ℓ has a stop test of its own, against what the contacts give to the rigid side,
/// because its momentum would hide theirs.
template <class Real>
class ContactSolver {
 public:
  /// @param team  shares the work and must outlive this; null: the caller alone. Results don't depend on it.
  explicit ContactSolver(ThreadTeam* team = nullptr) : team_(team) {}

  /// Fills epsilon of every contact (w_t = Σ w_ip²/m_i), then solves to the settings' tolerance or cap.
  void solve(ContactProblem<Real>& problem, const ContactSolverSettings& settings,
             ContactSolution<Real>& solution);

 private:
  struct Workspace;
  ThreadTeam* team_;
  std::shared_ptr<Workspace> work_;
};

}  // namespace slipstick::mpm
