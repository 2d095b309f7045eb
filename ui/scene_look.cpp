#include "ui/scene_look.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/selection_names.h"
#include "render/view_actions.h"
#include "ui/selection_kinds.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

constexpr double kFarthest = 1e4;  // of a target from the origin [m]

double numberOf(const QJsonObject& json, const char* key, double least, double most, double otherwise) {
  const double value = json[QLatin1String(key)].toDouble(otherwise);
  return value >= least && value <= most ? value : otherwise;
}

}  // namespace

QJsonObject jsonOf(const render::Camera& shown) {
  const render::Camera camera = shown.upright();
  return {{"target", QJsonArray{camera.target.x(), camera.target.y(), camera.target.z()}},
          {"yaw", camera.yaw},
          {"pitch", camera.pitch},
          {"distance", camera.distance},
          {"fov_deg", camera.fieldOfView},
          {"parallel", camera.parallel}};
}

render::Camera cameraOf(const QJsonObject& json, render::Camera camera) {
  constexpr double kPi = std::numbers::pi;
  const QJsonArray target = json["target"].toArray();
  if (target.size() == 3)
    for (int i = 0; i < 3; ++i)
      camera.target[i] = std::clamp(target[i].toDouble(camera.target[i]), -kFarthest, kFarthest);
  camera.yaw = numberOf(json, "yaw", -1e3, 1e3, camera.yaw);
  camera.pitch = numberOf(json, "pitch", -kPi / 2, kPi / 2, camera.pitch);
  camera.distance = numberOf(json, "distance", 0.01, 100, camera.distance);
  camera.fieldOfView = numberOf(json, "fov_deg", 1, 170, camera.fieldOfView);
  camera.parallel = json["parallel"].toBool(camera.parallel);
  return camera;
}

QJsonObject jsonOf(const render::ViewOptions& view) {
  QJsonObject json;
  for (const render::ViewAction& action : render::viewActions())
    json[toQString(action.name)] = action.state(view);
  for (const render::ViewStep& step : render::viewSteps()) json[toQString(step.up)] = view.*step.number;
  return json;
}

render::ViewOptions viewOf(const QJsonObject& json, render::ViewOptions view) {
  for (const render::ViewAction& action : render::viewActions()) {
    const int state = json[toQString(action.name)].toInt(-1);
    if (state >= 0 && state < action.states()) action.set(view, state);
  }
  for (const render::ViewStep& step : render::viewSteps()) {
    const double value = json[toQString(step.up)].toDouble(view.*step.number);
    if (value >= step.least && value <= step.most) view.*step.number = value;
  }
  return view;
}

std::string uniqueNameOf(const Model& model, const render::Selection& selection) {
  const std::string name = nameOf(model, selection);
  const Result<render::Selection> meant = render::selectionNamed(model, name);
  return meant && *meant == selection ? name : std::string();
}

}  // namespace slipstick::ui
