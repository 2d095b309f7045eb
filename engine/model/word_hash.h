// A hash in which the order of the words matters.
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick {

/// Multiply–rotate hash over 64-bit words: every bit of every word reaches the result, and order matters. Not
/// for secrets.
class WordHash {
 public:
  void add(std::uint64_t word) {
    value_ ^= word * 0x9e3779b97f4a7c15ull;
    value_ = std::rotl(value_, 27) * 0xff51afd7ed558ccdull + 0x165667b19e3779f9ull;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

  /// Any fixed-size matrix or dynamic vector, column by column. The size goes in first, so that arrays cannot
  /// trade entries.
  template <class Derived>
  void add(const Eigen::DenseBase<Derived>& matrix) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) add(static_cast<double>(matrix(i, j)));
    }
  }
  void add(const std::optional<double>& number) {
    add(static_cast<std::uint64_t>(number.has_value()));
    if (number) add(*number);
  }
  void addSized(const VecX& vector) {
    add(static_cast<std::uint64_t>(vector.size()));
    add(vector);
  }
  void addSized(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  template <class T>
  void addSized(const std::vector<T>& entries) {
    add(static_cast<std::uint64_t>(entries.size()));
    for (const T& entry : entries) add(entry);
  }

  std::uint64_t value() const {
    std::uint64_t x = value_;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 29);
  }

 private:
  std::uint64_t value_ = 0x27d4eb2f165667c5ull;
};

}  // namespace slipstick
