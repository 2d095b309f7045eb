#include "engine/runtime/history_step.h"

#include <algorithm>
#include <utility>

namespace slipstick {

namespace {

TimelineMark markOf(const Snapshot& snapshot) {
  const auto slipping =
      std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                    [](const Contact& contact) { return contact.mode == ContactMode::Slip; });
  return {snapshot.step,
          snapshot.time,
          static_cast<int>(snapshot.contacts.size()),
          static_cast<int>(slipping),
          snapshot.report.health,
          snapshot.stateHash,
          0};  // filled in by BranchTree, which knows the earlier steps
}

HistoryStep stepOf(const Snapshot& snapshot, std::shared_ptr<const PackedSnapshot> packed,
                   std::shared_ptr<const Observables> observables, std::shared_ptr<const Keyframe> keyframe) {
  std::vector<double> values = valuesOf(*observables, snapshot);
  return {markOf(snapshot),
          std::move(packed),
          std::move(observables),
          std::move(values),
          snapshot.model ? pairRowsOf(*snapshot.model, snapshot.contacts) : std::vector<PairRow>(),
          std::move(keyframe)};
}

}  // namespace

std::shared_ptr<Snapshot> factsOf(const TimelineMark& mark, std::shared_ptr<const Model> model,
                                  const Observables& observables, std::span<const double> values) {
  auto snapshot = std::make_shared<Snapshot>(snapshotFrom(std::move(model), observables, values));
  snapshot->step = mark.step;
  snapshot->time = mark.time;
  snapshot->report.health = mark.health;
  snapshot->stateHash = mark.stateHash;
  return snapshot;
}

HistoryStep HistoryStep::of(const Snapshot& snapshot, std::shared_ptr<const Observables> observables,
                            std::shared_ptr<const Keyframe> keyframe) {
  return stepOf(snapshot, std::make_shared<const PackedSnapshot>(snapshot), std::move(observables),
                std::move(keyframe));
}

HistoryStep HistoryStep::of(const std::shared_ptr<const Snapshot>& snapshot,
                            std::shared_ptr<const Observables> observables,
                            std::shared_ptr<const Keyframe> keyframe) {
  return stepOf(*snapshot, std::make_shared<const PackedSnapshot>(snapshot), std::move(observables),
                std::move(keyframe));
}

}  // namespace slipstick
