// Hands the steps of a run in the foreground to a recording.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "app/scene_run.h"
#include "assets/recording/recording_writer.h"

namespace slipstick::app {

class Recorder {
 public:
  /// The run stands at its start. @param framesPerSecond  of particles, in simulated time
  static Result<std::unique_ptr<Recorder>> begin(const std::filesystem::path& file, HeadlessRun& run,
                                                 double framesPerSecond,
                                                 std::vector<std::filesystem::path> packagePaths);

  /// What the snapshot of a step must hold.
  Detail detailOf(std::uint64_t step);
  /// The step that the run is at, with what detailOf() has asked for.
  Result<void> add(const HeadlessRun& run, std::span<const Command> applied);
  /// Errors, also those of earlier steps that were not written yet when they were added.
  Result<void> finish();

 private:
  explicit Recorder(std::unique_ptr<assets::RecordingWriter> writer) : writer_(std::move(writer)) {}
  std::unique_ptr<assets::RecordingWriter> writer_;
  bool frameDue_ = false;
};

}  // namespace slipstick::app
