// The numbers that a person may change while it runs, as the scene's file writes them. What follows from them
// is in laws.h; their names, units and ranges are in parameters.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/model/material.h"
#include "engine/model/scene.h"

namespace slipstick {

/// Numbers of one controller; those that its kind does not have stay as they are.
struct ControllerNumbers {
  PdGains gains = {};   ///< lists as written: one gain for all joints, one per joint, or none (grippers)
  double effort = 0;    ///< joint_effort, gripper [N m] or [N]
  double velocity = 0;  ///< joint_velocity [rad/s] or [m/s]
};

/// Numbers of one joint, see multibody::Joint.
struct JointNumbers {
  double damping = 0;
  double dryFriction = 0;
  double stiffness = 0;
  double springReference = 0;
};

/// A number of a method's own, see MethodSetting.
struct MethodNumber {
  std::string path;  ///< "solver.<method>.<key>"
  double value = 0;
  double usual = 0;  ///< where a scene says nothing
};

struct Tuning {
  Vec3 gravity = {0, 0, -9.81};                 ///< [m/s²]
  double cfl = 0.5;                             ///< C in δt ≤ C h / c_max [-]
  double stictionSpeed = 1e-3;                  ///< v_s of particle contacts [m/s]
  double stictionSoftness = kStictionSoftness;  ///< σ of particle contacts [-]
  ContactTolerances solver;
  RigidTolerances rigidSolver;
  std::vector<MaterialParameters>
      materials;                    ///< per Model::materials; model, density, thickness never change
  std::vector<double> apicDamping;  ///< per deformable
  /// Per Model::contactPlaces, the scene's default first; `enabled` and `representation` never change.
  std::vector<ContactSpec> contact = {ContactSpec{}};
  std::vector<std::optional<double>> pairFriction;     ///< per pair rule: μ, where it names one
  std::vector<std::optional<double>> pairRestitution;  ///< per pair rule: e, where it names one
  std::vector<double> boundaryFriction;                ///< per boundary
  std::vector<ControllerNumbers> controllers;          ///< per controller
  std::vector<JointNumbers> joints;                    ///< per joint of the tree
  std::vector<MethodNumber> own;                       ///< per row of AllMethodRows::settings()
};

/// Of every number (bit patterns, fixed order); of methods' own only those that are not as usual, by name: what another method
/// adds changes no hash.
std::uint64_t hashOf(const Tuning& tuning);

}  // namespace slipstick
