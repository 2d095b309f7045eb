// The lines that scene_format.md has for keys, from the table of the format.
#pragma once

#include <string>

namespace slipstick::testing {

/// scene_format.md with a line for each key of the blocks that it has tables of, as the format has it today:
/// "| `time.dt_ms` | ms | 10 | rigid step Δt, at most 100 |". The line of a new key comes after that of the key before it;
/// all else stays.
std::string withPageLines(const std::string& page);

}  // namespace slipstick::testing
