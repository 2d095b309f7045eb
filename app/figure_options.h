// The options of slipstick figure.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/picture_view.h"
#include "app/scene_options.h"

namespace slipstick::app {

struct FigureOptions {
  SceneOptions scene;
  std::string out;                 ///< FIG.pdf, .svg or .png
  std::vector<double> at;          ///< moments of the stills [s]; empty: `strip` of them
  int strip = 4;                   ///< so many moments, evenly from `from` to `to`
  std::optional<double> from, to;  ///< of the strip and of the time axis [s]; unset: of the run
  bool ghosts = false;             ///< one picture of the last moment, the others seen through
  std::vector<std::string> plots;  ///< "PATTERN,…" or "Label=PATTERN,…", each a plot below the pictures
  bool letters = false;            ///< (a), (b) …
  bool times = true;               ///< below the pictures
  std::string font = "serif";      ///< or "sans"
  double width = 170, dpi = 300;   ///< [mm], [dots per inch]
  double aspect = 1.5;             ///< width / height of a picture
  double plotHeight = 26;          ///< [mm]
  int columns = 0;                 ///< pictures in a row; 0: all
  PictureViewOptions view;
};

/// Adds all but the scene and how soft things look.
void addFigureOptions(CLI::App& verb, FigureOptions& options);

}  // namespace slipstick::app
