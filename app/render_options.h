// The options of slipstick render.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/number_option.h"
#include "app/picture_view.h"
#include "app/scene_options.h"

namespace slipstick::app {

/// Of render --pass and demos --passes, see render::picturePassNamed().
std::vector<std::string> passWords();

struct RenderOptions {
  SceneOptions scene;
  std::string out;  ///< FILE.mp4, .webm or .gif, FILE.png (the frame at `to`) or a folder of PNGs
  int width = 1280, height = 720;
  int supersample = 1;           ///< drawn so many times as large
  std::string quality = "good";  ///< see render::outputQualityNamed()
  std::string pass = "color";    ///< see render::picturePassNamed()
  double fps = 30;               ///< frames per second of the video
  double speed = 1;              ///< simulated seconds per second of the video
  std::optional<double> from;    ///< [s]; unset: the start
  std::optional<double> to;      ///< [s]; unset: the scene's duration
  PictureViewOptions view;
  bool light = false, transparent = false;
  std::vector<double> stills;  ///< a contact sheet of these moments instead [s]
  std::vector<double> strip;   ///< a figure of these moments instead [s]
  std::vector<double> ghosts;  ///< moments that are seen through [s]
  std::string title, subtitle;
  double fade = 0;  ///< [s]
};

/// Adds all but the scene and how soft things look.
/// @param size  unset: the default of what is drawn
void addRenderOptions(CLI::App& verb, RenderOptions& options, std::optional<Size>& size);

}  // namespace slipstick::app
