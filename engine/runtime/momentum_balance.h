// How well momentum balances between particles and everything else, over many steps.
#pragma once

#include "engine/model/snapshot.h"

namespace slipstick {

class MomentumBalance {
 public:
  /// @param dt  of the step that led to the snapshot [s]
  void add(const Snapshot& snapshot, double dt) {
    double impulse = 0;
    for (const Contact& contact : snapshot.contacts)
      if (!contact.isRigid() && !contact.isSoft()) impulse += contact.f_Bc_W.norm() * dt;
    for (const Vec3& force : snapshot.boundaryForce) impulse += force.norm() * dt;
    exchanged_ += impulse;
    lost_ += snapshot.report.momentumError * impulse;
  }
  /// Σ of what does not balance by Σ|γ| over all steps: one in which contact is about to end, and its impulses are rounding,
  /// counts for little. 0 without contact [-]
  double error() const { return exchanged_ > 0 ? lost_ / exchanged_ : 0; }

 private:
  double exchanged_ = 0, lost_ = 0;  ///< [N s]
};

}  // namespace slipstick
