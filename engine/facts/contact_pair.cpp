#include "engine/facts/contact_pair.h"

namespace slipstick {

bool canMove(const Model& model, int body) {
  const auto b = static_cast<std::size_t>(body);
  return b < model.compositeOf.size() ? model.compositeOf[b] != 0 : body != 0;
}

const std::string& fullNameOf(const Model& model, const PairSide& side) {
  if (side.isRigid()) return model.tree.bodies[static_cast<std::size_t>(side.body)].name;
  return model.deformables[static_cast<std::size_t>(side.deformable)].name;
}

ContactPair pairOf(const Model& model, const PairSide& first, const PairSide& second) {
  bool keep = first.isRigid();
  if (first.isRigid() && second.isRigid()) {
    const bool firstMoves = canMove(model, first.body), secondMoves = canMove(model, second.body);
    keep = firstMoves != secondMoves ? firstMoves : first.body > second.body;
  } else if (first.isSoft() && second.isSoft()) {
    keep = first.deformable > second.deformable;
  }
  return keep ? ContactPair{first, second} : ContactPair{second, first};
}

ContactPair pairOf(const Model& model, const Contact& contact) {
  return pairOf(model, sideOf(contact.a), sideOf(contact.b));
}

}  // namespace slipstick
