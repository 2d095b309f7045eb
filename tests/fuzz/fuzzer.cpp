// One target for libFuzzer: SLIPSTICK_FUZZ_TARGET is its name.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using slipstick::fuzz::Target;
  static const Target& target =
      *std::find_if(slipstick::fuzz::targets().begin(), slipstick::fuzz::targets().end(),
                    [](const Target& t) { return t.name == SLIPSTICK_FUZZ_TARGET; });
  target.read({reinterpret_cast<const char*>(data), size});
  return 0;
}
