// What two sides exert on each other through all their contacts together.
#pragma once

#include <vector>

#include "engine/model/contact.h"
#include "engine/model/contact_pair.h"

namespace slipstick {

/// Sums over the contacts of one pair. Forces are on pair.body; the other side gets their negatives.
struct PairForce {
  ContactPair pair;
  Vec3 force = Vec3::Zero();             ///< normal + friction, in W [N]
  Vec3 normal = Vec3::Zero();            ///< [N]
  Vec3 friction = Vec3::Zero();          ///< [N]
  Vec3 centerOfPressure = Vec3::Zero();  ///< mean of the places, weighted by normal force [m]
  Vec3 moment = Vec3::Zero();            ///< of all contact forces about the centre of pressure [N m]
  double normalSum = 0;                  ///< Σ|N| [N]
  double frictionBound = 0;  ///< Σ μN: with all of it along one direction, the most there can be [N]
  double sticking = 0;       ///< Σ|friction| of the contacts that stick [N]
  double slipping = 0;       ///< Σ|friction| of those that slip [N]
  double slipSpeed = 0;      ///< mean, weighted by normal force [m/s]
  int contacts = 0;
  int slippingContacts = 0;

  /// What its contacts do to a side about a point, in W. @param sign  1 for pair.body, −1 for the other side
  Wrench about(const Vec3& p_W, double sign) const {
    return Wrench{force, moment + (centerOfPressure - p_W).cross(force)} * sign;
  }
};

/// One per pair that touches, by size of the force, largest first. Over the pairs of a body the wrenches sum
/// to that of its contacts: StepFacts::contactWrench less contactRemainder. (Exactly its force. Its torque is
/// about the body's origin at the step's start, and, with particles, of every substep's places, not of their
/// means.)
std::vector<PairForce> pairForces(const Model& model, const std::vector<Contact>& contacts);

/// Of one pair; without contacts where it does not touch.
PairForce pairForce(const Model& model, const std::vector<Contact>& contacts, const ContactPair& pair);

}  // namespace slipstick
