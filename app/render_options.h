// The options of slipstick render.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "app/number_option.h"
#include "app/verbs.h"

namespace slipstick::app {

/// Adds all but the scene and how soft things look.
/// @param size  unset: the default of what is drawn
void addRenderOptions(CLI::App& verb, RenderOptions& options, std::optional<Size>& size);

}  // namespace slipstick::app
