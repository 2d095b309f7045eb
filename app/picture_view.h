// What pictures show and from where, by the words of the command line.
#pragma once

#include "app/verbs.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/jobs/picture_request.h"

namespace slipstick::app {

/// The words of --show and how soft things look, on top of what the view shows already.
Result<void> applyView(const PictureViewOptions& options, render::ViewOptions& view);

/// Cameras and selection, which the model has by name. Errors: a name that it does not have; a file of a camera path that
/// cannot be read.
Result<void> aim(render::PictureRequest& request, const PictureViewOptions& options, const Model& model);

}  // namespace slipstick::app
