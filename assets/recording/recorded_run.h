// A recording as a run to look at: every step from the file, when somebody asks for it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "assets/recording/recording_reader.h"
#include "engine/runtime/departure.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::assets {

/// Where the file cannot be read any more, what was read last stays and status().error says why. Functions may be called
/// from every thread.
class RecordedRun final : public StoredRun, public std::enable_shared_from_this<RecordedRun> {
 public:
  /// Errors: those of RecordingReader::open().
  static Result<std::shared_ptr<const RecordedRun>> open(const std::filesystem::path& file,
                                                         LoadProgress* progress = nullptr,
                                                         std::shared_ptr<const AllMethodRows> methods = {});

  const RecordingReader& recording() const { return *reader_; }
  const std::shared_ptr<const Model>& model() const { return reader_->model(); }

  std::string name() const override { return file_.stem().string(); }
  std::string file() const override { return file_.string(); }
  std::shared_ptr<const Snapshot> latest() const override { return at(reader_->lastStep()); }
  /// Where there are particles, the nearest step that has them.
  std::shared_ptr<const Snapshot> at(std::uint64_t step) const override;
  std::shared_ptr<const Snapshot> contactsAt(std::uint64_t step) const override;
  std::optional<TimelineMark> mark(std::uint64_t step) const override;
  std::vector<TimelineMark> marks(std::uint64_t from) const override;
  RunColumns columns() const override;
  RunStatus status() const override;

  std::shared_ptr<const Tuning> tuningAt(std::uint64_t step) const override {
    return reader_->tuningAt(step);
  }
  Result<Departure> departureFor(std::uint64_t step) const override;
  /// The step that is nearest of those that at() shows.
  std::uint64_t shownStep(std::uint64_t step) const;
  /// The last of them at or before a step.
  std::uint64_t shownStepBefore(std::uint64_t step) const;
  /// The step itself, with particles if it has any. Errors: the file cannot be read any more.
  Result<std::shared_ptr<const Snapshot>> read(std::uint64_t step, Detail detail) const;

 private:
  explicit RecordedRun(std::filesystem::path file, std::unique_ptr<RecordingReader> reader);
  std::uint64_t within(std::uint64_t step) const;
  std::shared_ptr<const Snapshot> readOrKeep(std::uint64_t step, Detail detail) const;
  const std::vector<TimelineMark>& allMarks() const;

  const std::filesystem::path file_;
  const std::unique_ptr<const RecordingReader> reader_;
  const std::shared_ptr<const Observables> observables_;  ///< in the order of the recording's columns

  static constexpr std::size_t kKept = 8;
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const Snapshot>> shown_;  ///< with particles, latest last
  mutable std::string error_;
  mutable std::once_flag marksRead_;
  mutable std::vector<TimelineMark> marks_;
};

/// The same to walk through once.
class RecordedWalk final : public RunWalk {
 public:
  /// @param onStep  called after each step that it went to; false: it stays there
  RecordedWalk(std::shared_ptr<const RecordedRun> run, std::function<bool(const Snapshot&)> onStep)
      : run_(std::move(run)), onStep_(std::move(onStep)) {}

  const std::shared_ptr<const Model>& model() const override { return run_->model(); }
  std::uint64_t firstStep() const override { return run_->recording().firstStep(); }
  std::uint64_t lastStep() const override { return run_->recording().lastStep(); }
  bool endsThere() const override { return true; }
  Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t step) override {
    return show(run_->shownStepBefore(step), Detail::Particles);
  }
  Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t step) override {
    return show(step, Detail::Facts);
  }
  double largestForce() const override;

 private:
  Result<std::shared_ptr<const Snapshot>> show(std::uint64_t step, Detail detail);

  std::shared_ptr<const RecordedRun> run_;
  std::function<bool(const Snapshot&)> onStep_;
  std::shared_ptr<const Snapshot> shown_;
  bool hasEnded_ = false;
};

}  // namespace slipstick::assets
