// Every observable of every step of a run, kept in columns: what plots and CSV files read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/runtime/observables.h"

namespace slipstick {

using Observables = std::vector<Observable>;

/// Observables of consecutive steps of one model. Steps come in chunks; full ones never change, so that a
/// copy shares them and costs little.
class Columns {
 public:
  Columns(std::shared_ptr<const Observables> observables, std::uint64_t firstStep);

  /// Appends the step after the last. @param values  one per observable, in their order
  void add(std::span<const double> values);

  const std::shared_ptr<const Observables>& observables() const { return observables_; }
  std::uint64_t firstStep() const { return firstStep_; }
  std::uint64_t endStep() const;  ///< one past the last
  /// Of one observable at one of the steps held.
  double value(std::size_t observable, std::uint64_t step) const;
  std::size_t byteCount() const;

 private:
  static constexpr std::size_t kChunkSteps = 64;
  using Chunk = std::vector<double>;  ///< kChunkSteps values of the first observable, then of the next …

  std::shared_ptr<const Observables> observables_;
  std::uint64_t firstStep_;
  std::vector<std::shared_ptr<const Chunk>> full_;
  Chunk open_;
  std::size_t openSteps_ = 0;
};

/// The columns of a run from its start to the end of one branch: one part for each ancestor and each model
/// that it went through. Two models share the columns of equal name.
class RunColumns {
 public:
  struct Part {
    Columns columns;
    std::uint64_t begin, end;  ///< the steps of these columns that belong to the run
  };
  struct Name {
    std::string name, unit;
    std::string column() const { return unit.empty() ? name : name + " [" + unit + "]"; }
  };

  RunColumns() = default;
  explicit RunColumns(std::vector<Part> parts);

  std::uint64_t firstStep() const { return parts_.empty() ? 0 : parts_.front().begin; }
  std::uint64_t endStep() const { return parts_.empty() ? 0 : parts_.back().end; }  ///< one past the last
  /// All observables that any of its models has, in the order in which they appear.
  const std::vector<Name>& names() const { return names_; }
  /// One observable at the steps [from, to) that are held; NaN while its model did not have it.
  std::vector<double> values(const std::string& name, std::uint64_t from, std::uint64_t to) const;

 private:
  std::vector<Part> parts_;
  std::vector<Name> names_;
};

/// What the observables are at a step.
std::vector<double> valuesOf(const Observables& observables, const Snapshot& snapshot);

}  // namespace slipstick
