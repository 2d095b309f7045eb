// What two sides exert on each other through all their contacts together.
#pragma once

#include <vector>

#include "engine/facts/contact_pair.h"
#include "engine/model/contact.h"

namespace slipstick {

/// Sums over the contacts of one pair, of what they do to one of its sides; the other side gets the negatives. Of a
/// deformable with itself they are what acts on the sides a of its contacts: all of it cancels with what acts on the sides b.
struct PairForce {
  ContactPair pair;
  PairSide side;              ///< on which the forces act
  std::vector<int> contacts;  ///< into the contacts that were summed
  int touching = 0;           ///< of those, how many are not open
  int slippingContacts = 0;
  Vec3 force = Vec3::Zero();             ///< normal + friction, in W [N]
  Vec3 normal = Vec3::Zero();            ///< [N]
  Vec3 friction = Vec3::Zero();          ///< [N]
  Vec3 centerOfPressure = Vec3::Zero();  ///< mean of the places, weighted by normal force [m]
  Vec3 moment = Vec3::Zero();            ///< of all contact forces about the centre of pressure [N m]
  Vec3 outward = Vec3::UnitZ();          ///< mean normal of the side acted on, unit, towards the other, in W
  double extent = 0;                     ///< diagonal of the box around the places [m]
  double normalSum = 0;                  ///< Σ|N| [N]
  double frictionBound = 0;  ///< Σ μN: with all of it along one direction, the most there can be [N]
  double sticking = 0;       ///< Σ|friction| of the contacts that stick [N]
  double slipping = 0;       ///< Σ|friction| of those that slip [N]
  double slipSpeed = 0;      ///< mean, weighted by normal force [m/s]

  /// More of the friction belongs to contacts that slip than to those that stick.
  bool slips() const { return slipping > sticking; }
  /// What friction could still take up: μN − T = Σ μN − |Σ friction| [N].
  double margin() const { return frictionBound - friction.norm(); }
  /// Σ|friction|, whatever its directions [N].
  double frictionSum() const { return sticking + slipping; }
  /// What its contacts do to the side acted on about a point, in W.
  Wrench about(const Vec3& p_W) const { return {force, moment + (centerOfPressure - p_W).cross(force)}; }
  /// The same forces on the other side.
  PairForce onOther() const;
};

/// One per pair that touches, on ContactPair::a, by size of the force, largest first. Over the pairs of a
/// body the wrenches about its origin at the step's start sum to that of its contacts:
/// StepFacts::contactWrench less contactRemainder.
std::vector<PairForce> pairForces(const Model& model, const std::vector<Contact>& contacts);

/// Of one pair; without contacts where it does not touch.
PairForce pairForce(const Model& model, const std::vector<Contact>& contacts, const ContactPair& pair);

}  // namespace slipstick
