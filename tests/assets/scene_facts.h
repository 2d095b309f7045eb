// Everything that a scene says, as one long list to compare: numbers by their bits, words as they are.
#pragma once

#include <bit>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/scene.h"

namespace slipstick::testing {

/// Beside the writer and by hand: a field that both forget would be no difference to either.
class SceneFacts {
 public:
  explicit SceneFacts(const Scene& s) {
    say(s.name, s.title, s.gravity, s.time.dt, s.time.duration, s.time.substeps, s.time.cfl, s.gridSpacing,
        s.stictionSpeed, s.stictionSoftness, s.showGround, s.groundHeight, s.opensOnAll);
    say(s.solver.method, static_cast<int>(s.solver.contactSolver), static_cast<int>(s.solver.geometry),
        static_cast<int>(s.solver.policy), s.solver.relativeTolerance, s.solver.absoluteTolerance,
        s.solver.maxIterations, s.solver.lagIterations);
    say(static_cast<int>(s.rigidSolver.potential), static_cast<int>(s.rigidSolver.frictionRule),
        s.rigidSolver.stictionSpeed, s.rigidSolver.stictionSoftness, s.rigidSolver.relaxationTime,
        s.rigidSolver.relativeTolerance, s.rigidSolver.maxIterations, s.rigidSolver.lagIterations);
    say(s.contact);
    each(s.materials, "material");
    each(s.deformables, "deformable");
    each(s.boundaries, "boundary");
    each(s.robots, "robot");
    each(s.loops, "loop");
    each(s.pairRules, "rule");
    each(s.paths, "path");
    each(s.controllers, "controller");
    each(s.effectors, "effector");
    each(s.cameras, "camera");
    each(s.sensors, "sensor");
    add(s.task);
  }
  const std::vector<std::string>& list() const { return facts_; }

  /// The first fact that differs, with those before it; empty where there is none.
  static std::string difference(const Scene& a, const Scene& b) {
    const SceneFacts left(a), right(b);
    for (std::size_t i = 0; i < std::max(left.facts_.size(), right.facts_.size()); ++i) {
      const std::string l = i < left.facts_.size() ? left.facts_[i] : "(end)";
      const std::string r = i < right.facts_.size() ? right.facts_[i] : "(end)";
      if (l == r) continue;
      std::string around;
      for (std::size_t k = i < 8 ? 0 : i - 8; k < i; ++k) around += left.facts_[k] + " ";
      return "after " + around + ": " + l + " became " + r;
    }
    return {};
  }

 private:
  template <class... Facts>
  void say(const Facts&... facts) {
    (add(facts), ...);
  }
  template <class List>
  void each(const List& list, const char* what) {
    for (const auto& item : list) {
      facts_.push_back(std::string("[") + what + "]");
      add(item);
    }
  }
  void add(const std::string& word) { facts_.push_back(word); }
  void add(const char* word) { facts_.push_back(word); }
  void add(bool b) { facts_.push_back(b ? "true" : "false"); }
  void add(int n) { facts_.push_back(std::to_string(n)); }
  void add(unsigned n) { facts_.push_back(std::to_string(n)); }
  void add(double x) {
    x += 0.0;  // −0 is 0
    facts_.push_back(std::to_string(x) + "/" + std::to_string(std::bit_cast<std::uint64_t>(x)));
  }
  void add(float x) { add(static_cast<double>(x)); }
  template <class Scalar, int kRows, int kColumns, int kOptions>
  void add(const Eigen::Matrix<Scalar, kRows, kColumns, kOptions>& m) {
    for (Eigen::Index i = 0; i < m.size(); ++i) add(m.data()[i]);
  }
  void add(const JointNumberSpec& n) { say(n.joint, n.key, n.value); }
  void add(std::uint64_t n) { facts_.push_back(std::to_string(n)); }
  void add(const DrawRange& r) { say(r.lower, r.upper); }
  void add(const ResetSpec& r) { say(r.name, r.position, r.yaw, r.joints); }
  void add(const ConditionSpec& c) { say(c.observable, c.above, c.below, c.holdFor); }
  void add(const TaskSpec& t) { say(t.text, t.timeLimit, t.reset, t.success, t.failure, t.seed); }
  void add(const Pose& pose) { say(pose.R, pose.p); }
  void add(const Quat& q) { add(Eigen::Vector4d(q.coeffs())); }
  template <class T>
  void add(const std::optional<T>& maybe) {
    if (maybe)
      add(*maybe);
    else
      facts_.push_back("-");
  }
  template <class T>
  void add(const std::vector<T>& list) {
    facts_.push_back("(" + std::to_string(list.size()) + ")");
    for (const T& item : list) add(item);
  }
  template <class T, std::size_t n>
  void add(const std::array<T, n>& list) {
    for (const T& item : list) add(item);
  }
  template <class K, class V>
  void add(const std::map<K, V>& map) {
    for (const auto& [key, value] : map) say(key, value);
  }
  template <class A, class B>
  void add(const std::pair<A, B>& pair) {
    say(pair.first, pair.second);
  }
  void add(ContactRepresentation r) { add(static_cast<int>(r)); }
  void add(const RigidSurfaceSpec& r) {
    say(r.enabled, r.representation, r.modulus, r.stiffness, r.dissipation);
  }
  void add(const ContactSpec& c) {
    say(c.friction, c.restitution, c.stiffness, c.stiffnessFactor, c.dissipation, c.enabled, c.rigid);
  }
  void add(const MaterialSpec& m) {
    const MaterialParameters& p = m.parameters;
    say(m.name, static_cast<int>(p.model), p.E, p.nu, p.density, p.yieldStress, p.sandHardening,
        p.snowCompression, p.snowStretch, p.snowHardening, p.bulkModulus, p.tait, p.viscosity, p.largestJ,
        p.thickness, p.normalStiffness, p.shearStiffness, p.layerFriction, p.bendingStiffness);
  }
  void add(const Shape& shape) {
    add(static_cast<int>(shape.index()));
    std::visit([this](const auto& s) { of(s); }, shape);
  }
  void of(const shape::Plane&) {}
  void of(const shape::Sphere& s) { add(s.radius); }
  void of(const shape::Box& s) { add(s.halfExtents); }
  void of(const shape::Capsule& s) { say(s.radius, s.length); }
  void of(const shape::Cylinder& s) { say(s.radius, s.length); }
  void of(const shape::Ellipsoid& s) { add(s.radii); }
  void of(const shape::Mesh& s) {
    add(static_cast<int>(s.mesh->triangles.size()));
    for (const Vec3& v : s.mesh->vertices) add(v);
    for (const Finish& f : s.mesh->finishes) say(f.roughness, f.metallic);
    for (const TexturedPart& part : s.mesh->textured)
      add(part.maps.color ? std::filesystem::path(part.maps.color->name).filename().string() : "none");
  }
  void add(const DeformableSpec& d) {
    say(d.name, d.material, d.shape, d.X_WD, d.velocity, d.angularVelocity, d.apicDamping, d.color, d.visible,
        static_cast<int>(d.draw));
    if (d.sheet) say(d.sheet->size, d.sheet->count);
    add(d.source);
    say(static_cast<int>(d.sampling.kind), d.sampling.particlesPerCell, d.sampling.spacing, d.sampling.count,
        d.sampling.seed);
  }
  void add(const BoundarySpec& b) {
    say(b.name, static_cast<int>(b.kind), b.shape, b.X_WS, b.path, b.from, b.until, b.friction, b.look);
  }
  void add(const LookSpec& l) { say(l.visible, l.color); }
  void add(const LinkGeometry& g) {
    say(g.name, g.key, g.shape, g.X_BG, g.color, g.finish.roughness, g.finish.metallic, g.contact, g.source);
  }
  void add(const LinkSpec& l) { say(l.name, l.mass, l.com, l.inertia, l.visuals, l.collisions); }
  void add(const JointSpec& j) {
    say(j.name, static_cast<int>(j.type), j.parent, j.child, j.X_PJ, j.axis, j.lower, j.upper,
        j.velocityLimit, j.effortLimit, j.damping, j.dryFriction, j.armature, j.stiffness, j.springReference,
        j.mimic, j.mimicRatio, j.mimicOffset);
  }
  void add(const RobotSpec& r) {
    say(r.name, r.description.name, r.description.links, r.description.joints, r.description.excludedLinks,
        r.freeBase, r.attachTo, r.path, r.X_PB, r.velocity, r.angularVelocity, r.jointPositions,
        r.jointVelocities, r.jointNumbers, r.isHeld, r.contact, r.linkContact, r.look, r.linkLooks);
    say(place(r.description.file), place(r.srdf), startsOf(r), r.linkInertias, r.jointLimits, r.convexParts,
        r.linkConvexParts);
  }
  void add(const LoopSpec& l) {
    say(static_cast<int>(l.kind), l.name, l.linkA, l.X_LaA, l.linkB, l.X_LbB, l.distance);
  }
  void add(const PairRuleSpec& r) { say(r.a, r.b, r.enabled, r.friction, r.restitution); }
  void add(const PathSpec& p) {
    say(p.name, static_cast<int>(p.interpolation));
    for (const PathSpec::Key& k : p.keys) say(k.t, k.p, k.R);
  }
  void add(const PdGains& g) { say(g.kp, g.kd); }
  void add(const ControllerSpec& c) {
    add(static_cast<int>(c.index()));
    std::visit([this](const auto& spec) { of(spec); }, c);
  }
  void of(const EndEffectorPathSpec& c) { say(c.robot, c.link, c.path, c.X_PathE, c.gains); }
  void of(const JointPathSpec& c) {
    say(c.robot, c.joints, static_cast<int>(c.interpolation), c.gains);
    for (const auto& key : c.keys) say(key.t, key.q);
  }
  void of(const JointEffortSpec& c) { say(c.robot, c.joint, c.effort, c.from); }
  void of(const JointVelocitySpec& c) { say(c.robot, c.joint, c.velocity, c.kd, c.from); }
  void of(const GripperSpec& c) {
    say(c.robot, c.joints, c.effort, c.gains);
    for (const auto& key : c.keys) say(key.t, key.opening);
  }
  void of(const LinkForceSpec& c) {
    say(c.link, c.point);
    for (const auto& key : c.keys) say(key.t, key.force, key.torque);
  }
  static std::string place(const std::filesystem::path& file) {
    return file.empty() ? "" : std::filesystem::weakly_canonical(file).string();
  }
  void add(const std::shared_ptr<const MeshSource>& m) {
    if (m) say(place(m->file), m->scale, place(m->image), m->hasFinish, m->convexParts);
  }
  void add(const LinkInertiaSpec& i) { say(i.mass, i.com, i.inertia); }
  void add(const multibody::EffortRange& e) { say(e.lower, e.upper); }
  void add(const JointLimitSpec& l) { say(l.lower, l.upper, l.velocityLimit, l.effortLimit, l.armature); }
  /// Of each joint that moves or is moved; their order says nothing.
  static std::map<std::string, JointPoseSpec> startsOf(const RobotSpec& robot) {
    std::map<std::string, JointPoseSpec> starts;
    for (const JointPoseSpec& j : robot.jointPoses)
      if (!j.velocity.isZero(0) || !j.angularVelocity.isZero(0) || !j.X_JC.p.isZero(0) ||
          !j.X_JC.R.isIdentity(0))
        starts.emplace(j.joint, j);
    return starts;
  }
  void add(const JointPoseSpec& j) { say(j.joint, j.X_JC, j.velocity, j.angularVelocity); }
  void add(const EffectorSpec& e) {
    say(e.name, e.robot, e.link, e.X_LE, e.speed.linear, e.speed.acceleration, e.speed.turn,
        e.speed.turnAcceleration, e.lower, e.upper);
    if (e.gripper)
      say(e.gripper->robot, e.gripper->joints, e.gripper->open, e.gripper->closed, e.gripper->effort,
          e.gripper->closingTime);
  }
  void add(const SensorSpec& s) { say(s.name, static_cast<int>(s.kind), s.link, s.other, s.X_LS); }
  void add(const CameraSpec& c) { say(c.name, c.body, c.position, c.target, c.up, c.fieldOfView); }

  std::vector<std::string> facts_;
};

}  // namespace slipstick::testing
