// What the step works with: what follows from the numbers of a Tuning.
#pragma once

#include <vector>

#include "engine/geometry/contact_shape.h"
#include "engine/model/tuning.h"

namespace slipstick {

struct Model;

/// Contact law of one (deformable, geometry) pair, ready for the solver.
struct ContactLaw {
  bool enabled = true;
  double friction = 0;     ///< μ [-]
  double stiffness = 0;    ///< k per particle [N/m]
  double dissipation = 0;  ///< d [s/m]
};

/// μ of surfaces of which nobody says it.
inline constexpr double kDefaultFriction = 0.5;

/// Gains and limit of a controller's joints.
struct ServoLaw {
  std::vector<double> kp, kd;                                    ///< per joint
  double effortLimit = std::numeric_limits<double>::infinity();  ///< besides those of the joints; a gripper's
};

struct Laws {
  std::vector<ContactLaw> contact;          ///< [deformable · geometries + geometry]
  std::vector<SurfaceProperties> surfaces;  ///< per geometry, towards rigid ones
  std::vector<double> friction;             ///< per geometry: μ of its surface
  std::vector<double> restitution;          ///< per geometry: e of its surface, towards rigid ones
  std::vector<ServoLaw> servos;  ///< per controller; empty lists of those that drive no joint by PD
};

/// What all places of a geometry say together: the first that names a number decides, `friction` and the like
/// each for itself, `stiffness` and `stiffnessFactor` together.
/// @param places  into Tuning::contact, from the geometry outwards; the scene's default follows by itself
ContactSpec contactOf(const Tuning& tuning, const std::vector<int>& places);

/// One gain per joint from a list of one or of as many.
std::vector<double> perJoint(const std::vector<double>& gains, std::size_t joints);

/// Gains that suit the effort of a gripper, where none are given: stiff against its travel, and critically
/// damped or more for fingers of up to kp (10 ms)².
PdGains gripperGains(const Model& model, const std::vector<int>& joints, double effort, PdGains gains);

/// Sizes and ranges of the tuning as in the model and its table of parameters. Stiffness towards particles
/// that nobody names is κ E d_p, of a liquid κ K d_p: independent of the resolution.
Laws lawsOf(const Model& model, const Tuning& tuning);

}  // namespace slipstick
