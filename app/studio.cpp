// slipstick [FILE]: the window, with the services that ui/ must not reach for itself.
#include <cstdlib>

#include "app/headless_run.h"
#include "app/output_path.h"
#include "app/run_statistics.h"
#include "app/soft_look.h"
#include "app/stepping.h"
#include "app/verbs.h"
#include "assets/scene_io.h"

#ifdef SLIPSTICK_HAS_STUDIO
#include "ui/studio.h"
#endif

namespace slipstick::app {

#ifdef SLIPSTICK_HAS_STUDIO

namespace {

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

ui::StudioServices servicesFor(const SceneOptions& options) {
  ui::StudioServices services;
  services.load = [options](const std::string& nameOrPath) -> Result<ui::StudioServices::Loaded> {
    assets::LoadOptions load;
    // Overrides belong to the scene of the command line, not to others opened later.
    if (nameOrPath == options.scene) load.overrides = options.overrides;
    load.packagePaths.assign(options.packagePaths.begin(), options.packagePaths.end());
    Result<assets::LoadedModel> loaded = assets::loadModel(nameOrPath, load);
    if (!loaded) return loaded.error();
    return ui::StudioServices::Loaded{loaded->model, std::move(loaded->notices)};
  };
  services.makeStepper = [stepper = options.stepper](std::shared_ptr<const Model> model) {
    return stepping().makeStepper(std::move(model), stepper);
  };
  StepperOptions cpu = options.stepper;
  cpu.backend = "cpu";
  services.makeCpuStepper = [cpu](std::shared_ptr<const Model> model) {
    return stepping().makeStepper(std::move(model), cpu);
  };
  for (const assets::ShippedScene& scene : assets::shippedScenes()) {
    services.shippedScenes.push_back({scene.name, scene.title, scene.file.string()});
  }
  services.deviceLine = deviceLine(options.stepper);
  return services;
}

}  // namespace

int studio(int& argc, char** argv, const StudioVerbOptions& options) {
  if (options.screenshot) {
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
  if (const Result<void> look = applySoftLook(options.look, window.view); !look) return fail(look.error());
  return ui::runStudio(argc, argv, servicesFor(options.scene), window);
}

#else

int studio(int&, char**, const StudioVerbOptions&) {
  return fail({ErrorCode::Unsupported, "this program was built without the window", "studio",
               "build with -DSLIPSTICK_STUDIO=ON, or use slipstick run and slipstick render"});
}

#endif

}  // namespace slipstick::app
