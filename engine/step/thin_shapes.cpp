#include "engine/step/thin_shapes.h"

#include <algorithm>

#include "engine/facts/health_note.h"

namespace slipstick {

namespace {

/// Of a contact that has passed the middle.
HealthNote noteOf(const Model& model, const TouchImpulse& contact) {
  const Geometry& geometry = model.geometries[static_cast<std::size_t>(contact.geometry)];
  const auto deformable = model.deformableOf(static_cast<std::size_t>(contact.particle));
  return {Health::TooThin,
          geometry.body,
          -1,
          static_cast<std::int32_t>(deformable),
          contact.beyondMiddle * contact.middle,
          contact.middle};
}

}  // namespace

void addThinShapes(const Model& model, const std::vector<TouchImpulse>& contacts,
                   std::vector<HealthNote>& notes) {
  for (const TouchImpulse& contact : contacts) {
    if (!(contact.beyondMiddle > 1)) continue;
    const HealthNote note = noteOf(model, contact);
    const auto known =
        std::find_if(notes.begin(), notes.end(), [&](const HealthNote& n) { return isSamePair(n, note); });
    if (known == notes.end())
      notes.push_back(note);
    else if (note.value * known->limit > known->value * note.limit)
      *known = note;
  }
}

}  // namespace slipstick
