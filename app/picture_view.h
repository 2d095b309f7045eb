// What pictures show and from where, by the words of the command line.
#pragma once

#include <string>
#include <vector>

#include "app/soft_look.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/jobs/picture_request.h"

namespace CLI {
class App;
}

namespace slipstick::app {

/// What pictures show, and from where.
struct PictureViewOptions {
  std::string camera;      ///< cameras of the scene with commas between, or "all"; empty: the first one
  std::string cameraPath;  ///< see assets::loadCameraPath(); empty: none
  std::vector<std::string> show;
  std::string select;  ///< see render::selectionNamed(); empty: nothing
  SoftLookOptions look;
};

/// Adds --camera, --camera-path, --show and --select.
void addPictureView(CLI::App& verb, PictureViewOptions& options);

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
