// Values as bytes, for another process of the same program on the same machine.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick::assets {

template <class T>
concept Plain = std::is_arithmetic_v<T>;

/// Puts values into a text, one after the other.
class ByteWriter {
 public:
  template <Plain T>
  void operator()(const T& value) {
    put(&value, sizeof value);
  }
  void operator()(const Eigen::Vector4f& value) { put(value.data(), 4 * sizeof(float)); }
  void operator()(const std::optional<double>& value) { optional(value); }
  void operator()(const std::optional<float>& value) { optional(value); }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    put(text.data(), text.size());
  }
  void operator()(const std::filesystem::path& path) { (*this)(path.string()); }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(std::uint64_t{values.size()});
    put(values.data(), values.size() * sizeof(T));
  }
  template <class T, class Visit>
  void list(const std::vector<T>& items, const Visit& visit) {
    (*this)(std::uint64_t{items.size()});
    for (const T& item : items) visit(item);
  }

  std::string bytes;

 private:
  template <class T>
  void optional(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) (*this)(*value);
  }
  void put(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

/// Takes them out again. After a fault everything reads as nothing.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <Plain T>
  void operator()(T& value) {
    take(&value, sizeof value);
  }
  void operator()(bool& value) {
    std::uint8_t byte = 0;
    (*this)(byte);
    value = byte != 0;
  }
  void operator()(Eigen::Vector4f& value) { take(value.data(), 4 * sizeof(float)); }
  void operator()(std::optional<double>& value) { optional(value); }
  void operator()(std::optional<float>& value) { optional(value); }
  void operator()(std::string& text) {
    text.resize(count(1));
    take(text.data(), text.size());
  }
  void operator()(std::filesystem::path& path) {
    std::string text;
    (*this)(text);
    path = text;
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    values.resize(count(sizeof(T)));
    take(values.data(), values.size() * sizeof(T));
  }
  template <class T, class Visit>
  void list(std::vector<T>& items, const Visit& visit) {
    const std::size_t size = count(1);
    for (std::size_t i = 0; i < size && !isCut_; ++i) {
      items.emplace_back();
      visit(items.back());
    }
  }

  bool isCut() const { return isCut_; }
  bool isAtEnd() const { return bytes_.empty(); }

 private:
  /// So many items follow, each of at least `size` bytes.
  std::size_t count(std::size_t size) {
    std::uint64_t items = 0;
    (*this)(items);
    if (items <= bytes_.size() / size) return items;
    isCut_ = true;
    return 0;
  }
  template <class T>
  void optional(std::optional<T>& value) {
    bool has = false;
    (*this)(has);
    if (has) (*this)(value.emplace());
  }
  void take(void* to, std::size_t size) {
    if (size > bytes_.size()) isCut_ = true;
    if (isCut_) {
      if (size > 0) std::memset(to, 0, size);
      return;
    }
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  std::string_view bytes_;
  bool isCut_ = false;
};

}  // namespace slipstick::assets
