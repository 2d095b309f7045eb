// What happened between two steps of a run, in words.
#pragma once

#include <QStringList>

#include "engine/runtime/columns.h"

namespace slipstick::ui {

/// Pairs that begin or cease to touch, and those that begin to slip, in the steps [from, to), in their order:
/// "0.84 s: roller slips on dough".
/// @param dt  of a step [s]
QStringList eventsBetween(const RunColumns& run, std::uint64_t from, std::uint64_t to, double dt);

}  // namespace slipstick::ui
