// What an MJCF file says beside its bodies, as a scene: options, cameras, the posture of a keyframe, servos, sensors.
#pragma once

#include <vector>

#include "assets/mjcf_actuators.h"
#include "assets/mjcf_tree.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// Fills all of the scene but the robot's description.
/// @param notices  get what only matters to who opens the file alone
Result<void> readMjcfScene(MjcfDocument& document, const MjcfTree& tree,
                           const std::vector<MjcfActuator>& actuators, Scene& scene,
                           std::vector<Notice>& notices);

}  // namespace slipstick::assets
