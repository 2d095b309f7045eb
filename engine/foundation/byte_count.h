// How much memory the contents of containers take.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick {

template <class T>
std::size_t bytesOf(const std::vector<T>& entries) {
  return entries.size() * sizeof(T);
}

inline std::size_t bytesOf(const VecX& vector) {
  return static_cast<std::size_t>(vector.size()) * sizeof(double);
}

}  // namespace slipstick
