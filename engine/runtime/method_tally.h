// What a method makes of a scene, in the figures by which methods are compared: forces on bodies, energy, penetration, slip,
// momentum error and cost.
#pragma once

#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/momentum_balance.h"

namespace slipstick {

/// One step.
struct MethodSample {
  double time = 0;                                 ///< [s]
  std::vector<Vec3> forces;                        ///< of all contacts, per body [N]
  double kinetic = 0, potential = 0, elastic = 0;  ///< energies [J]
  double penetration = 0;                          ///< of the deepest contact [m]
  double slip = 0;                                 ///< Σ|f| v_slip / Σ|f| over all contacts [m/s]
  double momentumError = 0;                        ///< see StepReport [-]
  double wall = 0;                                 ///< [s]
  HealthFlags health = 0;

  double energy() const { return kinetic + potential + elastic; }
};

/// Of a time window, what is not said otherwise.
struct MethodFigures {
  struct Force {
    std::string body;
    Vec3 mean = Vec3::Zero();  ///< [N]
  };
  std::vector<Force> forces;  ///< on bodies that something touched
  double energyGain = 0;      ///< highest energy of the run over that of its start [J]
  double energyEnd = 0;       ///< at the run's end, less that of its start [J]
  double covered = 0;         ///< of the window by the run [s]; 0: what is of the window is not known
  double penetration = 0;     ///< mean of the deepest contacts [m]
  double deepest = 0;         ///< [m]
  double slip = 0;            ///< mean [m/s]
  double momentumError = 0;   ///< of the run, see MomentumBalance [-]
  int steps = 0;              ///< of the run
  int notConverged = 0;       ///< of these
  double wall = 0;            ///< of the run [s]
  double simulated = 0;       ///< of the run [s]
};

class MethodTally {
 public:
  explicit MethodTally(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  /// @param wall  of the step [s]; 0 for the start
  void add(const Snapshot& snapshot, double wall);
  const std::vector<MethodSample>& samples() const { return samples_; }
  const Model& model() const { return *model_; }
  /// @param from, to  the window [s]
  MethodFigures figures(double from, double to) const;

 private:
  std::shared_ptr<const Model> model_;
  std::vector<MethodSample> samples_;
  MomentumBalance momentum_;
};

}  // namespace slipstick
