// URDF → RobotDescription: urdfdom reads, UrdfDocument checks what urdfdom does not.
#include "assets/robot_io.h"

#include <console_bridge/console.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <exception>
#include <map>
#include <mutex>
#include <numbers>
#include <optional>

#include "assets/one_line.h"
#include "assets/shipped.h"
#include "assets/urdf_document.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargestRobotFile = 64 << 20;
constexpr double kPlaceholderSize = 0.05;   // [m]
constexpr double kPlaceholderMass = 1e-3;   // [kg]
constexpr double kAssumedDensity = 1000;    // [kg/m³], for links whose inertia is missing
constexpr double kInertiaTolerance = 1e-4;  // relative; files carry few digits

/// urdfdom speaks to a process-wide log: this collects it, one reader at a time.
class CapturedLog : public console_bridge::OutputHandler {
 public:
  CapturedLog() : lock_(mutex()) { console_bridge::useOutputHandler(this); }
  ~CapturedLog() override { console_bridge::restorePreviousOutputHandler(); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) first_ = text;
  }
  const std::string& firstError() const { return first_; }

 private:
  static std::mutex& mutex() {
    static std::mutex theMutex;
    return theMutex;
  }
  std::lock_guard<std::mutex> lock_;
  std::string first_;
};

Vec3 toVec3(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}

Pose toPose(const urdf::Pose& X) {
  return Pose::fromQuat(Quat(X.rotation.w, X.rotation.x, X.rotation.y, X.rotation.z), toVec3(X.position));
}

float linear(float srgb) {
  return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f);
}
Color toColor(const urdf::Color& c) {
  return {linear(c.r), linear(c.g), linear(c.b), c.a};
}

multibody::JointType toType(const urdf::Joint& joint, bool isBall) {
  using multibody::JointType;
  if (isBall) return JointType::Ball;
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
      return JointType::Revolute;
    case urdf::Joint::CONTINUOUS:
      return JointType::Continuous;
    case urdf::Joint::PRISMATIC:
      return JointType::Prismatic;
    case urdf::Joint::PLANAR:
      return JointType::Planar;
    case urdf::Joint::FLOATING:
      return JointType::Floating;
    default:
      return JointType::Fixed;
  }
}

double limitOrInfinity(double value) {
  return value >= kNoLimit ? std::numeric_limits<double>::infinity() : value;
}

/// Builds the description from urdfdom's model.
class RobotReader {
 public:
  RobotReader(const fs::path& file, const std::vector<fs::path>& packagePaths, UrdfDocument& document,
              const urdf::ModelInterface& model)
      : file_(file), packagePaths_(packagePaths), document_(document), model_(model) {}

  Result<LoadedRobot> read() {
    LoadedRobot loaded;
    loaded.robot.name = model_.getName();
    loaded.robot.file = file_;
    for (const UrdfDocument::Place& place : document_.links) {
      Result<LinkSpec> link = readLink(*model_.getLink(place.name), place.line);
      if (!link) return link.error();
      loaded.robot.links.push_back(*link);
    }
    for (const UrdfDocument::Place& place : document_.joints)
      loaded.robot.joints.push_back(readJoint(*model_.getJoint(place.name)));
    repairMassless(loaded.robot);
    loaded.notices = std::move(document_.notices);
    return loaded;
  }

 private:
  void notice(int line, const std::string& element, const std::string& what) {
    document_.notices.push_back({Notice::Level::Warning, document_.where(line, element), what});
  }

  /// True if a movable joint stands between the link and the root.
  bool moves(const urdf::Link& link) const {
    for (const urdf::Link* at = &link; at->parent_joint; at = at->getParent().get())
      if (at->parent_joint->type != urdf::Joint::FIXED) return true;
    return false;
  }

  Result<LinkSpec> readLink(const urdf::Link& link, int line) {
    LinkSpec spec;
    spec.name = link.name;
    if (link.inertial) {
      const urdf::Inertial& in = *link.inertial;
      const Pose X = toPose(in.origin);
      Mat3 I;
      I << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
      spec.mass = in.mass;
      spec.com = X.p;
      spec.inertia = X.R * I * X.R.transpose();
      if (Result<void> ok = settleInertia(link, line, spec); !ok) return ok.error();
    }
    for (std::size_t i = 0; i < link.visual_array.size(); ++i) readVisual(link, line, i, spec);
    for (std::size_t i = 0; i < link.collision_array.size(); ++i) readCollision(link, line, i, spec);
    return spec;
  }

  /// Errors for inertias that no body has; small breaches of the triangle inequality are repaired and said.
  Result<void> settleInertia(const urdf::Link& link, int line, LinkSpec& spec) {
    const std::string element = "link '" + link.name + "'";
    if (spec.mass <= 0) return {};
    if (spec.inertia.isZero()) {
      if (!moves(link)) return {};
      const double radius = std::cbrt(3 * spec.mass / (4 * std::numbers::pi * kAssumedDensity));
      spec.inertia = 0.4 * spec.mass * radius * radius * Mat3::Identity();
      notice(line, element, "its inertia is zero: taken as that of a ball of its mass and 1000 kg/m³");
      return {};
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(spec.inertia);
    Vec3 moments = eigen.eigenvalues();
    if (!(moments[0] > 0))
      return Error{ErrorCode::InvalidValue, "the inertia of " + element + " is not positive definite",
                   document_.where(line, element), "correct ixx … izz; principal moments must be positive"};
    if (moments[2] <= (moments[0] + moments[1]) * (1 + 1e-9)) return {};
    const double excess = moments[2] / (moments[0] + moments[1]) - 1;
    moments[2] = moments[0] + moments[1];
    spec.inertia = eigen.eigenvectors() * moments.asDiagonal() * eigen.eigenvectors().transpose();
    if (excess > kInertiaTolerance)
      notice(line, element,
             "its largest principal moment of inertia exceeds the sum of the other two by " +
                 std::to_string(100 * excess) + " %: lowered to the sum");
    return {};
  }

  void readVisual(const urdf::Link& link, int line, std::size_t i, LinkSpec& spec) {
    const urdf::Visual& visual = *link.visual_array[i];
    LinkGeometry out;
    out.name = visual.name;
    out.X_BG = toPose(visual.origin);
    const bool colored = document_.coloredVisuals[link.name][i] != 0;
    if (colored && visual.material) out.color = toColor(visual.material->color);
    Result<Shape> shape = readShape(*visual.geometry, document_.capsuleVisuals[link.name][i] != 0);
    if (!shape) {
      notice(line, "link '" + link.name + "'",
             shape.error().what + " (" + shape.error().remedy + "); a box of 5 cm stands in its place");
      shape = Shape(shape::Box{Vec3::Constant(kPlaceholderSize / 2)});
    }
    out.shape = *shape;
    // A colour in the robot's file goes over the mesh's own, as in other robot tools.
    if (auto* mesh = std::get_if<shape::Mesh>(&out.shape); mesh && colored && !mesh->mesh->colors.empty()) {
      auto plain = std::make_shared<TriangleMesh>(*mesh->mesh);
      plain->colors.clear();
      mesh->mesh = std::move(plain);
    }
    spec.visuals.push_back(std::move(out));
  }

  void readCollision(const urdf::Link& link, int line, std::size_t i, LinkSpec& spec) {
    const urdf::Collision& collision = *link.collision_array[i];
    LinkGeometry out;
    out.name = collision.name;
    out.X_BG = toPose(collision.origin);
    Result<Shape> shape = readShape(*collision.geometry, document_.capsuleCollisions[link.name][i] != 0);
    if (!shape) {
      notice(line, "link '" + link.name + "'",
             shape.error().what + " (" + shape.error().remedy + "); this collision shape is left out");
      return;
    }
    out.shape = *shape;
    if (auto* mesh = std::get_if<shape::Mesh>(&out.shape)) mesh->mesh = collisionMesh(*mesh->mesh);
    spec.collisions.push_back(std::move(out));
  }

  Result<Shape> readShape(const urdf::Geometry& geometry, bool isCapsule) {
    switch (geometry.type) {
      case urdf::Geometry::SPHERE:
        return Shape(shape::Sphere{static_cast<const urdf::Sphere&>(geometry).radius});
      case urdf::Geometry::BOX:
        return Shape(shape::Box{toVec3(static_cast<const urdf::Box&>(geometry).dim) / 2});
      case urdf::Geometry::CYLINDER: {
        const auto& c = static_cast<const urdf::Cylinder&>(geometry);
        if (isCapsule) return Shape(shape::Capsule{c.radius, c.length});
        return Shape(shape::Cylinder{c.radius, c.length});
      }
      case urdf::Geometry::MESH:
        break;
    }
    const auto& reference = static_cast<const urdf::Mesh&>(geometry);
    const std::string key = reference.filename + "|" + std::to_string(reference.scale.x) + "|" +
                            std::to_string(reference.scale.y) + "|" + std::to_string(reference.scale.z);
    if (const auto known = meshes_.find(key); known != meshes_.end())
      return Shape(shape::Mesh{known->second});
    Result<fs::path> path = resolveFile(reference.filename, file_.parent_path(), packagePaths_);
    if (!path) return path.error();
    Result<LoadedMesh> mesh = loadMesh(*path, toVec3(reference.scale));
    if (!mesh) return mesh.error();
    document_.notices.insert(document_.notices.end(), mesh->notices.begin(), mesh->notices.end());
    meshes_[key] = mesh->mesh;
    return Shape(shape::Mesh{mesh->mesh});
  }

  JointSpec readJoint(const urdf::Joint& joint) const {
    JointSpec spec;
    spec.name = joint.name;
    spec.type = toType(joint, document_.ballJoints.contains(joint.name));
    spec.parent = joint.parent_link_name;
    spec.child = joint.child_link_name;
    spec.X_PJ = toPose(joint.parent_to_joint_origin_transform);
    spec.axis = toVec3(joint.axis);
    if (spec.type == multibody::JointType::Planar) {
      // In URDF the axis is the plane's normal; here the normal is z of J.
      const Pose turn = {Quat::FromTwoVectors(Vec3::UnitZ(), spec.axis).toRotationMatrix(), Vec3::Zero()};
      spec.X_PJ = spec.X_PJ * turn;
      spec.axis = Vec3::UnitZ();
    }
    if (joint.limits) {
      if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::PRISMATIC) {
        spec.lower = joint.limits->lower;
        spec.upper = joint.limits->upper;
      }
      spec.velocityLimit = limitOrInfinity(joint.limits->velocity);
      spec.effortLimit = limitOrInfinity(joint.limits->effort);
    }
    if (joint.dynamics) {
      spec.damping = joint.dynamics->damping;
      spec.dryFriction = joint.dynamics->friction;
    }
    if (joint.mimic) {
      spec.mimic = joint.mimic->joint_name;
      spec.mimicRatio = joint.mimic->multiplier;
      spec.mimicOffset = joint.mimic->offset;
    }
    if (const auto found = document_.armature.find(joint.name); found != document_.armature.end())
      spec.armature = found->second;
    return spec;
  }

  /// A movable joint whose whole subtree weighs nothing would make the mass matrix singular: its link gets a
  /// gram.
  void repairMassless(RobotDescription& robot) {
    std::map<std::string, LinkSpec*> links;
    for (LinkSpec& link : robot.links) links[link.name] = &link;
    for (JointSpec& joint : robot.joints) {
      if (joint.type == multibody::JointType::Fixed || joint.armature > 0) continue;
      if (subtreeMass(*model_.getLink(joint.child)) > 0) continue;
      LinkSpec& link = *links.at(joint.child);
      link.mass = kPlaceholderMass;
      link.inertia = 0.4 * kPlaceholderMass * 1e-4 * Mat3::Identity();  // a ball of 1 cm radius
      notice(document_.lineOf(document_.links, link.name), "link '" + link.name + "'",
             "it moves but neither it nor anything beyond it has mass: given 1 g");
    }
  }

  double subtreeMass(const urdf::Link& root) const {
    double mass = 0;
    std::vector<const urdf::Link*> open = {&root};
    while (!open.empty()) {
      const urdf::Link* link = open.back();
      open.pop_back();
      if (link->inertial) mass += link->inertial->mass;
      for (const urdf::LinkSharedPtr& child : link->child_links) open.push_back(child.get());
    }
    return mass;
  }

  const fs::path& file_;
  const std::vector<fs::path>& packagePaths_;
  UrdfDocument& document_;
  const urdf::ModelInterface& model_;
  std::map<std::string, std::shared_ptr<const TriangleMesh>> meshes_;
};

}  // namespace

Result<LoadedRobot> loadUrdf(const fs::path& file, const std::vector<fs::path>& packagePaths) {
  const Result<std::string> text = readTextFile(file, kLargestRobotFile);
  if (!text) return text.error();
  UrdfDocument document;
  if (Result<void> ok = document.read(file, *text); !ok) return ok.error();
  try {
    urdf::ModelInterfaceSharedPtr model;
    std::string reason;
    {
      const CapturedLog log;
      model = urdf::parseURDF(document.rewritten());
      reason = log.firstError();
    }
    if (!model)
      return Error{ErrorCode::SyntaxError,
                   "this URDF cannot be read: " + (reason.empty() ? "unknown reason" : oneLine(reason)),
                   file.string(), "correct the element named there"};
    return RobotReader(file, packagePaths, document, *model).read();
  } catch (const std::exception& e) {
    return Error{ErrorCode::SyntaxError, oneLine(std::string("this URDF cannot be read: ") + e.what()),
                 file.string(), "check the file with check_urdf"};
  }
}

}  // namespace slipstick::assets
