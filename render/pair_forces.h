// Contact summed by pairs: what one side does to the other.
#pragma once

#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "render/contact_facts.h"

namespace slipstick::render {

/// The sums over the contacts of one pair, of the forces on one of its sides.
struct PairForce {
  ContactPair pair;
  int body = 0;               ///< on which the force acts; −1: on the pair's deformable
  std::vector<int> contacts;  ///< into Snapshot::contacts
  int touching = 0;           ///< of those, how many are not open
  int slippingContacts = 0;
  Vec3 normal = Vec3::Zero();    ///< sum of the normal forces [N]
  Vec3 friction = Vec3::Zero();  ///< sum of the friction forces [N]
  double normalSum = 0;          ///< Σ N, without regard of direction [N]
  double bound = 0;              ///< Σ μN [N]
  double sticking = 0;           ///< the part of Σ |friction| that sticks [N]
  double slipping = 0;           ///< the part that slips [N]
  Vec3 center = Vec3::Zero();    ///< centre of pressure: mean of the points weighted by N [m]
  Vec3 moment = Vec3::Zero();    ///< of all forces about the centre of pressure [N m]
  Vec3 outward = Vec3::UnitZ();  ///< mean normal of the side on which the force acts, unit, towards the other
  double extent = 0;             ///< diagonal of the box around the points [m]
  double slipSpeed = 0;          ///< mean of those that touch, weighted by N [m/s]
  double depth = 0;              ///< largest penetration [m]

  Vec3 force() const { return normal + friction; }
  bool slips() const { return slipping > sticking; }
  /// What is left of the bound: Σ μN − Σ |friction| [N].
  double margin() const { return bound - sticking - slipping; }
  /// The same on the other side, body `other` or −1.
  PairForce turned(int other) const;
};

/// One per pair that touches, by falling |force|; the force on ContactPair::body.
std::vector<PairForce> pairForces(const Model& model, const Snapshot& snapshot);

}  // namespace slipstick::render
