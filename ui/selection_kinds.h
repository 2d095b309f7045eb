// What the window has of each kind of thing that can be selected. The table is in selection_kinds.cpp, a row per kind; what
// a picture has of them is in render/.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "engine/facts/looks.h"
#include "engine/model/model.h"
#include "render/selection.h"
#include "ui/parameter_rows.h"
#include "ui/plot.h"

namespace slipstick::ui {

/// In full, for a pair of both sides; empty of nothing and of a single contact.
std::string nameOf(const Model& model, const render::Selection& selection);
/// That it has in the tree of the scene, see icons.h; empty of what is not in there.
QString iconOf(const Model& model, const render::Selection& selection);
/// What is plotted of it when it is dragged as a whole; of the scene where nothing is selected.
/// @param bodyLabels  what people call each body
std::vector<Plot> plotsOf(const Model& model, const render::Selection& selection,
                          const std::vector<QString>& bodyLabels);
/// The numbers that belong to it; of the scene where nothing is selected. A thing without numbers has no groups.
std::vector<ParameterGroup> parametersOf(const Model& model, const render::Selection& selection);
/// Whose look it has: nothing of the world, a contact, a pair and a loop.
std::optional<ThingName> thingOf(const Model& model, const render::Selection& selection);
/// Whether it comes and goes by itself: no link, boundary or loop does without the rest of it.
bool canBeRemoved(const Model& model, const render::Selection& selection);

}  // namespace slipstick::ui
