// Scene → Model in stages; each stage is one function that checks and fills its part. Internal to compile().
#pragma once

#include <string>
#include <vector>

#include "engine/model/model.h"

namespace slipstick {

/// What the stages share: the scene, the model that grows, and the notices.
struct Compilation {
  const Scene& scene;
  Model model;
  std::vector<Notice> notices;
  std::vector<char> geometryIsAuthored;  ///< per geometry: written in the scene itself, not in a robot's file

  explicit Compilation(const Scene& s) : scene(s) {}

  /// "dough.yaml, material 'dough'"
  std::string where(const std::string& element) const;
  Error invalid(const std::string& element, const std::string& what, const std::string& remedy) const;
  Error unknown(const std::string& element, const std::string& kind, const std::string& name,
                const std::vector<std::string>& candidates) const;
  void notice(const std::string& element, const std::string& what) {
    notices.push_back({Notice::Level::Warning, where(element), what});
  }
  /// The first row of the table of parameters that the tuning breaks, as an error about `element`, or about
  /// the row's own key where it is empty.
  Result<void> checkNumbers(const std::string& element, ParameterBlock block, std::size_t index = 0) const;
  /// What all places of a geometry say of its contact.
  ContactSpec contactOf(std::size_t geometry) const {
    return slipstick::contactOf(model.tuning, model.geometries[geometry].contactPlaces);
  }
  Result<int> findBody(const std::string& element, const std::string& name) const;
  Result<int> findRobot(const std::string& element, const std::string& name) const;
  Result<int> findPath(const std::string& element, const std::string& name) const;
  /// @param robot  index into Model::robots
  Result<int> findJoint(const std::string& element, int robot, const std::string& joint) const;
};

/// "12.3 mm"
std::string millimetres(double metres);

Result<void> compileSettings(Compilation& c);     ///< time, solver, gravity, grid, cameras
Result<void> compileRobots(Compilation& c);       ///< tree, robots, initialQ, initialV
Result<void> compileShapes(Compilation& c);       ///< geometries, visuals
Result<void> compileDeformables(Compilation& c);  ///< materials, deformables, particles
Result<void> compileBoundaries(Compilation& c);   ///< after paths
Result<void> compileContactLaws(Compilation& c);
/// Pair rules that name a deformable, over the contact laws.
Result<void> applyDeformableRules(Compilation& c);
/// Surfaces of rigid contact and the pairs that meet; after loops and the start pose.
Result<void> compileRigidContact(Compilation& c);
Result<void> compilePaths(Compilation& c);
Result<void> compileLoops(Compilation& c);
Result<void> compileControllers(Compilation& c);
/// Moves every robot that follows an end-effector path to the path's first pose.
Result<void> compileStartPose(Compilation& c);
/// Notices for particles that start inside rigid geometry and loops that start apart.
Result<void> inspectStart(Compilation& c);

}  // namespace slipstick
