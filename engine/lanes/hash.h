// The hashes of one particle and of one contact. A state's hash sums them, so that it depends neither on the
// order in which they lie nor on how many threads visit them; the CPU's and the GPU's kernels and the double
// precision side compute the same ones.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/lanes/lane.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

/// Every bit of x reaches every bit of the result (the finaliser of Steele, Lea & Flood 2014).
SIM_HD constexpr std::uint64_t mixBits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// What a particle is hashed from, as 32-bit words: the bits of x (3 doubles, lower half first), then those
/// of v, F, C, plastic and internal as floats (matrices rows first).
struct HashWord {
  enum : int { X = 0, V = 6, F = 9, C = 18, Plastic = 27, Internal = 28, Count = 30 };
};

/// A fixed number that belongs to a word of the particle.
SIM_HD constexpr std::uint32_t hashKey(int word) {
  return static_cast<std::uint32_t>(mixBits(0x9e3779b97f4a7c15ull * static_cast<std::uint64_t>(word + 1)) >>
                                    32);
}

/// One term of the sum over pairs of words that makes up a particle's hash: NH of Black et al. 1999, one
/// multiplication for two words.
SIM_HD std::uint64_t hashOfPair(int word, std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint64_t>(a + hashKey(word)) * static_cast<std::uint64_t>(b + hashKey(word + 1));
}

/// The particle's share in the state's hash. @param sum  of its pairs
SIM_HD constexpr std::uint64_t particleHash(std::uint64_t sum, int particle) {
  return mixBits(sum + 0x9e3779b97f4a7c15ull * (static_cast<std::uint64_t>(particle) + 1));
}

/// Multiply–rotate hash over 64-bit words: every bit of every word reaches the result, and order matters. Not
/// for secrets.
class OrderedHash {
 public:
  SIM_HD constexpr void add(std::uint64_t word) {
    value_ ^= word * 0x9e3779b97f4a7c15ull;
    value_ = (value_ << 27 | value_ >> 37) * 0xff51afd7ed558ccdull + 0x165667b19e3779f9ull;
  }
  SIM_HD constexpr std::uint64_t value() const {
    const std::uint64_t x = (value_ ^ (value_ >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 29);
  }

 private:
  std::uint64_t value_ = 0x27d4eb2f165667c5ull;
};

/// A contact's share in the state's hash. @param impulse  on the particle [N s]
SIM_HD std::uint64_t contactHash(int particle, int geometry, const V3<double>& impulse) {
  OrderedHash hash;
  hash.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(geometry)) << 32 |
           static_cast<std::uint32_t>(particle));
  for (int a = 0; a < 3; ++a) {
    std::uint64_t bits;
    memcpy(&bits, &impulse[a], sizeof bits);
    hash.add(bits);
  }
  return hash.value();
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes
