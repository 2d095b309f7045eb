// What a joint transmits: the reading of a force/torque sensor in it.
#pragma once

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

/// Force and torque that the parent's side exerts through a joint on the child and all that hangs on it, mean
/// over the step from `before` to `after`; torque about the child's origin (URDF link frame) at the step's
/// end, W axes.
///   F = Δp/Δt − Σ m g − Σ f_contact,   T = ΔL/Δt − Σ r × m g − Σ (τ + r × f)_contact
/// with the momentum p, L of those bodies; exact at rest, else to O(Δt). Whatever else acts on them is
/// contained with it: loops to other bodies, a scene's link forces, a person's pull. The inertia of the rotor
/// (armature) counts as the joint's own.
/// @param model  of both steps, which follow each other   @param gravity  in force in between [m/s²]
/// @param joint  index into Model::tree.joints   @return [N], [N m]
Wrench jointWrench(const Model& model, const Vec3& gravity, const StepFacts& before, const StepFacts& after,
                   int joint);

}  // namespace slipstick
