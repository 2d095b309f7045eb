#include "engine/runtime/observable_choice.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "engine/foundation/nearest_name.h"
#include "engine/model/method_rows.h"

namespace slipstick {

namespace {

bool fits(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

Observables registryOf(const Model& model) {
  Observables registry = observablesOf(model);
  std::erase_if(registry, [](const Observable& observable) { return observable.isWallTime; });
  return registry;
}

/// "dough+roller" of "roller+dough".
std::string swapped(const std::string& sides) {
  const std::size_t plus = sides.find('+');
  return sides.substr(plus + 1) + "+" + sides.substr(0, plus);
}

/// Every two things of a model that could touch.
std::vector<ContactPair> allPairs(const Model& model) {
  std::set<ContactPair> pairs;
  for (const Geometry& geometry : model.geometries) {
    for (const Geometry& other : model.geometries)
      if (other.body != geometry.body) pairs.insert(pairOf(model, {geometry.body, -1}, {other.body, -1}));
    for (std::size_t d = 0; d < model.deformables.size(); ++d)
      pairs.insert(ContactPair{{geometry.body, -1}, {-1, static_cast<int>(d)}});
  }
  if (!tellsSoftContacts(model)) return {pairs.begin(), pairs.end()};
  const int deformables = static_cast<int>(model.deformables.size());
  for (int a = 0; a < deformables; ++a)
    for (int b = 0; b <= a; ++b) pairs.insert(pairOf(model, {-1, a}, {-1, b}));
  return {pairs.begin(), pairs.end()};
}

}  // namespace

void ObservableChoice::add(RunColumns::Name name, Value value) {
  const auto known = [&](const RunColumns::Name& other) { return other.name == name.name; };
  if (std::any_of(names_.begin(), names_.end(), known)) return;
  names_.push_back(std::move(name));
  values_.push_back(std::move(value));
}

ObservableChoice ObservableChoice::everything(std::shared_ptr<const Model> model) {
  ObservableChoice choice(std::move(model));
  choice.addFrom(registryOf(*choice.model_), "*");
  return choice;
}

Result<ObservableChoice> ObservableChoice::matching(std::shared_ptr<const Model> model,
                                                    const std::vector<std::string>& patterns) {
  ObservableChoice choice(std::move(model));
  const Observables registry = registryOf(*choice.model_);
  for (const std::string& pattern : patterns) {
    const std::size_t found = pattern.starts_with('|')                 ? choice.addLengths(registry, pattern)
                              : pattern.find('+') != std::string::npos ? choice.addPairs(pattern)
                                                                       : choice.addFrom(registry, pattern);
    if (found == 0) return choice.unknown(registry, pattern);
  }
  return choice;
}

std::size_t ObservableChoice::addFrom(const Observables& registry, const std::string& pattern) {
  std::size_t found = 0;
  for (const Observable& observable : registry) {
    if (!fits(pattern, observable.name)) continue;
    ++found;
    add({observable.name, observable.unit},
        [value = observable.value](const Snapshot& s, const auto&) { return value(s); });
  }
  return found;
}

std::size_t ObservableChoice::addLengths(const Observables& registry, const std::string& pattern) {
  std::size_t found = 0;
  for (std::size_t i = 0; i + 2 < registry.size(); ++i) {
    const std::string& x = registry[i].name;
    const std::string vector = x.substr(0, x.size() - 1);
    if (x.back() != 'x' || registry[i + 1].name != vector + "y" || registry[i + 2].name != vector + "z")
      continue;
    const std::string name = "|" + vector + "|";
    if (!fits(pattern, name)) continue;
    ++found;
    add({name, registry[i].unit},
        [a = registry[i].value, b = registry[i + 1].value, c = registry[i + 2].value](
            const Snapshot& s, const auto&) { return std::hypot(a(s), b(s), c(s)); });
  }
  return found;
}

std::size_t ObservableChoice::addPairs(const std::string& pattern) {
  std::size_t found = 0;
  for (const ContactPair& pair : allPairs(*model_)) {
    const std::string sides = sidesOf(*model_, pair), other = swapped(sides);
    for (std::size_t q = 0; q < PairRow::kQuantities.size(); ++q) {
      const std::string quantity = std::string(".") + PairRow::kQuantities[q].name;
      if (!fits(pattern, sides + quantity) && !fits(pattern, other + quantity)) continue;
      ++found;
      readsPairs_ = true;
      add({sides + quantity, PairRow::kQuantities[q].unit},
          [pair, q](const Snapshot&, const std::vector<PairRow>& rows) {
            const auto row =
                std::find_if(rows.begin(), rows.end(), [&](const PairRow& r) { return r.pair == pair; });
            return row == rows.end() ? 0.0 : row->values[q];
          });
    }
  }
  return found;
}

/// What the pattern begins with, up to its first wildcard, is looked for among names and what names begin with; and if
/// nothing is near to it, what that begins with.
Error ObservableChoice::unknown(const Observables& registry, const std::string& pattern) const {
  std::vector<std::string> names, near;
  for (const Observable& observable : registry) names.push_back(observable.name);
  if (pattern.find('+') != std::string::npos)
    for (const ContactPair& pair : allPairs(*model_))
      for (const PairRow::Quantity& quantity : PairRow::kQuantities)
        for (const std::string& sides : {sidesOf(*model_, pair), swapped(sidesOf(*model_, pair))})
          names.push_back(sides + "." + quantity.name);
  for (const std::string& name : names) {
    near.push_back(name);
    if (pattern.starts_with('|'))
      near.push_back(name.substr(0, name.size() - 1));  // the vector of a component
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      near.push_back(name.substr(0, dot));
  }
  std::string written = pattern.substr(0, pattern.find_first_of("*?["));
  std::erase(written, '|');
  Error error{ErrorCode::UnknownName, "no observable fits this pattern", "--observables " + pattern,
              suggestName(written, names)};
  while (!written.empty()) {
    if (written.ends_with('.')) written.pop_back();
    std::vector<std::string> within;
    std::copy_if(names.begin(), names.end(), std::back_inserter(within),
                 [&](const std::string& name) { return name.starts_with(written + "."); });
    if (!within.empty()) error.remedy = suggestName(pattern, within);
    const auto nearest = within.empty() ? nearestName(written, near) : std::nullopt;
    if (nearest) error.remedy = "did you mean '" + *nearest + "'?";
    if (nearest || !within.empty()) break;
    written.erase(written.find_last_of('.') == std::string::npos ? 0 : written.find_last_of('.'));
  }
  return error;
}

std::vector<double> ObservableChoice::values(const Snapshot& snapshot) const {
  const std::vector<PairRow> rows =
      readsPairs_ ? pairRowsOf(*model_, snapshot.contacts) : std::vector<PairRow>();
  std::vector<double> values;
  values.reserve(values_.size());
  for (const Value& value : values_) values.push_back(value(snapshot, rows));
  return values;
}

}  // namespace slipstick
