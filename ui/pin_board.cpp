#include "ui/pin_board.h"

#include "render/contact_facts.h"
#include "render/selection_names.h"
#include "ui/plot_list.h"

namespace slipstick::ui {

PinBoard::PinBoard(const ShownMoment& moment, const BodyNames& names, const Focus& focus, PlotList& plots,
                   Messages& messages)
    : moment_(moment), names_(names), focus_(focus), plots_(plots), messages_(messages) {}

void PinBoard::follow(const Model& before) {
  if (pins_.empty()) return;
  std::vector<Pin> kept;
  for (const Pin& pin : pins_)
    if (const std::optional<Pin> same = pinIn(*moment_.model(), pin, before)) kept.push_back(*same);
  pins_ = std::move(kept);
  plots_.follow(pins_, *moment_.model());
  Q_EMIT pinsChanged();
}

void PinBoard::togglePin(const Pin& pin) {
  if (std::erase(pins_, pin) == 0) pins_.push_back(pin);
  plots_.follow(pins_, *moment_.model());
  Q_EMIT pinsChanged();
}

void PinBoard::pinByName(const QString& name) {
  if (!moment_.model()) return;
  const Result<render::Selection> named = render::selectionNamed(*moment_.model(), name.toStdString());
  if (!named) return messages_.failed(named.error());
  const std::optional<Pin> pin = pinOf(*named);
  if (!pin)
    return messages_.failed(Error{ErrorCode::UnknownName, "this cannot be pinned", name.toStdString(),
                                  "name a body, or a pair A+B"});
  togglePin(*pin);
}

std::optional<Pin> PinBoard::pinOf(const render::Selection& selection) const {
  const auto shown = moment_.shown();
  Pin pin;
  const auto* key = std::get_if<ContactKey>(&selection);
  const int contact = key ? render::findContact(*shown, *key) : -1;
  if (contact >= 0) {
    pin.kind = Pin::Kind::Contact;
    pin.contact = *key;
    pin.pair = render::pairOf(*moment_.model(), shown->contacts[static_cast<std::size_t>(contact)]);
    pin.label = tr("contact %1").arg(names_.pairLabel(pin.pair));
  } else if (const auto* pair = std::get_if<ContactPair>(&selection)) {
    pin.pair = *pair;
    pin.label = names_.pairLabel(pin.pair);
  } else if (const auto body = render::indexOf<render::SelectedBody>(selection)) {
    pin.kind = Pin::Kind::Body;
    pin.index = *body;
    pin.label = names_.bodyLabels()[static_cast<std::size_t>(pin.index)];
  } else {
    return std::nullopt;
  }
  return pin;
}

std::optional<Pin> PinBoard::selectedJointAsPin() const {
  const render::Selection& selection = focus_.selection();
  const std::int32_t body = render::indexOf<render::SelectedBody>(selection).value_or(0);
  if (body < 1) return std::nullopt;
  const std::int32_t joint = body - 1;  // the joint of body b is b − 1
  const multibody::Joint& j = moment_.model()->tree.joints[static_cast<std::size_t>(joint)];
  if (multibody::velocityCount(j.type) != 1) return std::nullopt;
  Pin pin;
  pin.kind = Pin::Kind::Joint;
  pin.index = joint;
  pin.label = QString::fromStdString(j.name);
  return pin;
}

}  // namespace slipstick::ui
