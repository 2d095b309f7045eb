#include "app/scene_options.h"

#include "app/number_option.h"
#include "app/stepping.h"
#include "app/word_option.h"
#include "engine/model/method_choice.h"

namespace slipstick::app {

void addScene(CLI::App& verb, SceneOptions& options, bool required, Takes takes) {
  const std::string files =
      takes == Takes::Scenes ? "a scene, robot or mesh file" : "a scene, robot, mesh or recording (.h5)";
  verb.add_option("scene", options.scene, files + ", or the name of a shipped scene or robot")
      ->required(required)
      ->type_name(takes == Takes::Scenes ? kScene : kSource);
  addOverrides(verb, options.overrides, options.packagePaths, options.mayRunXacro);
  addStepper(verb, options.stepper);
  verb.add_flag("--quiet", options.quiet, "errors only");
}

void addOverrides(CLI::App& verb, std::vector<std::string>& overrides, std::vector<std::string>& packages,
                  bool& mayRunXacro) {
  verb.add_option("--set", overrides, "path=value of the scene, e.g. contact.friction=0.25")
      ->allow_extra_args(false);
  verb.add_option("--package-path", packages, "a folder searched for package://NAME")
      ->allow_extra_args(false)
      ->type_name(kFolder);
  verb.add_flag("--xacro", mayRunXacro,
                "expand xacro files of robots, which runs code in them: of authors that you trust");
}

void addStepper(CLI::App& verb, StepperOptions& options) {
  std::vector<std::string> methods = methodWords();
  methods.insert(methods.begin(), std::string(kAutoMethod));
  takesWords(verb.add_option("--method", options.method,
                             "how a step couples rigid and soft things; auto: async where every body is "
                             "heavy beside what presses it, else strong; unset: as the scene says"),
             methods);
  addBackend(verb, options);
}

void addBackend(CLI::App& verb, StepperOptions& options) {
  std::vector<std::string> backends = {"auto"};
  for (const std::string& backend : stepping().backends()) backends.push_back(backend);
  takesWords(verb.add_option("--backend", options.backend, "what steps soft things"), backends)
      ->capture_default_str();
  addThreads(verb, options);
}

void addThreads(CLI::App& verb, StepperOptions& options) {
  addNumber(verb, "--threads", options.threads, {0, 4096}, "0 = all cores");
}

std::vector<std::string> methodWords() {
  std::vector<std::string> methods;
  for (const MethodEntry& method : stepping().methods()) methods.push_back(method.name);
  return methods;
}

}  // namespace slipstick::app
