// Scenes that a physics test writes itself.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "assets/scene_io.h"
#include "tests/support/test_paths.h"

namespace slipstick::testing {

/// The scene that a YAML text describes; an empty one, and a failed test, when it has a fault.
inline Scene sceneOf(const std::string& yaml) {
  Result<assets::LoadedScene> loaded =
      assets::parseScene(yaml, sourceDir() / "assets" / "scenes", "test.yaml", {});
  if (loaded) return loaded->scene;
  ADD_FAILURE() << loaded.error().message();
  return {};
}

}  // namespace slipstick::testing
