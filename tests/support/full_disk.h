// A disk that is full from some byte on, or slow, without a disk: writes to one file are refused or late, in this process.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace slipstick::testing {

enum class Refused {
  EveryWrite,  ///< whatever is written after so many bytes in all: where even what stands there is written elsewhere
  Growth,  ///< whatever would make the file larger than so many bytes
};

/// From now on, of a file of that name, "NAME.part" as well, in the same folder. For the program that full_disk.cpp is linked
/// into: its pwrite() and write() stand before those of the C library.
void fillDisk(const std::filesystem::path& file, std::uint64_t bytes, Refused refused);
/// Likewise: each write takes so long.
void slowDisk(const std::filesystem::path& file, std::chrono::milliseconds each);

}  // namespace slipstick::testing
