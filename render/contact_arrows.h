// Contact forces as arrows: split, thinned and scaled. Part of buildFrame().
#pragma once

#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "render/frame.h"

namespace slipstick::render {

/// What an arrow will show: the force of one contact, or the sum of several that are close together.
struct ForcePatch {
  Vec3 point = Vec3::Zero();     ///< mean of the members' points, weighted by force [m]
  Vec3 normal = Vec3::Zero();    ///< sum of the members' normal forces on the body [N]
  Vec3 friction = Vec3::Zero();  ///< sum of their friction forces on the body [N]
  double slipping = 0;           ///< the part of Σ|friction| that slips [N]
  double sticking = 0;           ///< the part that sticks [N]
  int body = -1;                 ///< on which the forces act
  double strongest = -1;         ///< largest member [N]
  int contact = -1;              ///< index of the strongest member
  int members = 0;
};

/// Sums of neighbouring contacts with particles, and of the contacts on one surface between rigid bodies;
/// their total on each body equals that of `contacts`. The selected contact stays alone, and so do the others
/// on its surface.
std::vector<ForcePatch> forcePatches(const Model& model, const std::vector<Contact>& contacts,
                                     const Selection& selection);

/// Fills arrows, scale and largest force of the parts.
void addArrows(const FrameInput& input, ContactParts& parts);

}  // namespace slipstick::render
