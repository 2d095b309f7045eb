// A hash in which the order of the words matters.
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/lanes/hash.h"

namespace slipstick {

/// lanes::OrderedHash of anything.
class WordHash {
 public:
  void add(std::uint64_t word) { hash_.add(word); }
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

  std::uint64_t value() const { return hash_.value(); }

 private:
  lanes::OrderedHash hash_;
};

}  // namespace slipstick
