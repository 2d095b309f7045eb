#include "app/method_runs.h"

#include <algorithm>
#include <iostream>

#include "assets/one_line.h"

namespace slipstick::app {

namespace {

/// "implicit:time.dt_ms=10" of one method's overrides: "time.dt_ms=10"; empty: it is not of this method.
std::string ownPart(const std::string& text, const std::string& method) {
  return text.starts_with(method + ':') ? text.substr(method.size() + 1) : std::string();
}

/// Whether an override begins with a method's name and a colon, which no path in a scene does.
bool isOwn(const std::string& text, const Registry& registry) {
  return std::any_of(registry.methods().begin(), registry.methods().end(),
                     [&](const MethodEntry& m) { return text.starts_with(m.name + ':'); });
}

}  // namespace

Result<std::vector<MethodRun>> prepareMethods(const CompareOptions& options, const Registry& registry) {
  std::vector<std::string> names = options.methods;
  if (names.empty())
    for (const MethodEntry& method : registry.methods()) names.push_back(method.name);
  std::vector<MethodRun> runs;
  for (const std::string& name : names) {
    SceneOptions scene = options.scene;
    scene.stepper.method = name;
    scene.overrides.clear();
    std::vector<std::string> own;
    for (const std::string& text : options.scene.overrides) {
      if (!isOwn(text, registry)) scene.overrides.push_back(text);
      if (const std::string part = ownPart(text, name); !part.empty()) own.push_back(part);
    }
    scene.overrides.insert(scene.overrides.end(), own.begin(), own.end());
    scene.quiet = scene.quiet || !runs.empty();  // notices of the import once
    Result<std::unique_ptr<HeadlessRun>> run = openRun(scene, Detail::Facts, registry);
    if (!run && options.methods.empty() && run.error().code == ErrorCode::Unsupported) {
      if (!options.scene.quiet)
        std::cerr << "slipstick: " << name << " is left out: " << assets::oneLine(run.error().message())
                  << '\n';
      continue;
    }
    if (!run) return run.error();
    runs.push_back(methodRunOf(name, std::move(*run)));
    runs.back().overrides = std::move(own);
  }
  if (!runs.empty()) return runs;
  return Error{ErrorCode::Unsupported, "no method can step this scene", options.scene.scene,
               "name one by --methods to learn why"};
}

}  // namespace slipstick::app
