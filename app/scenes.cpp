// slipstick scenes: list the shipped scenes and robots, or say what scenes are made of. A robot whose name a scene has goes by its file's.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/exit_status.h"
#include "app/stepping.h"
#include "app/verb.h"
#include "assets/scene_io.h"
#include "assets/scene_schema.h"
#include "assets/shipped.h"

namespace slipstick::app {

namespace {

struct ScenesOptions {
  bool schema = false;  ///< only the JSON Schema of scene files, on stdout
};

int scenes(const ScenesOptions& options) {
  if (options.schema) {
    std::fputs(assets::sceneSchema(stepping().table().get()).c_str(), stdout);
    return kSuccess;
  }
  const std::vector<assets::ShippedScene> shipped = assets::shippedScenes();
  if (shipped.empty()) {
    return fail({ErrorCode::FileNotFound, "no shipped scenes were found",
                 (assets::assetsFolder() / "scenes").string(),
                 "set SLIPSTICK_ASSETS to the folder that has scenes, robots and meshes"});
  }
  const std::vector<assets::ShippedRobot> robots = assets::shippedRobots();
  std::size_t width = 0;
  for (const assets::ShippedScene& scene : shipped) width = std::max(width, scene.name.size());
  std::printf("scenes\n");
  for (const assets::ShippedScene& scene : shipped) {
    std::printf("  %-*s  %s\n", static_cast<int>(width), scene.name.c_str(), scene.title.c_str());
  }
  std::printf("robots\n");
  for (const assets::ShippedRobot& robot : robots) {
    const bool taken = std::any_of(shipped.begin(), shipped.end(), [&](const assets::ShippedScene& scene) {
      return scene.name == robot.name;
    });
    std::printf("  %s\n", taken ? robot.file.filename().c_str() : robot.name.c_str());
  }
  return kSuccess;
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<ScenesOptions>();
  verb.add_flag("--schema", options->schema, "the JSON Schema of scene files, for editors");
  return [options] { return scenes(*options); };
}

}  // namespace

Verb scenesVerb() {
  return {"scenes", "List the shipped scenes and robots", offer};
}

}  // namespace slipstick::app
