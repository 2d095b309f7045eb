// What an entry of a scene says, seen in a mirror.
#pragma once

#include "assets/yaml_tree.h"
#include "engine/foundation/math.h"

namespace slipstick::assets {

/// A plane through a point, normal to one of the axes that the entry's pose is written in.
struct MirrorPlane {
  int axis = 0;
  Vec3 point = Vec3::Zero();  ///< [m]
};

/// A body, robot, deformable, boundary, path or frame on the other side of the plane. With M the reflection, a pose
/// (R, p) becomes (M R M, M p), so that a frame's own axes are mirrored, too: its shapes are those of the entry with
/// poses (M R M, M p) in it, meshes with a scale of the other sign. Velocities become M v, angular ones −M ω. What a
/// robot's file holds stays as it is.
/// @param isPath  it has no pose of its own, only those of its keys
YamlTree mirrored(const YamlTree& entry, const MirrorPlane& plane, bool isPath);

}  // namespace slipstick::assets
