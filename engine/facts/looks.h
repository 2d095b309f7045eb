// How things are shown: whether, and in which colour. It never changes what they do.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/model/model.h"

namespace slipstick {

enum class ThingKind { Robot, Link, Deformable, Boundary };

/// What a look belongs to, by a name that outlives edits of the scene.
struct ThingName {
  ThingKind kind = ThingKind::Robot;  ///< Robot: also a plain body
  std::string name;                   ///< of a link in full: "robot.link"
  auto operator<=>(const ThingName&) const = default;
};

/// Looks that a person gave, each in place of what the scene says of that thing.
using LookEdits = std::map<ThingName, LookSpec>;

/// What a scene says; the usual look where it says nothing or has no such thing. The colour of a deformable is
/// always there.
LookSpec lookOf(const Scene& scene, const ThingName& thing);
/// Does nothing where the scene has no such thing.
void setLook(Scene& scene, const ThingName& thing, const LookSpec& look);

/// How everything of a model is shown.
struct Looks {
  /// Per body: that of its link over that of its robot; hidden where either is. Fewer: the rest as usual.
  std::vector<LookSpec> bodies;
  std::vector<LookSpec> deformables, boundaries;
  bool operator==(const Looks&) const = default;

  const LookSpec& body(int index) const { return at(bodies, index); }
  const LookSpec& deformable(int index) const { return at(deformables, index); }
  const LookSpec& boundary(int index) const { return at(boundaries, index); }

 private:
  static const LookSpec& at(const std::vector<LookSpec>& looks, int index);
};

Looks looksOf(const Model& model, const LookEdits& edits = {});

}  // namespace slipstick
