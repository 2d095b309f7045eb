// What a person keeps an eye on, whatever is selected: on top of the contacts table, and plotted.
#pragma once

#include <QString>
#include <cstdint>

#include "engine/model/contact_pair.h"

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

}  // namespace slipstick::ui
