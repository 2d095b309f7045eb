// The contacts of one pair, neighbours summed until their arrows do not overlap. Part of buildFrame().
#pragma once

#include <vector>

#include "render/frame.h"

namespace slipstick::render {

/// Side of the cells within which contacts are summed, about the least [logical px].
inline constexpr double kClusterPixels = 26;
/// By this part of what is asked for a side may be off, so that it does not change to and fro with a camera or
/// a centre of pressure that hovers where two sides meet [-].
inline constexpr double kClusterSlack = 0.12;

/// Neighbouring contacts of a pair; forces on PairForce::side.
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

/// One of few: 1, 2, 3, 4, 6, 8, 12 … particle spacings, so that lattices fall into equal cells; of rigid
/// contacts, of 1 mm. The smallest that is not below kClusterPixels at the pair's centre of pressure, or the
/// one that FrameInput::clusterSides has for the pair, if it is the smallest for a size within kClusterSlack of
/// that. @return [m]
double clusterSide(const FrameInput& input, const PairForce& force);

/// Cells of a grid that is fixed in the frame of side a, see frameOf(): they hold still while the body moves, the camera
/// turns, or comes a little nearer. Contacts whose normals point along different axes are not summed. The
/// selected contact stays alone. The total is the pair's force.
/// @param side  of the cells [m]
std::vector<PointCluster> pointClusters(const FrameInput& input, const PairForce& force, double side);

}  // namespace slipstick::render
