// What a person authored, after its files were read: names, numbers as written, robots and meshes as found.
// Editable; nothing here is indexed or checked against anything else: compile() does that. Every field's YAML
// key, unit and default stand in assets/scene_format.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/contact/potential_name.h"
#include "engine/foundation/math.h"
#include "engine/geometry/contact_shape.h"
#include "engine/geometry/shape.h"
#include "engine/model/boundary_kind.h"
#include "engine/model/contact_solver_name.h"
#include "engine/model/effector.h"
#include "engine/model/material.h"
#include "engine/multibody/joint.h"

namespace slipstick {

class AllMethodRows;  // engine/model/method_rows.h

/// Linear RGBA, 0…1.
using Color = Eigen::Vector4f;

/// How a thing is shown. It acts in the same way whatever this says.
struct LookSpec {
  bool visible = true;
  std::optional<Color> color;  ///< of all of it, in place of what its shapes and its own file say
  bool operator==(const LookSpec&) const = default;
};

/// The largest CFL number C. With two particles per cell and direction the fastest motion that quadratic
/// B-splines give to the grid has ω = √2 c/h, and explicit steps are stable up to δt = 2/ω: C = √2. Particles
/// on their own have 2 c/h, so what may break into pieces needs C < 1.
inline constexpr double kLargestCfl = 1.4;

struct TimeSpec {
  double dt = 0.01;      ///< rigid step Δt [s]
  double duration = 10;  ///< how long `run` and the timeline go [s]
  int substeps = 0;      ///< MPM substeps N per step; 0 = automatic by the CFL conditions
  double cfl = 0.5;      ///< C in δt ≤ C h / c_max, at most kLargestCfl [-]
};

enum class HealthPolicy { Warn, Pause };
/// Where the substeps of a step see the rigid shapes.
enum class SubstepGeometry {
  Moving,  ///< moved on from the step's start with the velocity that they have there
  Frozen,  ///< at the step's start (Yu 2025, IV-A): then they jump by v Δt between steps, which stirs liquids
};

/// When a solve of the contacts with particles has done enough.
struct ContactTolerances {
  double relativeTolerance = 5e-2;   ///< ε_r of the convex contact problem
  double absoluteTolerance = 1e-14;  ///< ε_a [√J]
  int maxIterations = 500;
  /// How often a substep is solved again with the normal impulses it found, where those before it bounded
  /// friction wrongly; 0: as published.
  int lagIterations = 2;
};

struct SolverSpec : ContactTolerances {
  std::string method;  ///< that steps the scene, by name; empty or "auto": see method_choice.h
  ContactSolverName contactSolver = ContactSolverName::MajorizedAnderson;
  SubstepGeometry geometry = SubstepGeometry::Moving;
  HealthPolicy policy = HealthPolicy::Warn;  ///< what the studio does when a step is not healthy
};

/// How the friction coefficients of two rigid surfaces become that of the pair.
enum class FrictionRule {
  Harmonic,   ///< 2 μa μb / (μa + μb)
  Geometric,  ///< √(μa μb)
  Mean,
  Minimum,
  Maximum,
};

/// σ: what sticks yields by σ of the velocity that the friction which it may need would give it by itself. It keeps the
/// systems of the solves well conditioned, and is to be too small to be seen: creep is for v_s to decide.
inline constexpr double kStictionSoftness = 1e-8;

/// Numbers of the rigid step.
struct RigidTolerances {
  double stictionSpeed = 1e-4;                  ///< v_s of contacts between rigid bodies [m/s]
  double stictionSoftness = kStictionSoftness;  ///< σ of contacts between rigid bodies, and of joints [-]
  double relaxationTime = 0.1;                  ///< time scale of dissipation, SAP potential only [s]
  double relativeTolerance = 1e-6;              ///< ε_r
  int maxIterations = 100;                      ///< Newton iterations per solve
  /// Lagged friction only: how often a step is solved again with the normal impulses it found, where those of
  /// the step before were wrong.
  int lagIterations = 2;
};

/// The rigid step (Yu 2025, Eq. 3).
struct RigidSolverSpec : RigidTolerances {
  ContactPotentialName potential = ContactPotentialName::Lagged;
  FrictionRule frictionRule = FrictionRule::Harmonic;
};

/// Surface of a rigid geometry towards other rigid geometries. Unset fields fall back as in ContactSpec.
struct RigidSurfaceSpec {
  std::optional<bool> enabled;  ///< false: rigid things pass through
  std::optional<ContactRepresentation> representation;
  std::optional<double> modulus;      ///< E of the pressure field [Pa]
  std::optional<double> stiffness;    ///< of one point contact [N/m]
  std::optional<double> dissipation;  ///< d [s/m]
};

/// Contact law of a rigid geometry. Unset fields fall back: geometry → body → scene default. Stiffness and
/// dissipation here are those of contact with particles.
struct ContactSpec {
  std::optional<double> friction;         ///< μ [-]
  std::optional<double> stiffness;        ///< k per particle [N/m]; unset: κ E d_p (liquids: κ K d_p)
  std::optional<double> stiffnessFactor;  ///< κ [-], used when no stiffness is given
  std::optional<double> dissipation;      ///< d [s/m]
  std::optional<bool> enabled;            ///< false: particles pass through
  std::optional<double> restitution;      ///< e towards rigid geometries, 0 … 1 [-]
  RigidSurfaceSpec rigid;                 ///< towards other rigid geometries
};

/// Exception for pairs of rigid geometries, or of a deformable and rigid geometries. A name is a robot, a
/// body, a link ("robot.link"), a geometry, "*" for all of these, or a deformable. The last rule that fits a
/// pair decides.
struct PairRuleSpec {
  std::string a = "*", b = "*";
  std::optional<bool> enabled;
  std::optional<double> friction;          ///< μ of the pair
  std::optional<double> restitution = {};  ///< e of the pair; not of one with a deformable
};

/// Where particles start.
struct SamplingSpec {
  enum class Kind { Lattice, Poisson };
  Kind kind = Kind::Lattice;
  double particlesPerCell = 8;              ///< used when neither spacing nor count is given
  std::optional<double> spacing;            ///< [m]
  std::optional<std::array<int, 3>> count;  ///< lattice of exactly nx × ny × nz (boxes)
  unsigned seed = 1;
};

/// A rectangular cloth in its frame's xy plane, centred, as a grid of vertices with two triangles per cell.
struct SheetSpec {
  Eigen::Vector2d size = Eigen::Vector2d::Zero();  ///< [m]
  std::array<int, 2> count = {2, 2};               ///< vertices along x and y
};

/// Where a mesh of a scene's file comes from, so that the scene can be written again.
struct MeshSource {
  std::filesystem::path file;   ///< as it was found
  std::string written;          ///< as the scene's file names it
  Vec3 scale = Vec3::Ones();    ///< [m] per unit of the file
  std::filesystem::path image;  ///< that the scene puts on it, or empty
  std::string imageWritten;
  bool hasFinish = false;  ///< the scene names one in place of the file's
  int convexParts = 0;     ///< the most that stand for it in rigid contact; 0: the mesh itself does
};

/// How a deformable is drawn. Cloth is always drawn as its mesh.
enum class DrawStyle { Particles, Surface };

struct DeformableSpec {
  std::string name;
  std::string material;
  Shape shape = shape::Box{};      ///< cloth: a mesh, open or closed, whose vertices become particles
  std::optional<SheetSpec> sheet;  ///< cloth: takes the place of `shape`
  Pose X_WD;                       ///< pose of the shape's frame
  SamplingSpec sampling;
  Vec3 velocity = Vec3::Zero();         ///< [m/s]
  Vec3 angularVelocity = Vec3::Zero();  ///< about the shape's origin [rad/s]
  double apicDamping = 1;               ///< scale of the symmetric part of C (1 = APIC, 0 = RPIC)
  Color color = {0.85f, 0.8f, 0.66f, 1};
  bool visible = true;  ///< as LookSpec::visible
  DrawStyle draw = DrawStyle::Particles;
  std::shared_ptr<const MeshSource> source;  ///< of a mesh
};

/// A region of space that imposes its velocity on the grid nodes inside it, whatever pushes them: a wall
/// or a clamp without mass or force. It acts on deformables only.
struct BoundarySpec {
  std::string name;
  BoundaryKind kind = BoundaryKind::Sticky;
  Shape shape = shape::Plane{};  ///< plane, box or sphere
  Pose X_WS;                     ///< where it stands without a path; with one, in the path's frame
  std::string path;              ///< that it follows, or empty
  double from = 0;               ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  double friction = 0;                                     ///< μ ≥ 0 of slip and separate [-]
  LookSpec look;
};

struct MaterialSpec {
  std::string name;
  MaterialParameters parameters;
};

/// One visual or collision element of a link.
struct LinkGeometry {
  std::string name;
  std::string key;  ///< how a scene's file addresses it among the body's shapes: by its name or its place
  Shape shape = shape::Sphere{};
  Pose X_BG;  ///< in the link's frame
  Color color = {0.7f, 0.7f, 0.72f, 1};
  Finish finish;                             ///< visuals only
  ContactSpec contact;                       ///< collision elements only
  std::shared_ptr<const MeshSource> source;  ///< of meshes that a scene's file names
};

struct LinkSpec {
  std::string name;
  double mass = 0;              ///< [kg]
  Vec3 com = Vec3::Zero();      ///< in the link's frame [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, link axes [kg m²]
  std::vector<LinkGeometry> visuals;
  std::vector<LinkGeometry> collisions;
};

struct JointSpec {
  std::string name;
  multibody::JointType type = multibody::JointType::Fixed;
  std::string parent;  ///< link names
  std::string child;
  Pose X_PJ;                  ///< joint frame in the parent link's frame
  Vec3 axis = Vec3::UnitX();  ///< in the joint frame, unit
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double velocityLimit = std::numeric_limits<double>::infinity();
  multibody::EffortRange effortLimit;
  double damping = 0;
  double dryFriction = 0;
  double armature = 0;
  double stiffness = 0;        ///< of a spring in it, 1-DoF joints [N m/rad] or [N/m]
  double springReference = 0;  ///< where that spring is at rest [rad] or [m]
  std::string mimic;           ///< name of the joint it follows, or empty
  double mimicRatio = 1;
  double mimicOffset = 0;
};

enum class LoopKind {
  Weld,      ///< frames A and B stay together
  Ball,      ///< the origins of A and B stay together
  Distance,  ///< the origins of A and B keep their distance
};

/// Closes a loop between frame A on one link and frame B on another.
struct LoopSpec {
  LoopKind kind = LoopKind::Weld;
  std::string name;
  std::string linkA;  ///< "robot.link" or "world"
  Pose X_LaA;
  std::string linkB;
  Pose X_LbB;
  std::optional<double> distance;  ///< LoopKind::Distance [m]; unset: that of the start
};

/// Links and joints of one robot file, or one link for a plain body.
struct RobotDescription {
  std::string name;
  std::filesystem::path file;  ///< empty for a body written in the scene itself
  std::vector<LinkSpec> links;
  std::vector<JointSpec> joints;
  /// Links whose geometries do not meet each other, as the file says (drake:collision_filter_group).
  std::vector<std::pair<std::string, std::string>> excludedLinks;
  /// Where further trees stand, by their root link, in the frame of the first link without a parent; all roots share the
  /// robot's base. Without an entry a root stands at that frame.
  std::map<std::string, Pose> rootPoses;
  std::vector<LoopSpec> loops;  ///< that the file closes by itself; links by their own names, "" is the world
};

/// What a scene says of a link's mass over its robot's file; each by itself.
struct LinkInertiaSpec {
  std::optional<double> mass;   ///< [kg]
  std::optional<Vec3> com;      ///< in the link's frame [m]
  std::optional<Mat3> inertia;  ///< about the centre of mass, link axes [kg m²]
  bool operator==(const LinkInertiaSpec&) const = default;
  /// @param body  with a mass, a com and an inertia of the same meaning
  template <class Body>
  void applyTo(Body& body) const {
    body.mass = mass.value_or(body.mass);
    body.com = com.value_or(body.com);
    body.inertia = inertia.value_or(body.inertia);
  }
};

/// What a scene says of a joint over its robot's file, beside JointNumberSpec.
struct JointLimitSpec {
  std::optional<double> lower, upper;                 ///< [rad] or [m]
  std::optional<double> velocityLimit;                ///< [rad/s] or [m/s]
  std::optional<multibody::EffortRange> effortLimit;  ///< [N m] or [N]
  std::optional<double> armature;                     ///< [kg m²] or [kg]
  bool operator==(const JointLimitSpec&) const = default;
};

/// Where a joint with more than one degree of freedom starts. Ball: the rotation; planar: x, y and the turn about z.
struct JointPoseSpec {
  std::string joint;
  Pose X_JC;                            ///< of the child in the joint's frame
  Vec3 velocity = Vec3::Zero();         ///< in the joint's frame [m/s]
  Vec3 angularVelocity = Vec3::Zero();  ///< likewise [rad/s]
};

/// What a scene says of one joint over its robot's file.
struct JointNumberSpec {
  std::string joint;
  std::string key;  ///< of ParameterBlock::Joint: "damping"
  double value = 0;
  bool operator==(const JointNumberSpec&) const = default;
};

/// One placed articulation: a robot, or a plain rigid body (one link).
struct RobotSpec {
  std::string name;  ///< prefix of its links: "left_arm.flange"
  RobotDescription description;
  bool freeBase = false;           ///< true: the root link floats; false: it is fixed to `attachTo`
  std::string attachTo = "world";  ///< "world" or "robot.link"
  std::string path;                ///< prescribed motion: the root link follows this path whatever pushes it
  Pose X_PB;                       ///< root link in the frame it is attached to (free: in W)
  Vec3 velocity = Vec3::Zero();    ///< of the root link's origin, free base [m/s]
  Vec3 angularVelocity = Vec3::Zero();                          ///< [rad/s]
  std::vector<std::pair<std::string, double>> jointPositions;   ///< initial, by joint name [rad] or [m]
  std::vector<std::pair<std::string, double>> jointVelocities;  ///< initial, by joint name [rad/s] or [m/s]
  std::vector<JointNumberSpec> jointNumbers;                    ///< by key, then in the order of the file
  std::vector<JointPoseSpec> jointPoses;                ///< initial, of ball, planar and floating joints
  std::map<std::string, LinkInertiaSpec> linkInertias;  ///< by link
  std::map<std::string, JointLimitSpec> jointLimits;    ///< by joint
  bool isHeld = false;  ///< its joints are driven to their initial positions from the first step on
  /// For all its collision elements. Of a robot from a file it goes over what the file says of a shape; of a
  /// body written in the scene a shape's own goes over it.
  ContactSpec contact;
  std::vector<std::pair<std::string, ContactSpec>> linkContact;  ///< of single links, by name: over `contact`
  /// The most convex parts that stand for each of its collision meshes that is not convex where rigid things meet, and
  /// of single links, by name: over `convexParts`. 0: none. What they are stands in the shapes.
  int convexParts = 0;
  std::map<std::string, int> linkConvexParts;
  std::filesystem::path srdf;  ///< file of further links that do not meet, or empty; the description has them
  LookSpec look;               ///< of all its links
  /// Of single links, by name: each is seen where the robot is, too; its colour goes over the robot's.
  std::map<std::string, LookSpec> linkLooks;
};

/// What lies between two keys.
enum class Interpolation {
  Linear,  ///< constant velocity
  Smooth,  ///< at rest at every key, minimum jerk: s³(10 − 15 s + 6 s²) of the way at part s of the time
  Spline,  ///< C¹ cubic in each coordinate through the keys without stopping, at rest where it turns round
           ///< and at the ends, never beyond the keys (Fritsch & Carlson 1980); rotations as Smooth
};

/// A pose that changes with time; rotations take the shortest arc.
struct PathSpec {
  struct Key {
    double t = 0;           ///< [s], increasing
    Vec3 p = Vec3::Zero();  ///< in W [m]
    Quat R = Quat::Identity();
  };
  std::string name;
  std::vector<Key> keys;
  Interpolation interpolation = Interpolation::Linear;
};

/// A gain per joint, or one for all (size 1).
struct PdGains {
  std::vector<double> kp = {1000};  ///< [N m/rad] or [N/m]
  std::vector<double> kd = {60};    ///< [N m s/rad] or [N s/m]
};

/// Moves a link along a path by damped-least-squares inverse kinematics and implicit PD on the robot's
/// joints.
struct EndEffectorPathSpec {
  std::string robot;
  std::string link;
  std::string path;
  Pose X_PathE;  ///< the link frame's goal in the path's frame
  PdGains gains;
};

/// Drives named joints through keyframes by implicit PD.
struct JointPathSpec {
  struct Key {
    double t = 0;
    std::vector<double> q;  ///< one per joint
  };
  std::string robot;
  std::vector<std::string> joints;
  std::vector<Key> keys;
  Interpolation interpolation = Interpolation::Linear;
  PdGains gains;
};

/// A constant generalized force on one joint, from a start time on.
struct JointEffortSpec {
  std::string robot;
  std::string joint;
  double effort = 0;  ///< [N m] or [N]
  double from = 0;    ///< [s]
};

/// Turns (or slides) one joint at a given speed: τ = kd (v_goal − v⁺) within the joint's effort limit.
struct JointVelocitySpec {
  std::string robot;
  std::string joint;
  double velocity = 0;  ///< [rad/s] or [m/s]
  double kd = 60;       ///< [N m s/rad] or [N s/m]
  double from = 0;      ///< [s]
};

/// Opens and closes the fingers of a gripper: all its joints go to one position, with a limited effort. A
/// finger that runs at that effort grips; it is not reported as saturated.
struct GripperSpec {
  struct Key {
    double t = 0;        ///< [s], increasing
    double opening = 0;  ///< position of every finger joint [m] or [rad]
  };
  std::string robot;
  std::vector<std::string> joints;  ///< empty: every joint of the robot that moves by itself
  std::vector<Key> keys;
  double effort = 20;  ///< largest per finger [N] or [N m]
  /// Empty lists: full effort at 5 mm or 0.1 rad from the goal, and kd = 20 ms · kp.
  PdGains gains = {{}, {}};
};

/// A force and a torque on a link over time, linear between the keys, none before the first and after the
/// last.
struct LinkForceSpec {
  struct Key {
    double t = 0;                ///< [s], increasing
    Vec3 force = Vec3::Zero();   ///< W axes [N]
    Vec3 torque = Vec3::Zero();  ///< W axes [N m]
  };
  std::string link;           ///< "robot.link" or a body
  Vec3 point = Vec3::Zero();  ///< where the force acts, link frame [m]
  std::vector<Key> keys;
};

using ControllerSpec = std::variant<EndEffectorPathSpec, JointPathSpec, JointEffortSpec, JointVelocitySpec,
                                    GripperSpec, LinkForceSpec>;

struct CameraSpec {
  std::string name;
  Vec3 position = {1.4, -1.4, 1.0};  ///< in the frame that carries it [m]
  Vec3 target = Vec3::Zero();        ///< likewise [m]
  double fieldOfView = 40;           ///< vertical [deg]
  std::string body;                  ///< that carries it: "robot.link" or a body; empty: it stands in W
  /// What is up in the picture, in the same frame; not along the view.
  Vec3 up = Vec3::UnitZ();
  bool operator==(const CameraSpec&) const = default;
};

/// Measures on a robot or body; its readings are observables. Cameras are CameraSpec.
struct SensorSpec {
  enum class Kind {
    ForceTorque,  ///< what a joint transmits from its parent's side to its child's, in the sensor's frame
    Contact,      ///< what touches `link` does to it, in the sensor's frame, moments about its origin
    Imu,          ///< specific force and angular velocity of its origin, in the sensor's frame
  };
  std::string name;
  Kind kind = Kind::Imu;
  std::string link;   ///< "robot.link" or a body; ForceTorque: the child link of the joint that is measured
  std::string other;  ///< Contact: the only thing whose touch counts, as names of PairRuleSpec; empty: all
  Pose X_LS;          ///< of the sensor in the link's frame
};

/// Where a reset may put a number: uniform from the lower to the upper one.
struct DrawRange {
  double lower = 0, upper = 0;
  bool isNone() const { return lower == 0 && upper == 0; }
  bool operator==(const DrawRange&) const = default;
};

/// How the reset of a task moves one thing away from where the scene puts it.
struct ResetSpec {
  std::string name;                   ///< of a robot, a body or a deformable
  std::array<DrawRange, 3> position;  ///< added to its position, in the axes that this is written in [m]
  DrawRange yaw;                      ///< turns it about its own origin and the z axis of those axes [rad]
  std::vector<std::pair<std::string, DrawRange>> joints;  ///< added to initial positions [rad] or [m]
  bool operator==(const ResetSpec&) const = default;
};

/// An observable between limits, both of which it must not touch.
struct ConditionSpec {
  std::string observable;  ///< "dough.max_z", or the length of a vector: "|roller.contact.f|"
  std::optional<double> above, below;
  double holdFor = 0;  ///< how long it must hold without a break [s]
  bool operator==(const ConditionSpec&) const = default;
};

/// What a person, or whoever drives the robots, is asked to do with a scene.
struct TaskSpec {
  std::string text;                    ///< one or two sentences for people
  double timeLimit = 60;               ///< [s]
  std::vector<ResetSpec> reset;        ///< drawn anew for every try, see randomised()
  std::vector<ConditionSpec> success;  ///< all of them must hold at once
  std::vector<ConditionSpec> failure;  ///< each of them ends it
  /// What the reset was drawn with: the scene is as this seed has left it. At most kLargestSeed.
  std::optional<std::uint64_t> seed;
  bool operator==(const TaskSpec&) const = default;
};
/// Files and programs that keep numbers as doubles know all whole ones up to here.
inline constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 53) - 1;

/// A number that a scene sets for a method, see MethodSetting.
struct MethodSettingSpec {
  std::string method, key;
  double value = 0;
  bool operator==(const MethodSettingSpec&) const = default;
};

struct Scene {
  /// What the methods of the program add to what a scene may say; null: nothing.
  std::shared_ptr<const AllMethodRows> methods;
  std::string name;
  std::string title;  ///< one line for people
  std::filesystem::path file;
  /// What it was read from: its file, and all that this one names; absolute.
  std::vector<std::filesystem::path> sources;
  Vec3 gravity = {0, 0, -9.81};  ///< [m/s²]
  TimeSpec time;
  double gridSpacing = 0.02;  ///< h [m]
  SolverSpec solver;
  RigidSolverSpec rigidSolver;
  std::vector<MethodSettingSpec> methodSettings;
  ContactSpec contact;                          ///< the scene's default law
  double stictionSpeed = 1e-3;                  ///< v_s of particle contacts [m/s]
  double stictionSoftness = kStictionSoftness;  ///< σ of particle contacts [-]
  std::vector<MaterialSpec> materials;
  std::vector<DeformableSpec> deformables;
  std::vector<BoundarySpec> boundaries;
  std::vector<RobotSpec> robots;  ///< robots and plain bodies
  std::vector<LoopSpec> loops;
  std::vector<PairRuleSpec> pairRules;
  std::vector<PathSpec> paths;
  std::vector<ControllerSpec> controllers;
  std::vector<EffectorSpec> effectors;  ///< what people drive, where the scene says more than its robots do
  std::vector<CameraSpec> cameras;
  std::vector<SensorSpec> sensors;
  std::optional<TaskSpec> task;
  bool showGround = true;  ///< draw the ground grid at z = groundHeight
  /// [m]; nullopt: at 0, or under what collides and reaches below that at the start
  std::optional<double> groundHeight = 0;
  bool opensOnAll = false;  ///< the first view holds everything, whatever cameras there are
};

}  // namespace slipstick
