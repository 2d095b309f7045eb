// How a contact force feels in the hand.
#pragma once

namespace slipstick::app {

/// The force that is just felt, and the one from which it grows no more [N].
inline constexpr double kLeastFelt = 0.5, kMaxFelt = 50;

/// How strongly a gamepad shakes at a contact force: 0 below kLeastFelt; from there on 0.1, where small motors start to turn,
/// up to 1 at kMaxFelt, growing by equal amounts for equal ratios of force, as a hand feels it.
/// In steps of 1/32, so that a force that hardly changes asks nothing new of the motor.
/// @param force  norm of the contact force [N]; what is no number counts as 0
double rumbleOf(double force);

}  // namespace slipstick::app
