// The options that every verb has which simulates: the scene, what is changed in it, and what steps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/step/stepper.h"

namespace CLI {
class App;
}

namespace slipstick::app {

struct SceneOptions {
  std::string scene;                      ///< path or shipped name
  std::vector<std::string> overrides;     ///< --set path=value
  std::vector<std::string> packagePaths;  ///< --package-path
  StepperOptions stepper;                 ///< --method, --backend, --threads
  bool quiet = false;
  bool mayRunXacro = false;                ///< --xacro: expands xacro files, which are code
  std::optional<std::uint64_t> seed = {};  ///< --seed: of the reset of the scene's task
};

enum class Takes { Scenes, ScenesAndRecordings };

/// Adds the scene and all of the below, and --quiet. @param required  whether there must be a scene
void addScene(CLI::App& verb, SceneOptions& options, bool required, Takes takes);

/// Adds --set, --package-path and --xacro.
void addOverrides(CLI::App& verb, std::vector<std::string>& overrides, std::vector<std::string>& packages,
                  bool& mayRunXacro);

/// Adds --method and addBackend().
void addStepper(CLI::App& verb, StepperOptions& options);

/// Adds --backend and --threads.
void addBackend(CLI::App& verb, StepperOptions& options);

/// Adds --threads.
void addThreads(CLI::App& verb, StepperOptions& options);

/// Names of the methods of this program.
std::vector<std::string> methodWords();

}  // namespace slipstick::app
