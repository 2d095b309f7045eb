// The element math of the CPU lanes as a CUDA thread runs it: one kernel per function, in float.
#pragma once

#include <string>
#include <typeinfo>
#include <vector>

namespace slipstick::gpu::testing {

/// Numbers that an element reads and writes, of whatever meaning.
inline constexpr int kElementInputs = 48, kElementOutputs = 32;

struct Element {
  const std::type_info* type;  ///< its name is part of the kernel's
  /// @param in  kElementInputs numbers in [−1, 1]   @param out  kElementOutputs numbers
  void (*onHost)(const float* in, float* out);
  /// The same for `count` elements, one thread each, in device memory. @return the CUDA error, or empty
  std::string (*onDevice)(const float* in, float* out, int count);
};

/// All of them: materials, decompositions, splines, transfer, contact potentials, cloth, distances.
const std::vector<Element>& elementMath();

}  // namespace slipstick::gpu::testing
