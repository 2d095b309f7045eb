// The options of slipstick figure.
#pragma once

#include <CLI/CLI.hpp>

#include "app/verbs.h"

namespace slipstick::app {

/// Adds all but the scene and how soft things look.
void addFigureOptions(CLI::App& verb, FigureOptions& options);

}  // namespace slipstick::app
