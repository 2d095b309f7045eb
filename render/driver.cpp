#include "render/driver.h"

#include <epoxy/gl.h>

#include <cstring>

namespace slipstick::render {

bool drawsInSoftware() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name && (std::strstr(name, "llvmpipe") || std::strstr(name, "softpipe"));
}

}  // namespace slipstick::render
