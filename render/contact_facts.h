// What people ask about a contact beyond what the solver writes: how fast a sticking contact creeps, how
// large a contact surface is.
#pragma once

#include <string>

#include "engine/facts/contact_pair.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::render {

using slipstick::canMove;
using slipstick::ContactPair;
using slipstick::pairOf;
using slipstick::PairSide;
using slipstick::signOn;

/// Index of a contact in the snapshot, or −1.
int findContact(const Snapshot& snapshot, const ContactKey& key);

/// A frame that goes with a side, in W: of its geometry; of a deformable at its centre of mass, along the axes of W.
Pose frameOf(const Model& model, const Snapshot& snapshot, const ContactSide& side);

/// The larger one of the deformables of a pair; 0 between bodies [m].
double particleSpacing(const Model& model, const ContactPair& pair);

/// What of its friction bound a contact uses, in 0…1.
double frictionUsed(const Contact& contact);

/// Friction is regularised: a rigid contact that holds the tangential force x · bound slides at
/// v = v_s x / √(1 − x²), v_s the stiction speed of the scene, however long it sticks.
/// @return [m/s]; infinite where the whole bound is used
double creepSpeed(const Model& model, const Contact& contact);

/// The regularisation speed ε that a sliding contact with a particle shows: at the slip speed v it holds the
/// friction x · μN, x = v/√(v² + ε²). @return [m/s]; 0 where the whole bound is used or nothing slides
double regularizationSpeed(const Contact& contact);

struct PatchFacts {
  double area = 0;             ///< [m²]
  double meanPressure = 0;     ///< over the area [Pa]
  double largestPressure = 0;  ///< [Pa]
};
PatchFacts factsOf(const PressurePatch& patch);

/// Of the surface that a contact belongs to; null for contacts without one.
const PressurePatch* patchOf(const Snapshot& snapshot, const Contact& contact);

/// A unit in which a value reads well.
struct Unit {
  const char* name = "";
  double size = 1;  ///< in SI
};
/// Pa, kPa, MPa or GPa.
Unit pressureUnit(double pressure);

}  // namespace slipstick::render
