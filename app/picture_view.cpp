#include "app/picture_view.h"

#include <algorithm>
#include <utility>

#include "app/word_option.h"
#include "assets/camera_path_io.h"
#include "render/framing.h"
#include "render/selection_names.h"
#include "render/view_actions.h"

namespace slipstick::app {

namespace {

using render::CameraPath;

/// @param typed  the option, for errors
Result<CameraSpec> cameraNamed(const Model& model, const std::string& name, const std::string& typed) {
  std::string choices;
  for (const CameraSpec& spec : model.cameras) {
    if (spec.name == name) return spec;
    choices += (choices.empty() ? "" : ", ") + spec.name;
  }
  return Error{ErrorCode::UnknownName, "there is no such camera", typed,
               choices.empty() ? "the scene has no cameras" : "choose from: " + choices + ", all"};
}

/// From left to right; none where the scene has none and nothing was asked for.
Result<std::vector<CameraPath>> camerasOf(const Model& model, const PictureViewOptions& options) {
  std::vector<CameraPath> cameras;
  if (!options.cameraPath.empty()) {
    Result<std::vector<CameraKey>> keys = assets::loadCameraPath(options.cameraPath, model.cameras);
    if (!keys) return keys.error();
    cameras.emplace_back(std::move(*keys));
    return cameras;
  }
  if (options.camera.empty()) {
    if (const CameraSpec* first = render::firstCamera(model)) cameras.emplace_back(*first);
    return cameras;
  }
  Result<std::vector<CameraSpec>> named = camerasNamed(model, options.camera, "--camera");
  if (!named) return named.error();
  for (CameraSpec& spec : *named) cameras.emplace_back(std::move(spec));
  return cameras;
}

}  // namespace

void addPictureView(CLI::App& verb, PictureViewOptions& options) {
  auto* camera = verb.add_option("--camera", options.camera,
                                 "a camera of the scene; A,B side by side; all: every one of them");
  verb.add_option("--camera-path", options.cameraPath,
                  "a YAML list of keys that the camera goes through: {t, eye, target, fov} or {t, camera}")
      ->type_name(kFile)
      ->excludes(camera);
  verb.add_option("--show", options.show, render::viewWords() + "; no-NAME hides")
      ->type_name(kView)
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--select", options.select,
                  "a body, robot or deformable by name, or a pair as A+B: its contact is shown");
}

Result<std::vector<CameraSpec>> camerasNamed(const Model& model, const std::string& names,
                                             const std::string& option) {
  if (names == "all" && !model.cameras.empty()) return model.cameras;
  std::vector<CameraSpec> cameras;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const Result<CameraSpec> camera =
        cameraNamed(model, names.substr(begin, end - begin), option + " " + names);
    if (!camera) return camera.error();
    cameras.push_back(*camera);
    begin = end + 1;
  }
  return cameras;
}

Result<void> applyView(const PictureViewOptions& options, render::ViewOptions& view) {
  for (const std::string& word : options.show)
    if (const Result<void> applied = render::applyViewWord(word, view); !applied) return applied.error();
  return applySoftLook(options.look, view);
}

Result<void> aim(render::PictureRequest& request, const PictureViewOptions& options, const Model& model) {
  Result<std::vector<CameraPath>> cameras = camerasOf(model, options);
  if (!cameras) return cameras.error();
  request.cameras = std::move(*cameras);
  if (options.select.empty()) return {};
  const Result<render::Selection> named = render::selectionNamed(model, options.select);
  if (!named) return named.error();
  request.selection = *named;
  return {};
}

}  // namespace slipstick::app
