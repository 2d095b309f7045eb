// What an open recording consists of; for the two sources of RecordingReader: recording_opening.cpp checks what a file says as it is
// opened, recording_reader.cpp reads what was asked for.
#pragma once

#include <algorithm>
#include <mutex>

#include "assets/recording/hdf5_file.h"
#include "assets/recording/recorded_numbers.h"
#include "assets/recording/recorded_patches.h"
#include "assets/recording/recorded_scene.h"
#include "assets/recording/recording_reader.h"

namespace slipstick::assets {

struct RecordingReader::File {
  std::filesystem::path path;
  hdf5::Handle handle;
  std::optional<recording::TemporaryFolder> folder;  ///< where its scene's files are put
  hdf5::TableReader steps, contacts, pairs, frames, commands, keyframes, impulses, memory;
  recording::PatchReader patches;
  std::vector<FieldSpec> softFields;  ///< of keyframes
  std::uint64_t stepCount = 0;
  std::vector<std::uint8_t> isWhole;  ///< per frame
  recording::Lattice lattice{0};

  /// The frame that was read last: the next one is a difference to it.
  mutable std::mutex mutex;
  mutable std::optional<std::size_t> lastFrame;
  mutable std::vector<recording::Lattice::Place> lastPlaces;
  /// The numbers that were asked for last, and after how many settings they are in force.
  std::shared_ptr<const Tuning> tuning;
  std::size_t settingsMade = 0;

  Error fault(const std::string& what) const {
    return {ErrorCode::SyntaxError, what, path.string(), "record again; this file is damaged"};
  }
  /// A writer that was killed, or whose disk was full, may have left rows of some tables without what they refer to in others.
  Result<void> endWhereAllIsWhole();
};

/// The text of a field of fixed size, which ends with zeros.
inline std::string textIn(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), std::find(bytes.begin(), bytes.end(), 0)};
}

/// A person who draws a slider sets a number dozens of times a second: each leaves all numbers of the scene. What stands between
/// two that are kept is applied anew, in a millisecond.
constexpr std::size_t kSettingsPerTuning = 256;

}  // namespace slipstick::assets
