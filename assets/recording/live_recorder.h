// Recordings of a simulation that goes on in its own thread, and of what it still remembers.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "assets/recording/recording_writer.h"
#include "engine/runtime/run_sink.h"
#include "engine/runtime/simulation_thread.h"

namespace slipstick::assets {

struct RecorderOptions {
  std::string program;          ///< "slipstick 0.1.0"
  double framesPerSecond = 30;  ///< of particles, in simulated time
  std::vector<std::filesystem::path> packagePaths;
};

/// One file per stretch of steps without a gap: NAME.h5, then NAME-2.h5, … where the run has gone on from another step or
/// with another model.
class LiveRecorder final : public RunRecorder {
 public:
  /// @param file  of the first stretch; replaced if it is there
  LiveRecorder(std::filesystem::path file, RecorderOptions options);

  void begin(std::shared_ptr<const Snapshot> first, std::shared_ptr<const Keyframe> keyframe,
             const Computes& computes) override;
  bool wantsKeyframe(std::uint64_t step) const override;
  void add(std::shared_ptr<const Snapshot> snapshot, std::span<const Command> applied,
           std::shared_ptr<const Keyframe> keyframe) override;
  Status status() const override;
  Status finish() override;

 private:
  struct Stretch {
    std::filesystem::path file;
    std::unique_ptr<RecordingWriter> writer;
    std::uint64_t steps = 0;  ///< with the one that it begins with
  };
  std::filesystem::path nextFile() const;
  /// Does what may fail for want of memory. What could not be taken ends the recording; the simulation goes on.
  template <class Work>
  void take(const Work& work);

  const std::filesystem::path file_;
  const RecorderOptions options_;
  mutable std::mutex mutex_;  ///< of the list; the newest writer takes steps on the simulation thread only
  std::vector<std::unique_ptr<Stretch>> stretches_;
  double dt_ = 0;  ///< of a step [s]
  bool isFinished_ = false;
  Result<void> ended_;  ///< why it has ended by itself
};

/// Writes the end of a branch of a simulation from a time [s] on, whole or not at all. Of steps whose snapshots were
/// thinned away it has the observables, no contacts. Errors: as those of RecordingWriter and SimulationThread::endOf();
/// Cancelled.
/// @param run  the branch, to look at
Result<void> recordPast(const std::filesystem::path& file, const RunSource& run,
                        const SimulationThread::End& end, const RecorderOptions& options,
                        const std::stop_token& stop);

}  // namespace slipstick::assets
