// Which files of a run are wanted: what the command line and the window ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace slipstick::app {

struct DataOutputs {
  std::optional<std::string> contacts, bodies, csv;  ///< tables, of every step
  std::vector<std::string> observables;              ///< patterns, for csv and npz; empty: all
  std::optional<std::string> geometry;               ///< a folder
  std::string format = "ply";                        ///< of deformables in it: ply or obj
  std::optional<std::string> gltf;                   ///< OUT.glb or OUT.gltf
  std::optional<std::string> npz;
  std::optional<double>
      fps;  ///< samples of geometry and particles per simulated second; unset: 30, of morph targets 10
  std::optional<double> from;  ///< [s]; unset: its start
  std::optional<double> to;    ///< [s]; unset: the end of the run
};

}  // namespace slipstick::app
