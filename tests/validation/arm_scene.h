// The shipped arm by itself, to be driven.
#pragma once

#include <gtest/gtest.h>

#include "assets/scene_io.h"
#include "tests/support/test_paths.h"

namespace slipstick::testing {

/// Bent, as it stands before it works.
inline Scene armScene() {
  const Result<assets::LoadedScene> loaded =
      assets::loadScene((sourceDir() / "assets/robots/arm7.urdf").string());
  EXPECT_TRUE(loaded) << loaded.error().message();
  Scene scene = loaded->scene;
  scene.time.duration = 100;
  scene.robots.front().jointPositions = {{"joint_2", 0.6}, {"joint_4", -1.6}, {"joint_6", 0.9}};
  return scene;
}

}  // namespace slipstick::testing
