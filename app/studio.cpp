// With the services that ui/ must not reach for itself.
#include "app/studio.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/devices/network.h"
#include "app/devices/network_address.h"
#include "app/exit_status.h"
#include "app/number_option.h"
#include "app/output_path.h"
#include "app/scene_options.h"
#include "app/soft_look.h"
#include "app/word_option.h"
#include "assets/one_line.h"

#ifdef SLIPSTICK_HAS_STUDIO
#include "app/studio_services.h"
#include "render/view_actions.h"
#endif

namespace slipstick::app {

namespace {

struct WindowOptions {
  SceneOptions scene;  ///< scene.scene empty: the gallery
  std::optional<std::string> screenshot;
  double screenshotAt = 0;  ///< [s]
  SoftLookOptions look;
  std::vector<std::string> show;  ///< words of render::applyViewWord
  std::string select;             ///< what is selected at first: a name in the scene, or two joined by +
  std::vector<std::string> pins;  ///< what is plotted: bodies, and pairs joined by +
  bool why = false;               ///< says why the selected pair slips
  std::optional<double> ghost;    ///< time of a ghost [s]
  bool light = false;             ///< theme
  /// Of the network endpoint, see NetworkOptions; unset: its own.
  std::optional<std::string> posesAt, statesAt;
  int width = 1600, height = 960;  ///< of the window at first [logical px]
};

#ifdef SLIPSTICK_HAS_STUDIO

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

int studio(int& argc, char** argv, const WindowOptions& options) {
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

int studio(int&, char**, const WindowOptions&) {
  return fail({ErrorCode::Unsupported, "this program was built without the window", "studio",
               "build with -DSLIPSTICK_STUDIO=ON, or use slipstick run and slipstick render"});
}

#endif

void addAddress(CLI::App& program, const std::string& name, std::optional<std::string>& address,
                const std::string& description) {
  const auto store = [name, &address](const std::string& typed) {
    if (const Result<void> checked = checkNetworkAddress(typed); !checked) {
      Error error = checked.error();
      error.where = name + " " + shortened(typed);
      throw UsageError(error.message());
    }
    address = typed;
  };
  program.add_option_function<std::string>(name, store, description)->type_name("ADDRESS");
}

void addAddresses(CLI::App& program, WindowOptions& options) {
  const NetworkOptions usual;
  addAddress(program, "--poses-at", options.posesAt,
             "where programs send poses to, tcp://HOST:PORT or ipc://PATH [" + usual.poses + "]");
  addAddress(program, "--states-at", options.statesAt,
             "where programs hear how arms stand and what they touch [" + usual.state + "]");
}

void checkAddresses(const WindowOptions& options) {
  const NetworkOptions usual;
  const std::string states = options.statesAt.value_or(usual.state);
  if (states == options.posesAt.value_or(usual.poses) && !states.ends_with(":*"))
    throw UsageError((options.statesAt ? "--states-at " : "--poses-at ") + states +
                     ": poses and states cannot have the same address; name another one");
}

/// What is seen and plotted at first.
void addContents(CLI::App& program, WindowOptions& options) {
  program.add_option("--screenshot", options.screenshot, "save a picture of the whole window (PNG) and quit")
      ->type_name(kFile);
  addNumber(program, "--at", options.screenshotAt, kTimes, "simulated time of the screenshot [s]");
  addSoftLook(program, options.look);
  program.add_option("--show", options.show, "as of slipstick render")
      ->type_name(kView)
      ->delimiter(',')
      ->allow_extra_args(false);
  program.add_option("--select", options.select,
                     "selects by name: a robot, a body, a soft thing, a boundary, a loop, or a pair A+B");
  program.add_option("--pin", options.pins, "plots a body, or a pair A+B")
      ->delimiter(',')
      ->allow_extra_args(false);
  program.add_flag("--why", options.why, "says why the selected pair slips, or the largest one");
  addNumber(program, "--ghost", options.ghost, kTimes, "shows a ghost of this simulated time, too [s]");
  program.add_flag("--light", options.light, "the light theme");
}

}  // namespace

WindowAction offerWindow(CLI::App& program) {
  const auto options = std::make_shared<WindowOptions>();
  const auto size = std::make_shared<std::optional<Size>>();
  addScene(program, options->scene, false, Takes::ScenesAndRecordings);
  addContents(program, *options);
  addAddresses(program, *options);
  addSize(program, "--window-size", *size, "WIDTHxHEIGHT of the window [logical px], 1600x960");
  program.callback([options] { checkAddresses(*options); });
  return [options, size](int& argc, char** argv) {
    if (*size) options->width = (*size)->width, options->height = (*size)->height;
    return studio(argc, argv, *options);
  };
}

}  // namespace slipstick::app
