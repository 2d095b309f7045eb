// What the history keeps of a step: its facts, its snapshot, and now and then the full state.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "engine/runtime/columns.h"
#include "engine/runtime/packed_snapshot.h"

namespace slipstick {

/// Facts of one simulated step that the timeline draws without touching the snapshot. Kept for every step,
/// also where the snapshot itself was thinned away.
struct TimelineMark {
  std::uint64_t step = 0;
  double time = 0;
  int contacts = 0;
  int slipping = 0;
  HealthFlags health = 0;
  std::uint64_t stateHash = 0;  ///< what a replay to this step must reproduce
  double largestForce = 0;      ///< force_range.h: lasting, on any body, up to this step of its way [N]
};

/// The snapshot of a step as far as its mark and its columns say it, see snapshotFrom().
std::shared_ptr<Snapshot> factsOf(const TimelineMark& mark, std::shared_ptr<const Model> model,
                                  const Observables& observables, std::span<const double> values);

/// A state that a replay can start from.
struct Keyframe {
  std::shared_ptr<const Model> model;
  State state;
  /// Stepper::backendName() of what computed the steps that follow it, up to the next keyframe of its branch:
  /// only the same one gives the same bits again.
  std::string backend = {};
  std::size_t byteCount() const { return state.byteCount(); }  ///< without the model, which others hold
};

/// All that is kept of one finished step. Making it takes a while: outside of the caller's lock.
struct HistoryStep {
  TimelineMark mark;
  std::shared_ptr<const PackedSnapshot> snapshot;
  std::shared_ptr<const Observables> observables;
  std::vector<double> values;                ///< of the observables
  std::vector<PairRow> pairs;                ///< that touch
  std::shared_ptr<const Keyframe> keyframe;  ///< null where none is due

  /// @param observables  of the snapshot's model
  static HistoryStep of(const Snapshot& snapshot, std::shared_ptr<const Observables> observables,
                        std::shared_ptr<const Keyframe> keyframe);
  /// The same, but particles wait for PackedSnapshot::finish().
  static HistoryStep of(const std::shared_ptr<const Snapshot>& snapshot,
                        std::shared_ptr<const Observables> observables,
                        std::shared_ptr<const Keyframe> keyframe);
};

/// A model that took the place of the one before it at a step: the states after it belong to this one.
struct StampedModel {
  std::uint64_t step = 0;
  std::shared_ptr<const Model> model;
};

}  // namespace slipstick
