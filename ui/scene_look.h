// How a scene looks to a person: camera, what is drawn, what is selected; as JSON, and back.
#pragma once

#include <QJsonObject>

#include "engine/model/model.h"
#include "render/camera.h"
#include "render/selection.h"
#include "render/view.h"

namespace slipstick::ui {

QJsonObject jsonOf(const render::Camera& camera);
/// What is missing or makes no sense stays as in `camera`.
render::Camera cameraOf(const QJsonObject& json, render::Camera camera);

/// Every row of render/view_actions.h, by its name.
QJsonObject jsonOf(const render::ViewOptions& view);
/// What is missing or makes no sense stays as in `view`.
render::ViewOptions viewOf(const QJsonObject& json, render::ViewOptions view);

/// As render::selectionNamed() takes it; empty where no name means it: a single contact, or what
/// shares its name with something else.
std::string uniqueNameOf(const Model& model, const render::Selection& selection);

}  // namespace slipstick::ui
