// Scene → Model in stages; each stage is one function that checks and fills its part. Internal to compile().
#pragma once

#include <string>
#include <vector>

#include "engine/compile/compile.h"
#include "engine/model/model.h"

namespace slipstick {

/// What an error or a notice is about: in words, and by the key that the scene has for it.
struct Element {
  std::string name;  ///< "deformable 'ball'"
  std::string key;   ///< "deformables.ball"

  /// The same thing, at a key below its own: where a value stands that is wrong.
  Element at(const std::string& below) const { return {name, key + "." + below}; }
  /// A part of it that the scene has no key for: a link of a robot's file.
  Element part(const std::string& words) const { return {name + ", " + words, key}; }
};

/// Of a deformable, of a robot or body, and of what else is named in a block of its own: { "path 'lift'", "paths.lift" }.
Element elementOf(const DeformableSpec& deformable);
Element elementOf(const RobotSpec& robot);
Element elementOf(const std::string& kind, const std::string& block, const std::string& name);
/// Of an entry of a list: { "controller 2", "controllers.2" }.
Element elementOf(const std::string& kind, const std::string& list, std::size_t index);

/// What the stages share: the scene, the model that grows, and the notices.
struct Compilation {
  const Scene& scene;
  const CompileOptions& options;
  Model model;
  std::vector<Notice> notices;
  std::vector<char> geometryIsAuthored;  ///< per geometry: written in the scene itself, not in a robot's file

  Compilation(const Scene& s, const CompileOptions& o) : scene(s), options(o) {}

  /// "dough.yaml:12, material 'dough'"
  std::string where(const Element& element) const;
  Error invalid(const Element& element, const std::string& what, const std::string& remedy) const;
  Error unknown(const Element& element, const std::string& kind, const std::string& name,
                const std::vector<std::string>& candidates) const;
  /// Says what is done, and asks whether to go on. @param fraction  of this stage; below 0: unknown
  bool goesOn(const std::string& what, double fraction = -1) const;
  /// What a stage returns that was told not to go on.
  Error cancelled() const { return cancelledLoad(where({"", ""})); }
  void notice(const Element& element, const std::string& what) {
    notices.push_back({Notice::Level::Warning, where(element), what});
  }
  /// The first row of the table of parameters that the tuning breaks, as an error about `element`, or about
  /// the row's own key where its name is empty.
  Result<void> checkNumbers(const Element& element, ParameterBlock block, std::size_t index = 0) const;
  /// What all places of a geometry say of its contact.
  ContactSpec contactOf(std::size_t geometry) const {
    return slipstick::contactOf(model.tuning, model.geometries[geometry].contactPlaces);
  }
  Result<int> findBody(const Element& element, const std::string& name) const;
  Result<int> findRobot(const Element& element, const std::string& name) const;
  Result<int> findPath(const Element& element, const std::string& name) const;
  /// @param robot  index into Model::robots
  Result<int> findJoint(const Element& element, int robot, const std::string& joint) const;
};

/// Of a collision shape: { "shape 'table.top'", "bodies.table.shapes.top" }, or of the robot that it is part of.
Element shapeElement(const Compilation& c, const Geometry& geometry);

/// "12.3 mm"
std::string millimetres(double metres);

Result<void> compileSettings(Compilation& c);  ///< time, solver, gravity, grid
/// What methods add, and the numbers that the scene sets for them; part of compileSettings.
Result<void> compileMethodSettings(Compilation& c);
Result<void> compileCameras(Compilation& c);      ///< after what may carry them
Result<void> compileSensors(Compilation& c);      ///< after all that they may measure
Result<void> compileRobots(Compilation& c);       ///< tree, robots, initialQ, initialV
Result<void> setInitialState(Compilation& c);     ///< initialQ, initialV; part of compileRobots
Result<void> compileShapes(Compilation& c);       ///< geometries, visuals
Result<void> compileDeformables(Compilation& c);  ///< materials, deformables, particles
Result<void> compileBoundaries(Compilation& c);   ///< after paths
Result<void> compileContactLaws(Compilation& c);
/// Pair rules that name a deformable, over the contact laws.
Result<void> applyDeformableRules(Compilation& c);
/// The movable 1-DoF joints between a robot's root and a body, from the root on; none that follows another.
std::vector<int> jointsTo(const multibody::Tree& tree, int root, int body);
/// Every joint of a robot with one degree of freedom that does not follow another.
std::vector<int> drivableJoints(const Model& model, int robot);
/// Surfaces of rigid contact and the pairs that meet; after loops and the start pose.
Result<void> compileRigidContact(Compilation& c);
Result<void> compilePaths(Compilation& c);
Result<void> compileLoops(Compilation& c);
Result<void> compileControllers(Compilation& c);
Result<void> compileEffectors(Compilation& c);
/// Moves every robot that follows an end-effector path to the path's first pose.
Result<void> compileStartPose(Compilation& c);
/// Where the drawn ground lies; after the start pose.
Result<void> compileGround(Compilation& c);
/// What a person is asked to do, and its tests; after all that has observables.
Result<void> compileTask(Compilation& c);
/// Notices for particles that start inside rigid geometry and loops that start apart.
Result<void> inspectStart(Compilation& c);

}  // namespace slipstick
