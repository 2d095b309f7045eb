// The scene of the method's tests: one box comes to another and pushes it on, and a ball flies beside them.
#pragma once

namespace slipstick::drifting {

/// The tetrahedra are within reach of each other from 0.08 s to 0.17 s.
inline constexpr const char* kScene = R"(title: two boxes and a ball drift
time: {dt_ms: 5, duration: 0.3}
gravity: [0, 0, 0]
grid: {spacing: 0.05}
solver: {method: drifting, drifting: {reach: 0.15}}
materials:
  gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}
deformables:
  left: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [-0.15, 0, 0.3], velocity: [0.5, 0, 0], sampling: {count: [2, 2, 2]}}
  right: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0.1, 0, 0.3], sampling: {count: [2, 2, 2]}}
bodies:
  ball: {base: free, mass: 0.5, position: [0.4, 0, 0.3], velocity: [0, 0.5, 0], angular_velocity: [0, 0, 2], shapes: [{shape: sphere, radius: 0.05}]}
)";
/// Of each of its tetrahedra [kg].
inline constexpr double kMass = 1000 * 0.001 / 3;

}  // namespace slipstick::drifting
