// The two sides of a contact as people group them: who presses whom.
#pragma once

#include <compare>

#include "engine/model/contact.h"
#include "engine/model/model.h"

namespace slipstick {

/// A body with a deformable, or two bodies in a fixed order.
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

}  // namespace slipstick
