// Which things are shown: what a person hides, shows again, or leaves alone in the picture.
#pragma once

#include <vector>

#include "engine/facts/looks.h"

namespace slipstick::ui {

class Session;

/// A robot's link, or the robot where it has no other.
ThingName thingOfBody(const Model& model, int body);

/// Hides what is shown, shows what is hidden. Undoable, as all of this.
void toggleVisible(Session& session, const std::vector<ThingName>& things);
/// Of the selection; says in the log where there is none.
void toggleSelectionVisible(Session& session);
void hideAllButSelection(Session& session);
void showEverything(Session& session);

}  // namespace slipstick::ui
