// Many small arrays that cross between host and device together, as one copy.
#pragma once

#include "gpu/executor.h"
#include "gpu/memory_layout.h"

namespace slipstick::gpu {

/// An array on both sides of a copy.
template <class T>
struct Copied {
  T* device = nullptr;
  T* host = nullptr;
};

/// Hands out such arrays one after the other.
class CopyLayout {
 public:
  CopyLayout(void* device, void* host) : device_(device), host_(host) {}

  template <class T>
  Copied<T> take(std::size_t count) {
    return {device_.take<T>(count), host_.take<T>(count)};
  }
  std::size_t bytes() const { return device_.bytes(); }

 private:
  MemoryLayout device_, host_;
};

class CopiedMemory {
 public:
  explicit CopiedMemory(Executor& executor) : executor_(executor), device_(executor), pinned_(executor) {}

  /// @param place  place(CopyLayout&) takes all arrays; called twice, first without memory
  /// @return whether anything was allocated
  template <class Place>
  bool layOut(const Place& place) {
    CopyLayout counted(nullptr, nullptr);
    place(counted);
    bytes_ = counted.bytes();
    bool grown = device_.ensure(bytes_);
    grown = pinned_.ensure(bytes_) || grown;
    CopyLayout arrays(device_.data(), pinned_.data());
    place(arrays);
    return grown;
  }

  void upload() {
    if (bytes_ > 0) executor_.upload(device_.data(), pinned_.data(), bytes_);
  }
  void download() { executor_.download(pinned_.data(), device_.data(), bytes_); }

 private:
  Executor& executor_;
  DeviceArray<std::byte> device_;
  PinnedArray<std::byte> pinned_;
  std::size_t bytes_ = 0;  ///< that have been laid out
};

}  // namespace slipstick::gpu
