// One implicit step of grid and rigid bodies in two stages (Zong 2024).
//   1. Free motion: the grid minimises ½‖v − vⁿ‖²_M − Δt vᵀMg + E(v) (Eq. 15, 16) by Newton steps with projected tangents
//      and a line search; one step where E is quadratic.
//   2. Contact: grid and rigid bodies together minimise ½‖v_d − v*‖²_H + ½‖v_r − v_r*‖²_A + ℓ_r(v_r) + ℓ_c(J_d v_d − J_r v_r)
//      (Eq. 7), H the tangent of stage 1 at v*, ℓ_c the SAP potential (Castro, Permenter & Han 2022), by Newton's method
//      with exact line search.
// Linear systems by conjugate gradients with the nodes' diagonal blocks; mechanisms give way to the grid as their Hessian
// says, see RigidSide. Serial, in double.
#pragma once

#include <array>
#include <vector>

#include "engine/contact/rigid_potentials.h"
#include "engine/contact/solve_trace.h"
#include "engine/mpm/elastic_grid.h"
#include "engine/mpm/rigid_side.h"

namespace slipstick::mpm {

/// A particle that touches a geometry, or a node inside a boundary.
struct ImplicitContact {
  contact::SapContact<double> law;
  bool holds = false;  ///< it is no contact: the node has the boundary's velocity in the directions of `held`
  Mat3 held = Mat3::Zero();  ///< a projector
  std::array<int, 27> node{};
  std::array<double, 27> weight{};
  int nodes = 27;             ///< how many of them count
  int body = -1;              ///< index into ImplicitProblem::bodies; −1: vBody is all
  Vec3 arm = Vec3::Zero();    ///< from the body's origin [m]
  Vec3 vBody = Vec3::Zero();  ///< [m/s]
};

struct ImplicitProblem {
  double dt = 0;                ///< Δt [s]
  std::vector<double> mass;     ///< of the nodes [kg]
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
  double gradientTolerance =
      0.02;  ///< of a linear system, relative; a quadratic stage 1 is solved to the other one
};

struct ImplicitSolution {
  VecX free, v;                ///< v*, and with contact [m/s]
  std::vector<Vec3> gamma, u;  ///< per contact: impulse on the grid [N s], relative velocity [m/s]
  VecX remainder;              ///< H (v − v*) − Jᵀγ [N s]
  int freeIterations = 0, contactIterations = 0;
  int gradientIterations = 0;  ///< of all linear systems
  bool converged = true;
  double potential = 0;       ///< ℓ of stage 2 [J]
  contact::SolveTrace trace;  ///< of stage 2
};

class ImplicitSolver {
 public:
  explicit ImplicitSolver(const ImplicitSettings& settings = {}) : settings_(settings) {}

  /// v* and, in the problem, the tangents there. @return whether it converged
  bool solveFree(ImplicitProblem& problem, ImplicitSolution& solution);
  /// How the nodes' diagonal blocks of H resist contacts: w = Σ w_i² tr(H_ii⁻¹)/3, after solveFree() [1/kg].
  double mobility(const ImplicitContact& contact) const;
  /// From v* and v_r*, or from the velocities before the step where ℓ is lower: what rests in contact stays so. The
  /// contacts must be complete.
  void solveContact(ImplicitProblem& problem, ImplicitSolution& solution);

 private:
  struct Derivatives {
    double first, second;
  };
  void findBlocks(const ImplicitProblem& problem);
  void applyH(const ImplicitProblem& problem, const VecX& x, VecX& Hx) const;
  template <class Apply>
  int solveLinear(const Apply& apply, const VecX& right, const std::vector<Mat3>& inverse, double tolerance,
                  int most, VecX& x);
  Vec3 gather(const ImplicitContact& c, const VecX& v) const;
  void scatter(const ImplicitContact& c, const Vec3& value, VecX& v) const;
  void chooseStart(const ImplicitProblem& problem, const ImplicitSolution& solution);
  void findVelocities(const ImplicitProblem& problem, const VecX& v);
  double linearizeContacts(const ImplicitProblem& problem);
  void sumLoads(const ImplicitProblem& problem);
  void respond(const ImplicitProblem& problem, const VecX& s, bool withGradient);
  Derivatives slope(const ImplicitProblem& problem, double alpha) const;
  double lineSearch(const ImplicitProblem& problem) const;
  void newtonStep(const ImplicitProblem& problem, ImplicitSolution& solution);

  ImplicitSettings settings_;
  std::vector<Mat3> blocks_, inverse_;  ///< of H, and of H + JᵀGJ inverted
  VecX change_, Hchange_;               ///< v − v* and H of it
  VecX gradient_, step_, Hstep_, right_, scratch_;
  std::vector<Vec3> u_, du_, gamma_;  ///< per contact
  std::vector<Mat3> G_;
  RigidSide::Iterate rigid_;
  std::vector<RigidSide::Load> loads_;
  std::vector<Wrench> wrenches_;
  VecX rigidStep_;
  std::vector<Velocity> bodySteps_;
  VecX r_, z_, p_, Hp_;  ///< of conjugate gradients
};

}  // namespace slipstick::mpm
