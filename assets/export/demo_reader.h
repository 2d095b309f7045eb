// A demonstration of a file that exportDemos() has written, to be driven again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assets/export/demo_actions.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

struct Demo {
  std::string name;       ///< "demo_3"
  std::string scene;      ///< name
  std::string sceneText;  ///< YAML as it was recorded, with files named from the folder of the scene
  std::optional<std::uint64_t> seed;  ///< of its task's reset
  std::string method, runsOn;
  std::string backend;               ///< of the particles; empty: there are none
  std::uint64_t steps = 0;           ///< of the whole demonstration
  std::uint64_t stepsPerSample = 1;  ///< sample i is at step i · stepsPerSample
  bool replaysExactly = false;
  std::vector<std::vector<EffectorAction>> samples;  ///< per sample and effector
  std::vector<std::uint64_t> hashes;                 ///< of the state at each sample
  std::uint64_t finalHash = 0;
};

/// @param place  "FILE.hdf5:demo_3". Errors: no such file or demonstration (names those that it has), not of this
/// program.
Result<Demo> readDemo(const std::string& place);

}  // namespace slipstick::assets
