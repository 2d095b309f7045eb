// The compiled scene: immutable, indexed, checked. Shared by all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"
#include "engine/model/discretization.h"
#include "engine/model/effector.h"
#include "engine/model/laws.h"
#include "engine/model/material.h"
#include "engine/model/parameters.h"
#include "engine/model/scene.h"
#include "engine/model/tuning.h"
#include "engine/multibody/tree.h"

namespace slipstick {

struct Snapshot;      // engine/model/snapshot.h
class AllMethodRows;  // engine/model/method_rows.h
struct MethodRows;
class Collision;  // engine/geometry/collision.h
class SdfGrid;    // engine/geometry/sdf_grid.h

/// A rigid shape that particles and other rigid shapes touch.
struct Geometry {
  std::string name;
  int body = 0;  ///< index into Model::tree.bodies
  Pose X_BG;
  Shape shape = shape::Sphere{};
  std::shared_ptr<const SdfGrid> sdf;  ///< meshes only
  /// Towards other rigid shapes; null: passes through them.
  std::shared_ptr<const ContactShape> contactShape;
  double friction = 0;     ///< μ of the surface towards rigid shapes [-]
  double restitution = 0;  ///< e of the surface towards rigid shapes [-]
  /// Into Model::contactPlaces: where its contact is written, from the shape outwards, without the scene's
  /// default.
  std::vector<int> contactPlaces = {};
};

/// A shape that people see.
struct Visual {
  std::string name;
  int body = 0;
  Pose X_BV;
  Shape shape = shape::Sphere{};
  Color color = {0.7f, 0.7f, 0.72f, 1};
  Finish finish;
};

/// A soft body: a contiguous range of nodes of one material, made from its shape by the method that steps the model. All that
/// the method knows of them beside is in `discretization`.
struct Deformable {
  std::string name;
  MaterialParameters material;
  int materialIndex = 0;                       ///< into Model::materials
  int begin = 0;                               ///< first node
  int end = 0;                                 ///< one past the last
  std::shared_ptr<const SurfaceMesh> surface;  ///< of its first nodes; null: they are seen as points
  std::shared_ptr<const Discretization> discretization;  ///< null: nodes are all that there is
  double spacing = 0;      ///< of nodes: d_p = (V⁰)^{1/3}; of a sheet √(area per node) [m]
  double resolution = 0;   ///< length below which its method tells nothing apart [m]; 0: Model::gridSpacing
  double apicDamping = 1;  ///< of particles
  Color color = {0.85f, 0.8f, 0.66f, 1};
  bool visible = true;
  DrawStyle draw = DrawStyle::Particles;
};

/// Imposes its velocity on grid nodes; see BoundarySpec.
struct Boundary {
  std::string name;
  BoundaryKind kind = BoundaryKind::Sticky;
  Shape shape = shape::Plane{};
  Pose X_PS;      ///< of the shape in the path's frame, or in W
  int path = -1;  ///< into Model::paths; −1: at rest
  double from = 0;
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  double friction = 0;                                     ///< μ; not of sticky ones [-]
  LookSpec look = {};
};

/// Closes a loop of the tree; see LoopSpec.
struct Loop {
  LoopKind kind = LoopKind::Weld;
  std::string name;
  int bodyA = 0;
  Pose X_AaA;  ///< frame A in body A
  int bodyB = 0;
  Pose X_BbB;           ///< frame B in body B
  double distance = 0;  ///< LoopKind::Distance [m]
};

/// What two rigid geometries do when they meet.
struct RigidPairLaw {
  bool enabled = true;
  double friction = 0;     ///< μ [-]
  double restitution = 0;  ///< e of Newton's law of impact, 0 … 1 [-]
};

/// Two keys of one coordinate and their neighbours; without one, its time is that of the key beside it.
struct KeySpan {
  std::array<double, 4> t, y;  ///< of the key before, the span's start and end, and the key after
};
/// The coordinate at a time between t[1] and t[2].
double interpolate(Interpolation interpolation, const KeySpan& span, double t);

/// The keys around key `end`, which is neither the first nor behind the last; value(key) is the coordinate.
template <typename Key, typename Value>
KeySpan spanBefore(const std::vector<Key>& keys, std::size_t end, const Value& value) {
  SIM_REQUIRE(end > 0 && end < keys.size(), "a span has a start and an end");
  const std::array<std::size_t, 4> k = {end > 1 ? end - 2 : 0, end - 1, end,
                                        std::min(end + 1, keys.size() - 1)};
  KeySpan span;
  for (std::size_t i = 0; i < 4; ++i) {
    span.t[i] = keys[k[i]].t;
    span.y[i] = value(keys[k[i]]);
  }
  return span;
}

/// A timed pose; see PathSpec.
struct Path {
  std::string name;
  std::vector<PathSpec::Key> keys;
  Interpolation interpolation = Interpolation::Linear;
  Pose at(double t) const;  ///< clamped to the first and last key
};

/// See EndEffectorPathSpec. `joints` are the movable 1-DoF joints between the robot's root and the link.
struct EndEffectorPath {
  int robot = 0;
  int body = 0;
  int path = 0;
  Pose X_PathE;
  std::vector<int> joints;
  std::vector<double> kp, kd;  ///< per joint
};

/// See JointPathSpec and GripperSpec.
struct JointPath {
  std::vector<int> joints;
  std::vector<JointPathSpec::Key> keys;
  Interpolation interpolation = Interpolation::Linear;
  std::vector<double> kp, kd;
  double effortLimit = std::numeric_limits<double>::infinity();  ///< besides those of the joints; a gripper's
  bool isGripper = false;  ///< its effort is limited, and gains that nobody names follow from that
};

struct JointEffort {
  int joint = 0;
  double effort = 0;
  double from = 0;
};

struct JointVelocity {
  int joint = 0;
  double velocity = 0;
  double kd = 0;
  double from = 0;
};

struct LinkForce {
  int body = 0;
  Vec3 p_B = Vec3::Zero();  ///< where the force acts [m]
  std::vector<LinkForceSpec::Key> keys;
};

using Controller = std::variant<EndEffectorPath, JointPath, JointEffort, JointVelocity, LinkForce>;

/// See SensorSpec.
struct Sensor {
  std::string name;
  SensorSpec::Kind kind = SensorSpec::Kind::Imu;
  int body = 0;
  int joint = -1;           ///< ForceTorque: into Model::tree.joints
  std::vector<char> other;  ///< Contact: per body whether its touch counts; empty: all and deformables do
  int deformable = -1;      ///< Contact: the only deformable whose touch counts; −1: see `other`
  Pose X_BS;
};

/// A floating root joint that follows a path instead of forces.
struct PrescribedMotion {
  int joint = 0;
  int path = 0;
};

/// See ConditionSpec.
struct TaskCondition {
  std::string observable;
  std::string unit;  ///< of its value and its limits; empty: a pure number
  std::optional<double> above, below;
  double holdFor = 0;  ///< [s]
  std::function<double(const Snapshot&)> value;
};

/// See TaskSpec.
struct Task {
  std::string text;
  double timeLimit = 0;  ///< [s]
  std::vector<TaskCondition> success, failure;
  std::optional<std::uint64_t> seed;  ///< that the scene's reset was drawn with
};

/// A named group of bodies: what the scene calls a robot or a body.
struct Robot {
  std::string name;
  std::string file;                ///< empty for a plain body
  int firstBody = 0, endBody = 0;  ///< [first, end) of Model::tree.bodies
  bool isHeld = false;             ///< its joints are driven to where they start, see RobotSpec::isHeld
  LookSpec look = {};              ///< of all its bodies, see RobotSpec::look
};

/// Where the nodes of all soft bodies start, deformable by deformable.
struct SoftNodes {
  std::vector<Vec3> x;                 ///< W [m]
  std::vector<Vec3> v;                 ///< W [m/s]
  std::vector<Mat3> velocityGradient;  ///< ∂v/∂x around the node [1/s]
  std::vector<double> mass;            ///< [kg]
  std::vector<double> volume;          ///< V⁰, at rest [m³]
};

struct Model {
  /// What the methods of the program add to its tables, and what the one adds that steps this model; null: nothing.
  std::shared_ptr<const AllMethodRows> methods;
  std::shared_ptr<const MethodRows> own;
  Discretize discretize =
      nullptr;  ///< what made the nodes of soft bodies; null: they are filled with particles

  Tuning tuning;                      ///< what it starts with
  std::vector<Parameter> parameters;  ///< all numbers of the tuning that have a path in the scene's file

  std::string name;
  std::string title;
  std::string file;
  std::shared_ptr<const Scene> scene;  ///< what it was compiled from
  Vec3 gravity = Vec3::Zero();
  TimeSpec time;
  SolverSpec solver;
  RigidSolverSpec rigidSolver;
  double gridSpacing = 0;       ///< h, of methods that have a grid [m]
  double stictionSpeed = 0;     ///< v_s [m/s]
  double stictionSoftness = 0;  ///< σ of contacts of soft bodies [-]

  multibody::Tree tree;
  std::vector<Robot> robots;
  std::vector<LookSpec> linkLooks;  ///< per body, by itself: see RobotSpec::linkLooks
  VecX initialQ, initialV;          ///< loops satisfied to the solver's accuracy after the first step
  std::vector<Geometry> geometries;
  std::vector<Visual> visuals;
  std::vector<Loop> loops;
  std::vector<PrescribedMotion> prescribed;
  std::vector<Path> paths;
  std::vector<Controller> controllers;
  std::vector<Effector> effectors;

  std::vector<std::string> materials;  ///< names
  std::vector<Deformable> deformables;
  std::vector<Boundary> boundaries;
  SoftNodes nodes;
  std::vector<ContactLaw> contactLaws;  ///< [deformable · geometries.size() + geometry]
  /// What never changes about the contact of a deformable and a geometry.
  struct SoftPair {
    bool enabled = true;
    int frictionRule = -1;  ///< the pair rule that decides μ; −1: none does
  };
  std::vector<SoftPair> softPairs;  ///< [deformable · geometries.size() + geometry]
  /// Paths of the blocks of a scene's file where contact is written, the scene's default first; empty: in a
  /// robot's own file.
  std::vector<std::string> contactPlaces = {"contact"};

  std::vector<CameraSpec> cameras;
  std::vector<Sensor> sensors;
  std::optional<Task> task;
  bool showGround = true;
  double groundHeight = 0;
  bool opensOnAll = false;  ///< see Scene

  /// What decided that a pair does not meet.
  enum class ApartBy : std::uint8_t { Joint, RobotFile, PairRule, Overlap };
  struct PairException {
    int a = 0, b = 0;
    bool enabled = false;
    ApartBy apartBy = ApartBy::Joint;  ///< where it is not enabled
    std::optional<double> friction = {};
    int frictionRule = -1;  ///< the pair rule that decides μ; −1: none does
    std::optional<double> restitution = {};
    int restitutionRule = -1;  ///< likewise of e
  };
  /// Exceptions to "every pair of rigid geometries on different moving bodies meets", by (lower, higher)
  /// index into geometries, ascending.
  std::vector<PairException> pairExceptions;
  /// Per body: the first body of its group, where fixed joints make groups; 0: cannot move.
  std::vector<int> compositeOf;
  /// Law of a pair of geometries, in any order. Disabled for geometries that cannot move against each other.
  RigidPairLaw rigidPairLaw(int geometryA, int geometryB) const;
  /// Whether rigid things are to bounce off each other: a surface or a pair has a restitution above 0.
  bool hasRestitution() const;
  /// The exception of a pair of geometries, in any order, or null.
  const PairException* findException(int geometryA, int geometryB) const;

  const ContactLaw& contactLaw(std::size_t deformable, std::size_t geometry) const {
    return contactLaws[deformable * geometries.size() + geometry];
  }
  const SoftPair& softPair(std::size_t deformable, std::size_t geometry) const {
    return softPairs[deformable * geometries.size() + geometry];
  }
  std::size_t nodeCount() const { return nodes.x.size(); }
  /// Length below which nothing of a deformable is told apart [m].
  double resolutionOf(std::size_t deformable) const {
    const double resolution = deformables[deformable].resolution;
    return resolution > 0 ? resolution : gridSpacing;
  }
  /// Index of the deformable that a node belongs to.
  std::size_t deformableOf(std::size_t node) const;
  /// Pose of a boundary at time t [s].
  Pose boundaryPose(const Boundary& boundary, double t) const;
  /// Index of a body by its full name, or −1.
  int findBody(const std::string& name) const;
  /// Index of an effector by its name, or −1.
  int findEffector(const std::string& name) const;
  /// Index of a joint by its full name "robot.joint", or −1.
  int findJoint(const std::string& name) const;
};

/// μ of a pair from those of its surfaces.
double combinedFriction(FrictionRule rule, double a, double b);

/// The geometries of a model that meet rigid ones. The model must outlive it.
Collision makeCollision(const Model& model);

/// Something that was dropped, repaired or guessed while loading; shown in `check` and the log panel.
struct Notice {
  enum class Level { Info, Warning };
  Level level = Level::Warning;
  std::string where;
  std::string what;
  /// What a scene that says the same itself would have in its robot's block, so that the repair is its author's: keys
  /// and values as YAML, {"links.hand.mass", "0.001"}. Empty where nothing was assumed.
  std::vector<std::pair<std::string, std::string>> overrides = {};
};

}  // namespace slipstick
