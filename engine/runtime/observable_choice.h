// Observables that a person chooses by patterns of names.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/columns.h"

namespace slipstick {

/// Numbers of every step of a run; none that differ from run to run (wall times).
class ObservableChoice {
 public:
  /// All of the registry, in its order.
  static ObservableChoice everything(std::shared_ptr<const Model> model);

  /// @param patterns  names with *, ? and [...] as in a shell. One with "+" in it means what pairs exert on each other
  /// ("roller+dough.*", see PairRow, either side first), one that begins with "|" lengths of vectors
  /// ("|roller.contact.f|"), all others the registry.
  /// Errors: a pattern that nothing fits; the remedy names what is near.
  static Result<ObservableChoice> matching(std::shared_ptr<const Model> model,
                                           const std::vector<std::string>& patterns);

  const std::vector<RunColumns::Name>& names() const { return names_; }
  bool readsPairs() const { return readsPairs_; }  ///< its values need the contacts of a step
  /// In the order of names(); of a pair that does not touch 0.
  std::vector<double> values(const Snapshot& snapshot) const;

 private:
  using Value = std::function<double(const Snapshot&, const std::vector<PairRow>&)>;
  explicit ObservableChoice(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  void add(RunColumns::Name name, Value value);
  std::size_t addFrom(const Observables& registry, const std::string& pattern);
  std::size_t addLengths(const Observables& registry, const std::string& pattern);
  std::size_t addPairs(const std::string& pattern);
  Error unknown(const Observables& registry, const std::string& pattern) const;

  std::shared_ptr<const Model> model_;
  std::vector<RunColumns::Name> names_;
  std::vector<Value> values_;
  bool readsPairs_ = false;
};

}  // namespace slipstick
