// URDF → RobotDescription: urdfdom reads, UrdfDocument checks what urdfdom does not.
#include "assets/robot_io.h"

#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <optional>

#include "assets/captured_log.h"
#include "assets/file_log.h"
#include "assets/one_line.h"
#include "assets/robot_checks.h"
#include "assets/urdf_document.h"
#include "assets/utf8.h"
#include "assets/xacro.h"
#include "assets/xml_text.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

Vec3 toVec3(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}

Pose toPose(const urdf::Pose& X) {
  return Pose::fromQuat(Quat(X.rotation.w, X.rotation.x, X.rotation.y, X.rotation.z), toVec3(X.position));
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
  return std::abs(value) >= kNoLimit ? std::copysign(std::numeric_limits<double>::infinity(), value) : value;
}

/// Builds the description from urdfdom's model.
class RobotReader {
 public:
  RobotReader(const fs::path& file, RobotMeshes meshes, UrdfDocument& document,
              const urdf::ModelInterface& model)
      : file_(file), meshes_(std::move(meshes)), document_(document), model_(model) {}

  Result<LoadedRobot> read() {
    LoadedRobot loaded;
    loaded.robot.name = model_.getName();
    loaded.robot.file = file_;
    for (const UrdfDocument::Place& place : document_.links) {
      const std::string where = document_.where(place.line, "link '" + place.name + "'");
      const auto link = model_.getLink(place.name);
      if (!link) return unseen(where);
      loaded.robot.links.push_back(readLink(*link, where));
    }
    for (const UrdfDocument::Place& place : document_.joints) {
      const auto joint = model_.getJoint(place.name);
      if (!joint) return unseen(document_.where(place.line, "joint '" + place.name + "'"));
      loaded.robot.joints.push_back(readJoint(*joint));
    }
    auto excluded = excludedLinks(document_.filterGroups, loaded.robot.links, document_.notices);
    if (!excluded) return excluded.error();
    loaded.robot.excludedLinks = std::move(*excluded);
    const auto where = [&](const std::string& link) {
      return document_.where(document_.lineOf(document_.links, link), "link '" + link + "'");
    };
    settleInertias(loaded.robot, where, document_.notices);
    noteTrees(loaded.robot, where, document_.notices);
    meshes_.noteConventions(document_.notices);
    loaded.notices = std::move(document_.notices);
    return loaded;
  }

 private:
  /// urdfdom has its own reader of XML, which may take a text for another one.
  static Error unseen(const std::string& where) {
    return {ErrorCode::SyntaxError, "urdfdom does not see this element", oneLine(where),
            "give it, and the elements before it, names and attributes of plain letters"};
  }
  LinkSpec readLink(const urdf::Link& link, const std::string& where) {
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
    }
    for (std::size_t i = 0; i < link.visual_array.size(); ++i) {
      const urdf::Visual& visual = *link.visual_array[i];
      LinkGeometry out;
      out.name = visual.name;
      out.X_BG = toPose(visual.origin);
      const bool colored = document_.coloredVisuals[link.name][i] != 0;
      if (colored && visual.material) {
        const urdf::Color& c = visual.material->color;
        out.color = linearColor(c.r, c.g, c.b, c.a);
      }
      GivenLooks given{.color = colored, .finish = false, .maps = {}};
      given.maps.color =
          meshes_.image(document_.visualImages[link.name][i], ImageUse::Color, where, document_.notices);
      addVisual(spec, std::move(out), readShape(*visual.geometry, document_.rewrittenVisuals[link.name][i]),
                given, where, document_.notices);
    }
    for (std::size_t i = 0; i < link.collision_array.size(); ++i) {
      const urdf::Collision& collision = *link.collision_array[i];
      LinkGeometry out;
      out.name = collision.name;
      out.X_BG = toPose(collision.origin);
      out.contact = document_.contacts[link.name][i];
      addCollision(spec, std::move(out),
                   readShape(*collision.geometry, document_.rewrittenCollisions[link.name][i]), where,
                   document_.notices);
    }
    return spec;
  }

  Result<Shape> readShape(const urdf::Geometry& geometry, RewrittenShape rewritten) {
    switch (geometry.type) {
      case urdf::Geometry::SPHERE:
        return Shape(shape::Sphere{static_cast<const urdf::Sphere&>(geometry).radius});
      case urdf::Geometry::BOX: {
        const Vec3 size = toVec3(static_cast<const urdf::Box&>(geometry).dim);
        if (rewritten == RewrittenShape::EllipsoidAsBox) return Shape(shape::Ellipsoid{size});
        return Shape(shape::Box{size / 2});
      }
      case urdf::Geometry::CYLINDER: {
        const auto& c = static_cast<const urdf::Cylinder&>(geometry);
        if (rewritten == RewrittenShape::CapsuleAsCylinder) return Shape(shape::Capsule{c.radius, c.length});
        return Shape(shape::Cylinder{c.radius, c.length});
      }
      case urdf::Geometry::MESH:
        break;
    }
    const auto& mesh = static_cast<const urdf::Mesh&>(geometry);
    return meshes_.read(mesh.filename, toVec3(mesh.scale), document_.notices);
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
        spec.lower = limitOrInfinity(joint.limits->lower);
        spec.upper = limitOrInfinity(joint.limits->upper);
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

  const fs::path& file_;
  RobotMeshes meshes_;
  UrdfDocument& document_;
  const urdf::ModelInterface& model_;
};

}  // namespace

Result<LoadedRobot> loadUrdf(const fs::path& file, const std::vector<fs::path>& packagePaths,
                             LoadProgress* progress) {
  FileLog::note(file);
  Result<std::string> text = readRobotXml(file, progress);
  if (!text) return text.error();
  const std::optional<Notice> latin1 = turnIntoUtf8(file, *text);
  UrdfDocument document;
  if (Result<void> ok = document.read(file, *text); !ok) return ok.error();
  if (latin1) document.notices.push_back(*latin1);
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
    Result<LoadedRobot> robot =
        RobotReader(file, RobotMeshes(file, packagePaths, *text, progress), document, *model).read();
    if (isCancelled(progress)) return cancelledLoad(file.string());
    return robot;
  } catch (const std::exception& e) {
    return Error{ErrorCode::SyntaxError, oneLine(std::string("this URDF cannot be read: ") + e.what()),
                 file.string(), "check the file with check_urdf"};
  }
}

}  // namespace slipstick::assets
