#include "engine/runtime/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/facts/pair_force.h"
#include "engine/foundation/require.h"
#include "engine/foundation/reserve_more.h"

namespace slipstick {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// What stands between bars: "roller.contact.f" of "|roller.contact.f|"; empty where none do.
std::string vectorName(const std::string& name) {
  const bool barred = name.size() > 2 && name.front() == '|' && name.back() == '|';
  return barred ? name.substr(1, name.size() - 2) : std::string();
}

/// What a name means in the columns of one model.
struct Meaning {
  std::optional<std::size_t> observable;
  std::optional<ContactPair> pair;
  std::size_t quantity = 0;
  bool isOfPair = false;  ///< by the form of the name
  bool isKnown() const { return observable || pair; }
};

Meaning meaningOf(const ColumnStore& columns, const std::string& name) {
  Meaning meaning;
  const Observables& all = *columns.observables();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& o) { return o.name == name; });
  if (found != all.end()) {
    meaning.observable = static_cast<std::size_t>(found - all.begin());
    return meaning;
  }
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return meaning;
  const std::string_view sides(name.data(), dot), word(name.data() + dot + 1);
  const auto quantity = std::find_if(PairRow::kQuantities.begin(), PairRow::kQuantities.end(),
                                     [&](const auto& q) { return word == q.name; });
  if (quantity == PairRow::kQuantities.end()) return meaning;
  meaning.quantity = static_cast<std::size_t>(quantity - PairRow::kQuantities.begin());
  meaning.isOfPair = sides.find('+') != std::string_view::npos;
  for (const ContactPair& pair : columns.pairs())
    if (columns.pairName(pair) == sides) meaning.pair = pair;
  return meaning;
}

std::string unitIn(const ColumnStore& columns, const Meaning& meaning) {
  return meaning.observable ? (*columns.observables())[*meaning.observable].unit
                            : PairRow::kQuantities[meaning.quantity].unit;
}

}  // namespace

std::string sidesOf(const Model& model, const ContactPair& pair) {
  return fullNameOf(model, pair.a) + "+" + fullNameOf(model, pair.b);
}

std::vector<PairRow> pairRowsOf(const Model& model, const std::vector<Contact>& contacts) {
  std::vector<PairRow> rows;
  for (const PairForce& force : pairForces(model, contacts)) {
    const double all = force.frictionSum();
    rows.push_back({force.pair,
                    {force.normalSum, force.friction.norm(), force.frictionBound,
                     all > 0 ? force.slipping / all : 0, force.slipSpeed}});
  }
  std::sort(rows.begin(), rows.end(), [](const PairRow& a, const PairRow& b) { return a.pair < b.pair; });
  return rows;
}

// ---- of one model

Columns::Columns(std::shared_ptr<const Observables> observables, std::uint64_t firstStep,
                 std::shared_ptr<const Model> model)
    : observables_(std::move(observables)), firstStep_(firstStep), model_(std::move(model)) {
  open_.values.resize(observables_->size() * kChunkSteps);
}

void Columns::makeRoom(std::span<const PairRow> pairs) {
  reserveMore(open_.pairs, pairs.size());
  reserveMore(pairs_, pairs.size());
  if (openSteps_ + 1 < kChunkSteps || next_) return;
  reserveMore(full_, 1);
  auto next = std::make_shared<Chunk>();
  next->values.resize(open_.values.size());
  next_ = std::move(next);
}

void Columns::add(std::span<const double> values, std::span<const PairRow> pairs) {
  makeRoom(pairs);
  SIM_REQUIRE(values.size() == observables_->size(), values.size(), observables_->size());
  SIM_REQUIRE(pairs.empty() || model_ != nullptr, pairs.size());
  for (std::size_t i = 0; i < values.size(); ++i) open_.values[i * kChunkSteps + openSteps_] = values[i];
  open_.pairs.insert(open_.pairs.end(), pairs.begin(), pairs.end());
  open_.pairsEnd[openSteps_] = open_.pairs.size();
  pairRows_ += pairs.size();
  for (const PairRow& row : pairs)
    if (std::find(pairs_.begin(), pairs_.end(), row.pair) == pairs_.end()) pairs_.push_back(row.pair);
  if (++openSteps_ == kChunkSteps) close();
}

/// The open chunk is full: the next one takes its place.
void Columns::close() noexcept {
  std::swap(open_, *next_);
  full_.push_back(std::move(next_));
  openSteps_ = 0;
}

std::uint64_t Columns::endStep() const {
  return firstStep_ + full_.size() * kChunkSteps + openSteps_;
}

/// The chunk of a step, and the step's place there.
std::pair<const Columns::Chunk*, std::size_t> Columns::find(std::uint64_t step) const {
  SIM_REQUIRE(step >= firstStep_ && step < endStep(), step, firstStep_, endStep());
  const auto row = static_cast<std::size_t>(step - firstStep_);
  const std::size_t chunk = row / kChunkSteps;
  return {chunk < full_.size() ? full_[chunk].get() : &open_, row % kChunkSteps};
}

double Columns::value(std::size_t observable, std::uint64_t step) const {
  const auto [chunk, row] = find(step);
  return chunk->values[observable * kChunkSteps + row];
}

void Columns::read(std::size_t observable, std::uint64_t from, std::span<double> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(observable, from + i);
}

void Columns::readPair(const ContactPair& pair, std::size_t quantity, std::uint64_t from,
                       std::span<double> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = pairValue(pair, quantity, from + i);
}

double Columns::pairValue(const ContactPair& pair, std::size_t quantity, std::uint64_t step) const {
  const auto [chunk, row] = find(step);
  const auto at = [&pairs = chunk->pairs](std::size_t end) {
    return pairs.begin() + static_cast<std::ptrdiff_t>(end);
  };
  const auto begin = at(row == 0 ? 0 : chunk->pairsEnd[row - 1]), end = at(chunk->pairsEnd[row]);
  const auto found =
      std::lower_bound(begin, end, pair, [](const PairRow& r, const ContactPair& p) { return r.pair < p; });
  return found != end && found->pair == pair ? found->values[quantity] : 0;
}

std::size_t Columns::byteCount() const {
  const std::size_t chunk = sizeof(Chunk) + open_.values.size() * sizeof(double);
  return sizeof(Columns) + (full_.size() + 1) * chunk + pairRows_ * sizeof(PairRow) +
         full_.capacity() * sizeof(full_[0]) + pairs_.capacity() * sizeof(ContactPair);
}

// ---- of a run

RunColumns::RunColumns(std::vector<Part> parts) : parts_(std::move(parts)) {}

std::vector<RunColumns::Name> RunColumns::names() const {
  std::vector<Name> names;
  std::set<std::string> known;
  const auto add = [&](std::string name, std::string unit) {
    if (known.insert(name).second) names.push_back({std::move(name), std::move(unit)});
  };
  for (const Part& part : parts_)
    for (const Observable& observable : *part.columns->observables()) add(observable.name, observable.unit);
  for (const Part& part : parts_)
    for (const ContactPair& pair : part.columns->pairs())
      for (const PairRow::Quantity& quantity : PairRow::kQuantities)
        add(part.columns->pairName(pair) + "." + quantity.name, quantity.unit);
  return names;
}

std::optional<std::string> RunColumns::unitOf(const std::string& name) const {
  const std::string vector = vectorName(name);
  for (const Part& part : parts_) {
    const Meaning meaning = meaningOf(*part.columns, vector.empty() ? name : vector + "x");
    if (meaning.isKnown()) return unitIn(*part.columns, meaning);
  }
  return std::nullopt;
}

std::vector<double> RunColumns::values(const std::string& name, std::uint64_t from, std::uint64_t to) const {
  if (const std::string vector = vectorName(name); !vector.empty()) {
    std::vector<double> x = values(vector + "x", from, to);
    const std::vector<double> y = values(vector + "y", from, to), z = values(vector + "z", from, to);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::hypot(x[i], y[i], z[i]);
    return x;
  }
  from = std::max(from, firstStep());
  to = std::min(to, endStep());
  std::vector<double> values(to > from ? to - from : 0, kNaN);
  // A pair that touches later, or only in another model of the run, exerts nothing.
  bool isPair = false;
  for (const Part& part : parts_) {
    const Meaning meaning = meaningOf(*part.columns, name);
    isPair |= meaning.isOfPair;
    if (!meaning.isKnown()) continue;
    const std::uint64_t begin = std::max(from, part.begin), end = std::min(to, part.end);
    if (begin >= end) continue;
    const std::span partValues(values.data() + (begin - from), end - begin);
    if (meaning.observable)
      part.columns->read(*meaning.observable, begin, partValues);
    else
      part.columns->readPair(*meaning.pair, meaning.quantity, begin, partValues);
  }
  if (isPair)
    for (double& value : values)
      if (std::isnan(value)) value = 0;
  return values;
}

std::vector<double> valuesOf(const Observables& observables, const Snapshot& snapshot) {
  std::vector<double> values;
  values.reserve(observables.size());
  for (const Observable& observable : observables) values.push_back(observable.value(snapshot));
  return values;
}

}  // namespace slipstick
