#include "render/egl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slipstick::render {
namespace {

struct Candidate {
  std::string name;
  EGLDisplay display = EGL_NO_DISPLAY;
};

template <class Function>
Function extension(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

bool offers(EGLDisplay display, std::string_view name) {
  const char* list = eglQueryString(display, EGL_EXTENSIONS);
  return list && std::string_view(list).find(name) != std::string_view::npos;
}

std::vector<Candidate> candidates() {
  std::vector<Candidate> found;
  const auto platformDisplay = extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  const auto queryDevices = extension<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  if (platformDisplay && queryDevices && offers(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (queryDevices(static_cast<EGLint>(devices.size()), devices.data(), &count))
      for (EGLint i = 0; i < count; ++i)
        found.push_back(
            {"device " + std::to_string(i),
             platformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr)});
  }
  if (platformDisplay && offers(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    found.push_back(
        {"surfaceless", platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)});
  found.push_back({"default display", eglGetDisplay(EGL_DEFAULT_DISPLAY)});
  return found;
}

struct Opened {
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;
  std::string problem;
};

Opened open(EGLDisplay display) {
  Opened opened;
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
    return {.problem = "does not start"};
  if (!eglBindAPI(EGL_OPENGL_API)) return {.problem = "has no OpenGL"};
  const bool surfaceless = offers(display, "EGL_KHR_surfaceless_context");
  const EGLint wanted[] = {EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
    return {.problem = "has no configuration"};
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            4,
                            EGL_CONTEXT_MINOR_VERSION,
                            5,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  opened.context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (opened.context == EGL_NO_CONTEXT) return {.problem = "has no OpenGL 4.5 core"};
  if (!surfaceless) {
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    opened.surface = eglCreatePbufferSurface(display, config, size);
  }
  if (!eglMakeCurrent(display, opened.surface, opened.surface, opened.context)) {
    eglDestroyContext(display, opened.context);
    return {.problem = "does not make its context current"};
  }
  return opened;
}

}  // namespace

Result<std::unique_ptr<EglContext>> EglContext::create() {
  std::string tried;
  for (const Candidate& candidate : candidates()) {
    const Opened opened = open(candidate.display);
    if (opened.problem.empty()) {
      std::unique_ptr<EglContext> context(new EglContext);
      context->display_ = candidate.display;
      context->surface_ = opened.surface;
      context->context_ = opened.context;
      return context;
    }
    tried += (tried.empty() ? "" : ", ") + candidate.name + " " + opened.problem;
  }
  return Error{ErrorCode::DeviceFailure, "no OpenGL 4.5 context without a window (" + tried + ")", "EGL",
               "install Mesa's EGL driver (Debian: libegl-mesa0 and libgl1-mesa-dri)"};
}

bool EglContext::makeCurrent() const {
  return eglMakeCurrent(display_, surface_, surface_, context_) == EGL_TRUE;
}

// The display stays initialised: other contexts of this process may share it.
EglContext::~EglContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
}

}  // namespace slipstick::render
