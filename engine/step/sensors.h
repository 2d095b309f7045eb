// What the sensors of a scene read, from the facts of two steps.
#pragma once

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

/// Fills snapshot.sensors, in the order of Model::sensors, from all else that the snapshot says of its step.
/// ForceTorque: jointWrench() about the sensor's origin, at the step's end. Contact: what touches the body, at the step's
/// start, where contacts are. Imu: (v⁺ − v)/Δt − g of the sensor's origin, and its angular velocity at the end.
/// @param model   with the gravity in force
/// @param before  time, poses and velocities at the step's start
void readSensors(const Model& model, const StepFacts& before, Snapshot& snapshot);

}  // namespace slipstick
