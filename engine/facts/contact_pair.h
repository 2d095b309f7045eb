// The two sides of a contact as people group them: who presses whom.
#pragma once

#include <compare>
#include <string>

#include "engine/model/contact.h"
#include "engine/model/model.h"

namespace slipstick {

/// A body, or a deformable.
struct PairSide {
  int body = -1;        ///< index into Model::tree.bodies; −1: a deformable
  int deformable = -1;  ///< index into Model::deformables; −1: a body

  bool isRigid() const { return body >= 0; }
  bool isSoft() const { return deformable >= 0; }
  friend auto operator<=>(const PairSide&, const PairSide&) = default;
};

/// Of the body or deformable.
const std::string& fullNameOf(const Model& model, const PairSide& side);

inline PairSide sideOf(const ContactSide& side) {
  return {side.body, side.deformable};
}

/// What touches, in a fixed order: two bodies, a body and a deformable, two deformables, or one with itself.
struct ContactPair {
  /// The side whose force is shown. Of two bodies the one that can move; where both can, the one that comes
  /// later in the scene, for people stack upwards, and so of two deformables; of a body and a deformable the body.
  PairSide a;
  PairSide b;  ///< the other side

  ContactPair() = default;
  ContactPair(const PairSide& first, const PairSide& second) : a(first), b(second) {}
  bool isRigid() const { return a.isRigid() && b.isRigid(); }  ///< two bodies
  bool isSoft() const { return a.isSoft() && b.isSoft(); }     ///< two deformables, or one with itself
  bool isSelf() const { return a == b; }
  bool has(const PairSide& side) const { return a == side || b == side; }
  bool hasBody(int body) const { return has({body, -1}); }
  bool hasDeformable(int deformable) const { return has({-1, deformable}); }
  friend auto operator<=>(const ContactPair&, const ContactPair&) = default;
};

/// Whether a body is free to move in any way; false for the world and all that is fixed to it.
bool canMove(const Model& model, int body);

/// Of two sides in any order.
ContactPair pairOf(const Model& model, const PairSide& first, const PairSide& second);
ContactPair pairOf(const Model& model, const Contact& contact);

/// −1 where it is side b of the contact: its force is the negative of Contact::f_Bc_W. Of a contact of a deformable with
/// itself the force is that on the element of side a.
inline double signOn(const PairSide& side, const Contact& contact) {
  return side == sideOf(contact.a) ? 1 : -1;
}

}  // namespace slipstick
