// slipstick scenes: list the shipped scenes.
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
  std::size_t width = 0;
  for (const assets::ShippedScene& scene : shipped) width = std::max(width, scene.name.size());
  for (const assets::ShippedScene& scene : shipped) {
    std::printf("%-*s  %s\n", static_cast<int>(width), scene.name.c_str(), scene.title.c_str());
  }
  return kSuccess;
}

}  // namespace slipstick::app
