// The run that a window looks at, walked through: what pictures and files of it are made of, without simulating.
#pragma once

#include <memory>
#include <vector>

#include "engine/runtime/run_source.h"
#include "engine/runtime/run_walk.h"

namespace slipstick {

/// The steps that a source has when the walk begins. The run may go on meanwhile, and its history may thin them out: of a
/// step whose snapshot is gone goTo() and contactsAt() show the last one before it that is kept, factsAt() the step itself.
/// Snapshots have the models of their steps: an edit of the scene gives later ones another than model().
///
/// Of one thread, which may be any; the source is read there.
class SourceWalk final : public RunWalk {
 public:
  /// @param model  of the scene
  SourceWalk(std::shared_ptr<const RunSource> source, std::shared_ptr<const Model> model);

  const std::shared_ptr<const Model>& model() const override { return model_; }
  std::uint64_t firstStep() const override { return first_; }
  std::uint64_t lastStep() const override { return last_; }
  bool endsThere() const override { return true; }
  /// Errors: the branch was deleted, the recording cannot be read any more.
  Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t step) override;
  Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t step) override;
  Result<std::shared_ptr<const Snapshot>> factsAt(std::uint64_t step) override;
  double largestForce() const override;
  /// How often goTo() and contactsAt() have shown another step than the one asked for.
  std::size_t notKept() const { return notKept_; }

 private:
  using Read = std::shared_ptr<const Snapshot> (RunSource::*)(std::uint64_t) const;
  /// The last that is kept at or before a step; where there is none, the first.
  Result<std::shared_ptr<const Snapshot>> show(std::uint64_t step, Read read);
  std::shared_ptr<const Snapshot> fromColumns(std::uint64_t step);
  void readColumns(std::uint64_t from);

  std::shared_ptr<const RunSource> source_;
  std::shared_ptr<const Model> model_;
  std::uint64_t first_, last_;
  std::uint64_t shownStep_ = 0;
  std::size_t notKept_ = 0;

  static constexpr std::uint64_t kBlock = 256;  ///< steps that are read from the columns at a time
  RunColumns columns_;
  Observables observables_;                 ///< of the model; empty until a step is read from the columns
  std::vector<std::vector<double>> block_;  ///< per observable
  std::uint64_t blockBegin_ = 0, blockEnd_ = 0;
};

}  // namespace slipstick
