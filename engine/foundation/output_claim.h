// One run at a time writes a file: the second is told at once, and the first one's is whole.
#pragma once

#include <filesystem>

#include "engine/foundation/result.h"

namespace slipstick {

/// The right to write a file, which no other run has meanwhile, in this process or in another. What is written goes to
/// "NAME.part" beside it, which is locked (Linux: open file description locks, see fcntl(2)) and goes away with the claim
/// unless commit() gave it its name; the name then stays claimed until the claim goes. A killed program leaves its lock to
/// nobody and its NAME.part to the next run. On network file systems (NFS) nothing is locked, as readers of HDF5 lock whole
/// files there. A pipe or a device is written as it is.
class OutputClaim {
 public:
  /// Errors: another run writes it, it is a folder, NAME.part cannot be made.
  static Result<OutputClaim> take(const std::filesystem::path& file);
  /// Claims a file for who takes it later in this process: what cannot be written is known before an hour of simulation.
  /// Errors: those of take().
  static Result<void> reserve(const std::filesystem::path& file);
  /// Gives up what was reserved and not taken; without memory for the path it stays reserved.
  static void release(const std::filesystem::path& file) noexcept;
  static void releaseAll();

  OutputClaim(OutputClaim&& other) noexcept;
  OutputClaim& operator=(OutputClaim&&) = delete;
  ~OutputClaim();

  /// What to open and write; what stands there may be written over.
  const std::filesystem::path& written() const { return isNamed_ ? path_ : part_; }
  /// Once it is whole; of a link what it leads to.
  const std::filesystem::path& path() const { return path_; }
  bool isOrdinary() const { return isOrdinary_; }  ///< not a pipe or a device
  /// Gives what was written its name, in place of what stood there.
  Result<void> commit();

 private:
  OutputClaim() = default;
  Result<bool> lockPart();
  Result<void> checkTarget() const;

  std::filesystem::path path_, part_;
  int descriptor_ = -1;   ///< that holds the lock
  bool isNamed_ = false;  ///< what is written has its name
  bool isOrdinary_ = true;
};

/// A folder that is filled is claimed by this name in it.
inline std::filesystem::path claimedIn(const std::filesystem::path& folder) {
  return folder / ".slipstick";
}

}  // namespace slipstick
