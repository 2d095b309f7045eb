#include "engine/runtime/observable_choice.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "engine/model/nearest_name.h"

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

/// Every two things of a model that could touch.
std::vector<ContactPair> allPairs(const Model& model) {
  std::set<ContactPair> pairs;
  const auto add = [&](const Geometry& geometry, std::int32_t other, std::int32_t deformable) {
    Contact contact;
    contact.body = geometry.body;
    contact.otherBody = other;
    contact.otherGeometry = other < 0 ? -1 : 0;
    contact.deformable = deformable;
    pairs.insert(pairOf(model, contact));
  };
  for (const Geometry& geometry : model.geometries) {
    for (const Geometry& other : model.geometries)
      if (other.body != geometry.body) add(geometry, other.body, -1);
    for (std::size_t d = 0; d < model.deformables.size(); ++d)
      add(geometry, -1, static_cast<std::int32_t>(d));
  }
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
    const std::string sides = sidesOf(*model_, pair), other = [&] {
      const std::size_t plus = sides.find('+');
      return sides.substr(plus + 1) + "+" + sides.substr(0, plus);
    }();
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

/// Near is what is near to the pattern up to its first wildcard: a name, or the beginning of one at a dot.
Error ObservableChoice::unknown(const Observables& registry, const std::string& pattern) const {
  std::vector<std::string> names;
  std::set<std::string> beginnings;
  for (const Observable& observable : registry) {
    names.push_back(observable.name);
    for (std::size_t dot = observable.name.find('.'); dot != std::string::npos;
         dot = observable.name.find('.', dot + 1))
      beginnings.insert(observable.name.substr(0, dot));
  }
  if (pattern.find('+') != std::string::npos)
    for (const ContactPair& pair : allPairs(*model_)) beginnings.insert(sidesOf(*model_, pair));
  std::string written = pattern.substr(0, pattern.find_first_of("*?["));
  std::erase(written, '|');
  while (written.ends_with('.')) written.pop_back();
  std::vector<std::string> all = names;
  all.insert(all.end(), beginnings.begin(), beginnings.end());
  const auto nearest = nearestName(written, all);
  const auto isNear = [&](const std::string& name) { return name.starts_with(written + "."); };
  std::vector<std::string> within;
  std::copy_if(names.begin(), names.end(), std::back_inserter(within), isNear);
  return {ErrorCode::UnknownName, "no observable fits this pattern", "--observables " + pattern,
          !within.empty() ? suggestName(pattern, within)
          : nearest       ? "did you mean '" + *nearest + "'?"
                          : suggestName(written, names)};
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
