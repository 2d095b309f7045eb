// Masses of links of SDF files.
#pragma once

#include <sdf/Link.hh>
#include <string>
#include <vector>

#include "engine/model/model.h"

namespace slipstick::assets {

/// Fills mass, centre of mass and inertia. <inertial auto="true"> (SDF 1.11) is that of the collision shapes, each of
/// its own <density>, else that of the inertial, else 1000 kg/m³; a <mass> beside it scales them to it, as libsdformat 15.2
/// does. Shapes without a volume are left out with notices.
/// @param spec  with its collision shapes
void readInertial(const sdf::Link& link, const std::string& where, bool isStatic, LinkSpec& spec,
                  std::vector<Notice>& notices);

}  // namespace slipstick::assets
