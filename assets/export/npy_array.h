// Arrays in NumPy's format .npy, version 1.0.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "assets/export/output_file.h"

namespace slipstick::assets {

static_assert(std::endian::native == std::endian::little, "numbers go to files as they lie in memory");

/// NumPy's name of a type of numbers: "<f8".
template <class T>
constexpr const char* npyType() {
  static_assert(std::is_arithmetic_v<T>);
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 8 ? "<f8" : "<f4";
  if constexpr (sizeof(T) == 8) return std::is_signed_v<T> ? "<i8" : "<u8";
  if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? "<i4" : "<u4";
  return std::is_signed_v<T> ? "|i1" : "|u1";
}

/// An array that grows row by row, on disk.
class NpyArray {
 public:
  /// @param row  shape of a row; empty where it is one number
  template <class T>
  static Result<NpyArray> create(const std::filesystem::path& beside, std::string name,
                                 std::vector<std::size_t> row = {}) {
    return create(beside, std::move(name), npyType<T>(), sizeof(T), std::move(row));
  }
  /// Of texts of one width, whole already.
  static Result<NpyArray> of(const std::filesystem::path& beside, std::string name,
                             const std::vector<std::string>& texts);

  /// Appends rows. @param numbers  of the type that it was created with, whole rows
  template <class T>
  Result<void> add(std::span<const T> numbers) {
    return add(numbers.data(), numbers.size_bytes(), npyType<T>());
  }
  template <class T>
  Result<void> addOne(T number) {
    return add(std::span<const T>(&number, 1));
  }

  const std::string& name() const { return name_; }
  /// All that stands before the numbers in a file.
  std::string header() const;
  SpoolFile& numbers() { return numbers_; }

 private:
  NpyArray(SpoolFile numbers, std::string name, std::string type)
      : numbers_(std::move(numbers)), name_(std::move(name)), type_(std::move(type)) {}
  static Result<NpyArray> create(const std::filesystem::path& beside, std::string name, std::string type,
                                 std::size_t size, std::vector<std::size_t> row);
  Result<void> add(const void* numbers, std::size_t bytes, const std::string& type);
  SpoolFile numbers_;
  std::string name_, type_;
  std::vector<std::size_t> row_;
  std::size_t rowBytes_ = 1;
  std::uint64_t rows_ = 0;
};

}  // namespace slipstick::assets
