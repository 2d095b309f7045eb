// A file in memory with the bytes of a fuzzer.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slipstick::fuzz {

/// Of this process; written anew each time.
/// @param name  with the suffix that says what the bytes are
std::filesystem::path scratchFile(const std::string& name, std::string_view bytes);

}  // namespace slipstick::fuzz
