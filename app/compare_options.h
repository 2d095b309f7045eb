// What slipstick compare was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/picture_view.h"
#include "app/scene_options.h"

namespace slipstick::app {

struct CompareOptions {
  SceneOptions scene;                ///< an override "NAME:path=value" is for the run of that name alone
  std::vector<std::string> methods;  ///< a run of each, named after it; empty: of all that can step the scene
  std::vector<std::string> runs;     ///< "NAME=METHOD" instead
  std::optional<double> duration;    ///< [s]; unset: the scene's
  std::optional<double> from, to;    ///< of means [s]; unset: the last half
  std::optional<std::string> report;  ///< JSON
  std::optional<std::string> csv;     ///< a row per method and step
  std::optional<std::string> out;     ///< FIG.png, .pdf or .svg: the methods side by side and as ghosts
  std::vector<double> at;             ///< moments of the pictures [s]; empty: the end
  double width = 240, dpi = 200;      ///< of the figure [mm], [dots per inch]
  PictureViewOptions view;
};

}  // namespace slipstick::app
