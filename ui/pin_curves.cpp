#include "ui/pin_curves.h"

#include <algorithm>
#include <limits>

#include "render/contact_facts.h"

namespace slipstick::ui {
namespace {

constexpr int kStepsAtATime = 24;

PinSample sampleOf(const Snapshot& step, const Pin& pin) {
  PinSample sample{step.step, {}, false};
  if (const int index = render::findContact(step, pin.contact); index >= 0) {
    const Contact& contact = step.contacts[static_cast<std::size_t>(index)];
    sample.values = {contact.normalForce(), contact.frictionForce().norm(), contact.frictionBound};
    sample.slips = contact.mode == ContactMode::Slip;
  }
  return sample;
}

}  // namespace

void CurveReading::begin(CurvesQuestion question) {
  const bool samePins = question.pins == question_.pins && question.model == question_.model;
  question_ = std::move(question);
  if (!samePins) known_.clear();
  known_.resize(question_.runs.size());
  for (std::size_t r = 0; r < known_.size(); ++r) plan(question_.runs[r], known_[r]);
  complete_ = false;  // what is known already is still to be told
}

/// Which steps have to be read: multiples of a power of two, so that those of the last question are among
/// them.
void CurveReading::plan(const CurvesQuestion::Run& asked, Known& known) const {
  const RunStatus status = asked.run->status();
  if (known.run != asked.run || known.branch != status.branch || known.jumps != status.jumps)
    known.rows.clear();
  known.run = asked.run;
  known.branch = status.branch;
  known.jumps = status.jumps;
  known.missing.clear();
  if (question_.pins.empty() || asked.to < asked.from) return;
  std::uint64_t stride = 1;
  while ((asked.to - asked.from) / stride > kMaxSamples) stride *= 2;
  std::erase_if(known.rows, [&](const auto& row) {
    return row.first < asked.from || row.first > asked.to ||
           (row.first % stride != 0 && row.first != asked.to);
  });
  for (std::uint64_t step = (asked.from + stride - 1) / stride * stride; step < asked.to; step += stride)
    if (!known.rows.contains(step)) known.missing.push_back(step);
  if (!known.rows.contains(asked.to)) known.missing.push_back(asked.to);
}

CurveReading::Row CurveReading::read(const RunSource& run, std::uint64_t step) const {
  const std::shared_ptr<const Snapshot> found = run.contactsAt(step);
  Row row{found->step, std::vector<PinSample>(question_.pins.size()), found->model};
  if (found->model != question_.model) return row;
  for (std::size_t p = 0; p < question_.pins.size(); ++p)
    row.samples[p] = sampleOf(*found, question_.pins[p]);
  return row;
}

PinCurve CurveReading::curveOf(const Known& known, std::size_t pin) const {
  PinCurve curve;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [asked, row] : known.rows) {
    if (row.model != question_.model || row.step == last) continue;  // thinned away: its neighbour was found
    last = row.step;
    if (curve.empty() || curve.back().step < row.samples[pin].step) curve.push_back(row.samples[pin]);
  }
  return curve;
}

PinCurves CurveReading::readMore() {
  int budget = kStepsAtATime;
  for (Known& known : known_)
    for (; budget > 0 && !known.missing.empty(); --budget) {
      const std::uint64_t step = known.missing.back();
      known.missing.pop_back();
      known.rows.emplace(step, read(*known.run, step));
    }
  PinCurves result;
  result.question = question_;
  for (const Known& known : known_) {
    std::vector<PinCurve>& curves = result.curves.emplace_back();
    for (std::size_t p = 0; p < question_.pins.size(); ++p) curves.push_back(curveOf(known, p));
  }
  complete_ = std::all_of(known_.begin(), known_.end(), [](const Known& k) { return k.missing.empty(); });
  result.complete = complete_;
  return result;
}

}  // namespace slipstick::ui
