// Pictures and data of the run that a window looks at, written while the window goes on.
#pragma once

#include "render/jobs/picture_request.h"
#include "ui/session.h"

namespace slipstick::ui {

/// Of the branch looked at, out of its history, as slipstick render makes them of a scene; nothing is simulated. Requires an
/// open scene.
void beginPictures(Session& session, const render::PictureRequest& request);

/// Likewise as slipstick export. @param what  with its times   @param name  of the file or the folder with the files, for people
void beginData(Session& session, const DataOutputs& what, const QString& name);

}  // namespace slipstick::ui
