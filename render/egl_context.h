// An OpenGL 4.5 core context without a window.
#pragma once

#include <memory>

#include "engine/foundation/result.h"

namespace slipstick::render {

/// Tries, in this order: EGL devices (a GPU or Mesa's software device), Mesa's surfaceless platform, and the
/// default display with a pbuffer. The error lists every try.
class EglContext {
 public:
  static Result<std::unique_ptr<EglContext>> create();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;
  /// Makes it current on the calling thread; false when the driver refuses.
  bool makeCurrent() const;

 private:
  EglContext() = default;
  void* display_ = nullptr;
  void* surface_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace slipstick::render
