// <actuator> of an MJCF file: what motors and servos do to joints. Forces of an actuator with a gear g on a joint:
// g (gain · control + b₀ + b₁ g q + b₂ g q̇), as in MuJoCo's reference on actuators.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "assets/mjcf_tree.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// One that acts on a joint with one degree of freedom.
struct MjcfActuator {
  std::string name, tag;
  int joint = 0;            ///< into MjcfTree::joints
  std::size_t control = 0;  ///< its place among all controls of the file
  double gear = 1;
  double gain = 1;
  std::array<double, 3> bias = {0, 0, 0};  ///< b₀, b₁, b₂
  double dampingRatio = 0;                 ///< in place of b₂; 0: not asked for
  std::optional<std::pair<double, double>> controlRange;
  multibody::EffortRange force;  ///< before the gear
};

/// Reads them, adds their rotors and dampers to the joints and bounds the joints' efforts. What is not simulated is named,
/// and what stands at its control of 0 is listed.
Result<std::vector<MjcfActuator>> readMjcfActuators(MjcfDocument& document, MjcfTree& tree);

/// Stiffness and damping of joints that ask for a time constant and a damping ratio; to be called once masses and rotors
/// are known.
void settleMjcfSprings(MjcfTree& tree);

/// What the actuators do at constant controls, as controllers: joints with a servo are driven by PD.
/// @param controls  as far as they are given; 0 beyond
std::vector<ControllerSpec> mjcfControllers(const MjcfTree& tree, const std::vector<MjcfActuator>& actuators,
                                            const std::vector<double>& controls, const std::string& robot);

}  // namespace slipstick::assets
