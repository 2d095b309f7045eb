// SDF → RobotDescription: libsdformat resolves frames, poses and axes; SdfDocument checks what it does not.
#include <algorithm>
#include <exception>
#include <optional>
#include <sdf/sdf.hh>
#include <set>
#include <utility>

#include "assets/captured_log.h"
#include "assets/drake_tags.h"
#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/robot_checks.h"
#include "assets/robot_io.h"
#include "assets/sdf_document.h"
#include "assets/sdf_inertial.h"
#include "assets/shipped.h"
#include "assets/utf8.h"
#include "assets/xml_text.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr double kInfinityOfSdf = 1e16;      // at and above it a limit means none
constexpr double kSamePose = 1e-12;          // [m] and [-]
const std::string kModelLink = "__model__";  // a name that SDF itself reserves, so no link has it

// The types of the mathematics library change their namespace with its version: templates take them all.
template <class V>
Vec3 toVec3(const V& v) {
  return {v.X(), v.Y(), v.Z()};
}
template <class P>
Pose toPose(const P& X) {
  return Pose::fromQuat(Quat(X.Rot().W(), X.Rot().X(), X.Rot().Y(), X.Rot().Z()), toVec3(X.Pos()));
}

bool isIdentity(const Pose& X) {
  return X.p.norm() < kSamePose && (X.R - Mat3::Identity()).norm() < kSamePose;
}

Error refused(const sdf::Errors& errors, const SdfDocument& document) {
  const std::string& message = errors.front().Message();
  return {ErrorCode::InvalidValue, oneLine("this SDF cannot be read: " + message),
          document.whereMentioned(message), "correct the element named there"};
}

/// The pose of a link, joint, … in the frame of its model.
template <class Thing>
Result<Pose> poseInModel(const Thing& thing, const SdfDocument& document) {
  auto X = thing.RawPose();
  const sdf::Errors errors = thing.SemanticPose().Resolve(X, "__model__");
  if (!errors.empty()) return refused(errors, document);
  return toPose(X);
}
/// The pose of a visual or collision in its link.
template <class Thing>
Result<Pose> poseInLink(const Thing& thing, const SdfDocument& document) {
  auto X = thing.RawPose();
  const sdf::Errors errors = thing.SemanticPose().Resolve(X);
  if (!errors.empty()) return refused(errors, document);
  return toPose(X);
}

std::string valueOf(const sdf::ElementPtr& element) {
  return element->GetValue() ? element->GetValue()->GetAsString() : "";
}
std::string attributeOf(const sdf::ElementPtr& element, const std::string& name) {
  return element->HasAttribute(name) ? element->GetAttribute(name)->GetAsString() : "";
}
/// A number that SdfDocument has checked, or the fallback.
double numberOf(const sdf::ElementPtr& parent, const std::string& tag, double fallback) {
  if (!parent || !parent->HasElement(tag)) return fallback;
  const auto numbers = numbersIn(valueOf(parent->FindElement(tag)));
  return numbers && numbers->size() == 1 ? numbers->front() : fallback;
}
template <class Visit>
void forEachChild(const sdf::ElementPtr& parent, const Visit& visit) {
  for (sdf::ElementPtr child = parent->GetFirstElement(); child; child = child->GetNextElement())
    visit(child);
}

double limitOf(double value) {
  return std::abs(value) >= kInfinityOfSdf ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                           : value;
}

class SdfReader {
 public:
  SdfReader(const fs::path& file, RobotMeshes meshes, SdfDocument& document)
      : meshes_(std::move(meshes)), document_(document) {
    loaded_.robot.file = file;
  }

  Result<LoadedRobot> read(const sdf::Model& model) {
    RobotDescription& robot = loaded_.robot;
    robot.name = model.Name();
    if (Result<void> ok = readModel(model, "", Pose{}); !ok) return ok.error();
    if (robot.links.empty())
      return Error{ErrorCode::InvalidValue, "the model has no link", document_.where("model", model.Name()),
                   "add at least one <link>"};
    settleWorld(model.Static());
    if (Result<void> ok = checkTree(); !ok) return ok.error();
    auto excluded = excludedLinks(filterGroups_, robot.links, document_.notices);
    if (!excluded) return excluded.error();
    robot.excludedLinks = std::move(*excluded);
    const auto where = [&](const std::string& link) { return document_.where("link", link); };
    settleInertias(robot, where, document_.notices);
    noteTrees(robot, where, document_.notices);
    placeTrees();
    loaded_.X_FR = toPose(model.RawPose()) * X_ML_.at(rootName());
    meshes_.noteConventions(document_.notices);
    loaded_.notices = std::move(document_.notices);
    return std::move(loaded_);
  }

 private:
  void notice(Notice::Level level, const std::string& where, const std::string& what) {
    document_.notices.push_back({level, where, what});
  }

  /// Links first: joints name links of inner models too. X_RM: this model in the outermost one. What is in a static model is
  /// static.
  Result<void> readModel(const sdf::Model& model, const std::string& scope, const Pose& X_RM) {
    const bool outer = std::exchange(isStatic_, isStatic_ || model.Static());
    const Result<void> read = readParts(model, scope, X_RM);
    isStatic_ = outer;
    return read;
  }

  Result<void> readParts(const sdf::Model& model, const std::string& scope, const Pose& X_RM) {
    for (uint64_t i = 0; i < model.LinkCount(); ++i)
      if (Result<void> ok = readLink(*model.LinkByIndex(i), scope, X_RM); !ok) return ok;
    for (uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& inner = *model.ModelByIndex(i);
      const Result<Pose> X_MI = poseInModel(inner, document_);
      if (!X_MI) return X_MI.error();
      if (Result<void> ok = readModel(inner, scope + inner.Name() + "::", X_RM * *X_MI); !ok) return ok;
    }
    for (uint64_t i = 0; i < model.JointCount(); ++i)
      if (Result<void> ok = readJoint(*model.JointByIndex(i), scope, X_RM); !ok) return ok;
    Result<void> result;
    forEachChild(model.Element(), [&](const sdf::ElementPtr& child) {
      if (child->GetName() == "drake:joint" && result) result = readDrakeJoint(child, scope);
      if (child->GetName() == "drake:collision_filter_group") readFilterGroup(child, scope);
    });
    return result;
  }

  Result<void> readLink(const sdf::Link& link, const std::string& scope, const Pose& X_RM) {
    LinkSpec spec;
    spec.name = scope + link.Name();
    const std::string where = document_.where("link", spec.name);
    const Result<Pose> X_ML = poseInModel(link, document_);
    if (!X_ML) return X_ML.error();
    X_ML_[spec.name] = X_RM * *X_ML;
    if (isStatic_) staticLinks_.insert(spec.name);
    for (uint64_t i = 0; i < link.VisualCount(); ++i)
      if (Result<void> ok = readVisual(*link.VisualByIndex(i), where, spec); !ok) return ok;
    for (uint64_t i = 0; i < link.CollisionCount(); ++i)
      if (Result<void> ok = readCollision(*link.CollisionByIndex(i), where, spec); !ok) return ok;
    readInertial(link, where, isStatic_, spec, document_.notices);
    loaded_.robot.links.push_back(std::move(spec));
    return {};
  }

  Result<void> readVisual(const sdf::Visual& visual, const std::string& where, LinkSpec& link) {
    LinkGeometry out;
    out.name = visual.Name();
    const Result<Pose> X = poseInLink(visual, document_);
    if (!X) return X.error();
    out.X_BG = *X;
    const GivenLooks given = readMaterial(visual.Material(), where, out);
    const Result<Shape> shape = readShape(*visual.Geom(), out.X_BG);
    addVisual(link, std::move(out), shape, given, where, document_.notices);
    return {};
  }

  /// Only what is written: libsdformat's own defaults say half metal, which no plain part is.
  GivenLooks readMaterial(const sdf::Material* material, const std::string& where, LinkGeometry& out) {
    GivenLooks given;
    if (!material || !material->Element()) return given;
    given.color = material->Element()->HasElement("diffuse");
    if (given.color) {
      const auto c = material->Diffuse();
      out.color = linearColor(c.R(), c.G(), c.B(), c.A());
    }
    const sdf::Pbr* pbr = material->PbrMaterial();
    const sdf::PbrWorkflow* metal = pbr ? pbr->Workflow(sdf::PbrWorkflowType::METAL) : nullptr;
    if (!metal || !metal->Element()) return given;
    const bool rough = metal->Element()->HasElement("roughness");
    const bool metallic = metal->Element()->HasElement("metalness");
    if (rough) out.finish.roughness = static_cast<float>(std::clamp(metal->Roughness(), 0.0, 1.0));
    if (metallic) out.finish.metallic = static_cast<float>(std::clamp(metal->Metalness(), 0.0, 1.0));
    given.finish = rough || metallic;
    const auto image = [&](const std::string& uri, ImageUse use) {
      return meshes_.image(uri, use, where, document_.notices);
    };
    given.maps.color = image(metal->AlbedoMap(), ImageUse::Color);
    const SharedImage roughness = image(metal->RoughnessMap(), ImageUse::Data);
    const SharedImage metalness = image(metal->MetalnessMap(), ImageUse::Data);
    given.maps.finish = packFinish(nullptr, roughness, metalness);
    // An image says it all, whatever single number stands beside it.
    if (roughness) out.finish.roughness = 1;
    if (metalness) out.finish.metallic = 1;
    return given;
  }

  Result<void> readCollision(const sdf::Collision& collision, const std::string& where, LinkSpec& link) {
    LinkGeometry out;
    out.name = collision.Name();
    const Result<Pose> X = poseInLink(collision, document_);
    if (!X) return X.error();
    out.X_BG = *X;
    const Result<ContactSpec> contact = readContact(collision.Element(), where);
    if (!contact) return contact.error();
    out.contact = *contact;
    const Result<Shape> shape = readShape(*collision.Geom(), out.X_BG);
    addCollision(link, std::move(out), shape, where, document_.notices);
    return {};
  }

  /// drake: tags go over the friction that is written for ODE.
  Result<ContactSpec> readContact(const sdf::ElementPtr& collision, const std::string& where) {
    DrakeTags tags;
    if (collision->HasElement("drake:proximity_properties"))
      forEachChild(collision->FindElement("drake:proximity_properties"),
                   [&](const sdf::ElementPtr& tag) { tags.emplace_back(tag->GetName(), valueOf(tag)); });
    Result<ContactSpec> contact = contactOf(tags, where, document_.notices);
    if (!contact || contact->friction) return contact;
    sdf::ElementPtr at = collision;
    for (const char* tag : {"surface", "friction", "ode"}) at = at ? at->FindElement(tag) : nullptr;
    if (!at || !at->HasElement("mu")) return contact;
    contact->friction = numberOf(at, "mu", 1);
    if (numberOf(at, "mu2", *contact->friction) != *contact->friction)
      noteOnce(document_.notices,
               {Notice::Level::Warning, where,
                "mu2 differs from mu: friction is the same in all directions, mu is used"});
    return contact;
  }

  /// A plane's normal is z here: `X_BG` is turned to match.
  Result<Shape> readShape(const sdf::Geometry& geometry, Pose& X_BG) {
    switch (geometry.Type()) {
      case sdf::GeometryType::BOX:
        return Shape(shape::Box{toVec3(geometry.BoxShape()->Size()) / 2});
      case sdf::GeometryType::SPHERE:
        return Shape(shape::Sphere{geometry.SphereShape()->Radius()});
      case sdf::GeometryType::CYLINDER:
        return Shape(shape::Cylinder{geometry.CylinderShape()->Radius(), geometry.CylinderShape()->Length()});
      case sdf::GeometryType::CAPSULE:
        return Shape(shape::Capsule{geometry.CapsuleShape()->Radius(), geometry.CapsuleShape()->Length()});
      case sdf::GeometryType::ELLIPSOID:
        return Shape(shape::Ellipsoid{toVec3(geometry.EllipsoidShape()->Radii())});
      case sdf::GeometryType::PLANE: {
        const Vec3 normal = toVec3(geometry.PlaneShape()->Normal());
        X_BG.R = X_BG.R * Quat::FromTwoVectors(Vec3::UnitZ(), normal).toRotationMatrix();
        return Shape(shape::Plane{});
      }
      case sdf::GeometryType::MESH:
        return meshes_.read(geometry.MeshShape()->Uri(), toVec3(geometry.MeshShape()->Scale()),
                            {geometry.MeshShape()->Submesh(), geometry.MeshShape()->CenterSubmesh()},
                            document_.notices);
      default:
        return readDrakeShape(geometry.Element());
    }
  }

  Result<Shape> readDrakeShape(const sdf::ElementPtr& geometry) {
    const sdf::ElementPtr kind = geometry ? geometry->GetFirstElement() : nullptr;
    const std::string name = kind ? kind->GetName() : "";
    const auto size = [&](const char* tag) { return numberOf(kind, tag, 0); };
    if (name == "drake:capsule" && size("radius") > 0 && size("length") > 0)
      return Shape(shape::Capsule{size("radius"), size("length")});
    if (name == "drake:ellipsoid" && size("a") > 0 && size("b") > 0 && size("c") > 0)
      return Shape(shape::Ellipsoid{Vec3(size("a"), size("b"), size("c"))});
    return Error{ErrorCode::Unsupported, "the shape <" + name + "> cannot be used", "",
                 "write a box, sphere, cylinder, capsule, ellipsoid or mesh with its sizes"};
  }

  Result<void> readJoint(const sdf::Joint& joint, const std::string& scope, const Pose& X_RM) {
    using multibody::JointType;
    static const std::map<sdf::JointType, JointType> kTypes = {
        {sdf::JointType::REVOLUTE, JointType::Revolute},
        {sdf::JointType::CONTINUOUS, JointType::Continuous},
        {sdf::JointType::PRISMATIC, JointType::Prismatic},
        {sdf::JointType::BALL, JointType::Ball},
        {sdf::JointType::FIXED, JointType::Fixed}};
    JointSpec spec;
    spec.name = scope + joint.Name();
    spec.type = kTypes.at(joint.Type());
    sdf::Errors errors = joint.ResolveParentLink(spec.parent);
    if (errors.empty()) errors = joint.ResolveChildLink(spec.child);
    if (!errors.empty()) return refused(errors, document_);
    const Result<Pose> X_MJ = poseInModel(joint, document_);
    if (!X_MJ) return X_MJ.error();
    if (spec.parent != "world") spec.parent = scope + spec.parent;
    spec.child = scope + spec.child;
    if (const sdf::JointAxis* axis = joint.Axis(0); axis && multibody::positionCount(spec.type) == 1)
      if (Result<void> ok = readAxis(*axis, scope, spec); !ok) return ok;
    const double ratio = numberOf(joint.Element(), "drake:gear_ratio", 1);
    spec.armature = numberOf(joint.Element(), "drake:rotor_inertia", 0) * ratio * ratio;
    if (Result<void> ok = readMimic(joint.Element()->FindElement("drake:mimic"), scope, spec); !ok) return ok;
    return place(std::move(spec), X_RM * *X_MJ);
  }

  Result<void> readAxis(const sdf::JointAxis& axis, const std::string& scope, JointSpec& spec) {
    auto xyz = axis.Xyz();
    if (const sdf::Errors errors = axis.ResolveXyz(xyz); !errors.empty()) return refused(errors, document_);
    spec.axis = toVec3(xyz);
    if (spec.type != multibody::JointType::Continuous) {
      spec.lower = limitOf(axis.Lower());
      spec.upper = limitOf(axis.Upper());
    }
    const auto orNone = [&](double limit, const char* name) {
      if (limit == 0)
        notice(Notice::Level::Info, document_.where("joint", spec.name),
               "the " + std::string(name) + " limit is 0: taken as no limit");
      return limit > 0 ? limitOf(limit) : std::numeric_limits<double>::infinity();
    };
    spec.effortLimit = orNone(axis.Effort(), "effort");
    spec.velocityLimit = orNone(axis.MaxVelocity(), "velocity");
    spec.damping = axis.Damping();
    spec.stiffness = axis.SpringStiffness();
    spec.springReference = axis.SpringReference();
    spec.dryFriction = axis.Friction();
    const sdf::ElementPtr mimic = axis.Element()->FindElement("mimic");
    return readMimic(mimic, scope, spec);
  }

  /// <mimic> of SDF 1.11 has children and a reference position; <drake:mimic> has attributes.
  Result<void> readMimic(const sdf::ElementPtr& mimic, const std::string& scope, JointSpec& spec) {
    if (!mimic) return {};
    const std::string where = document_.where("joint", spec.name);
    const auto attribute = [&](const char* name, double fallback) -> std::optional<double> {
      const std::string text = attributeOf(mimic, name);
      if (text.empty()) return fallback;
      const auto numbers = numbersIn(text);
      return numbers && numbers->size() == 1 && std::isfinite(numbers->front())
                 ? std::optional<double>(numbers->front())
                 : std::nullopt;
    };
    const auto ratio = attribute("multiplier", numberOf(mimic, "multiplier", 1));
    const auto offset = attribute("offset", numberOf(mimic, "offset", 0));
    const std::string leader = attributeOf(mimic, "joint");
    if (!ratio || !offset || leader.empty())
      return Error{ErrorCode::InvalidValue,
                   "its mimic names no joint, or has a multiplier or offset that is no number", where,
                   "write joint=\"…\" multiplier=\"…\" offset=\"…\""};
    spec.mimic = scope + leader;
    spec.mimicRatio = *ratio;
    spec.mimicOffset = *offset - *ratio * numberOf(mimic, "reference", 0);
    return {};
  }

  /// <drake:joint type="planar">: parent and child as in <joint>, moves in the xy plane of the child's frame.
  Result<void> readDrakeJoint(const sdf::ElementPtr& element, const std::string& scope) {
    JointSpec spec;
    spec.name = scope + attributeOf(element, "name");
    const std::string type = attributeOf(element, "type"), where = document_.where("joint", spec.name);
    if (type != "planar")
      return Error{ErrorCode::Unsupported,
                   oneLine("<drake:joint> of the type '" + type + "' is not simulated"), where,
                   "use a planar, ball or revolute joint"};
    spec.type = multibody::JointType::Planar;
    spec.axis = Vec3::UnitZ();
    std::vector<double> damping = {0};
    forEachChild(element, [&](const sdf::ElementPtr& child) {
      const std::string name = child->GetName();
      if (name == "drake:parent") spec.parent = valueOf(child);
      if (name == "drake:child") spec.child = valueOf(child);
      if (name == "drake:damping") damping = numbersIn(valueOf(child)).value_or(std::vector<double>{-1});
      if (name == "pose")
        notice(Notice::Level::Warning, where,
               "the <pose> of a <drake:joint> is not used: its frame is the child's");
    });
    if (damping.empty() || !std::all_of(damping.begin(), damping.end(), [](double d) { return d >= 0; }))
      return Error{ErrorCode::InvalidValue, "its damping is not a number of at least 0", where,
                   "write one number, or three"};
    spec.damping = damping.front();
    if (std::any_of(damping.begin(), damping.end(), [&](double d) { return d != damping.front(); }))
      notice(Notice::Level::Warning, where, "its three dampings differ: the first is used for all");
    if (spec.parent != "world") spec.parent = scope + spec.parent;
    spec.child = scope + spec.child;
    for (const std::string& link : {spec.parent, spec.child})
      if (link != "world" && !X_ML_.contains(link))
        return Error{ErrorCode::UnknownName, oneLine("there is no link '" + link + "'"), where,
                     "write the names of two links in <drake:parent> and <drake:child>"};
    const Pose X_RJ = X_ML_.at(spec.child);
    return place(std::move(spec), X_RJ);
  }

  /// Here the child's frame is the joint's. Where the file has the joint elsewhere on the child, a link
  /// without mass stands in the joint's frame and carries the child.
  Result<void> place(JointSpec joint, const Pose& X_RJ) {
    if (isStatic_) joint.type = multibody::JointType::Fixed;
    const Pose X_RP = joint.parent == "world" ? Pose{} : X_ML_.at(joint.parent), X_RC = X_ML_.at(joint.child);
    const Pose X_JC = X_RJ.inverse() * X_RC;
    const bool isFixed = joint.type == multibody::JointType::Fixed;
    joint.X_PJ = X_RP.inverse() * (isFixed ? X_RC : X_RJ);
    if (!isFixed && !isIdentity(X_JC)) {
      LinkSpec carrier;
      carrier.name = joint.name + "::frame";
      JointSpec offset;
      offset.name = joint.name + "::offset";
      offset.parent = carrier.name;
      offset.child = joint.child;
      offset.X_PJ = X_JC;
      joint.child = carrier.name;
      X_ML_[carrier.name] = X_RJ;
      loaded_.robot.links.push_back(std::move(carrier));
      loaded_.robot.joints.push_back(std::move(joint));
      joint = std::move(offset);
    }
    loaded_.robot.joints.push_back(std::move(joint));
    return {};
  }

  void readFilterGroup(const sdf::ElementPtr& element, const std::string& scope) {
    FilterGroup group;
    group.name = scope + attributeOf(element, "name");
    group.where = document_.where("model", loaded_.robot.name) + ", collision filter group '" +
                  oneLine(group.name) + "'";
    forEachChild(element, [&](const sdf::ElementPtr& child) {
      const std::string tag = child->GetName(), name = scope + valueOf(child);
      if (tag == "drake:member") group.links.push_back(name);
      if (tag == "drake:member_group") group.groups.push_back(name);
      if (tag == "drake:ignored_collision_filter_group") group.ignored.push_back(name);
    });
    filterGroups_.push_back(std::move(group));
  }

  std::vector<std::string> roots() const {
    std::set<std::string> children;
    for (const JointSpec& joint : loaded_.robot.joints) children.insert(joint.child);
    std::vector<std::string> names;
    for (const LinkSpec& link : loaded_.robot.links)
      if (!children.contains(link.name)) names.push_back(link.name);
    return names;
  }
  std::string rootName() const { return roots().front(); }

  /// What the file joins to the world. One fixed joint only says which link the root is; several, or movable
  /// ones, hang from a link without mass at the model's origin, as do the loose links of static models, and float in
  /// front of it those of a world.
  void settleWorld(bool allStatic) {
    std::vector<JointSpec>& joints = loaded_.robot.joints;
    const auto toWorld = [](const JointSpec& joint) { return joint.parent == "world"; };
    const auto count = std::count_if(joints.begin(), joints.end(), toWorld);
    const auto first = std::find_if(joints.begin(), joints.end(), toWorld);
    std::vector<std::string> loose = roots();
    if (!document_.isWorld)
      std::erase_if(loose, [&](const std::string& link) { return !staticLinks_.contains(link); });
    if (count == 1 && first->type == multibody::JointType::Fixed && loose.empty()) {
      notice(Notice::Level::Info, document_.where("joint", first->name),
             "the file fixes the robot to the world; here the scene's 'base' and pose say where it stands");
      joints.erase(first);
      return;
    }
    if (count == 0 && loose.size() < (allStatic ? 2 : 1)) return;
    for (JointSpec& joint : joints)
      if (toWorld(joint)) joint.parent = kModelLink;
    for (const std::string& name : loose) {
      JointSpec joint;
      const bool isFree =
          !staticLinks_.contains(name) && massOf(name) > 0;  // without mass: Bullet's word for static
      joint.name = name + (isFree ? "::free" : "::static");
      joint.type = isFree ? multibody::JointType::Floating : multibody::JointType::Fixed;
      joint.parent = kModelLink;
      joint.child = name;
      joint.X_PJ = X_ML_.at(name);
      joints.push_back(std::move(joint));
    }
    LinkSpec model;
    model.name = kModelLink;
    X_ML_[kModelLink] = Pose{};
    loaded_.robot.links.insert(loaded_.robot.links.begin(), std::move(model));
  }

  double massOf(const std::string& name) const {
    const auto& links = loaded_.robot.links;
    const auto found =
        std::find_if(links.begin(), links.end(), [&](const LinkSpec& link) { return link.name == name; });
    return found == links.end() ? 0 : found->mass;
  }

  /// Trees beside the first stand where the file has them.
  void placeTrees() {
    const std::vector<std::string> names = roots();
    for (std::size_t i = 1; i < names.size(); ++i)
      loaded_.robot.rootPoses[names[i]] = X_ML_.at(names[0]).inverse() * X_ML_.at(names[i]);
  }

  Result<void> checkTree() const {
    std::vector<TreeLink> links;
    std::vector<TreeJoint> joints;
    for (const LinkSpec& link : loaded_.robot.links)
      links.push_back({link.name, document_.where("link", link.name)});
    for (const JointSpec& joint : loaded_.robot.joints)
      joints.push_back({joint.parent, joint.child, document_.where("joint", joint.name)});
    return assets::checkTree(links, joints);
  }

  LoadedRobot loaded_;
  RobotMeshes meshes_;
  SdfDocument& document_;
  bool isStatic_ = false;  ///< of the model that is being read
  std::set<std::string> staticLinks_;
  std::map<std::string, Pose> X_ML_;  ///< links in the outermost model
  std::vector<FilterGroup> filterGroups_;
};

/// libsdformat speaks to process-wide consoles, which stay silent here: what matters comes back as errors.
sdf::Errors loadQuietly(const std::string& text, sdf::Root& root) {
  const CapturedLog log;
  sdf::Console::Instance()->SetQuiet(true);
  sdf::ParserConfig config;
  config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
  config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::LOG);
  sdf::Errors errors = root.LoadSdfString(text, config);
  // Inertias are checked, and repaired where possible, with everything else.
  std::erase_if(errors, [](const sdf::Error& e) { return e.Code() == sdf::ErrorCode::LINK_INERTIA_INVALID; });
  return errors;
}

}  // namespace

bool readsSdf() {
  return true;
}

Result<LoadedRobot> loadSdf(const fs::path& file, const std::vector<fs::path>& packagePaths,
                            LoadProgress* progress) {
  FileLog::note(file);
  Result<std::string> text = readTextFile(file, limits::kXmlBytes);
  if (!text) return text.error();
  SdfDocument document;
  if (std::optional<Notice> latin1 = turnIntoUtf8(file, *text))
    document.notices.push_back(std::move(*latin1));
  if (Result<void> ok = document.read(file, *text, packagePaths); !ok) return ok.error();
  try {
    sdf::Root root;
    const std::string rewritten = document.rewritten();
    const sdf::Errors errors = loadQuietly(rewritten, root);
    if (!errors.empty()) return refused(errors, document);
    if (!root.Model())
      return Error{ErrorCode::SyntaxError, "this SDF cannot be read: it has no model", file.string(),
                   "check the file with 'gz sdf -k'"};
    Result<LoadedRobot> robot =
        SdfReader(file, RobotMeshes(file, packagePaths, rewritten, progress), document).read(*root.Model());
    if (isCancelled(progress)) return cancelledLoad(file.string());
    return robot;
  } catch (const std::exception& e) {
    return Error{ErrorCode::SyntaxError, oneLine(std::string("this SDF cannot be read: ") + e.what()),
                 file.string(), "check the file with 'gz sdf -k'"};
  }
}

}  // namespace slipstick::assets
