// What people ask about a contact beyond what the solver writes: who presses whom, how fast a sticking
// contact creeps, how large a contact surface is.
#pragma once

#include <compare>
#include <string>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::render {

/// The two sides of a contact as people group them: a body with a deformable, or two bodies in a fixed order.
struct ContactPair {
  /// The side whose force is shown. Of two bodies the one that can move; where both can, the one that comes
  /// later in the scene, for people stack upwards.
  int body = 0;
  int otherBody = -1;   ///< −1: the other side is a deformable
  int deformable = -1;  ///< −1: the other side is a body
  friend auto operator<=>(const ContactPair&, const ContactPair&) = default;
};

/// Whether a body is free to move in any way; false for the world and all that is fixed to it.
bool canMove(const Model& model, int body);

ContactPair pairOf(const Model& model, const Contact& contact);

/// −1 where a body is the other side of the contact: its force is the negative of Contact::f_Bc_W.
inline double signOn(int body, const Contact& contact) {
  return body == contact.body ? 1 : -1;
}

/// Index of a contact in the snapshot, or −1.
int findContact(const Snapshot& snapshot, const ContactKey& key);

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
