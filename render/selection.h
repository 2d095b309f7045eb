// What a person pointed at: nothing, or one thing of one kind. Who treats kinds differently visits it with a function
// for each (Overloaded), so that the compiler names every place that a new kind must serve.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "engine/facts/contact_pair.h"
#include "engine/foundation/overloaded.h"

namespace slipstick::render {

struct NothingSelected {
  bool operator==(const NothingSelected&) const = default;
};
/// Into the bodies of Model::tree; 0 is the world.
struct SelectedBody {
  std::int32_t index = 0;
  bool operator==(const SelectedBody&) const = default;
};
/// Into Model::robots.
struct SelectedRobot {
  std::int32_t index = 0;
  bool operator==(const SelectedRobot&) const = default;
};
/// Into Model::deformables.
struct SelectedDeformable {
  std::int32_t index = 0;
  bool operator==(const SelectedDeformable&) const = default;
};
/// Into Model::boundaries.
struct SelectedBoundary {
  std::int32_t index = 0;
  bool operator==(const SelectedBoundary&) const = default;
};
/// Into Model::loops.
struct SelectedLoop {
  std::int32_t index = 0;
  bool operator==(const SelectedLoop&) const = default;
};

/// A pair is all that acts between two sides.
using Selection = std::variant<NothingSelected, SelectedBody, SelectedRobot, SelectedDeformable,
                               SelectedBoundary, SelectedLoop, ContactKey, ContactPair>;

/// The index of the selected thing where it is of this kind.
template <class Kind>
std::optional<std::int32_t> indexOf(const Selection& selection) {
  const auto* thing = std::get_if<Kind>(&selection);
  return thing ? std::optional(thing->index) : std::nullopt;
}

}  // namespace slipstick::render
