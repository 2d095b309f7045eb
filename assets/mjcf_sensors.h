// <sensor> of an MJCF file.
#pragma once

#include <string>
#include <vector>

#include "assets/mjcf_tree.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// Names what the file has of sensors and tendons: counts by kind, with the first place.
void listMjcfSensors(MjcfDocument& document);

/// Sensors at sites that a scene has, too: accelerometer and gyro as one, force and torque as one (of the same sign
/// as there: what the parent's side exerts, +m g of what hangs), touch as all contact of the site's body.
/// @param robot    name of the robot that the file becomes
/// @param notices  say which were made
Result<std::vector<SensorSpec>> mjcfSensors(const MjcfDocument& document, const MjcfTree& tree,
                                            const std::string& robot, std::vector<Notice>& notices);

}  // namespace slipstick::assets
