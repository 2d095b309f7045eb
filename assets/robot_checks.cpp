#include "assets/robot_checks.h"

#include <algorithm>

#include "assets/mesh_io.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/srgb.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr double kPlaceholderSize = 0.05;  // [m]
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
  return {};
}

void startAsWritten(const RobotDescription& file, RobotSpec& robot) {
  for (const JointSpec& joint : file.joints) {
    const bool isDrawnOutside = joint.lower > 0 || joint.upper < 0;
    const auto isPlaced = [&](const auto& placed) { return placed.first == joint.name; };
    if (multibody::positionCount(joint.type) == 1 && joint.mimic.empty() && isDrawnOutside &&
        std::none_of(robot.jointPositions.begin(), robot.jointPositions.end(), isPlaced))
      robot.jointPositions.emplace_back(joint.name, 0.0);
  }
}

Color linearColor(float r, float g, float b, float a) {
  return {linearFromSrgb(r), linearFromSrgb(g), linearFromSrgb(b), a};
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
