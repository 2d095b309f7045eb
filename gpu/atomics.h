// Atomic operations on device memory and on shared(). Their result does not depend on the order: sums of integers,
// minima, maxima, bits. The one that does says so by its name.
#pragma once

#include <cstdint>

#include "engine/lanes/target.h"

namespace slipstick::gpu {

/// @return what stood there before: depends on the order, where several threads add to one place
SIM_HD int fetchAdd(int* to, int value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(to, value);
#else
  const int before = *to;
  *to += value;
  return before;
#endif
}
SIM_HD void raiseTo(int* to, int value) {
#ifdef __CUDA_ARCH__
  atomicMax(to, value);
#else
  if (value > *to) *to = value;
#endif
}
SIM_HD void lowerTo(int* to, int value) {
#ifdef __CUDA_ARCH__
  atomicMin(to, value);
#else
  if (value < *to) *to = value;
#endif
}
SIM_HD void setBits(std::uint32_t* to, std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  atomicOr(to, bits);
#else
  *to |= bits;
#endif
}
SIM_HD void setBits(std::uint64_t* to, std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  atomicOr(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(bits));
#else
  *to |= bits;
#endif
}
SIM_HD void addTo(std::uint64_t* to, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
  *to += value;
#endif
}
SIM_HD void raiseTo(std::uint64_t* to, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  atomicMax(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
  if (value > *to) *to = value;
#endif
}
/// Of numbers ≥ 0, whose order is that of their bits.
SIM_HD void raiseTo(float* to, float value) {
#ifdef __CUDA_ARCH__
  atomicMax(reinterpret_cast<int*>(to), __float_as_int(value));
#else
  if (value > *to) *to = value;
#endif
}

/// Rounds as the order has it: only for Reproducibility::NotGuaranteed.
SIM_HD void addAsItComes(float* to, float value) {
#ifdef __CUDA_ARCH__
  atomicAdd(to, value);
#else
  *to += value;
#endif
}

}  // namespace slipstick::gpu
