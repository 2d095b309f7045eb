#include "assets/robot_checks.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "assets/drake_tags.h"
#include "assets/robot_io.h"
#include "assets/shipped.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/srgb.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr double kPlaceholderSize = 0.05;   // [m]
constexpr double kPlaceholderMass = 1e-3;   // [kg]
constexpr double kAssumedDensity = 1000;    // [kg/m³], for links whose inertia is missing
constexpr double kInertiaTolerance = 1e-4;  // relative; files carry few digits

/// Index of each link's parent link and of the joint to it; −1 at the root.
struct Parents {
  std::vector<int> link, joint;
};

Parents parentsOf(const RobotDescription& robot) {
  std::map<std::string, int> index;
  for (std::size_t i = 0; i < robot.links.size(); ++i) index[robot.links[i].name] = static_cast<int>(i);
  Parents parents{std::vector<int>(robot.links.size(), -1), std::vector<int>(robot.links.size(), -1)};
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const auto child = static_cast<std::size_t>(index.at(robot.joints[j].child));
    parents.link[child] = index.at(robot.joints[j].parent);
    parents.joint[child] = static_cast<int>(j);
  }
  return parents;
}

/// Per link: whether a movable joint stands between it and the root.
std::vector<char> movingLinks(const RobotDescription& robot, const Parents& parents) {
  std::vector<char> moves(robot.links.size(), 0);
  for (std::size_t i = 0; i < moves.size(); ++i)
    for (auto at = i; parents.link[at] >= 0 && !moves[i]; at = static_cast<std::size_t>(parents.link[at]))
      moves[i] =
          robot.joints[static_cast<std::size_t>(parents.joint[at])].type != multibody::JointType::Fixed;
  return moves;
}

Result<void> settleInertia(LinkSpec& link, bool moves, const std::string& where,
                           std::vector<Notice>& notices) {
  if (link.mass <= 0) return {};
  if (link.inertia.isZero()) {
    if (!moves) return {};
    const double radius = std::cbrt(3 * link.mass / (4 * std::numbers::pi * kAssumedDensity));
    link.inertia = 0.4 * link.mass * radius * radius * Mat3::Identity();
    notices.push_back({Notice::Level::Warning, where,
                       "its inertia is zero: taken as that of a ball of its mass and 1000 kg/m³"});
    return {};
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(link.inertia);
  Vec3 moments = eigen.eigenvalues();
  if (!(moments[0] > 0))
    return Error{ErrorCode::InvalidValue, "the inertia of link '" + link.name + "' is not positive definite",
                 where, "correct ixx … izz; principal moments must be positive"};
  if (moments[2] <= (moments[0] + moments[1]) * (1 + 1e-9)) return {};
  const double excess = moments[2] / (moments[0] + moments[1]) - 1;
  moments[2] = moments[0] + moments[1];
  link.inertia = eigen.eigenvectors() * moments.asDiagonal() * eigen.eigenvectors().transpose();
  if (excess > kInertiaTolerance)
    notices.push_back({Notice::Level::Warning, where,
                       "its largest principal moment of inertia exceeds the sum of the other two by " +
                           significant(100 * excess, 3) + " %: lowered to the sum"});
  return {};
}

/// A movable joint whose whole subtree weighs nothing would make the mass matrix singular: its link gets a
/// gram.
void repairMassless(RobotDescription& robot, const Parents& parents, const PlaceOfLink& where,
                    std::vector<Notice>& notices) {
  std::vector<char> heavy(robot.links.size(), 0);  // it or something beyond it has mass
  for (std::size_t i = 0; i < heavy.size(); ++i)
    if (robot.links[i].mass > 0)
      for (int at = static_cast<int>(i); at >= 0 && !heavy[static_cast<std::size_t>(at)];
           at = parents.link[static_cast<std::size_t>(at)])
        heavy[static_cast<std::size_t>(at)] = 1;
  for (std::size_t i = 0; i < heavy.size(); ++i) {
    if (heavy[i] || parents.joint[i] < 0) continue;
    const JointSpec& joint = robot.joints[static_cast<std::size_t>(parents.joint[i])];
    if (joint.type == multibody::JointType::Fixed || joint.armature > 0) continue;
    LinkSpec& link = robot.links[i];
    link.mass = kPlaceholderMass;
    link.inertia = 0.4 * kPlaceholderMass * 1e-4 * Mat3::Identity();  // a ball of 1 cm radius
    notices.push_back({Notice::Level::Warning, where(link.name),
                       "it moves but neither it nor anything beyond it has mass: given 1 g"});
  }
}

/// One walk along the parents from every link, stopped where an earlier walk has been: finds every cycle.
Result<void> checkCycles(const std::vector<TreeLink>& links,
                         const std::map<std::string, std::string>& parentOf) {
  std::map<std::string, std::size_t> seenFrom;
  for (std::size_t i = 0; i < links.size(); ++i) {
    std::string chain, at = links[i].name;
    for (std::size_t steps = 0; seenFrom.try_emplace(at, i).second; ++steps) {
      if (steps < 8) chain += at + " → ";
      const auto up = parentOf.find(at);
      if (up == parentOf.end()) break;
      at = up->second;
      if (seenFrom.contains(at) && seenFrom.at(at) == i)
        return Error{ErrorCode::InvalidValue, "the links form a cycle: " + chain + at, links[i].where,
                     "remove one of the joints; close loops in the scene ('loops:')"};
    }
  }
  return {};
}

}  // namespace

Result<void> checkTree(const std::vector<TreeLink>& links, const std::vector<TreeJoint>& joints) {
  std::map<std::string, std::string> parentOf;
  for (const TreeJoint& joint : joints)
    if (!parentOf.emplace(joint.child, joint.parent).second)
      return Error{ErrorCode::InvalidValue, "the link '" + joint.child + "' already hangs from another joint",
                   joint.where, "remove one of the joints; close loops in the scene ('loops:')"};
  if (Result<void> ok = checkCycles(links, parentOf); !ok) return ok;
  std::vector<const TreeLink*> roots;
  for (const TreeLink& link : links)
    if (!parentOf.contains(link.name)) roots.push_back(&link);
  if (roots.size() > 1)
    return Error{ErrorCode::InvalidValue,
                 "the robot has " + std::to_string(roots.size()) + " roots ('" + roots[0]->name + "', '" +
                     roots[1]->name + "'…)",
                 roots[1]->where, "join them by fixed joints"};
  return {};
}

Result<void> settleInertias(RobotDescription& robot, const PlaceOfLink& where, std::vector<Notice>& notices) {
  const Parents parents = parentsOf(robot);
  const std::vector<char> moves = movingLinks(robot, parents);
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (Result<void> ok = settleInertia(robot.links[i], moves[i] != 0, where(robot.links[i].name), notices);
        !ok)
      return ok;
  repairMassless(robot, parents, where, notices);
  return {};
}

Color linearColor(float r, float g, float b, float a) {
  return {linearFromSrgb(r), linearFromSrgb(g), linearFromSrgb(b), a};
}

RobotMeshes::RobotMeshes(fs::path file, std::vector<fs::path> packagePaths, std::string_view text,
                         LoadProgress* progress)
    : file_(std::move(file)), packagePaths_(std::move(packagePaths)), progress_(progress) {
  constexpr std::string_view kMesh = "<mesh";
  for (std::size_t at = text.find(kMesh); at != std::string_view::npos; at = text.find(kMesh, at + 1))
    ++total_;
}

Result<Shape> RobotMeshes::read(const std::string& uri, const Vec3& scale, std::vector<Notice>& notices) {
  ++asked_;
  if (isCancelled(progress_)) return cancelledLoad(file_.string());
  if (progress_)
    progress_->say(
        "reading mesh " + std::to_string(asked_) + " of " + std::to_string(total_) + ", " +
            fs::path(uri).filename().string(),
        std::min(1.0, static_cast<double>(asked_ - 1) / static_cast<double>(std::max(total_, asked_))));
  const std::string key =
      uri + "|" + shortest(scale.x()) + "|" + shortest(scale.y()) + "|" + shortest(scale.z());
  if (const auto known = meshes_.find(key); known != meshes_.end()) return Shape(shape::Mesh{known->second});
  Result<fs::path> path = resolveFile(uri, file_.parent_path(), packagePaths_);
  if (!path) return path.error();
  Result<LoadedMesh> mesh = loadMesh(*path, scale);
  if (!mesh) return mesh.error();
  notices.insert(notices.end(), mesh->notices.begin(), mesh->notices.end());
  meshes_[key] = mesh->mesh;
  return Shape(shape::Mesh{mesh->mesh});
}

SharedImage RobotMeshes::image(const std::string& uri, ImageUse use, const std::string& where,
                               std::vector<Notice>& notices) const {
  if (uri.empty() || isCancelled(progress_)) return nullptr;
  const Result<fs::path> path = resolveFile(uri, file_.parent_path(), packagePaths_);
  const Result<SharedImage> image = path ? loadImage(*path, use) : Result<SharedImage>(path.error());
  if (image) return *image;
  noteOnce(notices, {Notice::Level::Warning, where,
                     "it is shown without its image " + uri + ": " + image.error().what + "; " +
                         image.error().remedy});
  return nullptr;
}

bool wearsImages(const Shape& shape) {
  const auto* mesh = std::get_if<shape::Mesh>(&shape);
  return mesh && !mesh->mesh->uvs.empty();
}

void giveLooks(Shape& shape, const GivenLooks& given) {
  auto* mesh = std::get_if<shape::Mesh>(&shape);
  const bool worn = !given.maps.empty() && wearsImages(shape);
  if (!mesh || (!given.color && !given.finish && !worn)) return;
  auto changed = std::make_shared<TriangleMesh>(*mesh->mesh);
  if (given.color || given.maps.color) changed->colors.clear();
  if (given.finish || given.maps.finish) changed->finishes.clear();
  for (TexturedPart& part : changed->textured) {
    if (given.color) part.maps.color = nullptr;
    if (given.finish) part.maps.finish = nullptr;
  }
  std::erase_if(changed->textured, [](const TexturedPart& part) { return part.maps.empty(); });
  if (worn) changed->textured = {{0, changed->triangles.size(), given.maps}};
  mesh->mesh = std::move(changed);
}

void addVisual(LinkSpec& link, LinkGeometry visual, const Result<Shape>& shape, const GivenLooks& given,
               const std::string& where, std::vector<Notice>& notices) {
  visual.shape = shape ? *shape : Shape(shape::Box{Vec3::Constant(kPlaceholderSize / 2)});
  if (!shape)
    notices.push_back(
        {Notice::Level::Warning, where,
         shape.error().what + " (" + shape.error().remedy + "); a box of 5 cm stands in its place"});
  if (shape && !given.maps.empty() && !wearsImages(visual.shape))
    notices.push_back(
        {Notice::Level::Warning, where,
         "it is shown without its image: only meshes with texture coordinates wear images; write "
         "a mesh, unwrapped and exported again"});
  giveLooks(visual.shape, given);
  link.visuals.push_back(std::move(visual));
}

void addCollision(LinkSpec& link, LinkGeometry collision, const Result<Shape>& shape,
                  const std::string& where, std::vector<Notice>& notices) {
  if (!shape) {
    notices.push_back(
        {Notice::Level::Warning, where,
         shape.error().what + " (" + shape.error().remedy + "); this collision shape is left out"});
    return;
  }
  collision.shape = *shape;
  if (auto* mesh = std::get_if<shape::Mesh>(&collision.shape)) mesh->mesh = collisionMesh(*mesh->mesh);
  link.collisions.push_back(std::move(collision));
}

}  // namespace slipstick::assets
