// How easily bodies of a mechanism move: what a force on one of them does to it, all joints beyond and behind it giving way.
#pragma once

#include <vector>

#include "engine/multibody/spatial.h"
#include "engine/multibody/tree.h"

namespace slipstick::multibody {

/// Per body: J A⁻¹ Jᵀ of its origin, W axes, (angular, linear) [1/(kg m²), 1/kg]: the velocity that a unit impulse gives it.
/// Its inverse is the inertia that is felt there (the operational space inertia, Featherstone 2008, Sec. 8.4). A is the mass
/// matrix with armatures and, on its diagonal, what else the joints resist. Zero for bodies that cannot move. X_WB must
/// belong to the posture.
/// @param isPrescribed  per joint: its body moves as a path in W says, whatever pushes; empty: none does
/// @param added  per velocity: such as Δt D + Δt² K of dampers and springs within a step [kg m²] or [kg]; empty: nothing
std::vector<Mat6> mobilities(const Tree& tree, const std::vector<Pose>& X_WB,
                             const std::vector<char>& isPrescribed = {}, const VecX& added = {});

}  // namespace slipstick::multibody
