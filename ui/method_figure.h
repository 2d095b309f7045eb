// The picture of a comparison: the methods side by side and as ghosts of each other, forces and energy below.
#pragma once

#include <span>
#include <stop_token>

#include "engine/foundation/result.h"
#include "engine/runtime/method_run.h"
#include "render/jobs/picture_request.h"
#include "ui/figure.h"

namespace slipstick::ui {

/// What methodFigure() begins with: cameras, looks and parts of the view are the caller's.
render::PictureRequest methodPictures(double dpi);

/// A row of pictures for each moment that all runs have reached, and their curves. Draws off the screen, on any thread.
/// Errors: no moment was reached, nothing can be drawn here, Cancelled. @param runs  at least one
Result<Figure> methodFigure(std::span<const MethodRun> runs, render::PictureRequest request, double width_mm,
                            double dpi, const std::stop_token& stop);

}  // namespace slipstick::ui
