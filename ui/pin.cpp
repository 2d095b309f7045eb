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

std::optional<ContactPair> pairIn(const Model& model, const ContactPair& pair, const Model& before) {
  ContactPair same;
  same.body = bodyIn(model, pair.body, before);
  if (pair.deformable >= 0) same.deformable = deformableIn(model, pair.deformable, before);
  if (pair.otherBody >= 0) same.otherBody = bodyIn(model, pair.otherBody, before);
  if (same.body < 0 || (same.deformable < 0 && same.otherBody < 0)) return std::nullopt;
  return same;
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
