// Every number of a run that has a name and a unit: one registry for plots, CSV files and recordings.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

struct Observable {
  std::string name;  ///< "roller.contact.fz"
  std::string unit;  ///< "N"; empty for pure numbers
  std::function<double(const Snapshot&)> value;
  bool isWallTime = false;  ///< another number in each run: not in files that are compared
  std::string column() const { return unit.empty() ? name : name + " [" + unit + "]"; }
};

/// Time, bodies, joints, deformables, boundaries, totals, contacts and solver figures of a model, in a fixed
/// order (studio.md §6).
std::vector<Observable> observablesOf(const Model& model);

}  // namespace slipstick
