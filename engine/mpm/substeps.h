// How one rigid step is divided into MPM substeps.
#pragma once

#include "engine/model/model.h"
#include "engine/mpm/backend.h"

namespace slipstick::mpm {

/// N equal substeps as the scene says; or, with N automatic, as many as both CFL conditions need, splitting
/// the rest of the step further when particles get faster on the way.
class SubstepSchedule {
 public:
  /// @param particles  at the start
  SubstepSchedule(const Model& model, double dt, const SoftFacts& particles);
  /// As many as the advection condition alone needs, however many the scene names: of a method whose elasticity is
  /// implicit. What stops within a substep would otherwise be squeezed by more than all of its grid cell.
  SubstepSchedule(double gridSpacing, double dt, const SoftFacts& particles);

  bool done() const { return remaining_ == 0; }
  /// Length of the next substep [s]; requires !done(). @param maxSpeed  largest particle speed now [m/s]
  double next(double maxSpeed);
  /// To be told the largest speed that came out of the substep.
  void finished(double maxSpeed);

  /// Whether the next substeps are as long as the last, whatever the particles do.
  bool keepsLength() const { return !automatic_; }

  int taken() const { return taken_; }
  /// Sum of the lengths taken [s].
  double elapsed() const { return elapsed_; }
  /// A given N broke the elastic or advection condition, or particles sped up too much within one substep.
  bool cflExceeded() const { return cflExceeded_; }

 private:
  bool outruns(double speed) const { return speed * length_ >= 0.5 * gridSpacing_; }

  double gridSpacing_;
  bool automatic_;
  double lastSpeed_;  ///< told to the last next() [m/s]
  double length_;     ///< δt [s]
  int remaining_;
  int taken_ = 0;
  double elapsed_ = 0;
  bool cflExceeded_ = false;
};

}  // namespace slipstick::mpm
