// From the numbers of a tuning to all that follows from them in a model.
#pragma once

#include <memory>

#include "engine/geometry/contact_shape.h"
#include "engine/model/model.h"

namespace slipstick {

/// Sets everything in the model that follows from model.tuning: materials, laws of contact, gains, gravity,
/// tolerances. The compiler's last word, and what a step reads after a number has changed: so a changed
/// number acts as if the scene had been written with it.
void applyTuning(Model& model);

/// What a joint has of its own, and back: part of what applyTuning() does.
JointNumbers numbersOf(const multibody::Joint& joint);
void applyToJoints(const Tuning& tuning, Model& model);

/// The model with other numbers; indices, names and shapes are the same.
std::shared_ptr<const Model> tunedModel(const Model& model, const Tuning& tuning);

/// A shape as rigid contact sees it, larger by 1 nm: things that are placed so that they just touch are then
/// in contact, whichever way rounding goes.
Result<std::shared_ptr<const ContactShape>> buildContactShape(const Shape& shape,
                                                              const SurfaceProperties& surface);

}  // namespace slipstick
