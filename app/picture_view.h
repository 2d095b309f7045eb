// What pictures show and from where, by the words of the command line.
#pragma once

#include <string>
#include <vector>

#include "app/verbs.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/jobs/picture_request.h"

namespace slipstick::app {

/// Cameras of the scene, in the order in which they were named. Errors: a name that it does not have.
/// @param names   with commas between, or "all"
/// @param option  that they were given with, for errors: "--camera"
Result<std::vector<CameraSpec>> camerasNamed(const Model& model, const std::string& names,
                                             const std::string& option);

/// The words of --show and how soft things look, on top of what the view shows already.
Result<void> applyView(const PictureViewOptions& options, render::ViewOptions& view);

/// Cameras and selection, which the model has by name. Errors: a name that it does not have; a file of a camera path that
/// cannot be read.
Result<void> aim(render::PictureRequest& request, const PictureViewOptions& options, const Model& model);

}  // namespace slipstick::app
