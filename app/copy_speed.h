// How fast this machine moves bytes now: what `slipstick bench` puts beside the bytes of a scene.
#pragma once

#include <cstddef>

namespace slipstick::app {

/// Copies by `threads` threads, each within a part of its own, the best of several rounds.
/// @param workingSet  source and target of all threads together [bytes]
/// @return bytes read and written per second
double copySpeed(std::size_t workingSet, int threads);

/// A working set that no cache of this machine holds [bytes].
std::size_t workingSetInMemory();

}  // namespace slipstick::app
