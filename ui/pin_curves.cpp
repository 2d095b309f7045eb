#include "ui/pin_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "engine/model/pair_force.h"
#include "render/contact_facts.h"

namespace slipstick::ui {
namespace {

constexpr int kStepsAtATime = 24;
constexpr std::size_t kMostPoints = 800;  ///< of a curve that comes from columns

PinSample sampleOf(const Snapshot& step, const Pin& pin) {
  PinSample sample{step.time, {}, false};
  if (pin.kind == Pin::Kind::Pair) {
    const PairForce force = pairForce(*step.model, step.contacts, pin.pair);
    sample.values = {force.normalSum, force.friction.norm(), force.frictionBound};
    sample.slips = force.slips();
  } else if (const int index = render::findContact(step, pin.contact); index >= 0) {
    const Contact& contact = step.contacts[static_cast<std::size_t>(index)];
    sample.values = {contact.normalForce(), contact.frictionForce().norm(), contact.frictionBound};
    sample.slips = contact.mode == ContactMode::Slip;
  }
  return sample;
}

using Values = std::vector<double>;

/// Length of the vector with components name + x, y, z.
Values lengths(const RunColumns& columns, const std::string& name, const CurvesQuestion::Run& asked) {
  const Values x = columns.values(name + "x", asked.from, asked.to + 1),
               y = columns.values(name + "y", asked.from, asked.to + 1),
               z = columns.values(name + "z", asked.from, asked.to + 1);
  Values result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = std::hypot(x[i], y[i], z[i]);
  return result;
}

PinCurve columnCurve(const RunColumns& columns, const Model& model, const Pin& pin,
                     const CurvesQuestion::Run& asked) {
  std::array<Values, 2> values;
  const auto index = static_cast<std::size_t>(pin.index);
  if (pin.kind == Pin::Kind::Body) {
    const std::string& name = model.tree.bodies[index].name;
    values = {lengths(columns, name + ".contact.f", asked), lengths(columns, name + ".contact.m", asked)};
  } else {
    const std::string& name = model.tree.joints[index].name;
    values = {columns.values(name + ".q", asked.from, asked.to + 1),
              columns.values(name + ".tau", asked.from, asked.to + 1)};
  }
  const Values times = columns.values("time", asked.from, asked.to + 1);
  const std::size_t stride = (times.size() + kMostPoints - 1) / kMostPoints;
  PinCurve curve;
  for (std::size_t i = 0; i < times.size() && i < values[0].size(); i += stride)
    if (std::isfinite(values[0][i])) curve.push_back({times[i], {values[0][i], values[1][i], 0}, false});
  return curve;
}

}  // namespace

void CurveReading::begin(CurvesQuestion question) {
  const bool samePins = question.pins == question_.pins && question.model == question_.model;
  question_ = std::move(question);
  if (!samePins) known_.clear();
  known_.resize(question_.runs.size());
  columns_.assign(question_.runs.size(), std::vector<PinCurve>(question_.pins.size()));
  for (std::size_t r = 0; r < known_.size(); ++r) {
    const CurvesQuestion::Run& asked = question_.runs[r];
    plan(asked, known_[r]);
    const RunColumns columns = asked.run->columns();
    for (std::size_t p = 0; p < question_.pins.size(); ++p)
      if (!question_.pins[p].isContact())
        columns_[r][p] = columnCurve(columns, *question_.model, question_.pins[p], asked);
  }
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
  const bool any = std::any_of(question_.pins.begin(), question_.pins.end(),
                               [](const Pin& pin) { return pin.isContact(); });
  if (!any || asked.to < asked.from) return;
  std::uint64_t stride = 1;
  while ((asked.to - asked.from) / stride > kMostSamples) stride *= 2;
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
    if (question_.pins[p].isContact()) row.samples[p] = sampleOf(*found, question_.pins[p]);
  return row;
}

PinCurve CurveReading::curveOf(const Known& known, std::size_t pin) const {
  PinCurve curve;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [asked, row] : known.rows) {
    if (row.model != question_.model || row.step == last) continue;  // thinned away: its neighbour was found
    last = row.step;
    if (curve.empty() || curve.back().time < row.samples[pin].time) curve.push_back(row.samples[pin]);
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
  result.curves = columns_;
  for (std::size_t r = 0; r < known_.size(); ++r)
    for (std::size_t p = 0; p < question_.pins.size(); ++p)
      if (question_.pins[p].isContact()) result.curves[r][p] = curveOf(known_[r], p);
  complete_ = std::all_of(known_.begin(), known_.end(), [](const Known& k) { return k.missing.empty(); });
  result.complete = complete_;
  return result;
}

}  // namespace slipstick::ui
