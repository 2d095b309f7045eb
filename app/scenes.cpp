// slipstick scenes: list the shipped scenes and robots. A robot whose name a scene has goes by its file's.
#include <algorithm>
#include <cstdio>

#include "app/verbs.h"
#include "assets/scene_io.h"

namespace slipstick::app {

int scenes() {
  const std::vector<assets::ShippedScene> shipped = assets::shippedScenes();
  if (shipped.empty()) {
    return fail({ErrorCode::FileNotFound, "no shipped scenes were found", "assets/scenes",
                 "set SLIPSTICK_ASSETS to the project's assets folder"});
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

}  // namespace slipstick::app
