// Every reader of files and messages from outside, as a function of bytes: what a fuzzer calls with whatever it can think
// of, and ctest with what fuzzers have found.
#pragma once

#include <string_view>
#include <vector>

namespace slipstick::fuzz {

struct Target {
  std::string_view name;                 ///< also of its folder in tests/fuzz/corpus
  void (*read)(std::string_view bytes);  ///< returns whatever the bytes are
  int memory_MiB;                        ///< that the program may have at most while it reads them
};

/// In the order in which they are run.
const std::vector<Target>& targets();

}  // namespace slipstick::fuzz
