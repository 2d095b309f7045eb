#include "engine/runtime/pair_history.h"

#include <algorithm>
#include <cmath>

#include "engine/facts/pair_force.h"

namespace slipstick {

namespace {

constexpr double kAccelerationTime = 0.05;       ///< [s]
constexpr std::uint64_t kAccelerationSteps = 6;  ///< read for them at most

PairHistory::Sample sampleOf(const Snapshot& step, const ContactPair& pair) {
  const PairForce force = pairForce(*step.model, step.contacts, pair);
  const double friction = force.frictionSum();
  return {step.step,
          step.time,
          force.normalSum,
          force.friction.norm(),
          force.frictionBound,
          force.slipSpeed,
          friction > 0 ? force.slipping / friction : 0};
}

std::uint64_t stepsIn(double seconds, const Model& model) {
  return static_cast<std::uint64_t>(std::max(1.0, std::round(seconds / model.time.dt)));
}

}  // namespace

PairHistory::PairHistory(const ContactPair& pair, double seconds) : pair_(pair), seconds_(seconds) {
  SIM_REQUIRE(seconds > 0, seconds);
}

std::vector<PairHistory::Sample> PairHistory::upTo(const RunSource& source, std::uint64_t step) {
  forgetOtherRuns(source);
  const Read last = read(source, std::min(step, source.status().lastStep));
  const std::uint64_t end = last.sample.step, window = std::min(end, stepsIn(seconds_, *last.model));
  const std::uint64_t first = std::max(end - window, source.status().firstStored);
  // At fixed steps, so that those of one call are those of the next.
  const std::uint64_t stride = (stepsIn(seconds_, *last.model) + kMaxSamples - 1) / kMaxSamples;
  reads_.erase(reads_.begin(), reads_.lower_bound(first));
  std::vector<Sample> samples;
  for (std::uint64_t at = (first + stride - 1) / stride * stride; at < end; at += stride) {
    const Read& found = read(source, at);
    const bool fresh = samples.empty() || samples.back().step < found.sample.step;
    if (fresh && found.sample.step < end && found.model == last.model) samples.push_back(found.sample);
  }
  samples.push_back(last.sample);
  return samples;
}

/// Other steps have these numbers, once the run has gone on from elsewhere.
void PairHistory::forgetOtherRuns(const RunSource& source) {
  const RunStatus status = source.status();
  if (&source == source_ && status.branch == branch_ && status.jumps == jumps_) return;
  reads_.clear();
  source_ = &source;
  branch_ = status.branch;
  jumps_ = status.jumps;
}

const PairHistory::Read& PairHistory::read(const RunSource& source, std::uint64_t step) {
  const auto known = reads_.find(step);
  if (known != reads_.end()) return known->second;
  const std::shared_ptr<const Snapshot> found = source.contactsAt(step);
  return reads_.emplace(step, Read{sampleOf(*found, pair_), found->model}).first->second;
}

HoldingFriction PairHistory::holdingFriction(const RunSource& source, std::uint64_t step,
                                             const ContactPair& pair) {
  const std::shared_ptr<const Snapshot> now = source.contactsAt(step);
  const std::uint64_t window = std::min(now->step, stepsIn(kAccelerationTime, *now->model));
  const std::uint64_t stride = (window + kAccelerationSteps - 2) / (kAccelerationSteps - 1);
  std::vector<std::shared_ptr<const Snapshot>> steps = {now};
  for (std::uint64_t back = stride; back <= window && stride > 0; back += stride) {
    std::shared_ptr<const Snapshot> found = source.contactsAt(now->step - back);
    if (found->model != now->model || found->step >= steps.back()->step) continue;
    if (now->time - found->time > 2 * kAccelerationTime) break;
    steps.push_back(std::move(found));
  }
  std::reverse(steps.begin(), steps.end());
  return slipstick::holdingFriction(steps, pair);
}

}  // namespace slipstick
