// Where to look from, so that a picture holds what it shall.
#pragma once

#include <Eigen/Geometry>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "render/camera.h"
#include "render/selection.h"
#include "render/view.h"

namespace slipstick::render {

/// Around the visuals of bodies and the particles of deformables at a moment [m]; planes count as nothing.
/// @param onlyMoving  without what is fixed to the world
Eigen::AlignedBox3d boundsOf(const Model& model, const Snapshot& snapshot, bool onlyMoving);

/// Around what is selected; empty where nothing is.
Eigen::AlignedBox3d boundsOf(const Model& model, const Snapshot& snapshot, const Selection& selection);

/// Looks from the same side at the middle of the box, from so far that a picture of this aspect (width / height) holds all
/// of it with a margin. An empty box changes nothing.
Camera fitted(Camera camera, const Eigen::AlignedBox3d& box, double aspect);

/// The scene's own that its first view is through; null where it is openingCamera().
const CameraSpec* firstCamera(const Model& model);

/// firstCamera(), or one that holds everything but the worlds that robots' files bring, and the floor
/// that what is free falls to; from above to the right.
Camera openingCamera(const Model& model, const Snapshot& snapshot, double aspect);

}  // namespace slipstick::render
