#include "engine/runtime/columns.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "engine/foundation/require.h"

namespace slipstick {

Columns::Columns(std::shared_ptr<const Observables> observables, std::uint64_t firstStep)
    : observables_(std::move(observables)),
      firstStep_(firstStep),
      open_(observables_->size() * kChunkSteps) {}

void Columns::add(std::span<const double> values) {
  SIM_REQUIRE(values.size() == observables_->size(), values.size(), observables_->size());
  for (std::size_t i = 0; i < values.size(); ++i) open_[i * kChunkSteps + openSteps_] = values[i];
  if (++openSteps_ < kChunkSteps) return;
  full_.push_back(std::make_shared<const Chunk>(open_));
  openSteps_ = 0;
}

std::uint64_t Columns::endStep() const {
  return firstStep_ + full_.size() * kChunkSteps + openSteps_;
}

double Columns::value(std::size_t observable, std::uint64_t step) const {
  SIM_REQUIRE(step >= firstStep_ && step < endStep(), step, firstStep_, endStep());
  const auto row = static_cast<std::size_t>(step - firstStep_);
  const std::size_t chunk = row / kChunkSteps;
  const Chunk& values = chunk < full_.size() ? *full_[chunk] : open_;
  return values[observable * kChunkSteps + row % kChunkSteps];
}

std::size_t Columns::byteCount() const {
  return sizeof(Columns) + (full_.size() + 1) * open_.size() * sizeof(double) +
         full_.capacity() * sizeof(full_[0]);
}

RunColumns::RunColumns(std::vector<Part> parts) : parts_(std::move(parts)) {
  std::set<std::string> known;
  for (const Part& part : parts_)
    for (const Observable& observable : *part.columns.observables())
      if (known.insert(observable.name).second) names_.push_back({observable.name, observable.unit});
}

std::vector<double> RunColumns::values(const std::string& name, std::uint64_t from, std::uint64_t to) const {
  from = std::max(from, firstStep());
  to = std::min(to, endStep());
  std::vector<double> values(to > from ? to - from : 0, std::numeric_limits<double>::quiet_NaN());
  for (const Part& part : parts_) {
    const Observables& all = *part.columns.observables();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& o) { return o.name == name; });
    if (found == all.end()) continue;
    const auto column = static_cast<std::size_t>(found - all.begin());
    for (std::uint64_t step = std::max(from, part.begin); step < std::min(to, part.end); ++step)
      values[step - from] = part.columns.value(column, step);
  }
  return values;
}

std::vector<double> valuesOf(const Observables& observables, const Snapshot& snapshot) {
  std::vector<double> values;
  values.reserve(observables.size());
  for (const Observable& observable : observables) values.push_back(observable.value(snapshot));
  return values;
}

}  // namespace slipstick
