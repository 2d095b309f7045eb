// The words of one node whose hash is part of that of a state.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/foundation/math.h"
#include "engine/lanes/hash.h"

namespace slipstick {

/// Words are added in the order of lanes::HashWord: position, velocity, then what its method remembers.
class NodeWords {
 public:
  void addPosition(const Vec3& x) {
    for (int i = 0; i < 3; ++i) addBits(x(i));
  }
  template <class Numbers>
  void addAll(const Numbers& numbers) {
    for (int i = 0; i < numbers.size(); ++i) add(numbers(i));
  }
  /// The bits of the nearest float, and those of what it leaves of the number: nothing, in the states of methods that compute
  /// in float.
  void add(double number) {
    const auto nearest = static_cast<float>(number);
    const double rest = number - static_cast<double>(nearest);
    if (rest != 0)
      rest_ += lanes::mixBits(std::bit_cast<std::uint64_t>(rest) + static_cast<std::uint64_t>(count_));
    addWord(std::bit_cast<std::uint32_t>(nearest));
  }
  std::uint64_t hash(int node) const {
    const std::uint64_t last = count_ % 2 == 0 ? 0 : lanes::hashOfPair(count_ - 1, waiting_, 0);
    return lanes::particleHash(pairs_ + last + rest_, node);
  }

 private:
  /// All bits of the number.
  void addBits(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    addWord(static_cast<std::uint32_t>(bits));
    addWord(static_cast<std::uint32_t>(bits >> 32));
  }
  void addWord(std::uint32_t word) {
    if (count_ % 2 == 0)
      waiting_ = word;
    else
      pairs_ += lanes::hashOfPair(count_ - 1, waiting_, word);
    ++count_;
  }

  int count_ = 0;
  std::uint32_t waiting_ = 0;  ///< for the other of its pair
  std::uint64_t pairs_ = 0, rest_ = 0;
};

}  // namespace slipstick
