// Which joints of a tree move nothing, so that no accelerations follow from forces.
#pragma once

#include <vector>

#include "engine/multibody/tree.h"

namespace slipstick::multibody {

/// Joints that nothing resists whatever the posture: Sᵀ I^A S + armature, of the articulated inertia I^A beyond (Featherstone
/// 2008, Table 7.1), is singular against the inertia of the same bodies held stiff, in each of a few unremarkable postures.
/// The mass matrix is singular exactly where there are any. One that is counts as stiff for those inwards of it.
/// @return indices into Tree::joints, ascending
std::vector<int> weightlessJoints(const Tree& tree);

}  // namespace slipstick::multibody
