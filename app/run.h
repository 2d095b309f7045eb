// slipstick run, as tests call it, too.
#pragma once

#include <optional>
#include <string>

#include "app/scene_options.h"
#include "app/stepping.h"

namespace slipstick::app {

struct RunOptions {
  SceneOptions scene;
  std::optional<double> duration;     ///< [s]; unset: the scene's
  std::optional<std::string> report;  ///< JSON
  std::optional<std::string> csv;
  std::optional<std::string> record;   ///< HDF5
  double recordFps = 30;               ///< of particles in the recording, per simulated second
  std::optional<std::string> actions;  ///< FILE.hdf5:demo_3: drives the effectors as it says
};

/// @param registry  methods and backends to choose from. @return the exit status
int run(const RunOptions& options, const Registry& registry = stepping());

}  // namespace slipstick::app
