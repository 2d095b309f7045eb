// Every number of a run that has a name and a unit: one registry for plots, CSV files and recordings.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

struct Observable {
  std::string name;  ///< "roller.contact.fz"
  std::string unit;  ///< "N"; empty for pure numbers
  std::function<double(const Snapshot&)> value;
  /// Puts a value back where it was read; null where it follows from something else.
  std::function<void(Snapshot&, double)> assign = {};
  bool isWallTime = false;       ///< another number in each run: not in files that are compared
  std::string description = {};  ///< of those of a method's own, what they are
  std::string column() const { return unit.empty() ? name : name + " [" + unit + "]"; }
};

using Observables = std::vector<Observable>;

/// Time, bodies, joints, deformables, boundaries, totals, contacts and solver figures of a model, in a fixed
/// order; then those of the own of the method that steps it, see Model::own.
Observables observablesOf(const Model& model);
/// Those of a method's own. In snapshots of a model that another method steps they are NaN.
Observables observablesOf(const MethodRows& own);

/// The snapshot of a step as far as its observables say it: poses, velocities, wrenches, joints with one degree of
/// freedom, deformables, totals and the report; no particles, contacts or patches.
/// @param values  of observablesOf(model), in their order
Snapshot snapshotFrom(std::shared_ptr<const Model> model, const Observables& observables,
                      std::span<const double> values);

}  // namespace slipstick
