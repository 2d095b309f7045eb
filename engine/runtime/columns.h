// Every observable of every step of a run, kept in columns: what plots and CSV files read.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/facts/contact_pair.h"
#include "engine/facts/observables.h"

namespace slipstick {

/// What is kept of a pair in every step in which it touches. Its observables are called
/// "roller+dough.normal", with the names of the pair's two sides.
struct PairRow {
  struct Quantity {
    const char *name, *unit;
  };
  static constexpr std::array<Quantity, 5> kQuantities = {
      {{"normal", "N"},          // Σ|N|
       {"friction", "N"},        // |Σ friction|
       {"friction_bound", "N"},  // Σ μN
       {"slipping", ""},         // part of Σ|friction| that slips
       {"slip_speed", "m/s"}}};
  ContactPair pair;
  std::array<double, kQuantities.size()> values{};
};

/// "roller+dough"
std::string sidesOf(const Model& model, const ContactPair& pair);

/// Of the contacts of a step; by pair.
std::vector<PairRow> pairRowsOf(const Model& model, const std::vector<Contact>& contacts);

/// Observables of consecutive steps of one model, wherever they lie.
class ColumnStore {
 public:
  virtual ~ColumnStore() = default;
  virtual const std::shared_ptr<const Observables>& observables() const = 0;
  virtual std::uint64_t firstStep() const = 0;
  virtual std::uint64_t endStep() const = 0;  ///< one past the last
  /// One observable at the steps [from, from + values.size()), which it has.
  virtual void read(std::size_t observable, std::uint64_t from, std::span<double> values) const = 0;
  /// All pairs that have touched.
  virtual std::vector<ContactPair> pairs() const = 0;
  /// The same of a quantity of a pair: zero where the pair does not touch.
  virtual void readPair(const ContactPair& pair, std::size_t quantity, std::uint64_t from,
                        std::span<double> values) const = 0;
  /// "roller+dough"
  virtual std::string pairName(const ContactPair& pair) const = 0;
};

/// The same in memory. Steps come in chunks; full ones never change, so that a
/// copy shares them and costs little.
class Columns final : public ColumnStore {
 public:
  /// @param model  whose names the pairs have; may be null where none are added
  Columns(std::shared_ptr<const Observables> observables, std::uint64_t firstStep,
          std::shared_ptr<const Model> model = nullptr);

  /// Appends the step after the last, or throws and changes nothing.
  /// @param values  one per observable, in their order   @param pairs  by pair
  void add(std::span<const double> values, std::span<const PairRow> pairs = {});
  /// Everything that may run out of memory in an add() of these pairs: that cannot fail any more.
  void makeRoom(std::span<const PairRow> pairs);

  const std::shared_ptr<const Observables>& observables() const override { return observables_; }
  std::uint64_t firstStep() const override { return firstStep_; }
  std::uint64_t endStep() const override;
  void read(std::size_t observable, std::uint64_t from, std::span<double> values) const override;
  void readPair(const ContactPair& pair, std::size_t quantity, std::uint64_t from,
                std::span<double> values) const override;
  /// Of one observable at one of the steps held.
  double value(std::size_t observable, std::uint64_t step) const;
  std::vector<ContactPair> pairs() const override { return pairs_; }  ///< in the order in which they touched
  std::string pairName(const ContactPair& pair) const override { return sidesOf(*model_, pair); }
  /// Zero where the pair does not touch at that step.
  double pairValue(const ContactPair& pair, std::size_t quantity, std::uint64_t step) const;
  std::size_t byteCount() const;

 private:
  static constexpr std::size_t kChunkSteps = 64;
  struct Chunk {
    std::vector<double> values;  ///< kChunkSteps of the first observable, then of the next …
    std::vector<PairRow> pairs;  ///< of its steps, one after the other
    std::array<std::size_t, kChunkSteps> pairsEnd{};  ///< per step, into `pairs`
  };
  std::pair<const Chunk*, std::size_t> find(std::uint64_t step) const;
  void close() noexcept;

  std::shared_ptr<const Observables> observables_;
  std::uint64_t firstStep_;
  std::shared_ptr<const Model> model_;
  std::vector<ContactPair> pairs_;
  std::vector<std::shared_ptr<const Chunk>> full_;
  Chunk open_;
  std::shared_ptr<Chunk>
      next_;  ///< empty, where the open one is about to be full; a copy of this never uses it
  std::size_t openSteps_ = 0;
  std::size_t pairRows_ = 0;  ///< of all chunks
};

/// The columns of a run from its start to the end of one branch: one part for each ancestor and each model
/// that it went through. Two models share the columns of equal name.
class RunColumns {
 public:
  struct Part {
    std::shared_ptr<const ColumnStore> columns;
    std::uint64_t begin, end;  ///< the steps of these columns that belong to the run
  };
  struct Name {
    std::string name, unit;
    std::string column() const { return unit.empty() ? name : name + " [" + unit + "]"; }
  };

  RunColumns() = default;
  explicit RunColumns(std::vector<Part> parts);

  const std::vector<Part>& parts() const { return parts_; }
  std::uint64_t firstStep() const { return parts_.empty() ? 0 : parts_.front().begin; }
  std::uint64_t endStep() const { return parts_.empty() ? 0 : parts_.back().end; }  ///< one past the last
  /// All observables that any of its models has, in the order in which they appear, then those of pairs.
  std::vector<Name> names() const;
  /// One observable at the steps [from, to) that are held; NaN while its model did not have it, zero where a
  /// pair does not touch, or never has so far. "|roller.contact.f|" is the length of the vector with the components
  /// roller.contact.fx, fy, fz.
  std::vector<double> values(const std::string& name, std::uint64_t from, std::uint64_t to) const;
  /// None where no model of the run has this observable.
  std::optional<std::string> unitOf(const std::string& name) const;

 private:
  std::vector<Part> parts_;
};

/// What the observables are at a step.
std::vector<double> valuesOf(const Observables& observables, const Snapshot& snapshot);

}  // namespace slipstick
