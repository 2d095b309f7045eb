// The contacts of one pair, neighbours summed until their arrows do not overlap. Part of buildFrame().
#pragma once

#include <vector>

#include "render/frame.h"

namespace slipstick::render {

/// Side of the cells within which contacts are summed, at least [logical px].
inline constexpr double kClusterPixels = 26;

/// Neighbouring contacts of a pair; forces on the side that PairForce::body names.
struct PointCluster {
  std::vector<int> contacts;          ///< into Snapshot::contacts
  Vec3 center = Vec3::Zero();         ///< mean of the points weighted by |force| [m]
  Vec3 outward = Vec3::Zero();        ///< sum of the normals, each of the length of its force
  Vec3 normal = Vec3::Zero();         ///< sum of the normal forces [N]
  Vec3 friction = Vec3::Zero();       ///< sum of the friction forces [N]
  double normalSum = 0;               ///< Σ N [N]
  double bound = 0;                   ///< Σ μN [N]
  double sticking = 0, slipping = 0;  ///< Σ |friction| that does either [N]
  bool selected = false;              ///< is the selected contact, alone

  bool slips() const { return slipping > sticking; }
};

/// Cells of a grid that is fixed in the frame of the geometry: they hold still while the body moves, the camera
/// turns, or comes a little nearer. Their side is at least `size`, and one of few: 1, 2, 3, 4, 6, 8, 12 …
/// particle spacings, so that lattices fall into equal cells; of rigid contacts, of 1 mm. Contacts whose normals
/// point along different axes are not summed. The selected contact stays alone. The total is the pair's force.
/// @param size  [m]
std::vector<PointCluster> pointClusters(const FrameInput& input, const PairForce& force, double size);

}  // namespace slipstick::render
