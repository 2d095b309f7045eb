// A framebuffer whose picture comes back to this machine's memory, rows from the top.
#pragma once

#include <memory>

#include "render/renderer.h"

namespace slipstick::render {

/// Needs its context current, also when it dies.
class ReadableTarget {
 public:
  ReadableTarget();
  ReadableTarget(ReadableTarget&&) noexcept;
  ReadableTarget& operator=(ReadableTarget&&) noexcept;
  ~ReadableTarget();

  void resize(int width, int height);  ///< [device px], ≥ 1
  Target target(double pixelRatio) const;
  /// Waits for the drawing. @param pixels  width · height of 4 bytes: blue, green, red, opacity
  void read(void* pixels) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick::render
