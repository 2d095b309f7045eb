// Stage 2 of an implicit step in contact space, on the impulses y at the contacts alone: where W = J_d H⁻¹ J_dᵀ is dense, the
// grid's change is H⁻¹ J_dᵀ y. Semismooth steps come first, and from where these end Newton's.
#pragma once

#include <span>
#include <vector>

#include "engine/mpm/implicit/contact_iterate.h"
#include "engine/mpm/implicit/contact_space.h"

namespace slipstick::mpm {

class ImpulseSolve {
 public:
  /// @param iterate  at the impulses, in all that follows
  explicit ImpulseSolve(ContactIterate& iterate) : at_(iterate) {}

  /// Starts from whichever has the lowest ℓ: the impulses of the step before, γ, or zero. Contacts that are open in all three
  /// are left out: most of them will be open in the end, too.
  /// @param H  factorised   @param free  v*, from which impulses lead on
  void begin(const ImplicitProblem& problem, const GridHessian& H, const VecX& free);
  /// Where the solution is found: takes in contacts that it would have act, and what W is wrong by, and goes on from where it
  /// is. @param v  of the grid there   @return whether there was anything
  bool refine(const VecX& v);
  /// One step, to where the iterate is to be linearised again.
  /// @param potential  ℓ of grid and contacts where the iterate is [J]
  void advance(double potential);

  const std::vector<Vec3>& impulses() const { return y_; }
  /// ½‖v − v*‖²_H [J]
  double gridEnergy() const { return 0.5 * product(y_, Wy_); }
  /// Whether a step since begin() had no solution in floating point.
  bool failed() const { return failed_; }

 private:
  void startProjecting();
  bool findDefect(const VecX& v);
  Vec3 velocityOn(const ImplicitContact& contact) const;
  Vec3 velocityAt(std::size_t contact, const VecX& v) const;
  bool isOpen(std::size_t contact) const;
  void findMobility();
  void findVelocities();
  double evaluate();
  void chooseStart(std::vector<Vec3> found);
  void projectedStep();
  bool goesOnProjecting(double potential);
  void newtonStep();

  ContactIterate& at_;
  const ImplicitProblem* problem_ = nullptr;
  const GridHessian* hessian_ = nullptr;
  ContactSpace space_;
  std::vector<multibody::Mat6> mobility_;
  std::vector<Vec3> y_, dy_, Wy_, Wdy_;  ///< per contact
  std::vector<Vec3> uFree_;              ///< J_d v*, and what W is wrong by
  int defects_ = 0;                      ///< how often that was found
  bool projecting_ = false;              ///< by projectedStep()
  double bestPotential_ = 0;             ///< that has come of it [J]
  std::vector<Vec3> bestY_;
  int withoutGain_ = 0;    ///< steps since then
  double lastChange_ = 0;  ///< of the impulses by the last step, relative
  bool failed_ = false;
};

}  // namespace slipstick::mpm
