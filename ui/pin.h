// What a person keeps an eye on, whatever is selected: on top of the contacts table, and plotted.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "engine/facts/contact_pair.h"

namespace slipstick::ui {

struct Pin {
  enum class Kind : std::uint8_t { Contact, Pair, Body, Joint };
  Kind kind = Kind::Pair;
  ContactKey contact;       ///< Kind::Contact
  ContactPair pair;         ///< of a contact, too
  std::int32_t index = -1;  ///< of a body, or of a joint with one degree of freedom, in Model::tree
  QString label;            ///< "roller ↔ dough", "gripper.finger": for people

  bool isContact() const { return kind == Kind::Contact || kind == Kind::Pair; }
  bool operator==(const Pin& other) const {
    return kind == other.kind && index == other.index &&
           (kind != Kind::Contact || contact == other.contact) && (!isContact() || pair == other.pair);
  }
};

/// The same by name in another model; none where that has it not, or where it is a single contact: what
/// touches there has other numbers.
/// @param before  that the pin's indices refer to
std::optional<Pin> pinIn(const Model& model, const Pin& pin, const Model& before);

}  // namespace slipstick::ui
