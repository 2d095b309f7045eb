// Whose contacts are drawn: those of the body that a person cares about. Part of buildFrame().
#pragma once

#include <vector>

#include "render/frame.h"

namespace slipstick::render {

/// Bodies that a controller or a path moves, directly or through joints and loops, by index.
std::vector<bool> drivenBodies(const Model& model);

/// The pairs that are shown, by falling |force|, each with the force on the side that is meant:
/// - of the selected body, robot or deformable: its own;
/// - with ViewOptions::everyContact: all, on the side that ContactPair names;
/// - otherwise those of the bodies that are driven; in a model without any, of those that can move, and between
///   deformables; without any of those, all. The selected pair, or that of the selected contact, is always one of them.
std::vector<PairForce> shownPairs(const FrameInput& input);

/// The pair that is selected, or that of the selected contact while that lasts.
std::optional<ContactPair> selectedPair(const FrameInput& input);

}  // namespace slipstick::render
