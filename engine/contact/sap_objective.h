// The convex function that a rigid step minimises, ℓ(v) = ½‖v − v*‖²_A + Σ ℓ_c(J_c v) (SAP: Castro, Permenter & Han 2022), of one
// island of a problem at a time: its value, gradient and curvature at a v that is given.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/contact/kernels/kernel_table.h"
#include "engine/contact/sap_problem.h"
#include "engine/foundation/math.h"
#include "engine/numerics/root_finder.h"

namespace slipstick::contact {

/// What is known of ℓ at one v. Vectors are as long as the problem's: what belongs to other islands, others have written.
struct SapPoint {
  VecX v;
  VecX offset;                 ///< v − v*
  VecX momentum;               ///< A v
  VecX impulse;                ///< Σ Jᵀγ
  VecX gradient;               ///< ∇ℓ = A (v − v*) − Σ Jᵀγ
  std::vector<Vec6> pairV;     ///< per pair: V_B − V_A at its origin
  std::vector<double> points;  ///< γ and velocity of the pairs' points, packed: PointResult
};

/// A direction in which v may change.
struct SapRay {
  VecX dv;
  VecX Adv;                  ///< A Δv
  std::vector<Vec6> pairDV;  ///< per pair: ΔV
};

/// Keeps its workspace: a steady state allocates nothing. What it answers depends on nothing that was asked before, and is the
/// same bits on every instruction set.
class SapObjective {
 public:
  explicit SapObjective(const RigidKernels& kernels) : kernels_(&kernels) {}

  /// Takes over a new problem's points. Call before everything else.
  void reset(const SapProblem& problem);
  /// Takes over new friction bounds and ε of an island's points.
  void updateFriction(const SapProblem& problem, const SapIsland& island);

  /// For what evaluate() and prepare() will find: they make room themselves, but later.
  void makeRoom(const SapProblem& problem, SapPoint& here) const;
  static void makeRoom(const SapProblem& problem, SapRay& ray);

  /// ℓ(v) [J]
  [[nodiscard]] double value(const SapProblem& problem, const SapIsland& island, const VecX& v);
  /// The same where evaluate() was asked.
  [[nodiscard]] double value(const SapProblem& problem, const SapIsland& island, const SapPoint& here);

  /// Everything else at v, the gradient above all. A and v* may be another problem's than that of reset().
  /// @param v  may be that of `here`
  void evaluate(const SapProblem& problem, const SapIsland& island, const VecX& v, SapPoint& here);
  /// ∂²ℓ_c/∂V² of the island's pairs, of all that acts on them.
  /// @param K  as many as the problem has pairs: that of the pair, at its origin
  void findPairHessians(const SapProblem& problem, const SapIsland& island, const SapPoint& here,
                        std::vector<Mat6>& K) const;

  /// What slope() needs to know of a direction.
  void prepare(const SapProblem& problem, const SapIsland& island, const VecX& dv, SapRay& ray);
  /// First and second derivative of ℓ in α at v + α Δv [J].
  [[nodiscard]] numerics::Slope slope(const SapProblem& problem, const SapIsland& island,
                                      const SapPoint& here, const SapRay& ray, double alpha) const;

  /// Writes γ and velocity there into the island's constraints.
  void writeImpulses(SapProblem& problem, const SapIsland& island, const SapPoint& here) const;

 private:
  using Vec6s = std::vector<Vec6>;

  void layOutPacks(const SapProblem& problem);
  void fillPacks(const SapProblem& problem, std::size_t pair);
  const PointLoops& loops(const SapProblem& problem) const;
  PointArgs argsOf(const SapIsland& island, const Vec6s& V) const;
  void findVelocities(const SapProblem& problem, const SapIsland& island, const VecX& v, bool isChange,
                      Vec6s& V);
  void sumImpulses(const SapProblem& problem, const SapIsland& island, SapPoint& here);
  void addScalarImpulses(const SapProblem& problem, const SapIsland& island, SapPoint& here) const;
  void sumWrenches(const SapProblem& problem, const SapIsland& island, SapPoint& here);
  void addBodyWrenches(const SapProblem& problem, const SapIsland& island, SapPoint& here) const;

  const RigidKernels* kernels_;
  std::vector<double> packs_;      ///< laws of all points: PointField
  std::vector<PackRange> ranges_;  ///< per pair
  // Scratch of one call:
  SapPoint asked_;            ///< of value()
  VecX product_;              ///< A times something
  Vec6s bodyV_, bodyWrench_;  ///< per body
  Vec6s pairWrench_;          ///< per pair
};

}  // namespace slipstick::contact
