// slipstick [FILE]: the window, with the services that ui/ must not reach for itself.
#include <cstdlib>

#include "app/output_path.h"
#include "app/soft_look.h"
#include "app/verbs.h"

#ifdef SLIPSTICK_HAS_STUDIO
#include "app/studio_services.h"
#include "render/view_actions.h"
#endif

namespace slipstick::app {

#ifdef SLIPSTICK_HAS_STUDIO

namespace {

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

int studio(int& argc, char** argv, const StudioVerbOptions& options) {
  if (options.screenshot) {
    const Result<OutputKind> kind = outputKindOf(*options.screenshot);
    if (!kind || *kind != OutputKind::Picture)
      return fail({ErrorCode::Unsupported, "the picture of the window is a PNG",
                   "--screenshot " + *options.screenshot, "name a file that ends in .png"});
    if (const Result<void> writable = checkWritableFile(*options.screenshot); !writable)
      return fail(writable.error());
  }
  if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM")) {
    return fail(
        {ErrorCode::DeviceFailure, "there is no display to open a window on", "studio",
         "use slipstick render for pictures or slipstick run for numbers, or start it under xvfb-run"});
  }
  ui::StudioOptions window;
  window.scene = options.scene.scene;
  window.screenshot = options.screenshot;
  window.screenshotAt = options.screenshotAt;
  render::ViewOptions view;
  if (const Result<void> look = applySoftLook(options.look, view); !look) return fail(look.error());
  for (const std::string& word : options.show)
    if (const Result<void> shown = render::applyViewWord(word, view); !shown) return fail(shown.error());
  if (options.screenshot || !(view == render::ViewOptions{})) window.view = view;
  window.select = options.select;
  window.pins = options.pins;
  window.why = options.why;
  window.ghost = options.ghost;
  window.light = options.light;
  window.width = options.width;
  window.height = options.height;
  // Who names an address has a program that waits for us.
  window.looksForDevices = options.posesAt || options.statesAt;
  NetworkOptions network;
  network.poses = options.posesAt.value_or(network.poses);
  network.state = options.statesAt.value_or(network.state);
  return ui::runStudio(argc, argv, studioServices(options.scene, network), window);
}

#else

int studio(int&, char**, const StudioVerbOptions&) {
  return fail({ErrorCode::Unsupported, "this program was built without the window", "studio",
               "build with -DSLIPSTICK_STUDIO=ON, or use slipstick run and slipstick render"});
}

#endif

}  // namespace slipstick::app
