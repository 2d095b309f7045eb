// Which things are shown: what a person hides, shows again, or leaves alone in the picture.
#pragma once

#include <optional>
#include <vector>

#include "engine/model/looks.h"
#include "render/view.h"

namespace slipstick::ui {

class Session;

/// What a selection names, where it is one thing that has a look: neither a contact, a pair nor a loop.
std::optional<ThingName> thingOf(const Model& model, const render::Selection& selection);
/// A robot's link, or the robot where it has no other.
ThingName thingOfBody(const Model& model, int body);

/// Hides what is shown, shows what is hidden. Undoable, as all of this.
void toggleVisible(Session& session, const std::vector<ThingName>& things);
/// Of the selection; says in the log where there is none.
void toggleSelectionVisible(Session& session);
void hideAllButSelection(Session& session);
void showEverything(Session& session);

}  // namespace slipstick::ui
