// The options of slipstick render, and those that every verb with pictures has.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/number_option.h"
#include "app/verbs.h"

namespace slipstick::app {

/// Of render --pass and demos --passes, see render::picturePassNamed().
std::vector<std::string> passWords();

/// Adds --camera, --camera-path, --show and --select.
void addPictureView(CLI::App& verb, PictureViewOptions& options);

/// Adds all but the scene and how soft things look.
/// @param size  unset: the default of what is drawn
void addRenderOptions(CLI::App& verb, RenderOptions& options, std::optional<Size>& size);

}  // namespace slipstick::app
