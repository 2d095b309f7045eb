#include "ui/pin.h"

#include <algorithm>

namespace slipstick::ui {
namespace {

/// −1 where the model has none of its name.
int bodyIn(const Model& model, int body, const Model& before) {
  return model.findBody(before.tree.bodies[static_cast<std::size_t>(body)].name);
}

int deformableIn(const Model& model, int deformable, const Model& before) {
  const std::string& name = before.deformables[static_cast<std::size_t>(deformable)].name;
  const auto found = std::find_if(model.deformables.begin(), model.deformables.end(),
                                  [&name](const Deformable& d) { return d.name == name; });
  return found == model.deformables.end() ? -1 : static_cast<int>(found - model.deformables.begin());
}

/// None where the model has none of its name.
std::optional<PairSide> sideIn(const Model& model, const PairSide& side, const Model& before) {
  const PairSide same = side.isRigid() ? PairSide{bodyIn(model, side.body, before), -1}
                                       : PairSide{-1, deformableIn(model, side.deformable, before)};
  return same.isRigid() || same.isSoft() ? std::optional(same) : std::nullopt;
}

std::optional<ContactPair> pairIn(const Model& model, const ContactPair& pair, const Model& before) {
  const auto a = sideIn(model, pair.a, before), b = sideIn(model, pair.b, before);
  return a && b ? std::optional(ContactPair{*a, *b}) : std::nullopt;
}

}  // namespace

std::optional<Pin> pinIn(const Model& model, const Pin& pin, const Model& before) {
  Pin same = pin;
  if (pin.kind == Pin::Kind::Contact) return std::nullopt;
  if (pin.kind == Pin::Kind::Pair) {
    const std::optional<ContactPair> pair = pairIn(model, pin.pair, before);
    if (!pair) return std::nullopt;
    same.pair = *pair;
    return same;
  }
  const bool joint = pin.kind == Pin::Kind::Joint;  // the joint of body b is b − 1
  same.index = bodyIn(model, joint ? pin.index + 1 : pin.index, before);
  if (same.index < (joint ? 1 : 0)) return std::nullopt;
  same.index -= joint ? 1 : 0;
  return same;
}

}  // namespace slipstick::ui
