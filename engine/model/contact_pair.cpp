#include "engine/model/contact_pair.h"

namespace slipstick {

bool canMove(const Model& model, int body) {
  const auto b = static_cast<std::size_t>(body);
  return b < model.compositeOf.size() ? model.compositeOf[b] != 0 : body != 0;
}

ContactPair pairOf(const Model& model, const Contact& contact) {
  if (!contact.isRigid()) return {contact.body, -1, contact.deformable};
  const bool first = canMove(model, contact.body), second = canMove(model, contact.otherBody);
  const bool keep = first != second ? first : contact.body > contact.otherBody;
  return keep ? ContactPair{contact.body, contact.otherBody, -1}
              : ContactPair{contact.otherBody, contact.body, -1};
}

}  // namespace slipstick
