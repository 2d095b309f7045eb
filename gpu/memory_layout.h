// Many arrays in one allocation of device memory.
#pragma once

#include <cstddef>

namespace slipstick::gpu {

/// Hands out arrays one after the other, each aligned to 256 bytes; with null memory only counts.
class MemoryLayout {
 public:
  explicit MemoryLayout(void* memory) : memory_(static_cast<std::byte*>(memory)) {}

  template <class T>
  T* take(std::size_t count) {
    T* const begin = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + bytes_);
    bytes_ += (count * sizeof(T) + 255) / 256 * 256;
    return begin;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

}  // namespace slipstick::gpu
