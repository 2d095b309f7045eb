// One implicit step of grid and rigid bodies in two stages (Zong 2024).
//   1. Free motion: the grid minimises ½‖v − vⁿ‖²_M − Δt vᵀMg + E(v) (Eq. 15, 16) by Newton steps with projected tangents
//      and a line search; one step where E is quadratic.
//   2. Contact: grid and rigid bodies together minimise ½‖v_d − v*‖²_H + ½‖v_r − v_r*‖²_A + ℓ_r(v_r) + ℓ_c(J_d v_d − J_r v_r)
//      (Eq. 7), H the tangent of stage 1 at v*, ℓ_c the SAP potential (Castro, Permenter & Han 2022), by Newton's method
//      with exact line search. Zong's law is quadratic. Of others the tangent at v* may not tell what contact does: dough
//      that a pin presses yields. Where what the grid resists at the end differs from the impulses, stage 2 is repeated with
//      the tangents there and the v* that these lead to, which is Newton's method on both stages as one.
// Linear systems are solved by conjugate gradients with the nodes' diagonal blocks until these take longer than a factor of H
// would; stage 2 then goes over to contact space, with the dense W = J_d H⁻¹ J_dᵀ, where the grid's change is H⁻¹J_dᵀy: to
// semismooth steps on the impulses y, and from where these end to Newton's. Where contacts are too many for W, factors of
// H + J_dᵀGJ_d leave to conjugate gradients only how the bodies give way. Mechanisms give way to the grid as their Hessian
// says, see RigidSide. Serial, in double.
#pragma once

#include <span>
#include <vector>

#include "engine/contact/rigid_potentials.h"
#include "engine/contact/solve_trace.h"
#include "engine/mpm/contact_space.h"
#include "engine/mpm/elastic_grid.h"
#include "engine/mpm/grid_cholesky.h"
#include "engine/mpm/implicit_contact.h"
#include "engine/mpm/rigid_side.h"

namespace slipstick::mpm {

struct ImplicitProblem {
  double dt = 0;             ///< Δt [s]
  std::vector<double> mass;  ///< of the nodes [kg]
  std::vector<GridCholesky::Place> place;
  VecX ballistic;               ///< vⁿ + Δt g [m/s]
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
  ElasticGrid elastic;
  std::vector<ImplicitContact> contacts;
  RigidSide* rigid = nullptr;
  std::vector<int> bodies;  ///< of the rigid side, that contacts touch
};

struct ImplicitSettings {
  double relativeTolerance = 1e-6;  ///< of both stages (Zong, VII)
  int maxIterations = 100;          ///< Newton steps of each
  /// Of a linear system, relative, where conjugate gradients solve it; a quadratic stage 1 is solved to the other one.
  double gradientTolerance = 0.02;
  /// Of what the grid resists at the end of stage 2, its difference from the impulses, relative to them.
  double tangentTolerance = 0.05;
  /// Multiplications up to which H is factorised.
  double mostWork = 1e11;
  /// Contact space is entered where a step in it takes up to so many factorisations: it needs fewer.
  double contactSpaceShare = 5;
};

struct ImplicitSolution {
  VecX free, v;                ///< v* of the last tangents, and with contact [m/s]
  std::vector<Vec3> gamma, u;  ///< per contact: impulse on the grid [N s], relative velocity [m/s]
  VecX remainder;              ///< H (v − v*) − Jᵀγ [N s]
  int freeIterations = 0, contactIterations = 0;
  int corrections = 0;          ///< how often stage 2 was repeated
  int gradientIterations = 0;   ///< of all linear systems
  bool freeBySolve = false;     ///< a factor took over from conjugate gradients in stage 1, or for a later v*
  bool inContactSpace = false;  ///< stage 2 was solved there
  bool contactBySolve = false;  ///< or, and factors took over from conjugate gradients in it
  bool converged = true;
  double potential = 0;       ///< ℓ of stage 2 [J]
  contact::SolveTrace trace;  ///< of stage 2
};

class ImplicitSolver {
 public:
  explicit ImplicitSolver(const ImplicitSettings& settings = {}) : settings_(settings) {}

  /// v* and, in the problem, the tangents there. Of the contacts only their nodes count. @return whether it converged
  bool solveFree(ImplicitProblem& problem, ImplicitSolution& solution);
  /// How the nodes' diagonal blocks of H resist contacts: w = Σ w_i² tr(H_ii⁻¹)/3, after solveFree() [1/kg].
  double mobility(const ImplicitContact& contact) const;
  /// From v* and v_r*, or where ℓ is lower: what rests in contact starts with the impulses that it had, or without
  /// factors from the velocities before the step. The contacts must be complete.
  void solveContact(ImplicitProblem& problem, ImplicitSolution& solution);

 private:
  struct Derivatives {
    double first, second;
  };
  /// ‖x‖ in the metric of the inverse of H's diagonal [√J].
  double diagonalNorm(const VecX& x) const;
  void findBlocks(const ImplicitProblem& problem);
  void invertBlocks();
  void applyH(const ImplicitProblem& problem, const VecX& x, VecX& Hx) const;
  template <class Apply, class Precondition>
  int solveLinear(const Apply& apply, const VecX& right, const Precondition& precondition, double tolerance,
                  int most, VecX& x);
  void applyBlocks(const VecX& r, VecX& z) const;
  void orderNodes(const ImplicitProblem& problem);
  /// What the factor at hand is of.
  enum class Factor { None, Free, WithContacts };
  bool factorize(ImplicitProblem& problem, Factor what);
  int patience(const ImplicitProblem& problem) const;
  void solveFreeStep(ImplicitProblem& problem, ImplicitSolution& solution, bool exactly, bool byFactor);
  bool exactFreeStep(ImplicitProblem& problem, const VecX& v);
  /// Of the gradient of stage 1, and what it is to be small against.
  struct FreeError {
    double error, scale;
  };
  FreeError evaluateFree(const ImplicitProblem& problem, const VecX& v);
  bool advanceFree(ImplicitProblem& problem, Tangents tangents, double& energy, VecX& v);
  void settleRigid(const ImplicitProblem& problem, std::span<const Vec3> gamma, RigidSide::Iterate& at);
  void chooseStart(ImplicitProblem& problem, const ImplicitSolution& solution);
  double startFrom(const ImplicitProblem& problem);
  void findMobility(const ImplicitProblem& problem);
  void chooseStartInContactSpace(const ImplicitProblem& problem, std::vector<Vec3> found);
  void findVelocities(const ImplicitProblem& problem, const VecX& v);
  void findVelocitiesInContactSpace(const ImplicitProblem& problem);
  double linearizeContacts(const ImplicitProblem& problem);
  void sumLoads(const ImplicitProblem& problem);
  void sumWrenches(const ImplicitProblem& problem, std::span<const Vec3> impulses);
  void subtractBodySteps(const ImplicitProblem& problem);
  void respond(const ImplicitProblem& problem, const VecX& s, bool withGradient);
  Derivatives slope(const ImplicitProblem& problem, double alpha) const;
  double lineSearch(const ImplicitProblem& problem) const;
  bool enterContactSpace(ImplicitProblem& problem, ImplicitSolution& solution);
  void solveTangent(ImplicitProblem& problem, ImplicitSolution& solution);
  double linearizeAtEnd(ImplicitProblem& problem, const ImplicitSolution& solution);
  void startContact(ImplicitProblem& problem, ImplicitSolution& solution);
  void evaluateContact(const ImplicitProblem& problem, ImplicitSolution& solution);
  void advanceContact(ImplicitProblem& problem, ImplicitSolution& solution);
  bool newtonStep(ImplicitProblem& problem, ImplicitSolution& solution);
  void findBlocksWithContacts(const ImplicitProblem& problem);
  void newtonStepInContactSpace(const ImplicitProblem& problem);
  void projectedStep(const ImplicitProblem& problem);
  bool goesOnProjecting(const ImplicitProblem& problem, const ImplicitSolution& solution);

  ImplicitSettings settings_;
  std::vector<Mat3> blocks_, inverse_;  ///< of H, and of H + JᵀGJ inverted
  VecX change_, Hchange_;               ///< v − v* and H of it
  VecX gradient_, step_, Hstep_, right_, scratch_;
  double changeHstep_ = 0, stepHstep_ = 0;
  std::vector<Vec3> u_, du_, gamma_;  ///< per contact
  std::vector<Mat3> G_;
  RigidSide::Iterate rigid_;
  std::vector<RigidSide::Load> loads_;
  std::vector<Wrench> wrenches_;
  VecX rigidStep_;
  std::vector<Velocity> bodySteps_;
  VecX r_, z_, p_, Hp_;  ///< of conjugate gradients

  GridCholesky cholesky_;
  std::vector<std::span<const int>> elements_;  ///< of the elasticity, then the nodes of each contact
  bool direct_ = false;                         ///< H is factorised, or small enough for it
  int contactGradients_ = 0;                    ///< conjugate gradients of stage 2
  bool fewRows_ = false;                        ///< contact space is cheaper than factors
  Factor factor_ = Factor::None;                ///< that of the present tangents
  ContactSpace space_;
  std::vector<Vec3> y_, dy_, Wy_, Wdy_;  ///< per contact
  std::vector<Vec3> uFree_;              ///< J_d v* − what does not give way
  bool projecting_ = false;              ///< by projectedStep()
  double bestPotential_ = 0;             ///< that has come of it [J]
  std::vector<Vec3> bestY_;
  int withoutGain_ = 0;    ///< steps since then
  double lastChange_ = 0;  ///< of the impulses by the last step, relative
};

}  // namespace slipstick::mpm
