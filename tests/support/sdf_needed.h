// Tests that read SDF files, which not every distribution has a library for.
#pragma once

#include "assets/robot_io.h"

#define SLIPSTICK_REQUIRE_SDF() \
  if (!slipstick::assets::readsSdf()) GTEST_SKIP() << "this build reads no SDF files"
