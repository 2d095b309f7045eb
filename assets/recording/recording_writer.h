// Writes a run to a file while it goes on: every step, pictures' worth of particles at a rate, states to go on from.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/columns.h"
#include "engine/runtime/history.h"

namespace slipstick::assets {

/// What a recording says of who made it.
struct RecordingFacts {
  std::string program;  ///< "slipstick 0.1.0"
  std::string method, backend;
  std::string runsOn;                      ///< "CPU · 2 threads · avx512": equal ones give equal bits
  bool reproduces = true;                  ///< see Stepper::reproduces()
  double framesPerSecond = 30;             ///< of simulated time
  std::uint64_t firstStep = 0;             ///< that will be added
  std::vector<FieldSpec> softFields = {};  ///< that its keyframes have
  /// In force at that step, where they are not those of the scene; null: they are.
  std::shared_ptr<const Tuning> tuning = nullptr;
  std::vector<std::filesystem::path> packagePaths;
};

/// One finished step.
struct RecordedStep {
  std::shared_ptr<const Snapshot> snapshot;
  std::vector<Command> applied = {};                   ///< that led to it
  std::shared_ptr<const Keyframe> keyframe = nullptr;  ///< of it; null where none is due
  bool hasFrame = false;                               ///< its particles are kept
  /// False: of its contacts only numbers are known, and they stand in these.
  bool hasContacts = true;
  std::optional<std::vector<double>> values = std::nullopt;  ///< of all observables
  std::optional<std::vector<PairRow>> pairs = std::nullopt;
  std::optional<std::uint32_t> slipping = std::nullopt;
};

/// A file is whole at every moment: whatever ends the program or fills the disk, at most the last second of wall time is
/// missing where catchUp() follows each add(), elsewhere what the disk had no time for, too. Functions are for one thread;
/// the file is written on one of the writer's own.
class RecordingWriter {
 public:
  /// Begins with the scene and its files. Errors: the file cannot be written, one of the scene's files cannot be read
  /// any more; what stood there stays then.
  static Result<std::unique_ptr<RecordingWriter>> create(const std::filesystem::path& file,
                                                         std::shared_ptr<const Model> model,
                                                         RecordingFacts facts);
  /// The same without waiting for it: what goes wrong is said by status().
  static std::unique_ptr<RecordingWriter> begin(const std::filesystem::path& file,
                                                std::shared_ptr<const Model> model, RecordingFacts facts);
  ~RecordingWriter();  ///< writes what waits

  /// Whether particles and surfaces of a step are wanted. When the disk is much slower than the steps, less often than the rate says.
  bool frameDue(std::uint64_t step);
  bool keyframeDue(std::uint64_t step) const;
  /// Waits while more waits than memory should hold. Steps follow each other without a gap.
  /// Errors: what is said by every call from then on; what was written stays.
  Result<void> add(RecordedStep step);
  /// Waits while a step that was added most of a second ago is not on the disk: for runs that nobody looks at. Errors: as add().
  Result<void> catchUp();
  /// The same as finish(), without waiting for it.
  void end();
  /// Writes what waits and closes the file.
  Result<void> finish();

  /// Nothing, or the error that has ended it. From any thread.
  Result<void> status() const;
  /// Pictures that were left out because the disk was too slow. From any thread.
  std::uint64_t droppedFrames() const { return droppedFrames_; }

 private:
  using Clock = std::chrono::steady_clock;
  class File;
  struct Waiting {
    RecordedStep step;
    Clock::time_point since;
  };
  RecordingWriter(std::filesystem::path file, std::shared_ptr<const Model> model, RecordingFacts facts);
  Result<void> open();
  void loop();
  Result<void> write();  ///< until the end of the run
  Result<void> take(std::deque<Waiting>& taken);
  bool isLate() const;
  void endWith(Result<void>&& status) noexcept;
  static std::size_t bytesOf(const RecordedStep& step);

  const std::filesystem::path path_;
  const std::shared_ptr<const Model> model_;
  const RecordingFacts facts_;
  std::uint64_t keyframeSpacing_ = 1;  ///< in steps
  std::uint64_t next_;                 ///< step
  std::atomic<std::uint64_t> droppedFrames_ = 0;
  std::unique_ptr<File> file_;  ///< the thread's own

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  /// Since when the oldest step waits that the thread has taken and that is not on the disk.
  std::optional<Clock::time_point> heldSince_;
  std::size_t waitingBytes_ = 0;
  bool isOpen_ = false, ends_ = false;
  Result<void> ended_;   ///< or the error that has ended it
  std::jthread thread_;  ///< last: it ends before all else goes
};

}  // namespace slipstick::assets
