// Reads a recording without reading it whole: the scene, any step, any picture, a state to go on from.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "engine/runtime/command_gate.h"
#include "engine/runtime/history.h"

namespace slipstick::assets {

/// Steps must be of those that it has. Functions may be called from every thread.
class RecordingReader {
 public:
  /// Errors: no such file, not a recording, of a newer program (says what it needs), damaged.
  /// A file that is still written, or whose writer was killed, is read up to its last whole step.
  /// @param methods  what the methods of the program add to what a scene may say
  static Result<std::unique_ptr<RecordingReader>> open(const std::filesystem::path& file,
                                                       LoadProgress* progress = nullptr,
                                                       std::shared_ptr<const AllMethodRows> methods = {});
  ~RecordingReader();

  const std::shared_ptr<const Model>& model() const { return model_; }
  const std::vector<Notice>& notices() const { return notices_; }
  /// Its scene's YAML, with files named from the folder of the scene. Errors: the file cannot be read any more.
  Result<std::string> sceneText() const;
  const std::string& program() const { return program_; }
  const std::string& method() const { return method_; }
  const std::string& backend() const { return backend_; }
  const std::string& runsOn() const { return runsOn_; }
  bool reproduces() const { return reproduces_; }
  /// The state that it starts with; 0 where that is the scene's own.
  std::uint64_t firstStep() const { return firstStep_; }
  std::uint64_t lastStep() const { return firstStep_ + stepCount() - 1; }
  std::uint64_t stepCount() const;  ///< at least 1

  struct Column {
    std::string name, unit;
  };
  const std::vector<Column>& columns() const { return columns_; }
  /// Of the steps [from, to): one after the other, each with a number per column.
  Result<std::vector<double>> values(std::uint64_t from, std::uint64_t to) const;
  Result<std::vector<double>> column(std::size_t column, std::uint64_t from, std::uint64_t to) const;
  Result<std::vector<std::uint64_t>> hashes(std::uint64_t from, std::uint64_t to) const;
  /// Of all steps.
  Result<std::vector<TimelineMark>> marks() const;
  /// Empty where those of the step are not in the file.
  Result<std::vector<Contact>> contactsAt(std::uint64_t step) const;
  /// That touch in any step.
  Result<std::vector<ContactPair>> pairs() const;
  /// A quantity of PairRow at the steps [from, to); 0 where the pair does not touch.
  Result<std::vector<double>> pairValues(const ContactPair& pair, std::size_t quantity, std::uint64_t from,
                                         std::uint64_t to) const;
  /// Applied before the step that leads from `step` to `step` + 1, in their order.
  const std::vector<StampedCommand>& commands() const { return commands_; }
  /// Those in the file that its scene cannot have, or that nobody can read: commands() does not have them.
  const DroppedCommands& dropped() const { return dropped_; }
  /// The numbers with which a step was computed.
  std::shared_ptr<const Tuning> tuningAt(std::uint64_t step) const;
  /// The steps that have particles, where there are any.
  const std::vector<std::uint64_t>& frames() const { return frames_; }
  /// Positions, speed, stress, pressure and plastic strain of a frame, and surfaces of its contacts; the rest of the snapshot stays as it is.
  Result<void> readFrame(std::size_t frame, Snapshot& snapshot) const;
  /// The latest state at or before a step.
  Result<State> keyframeBefore(std::uint64_t step) const;

 private:
  RecordingReader();
  struct File;
  Result<void> readFacts(LoadProgress* progress, std::shared_ptr<const AllMethodRows> methods);
  Result<void> readSettings();
  Result<void> readFrames();
  Result<std::vector<std::array<std::int32_t, 3>>> placesOf(std::size_t frame) const;
  std::uint64_t rowOf(std::uint64_t step) const;
  Result<void> readSoftFields();
  Result<void> openTables();
  Result<void> readCommands();
  std::optional<Command> admitted(const std::string& text);
  void addCommand(std::uint64_t step, const std::string& text);
  Result<void> readSoftBodies(std::uint64_t row, SoftState& soft) const;

  std::unique_ptr<File> file_;
  std::shared_ptr<const Model> model_;
  std::vector<Notice> notices_;
  std::string program_, method_, backend_, runsOn_;
  bool reproduces_ = true;
  std::vector<Column> columns_;
  std::uint64_t firstStep_ = 0;
  std::vector<std::size_t> settings_;  ///< the commands that set numbers
  /// The numbers in force at the first step, and again after every so many settings.
  std::vector<std::shared_ptr<const Tuning>> tunings_;
  std::shared_ptr<const Tuning> inForce_;  ///< after what has been read so far
  std::vector<StampedCommand> commands_;
  DroppedCommands dropped_;
  std::vector<std::uint64_t> frames_;
};

}  // namespace slipstick::assets
