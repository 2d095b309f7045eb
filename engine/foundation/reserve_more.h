// Room ahead of time, for what must not fail later.
#pragma once

#include <algorithm>
#include <cstddef>

namespace slipstick {

/// The vector takes so many entries more without allocating. Grows as push_back() does, so that room for one at a time
/// costs no more than that.
template <class Vector>
void reserveMore(Vector& entries, std::size_t more) {
  const std::size_t needed = entries.size() + more;
  if (needed > entries.capacity()) entries.reserve(std::max(needed, 2 * entries.capacity()));
}

}  // namespace slipstick
