// A run that is walked through forwards, once: simulated on the way, or read from a recording. What makes pictures and
// files of a run takes it as this.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

class RunWalk {
 public:
  virtual ~RunWalk() = default;

  virtual const std::shared_ptr<const Model>& model() const = 0;
  virtual std::uint64_t firstStep() const = 0;
  /// Of a recording its last; a simulation ends nowhere: where its scene's duration does.
  virtual std::uint64_t lastStep() const = 0;
  virtual bool endsThere() const = 0;  ///< nothing can be had beyond the last step
  /// Goes on to a step and shows it, with its particles and its contacts; never null. A recording keeps particles of some
  /// steps only: where there are any, the last of these at or before it is shown.
  /// @param step  not before the one that it went to last
  virtual Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t step) = 0;
  /// Goes on likewise and shows the step without particles and surfaces of patches: it is there much sooner, and only a
  /// history that was thinned out has it of some steps only: then the last of these at or before it is shown.
  virtual Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t step) = 0;
  /// Goes on likewise and shows what every step has: poses and all other facts; whether contacts, too, is not said.
  virtual Result<std::shared_ptr<const Snapshot>> factsAt(std::uint64_t step) { return contactsAt(step); }
  /// Up to the step that it went to last, see ForceRange [N]
  virtual double largestForce() const = 0;

  /// The first step at or after a simulated time [s].
  std::uint64_t stepAt(double time) const {
    return static_cast<std::uint64_t>(std::max(0.0, std::ceil(time / model()->time.dt - 1e-6)));
  }
  double timeOf(std::uint64_t step) const { return static_cast<double>(step) * model()->time.dt; }  ///< [s]
};

}  // namespace slipstick
