// Bodies, robots and their shapes of a written scene.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "assets/limits.h"
#include "assets/robot_format.h"
#include "assets/scene_tables.h"
#include "assets/scene_writer.h"
#include "assets/writer_parts.h"
#include "engine/compile/shape_mass.h"
#include "engine/foundation/number_range.h"
#include "engine/foundation/number_text.h"
#include "engine/model/parameters.h"

namespace slipstick::assets {
namespace writer {
namespace {

/// One number is a size, which is positive; three may mirror.
YamlOut scaleOf(const Vec3& scale) {
  const bool isUniform = scale.x() == scale.y() && scale.y() == scale.z() && scale.x() > 0;
  return isUniform ? YamlOut::number(scale.x()) : YamlOut::numbers({scale.x(), scale.y(), scale.z()});
}

struct AddShape {
  const MeshSource* source;
  const std::filesystem::path& folder;
  const std::string& where;
  YamlOut& map;

  Result<void> operator()(const shape::Plane&) const { return named("plane"); }
  Result<void> operator()(const shape::Sphere& s) const {
    (void)named("sphere");
    map.add("radius", YamlOut::number(s.radius));
    return {};
  }
  Result<void> operator()(const shape::Box& s) const {
    (void)named("box");
    addVector(map, "size", 2 * s.halfExtents);
    return {};
  }
  Result<void> operator()(const shape::Capsule& s) const { return round("capsule", s.radius, s.length); }
  Result<void> operator()(const shape::Cylinder& s) const { return round("cylinder", s.radius, s.length); }
  Result<void> operator()(const shape::Ellipsoid& s) const {
    (void)named("ellipsoid");
    addVector(map, "radii", s.radii);
    return {};
  }
  Result<void> operator()(const shape::Mesh&) const {
    if (!source)
      return Error{ErrorCode::Unsupported, "its mesh came from no file, so that no scene can name it", where,
                   "save the mesh as a file and open it again"};
    (void)named("mesh");
    map.add("file", YamlOut::text(fileName(source->file, source->written, folder)));
    if (source->scale != Vec3::Ones()) map.add("scale", scaleOf(source->scale));
    if (!source->image.empty())
      map.add("texture", YamlOut::text(fileName(source->image, source->imageWritten, folder)));
    return {};
  }

  Result<void> named(const char* name) const {
    map.add("shape", YamlOut::text(name));
    return {};
  }
  Result<void> round(const char* name, double radius, double length) const {
    (void)named(name);
    map.add("radius", YamlOut::number(radius)).add("length", YamlOut::number(length));
    return {};
  }
};

/// A shape of a body, as it stands among its visuals and collisions.
struct Element {
  const LinkGeometry* visual = nullptr;
  const LinkGeometry* collision = nullptr;
  const LinkGeometry& any() const { return visual ? *visual : *collision; }
};

/// Of a shape without a name: what it is known by.
std::optional<std::size_t> placeOf(const LinkGeometry& geometry) {
  if (!geometry.name.empty()) return std::nullopt;
  const Result<int> place = wholeNumberIn(geometry.key, 0, static_cast<int>(limits::kRobotShapes));
  return place ? std::optional(static_cast<std::size_t>(*place)) : std::nullopt;
}

/// The visuals or the collisions of a body, taken one after the other.
class Row {
 public:
  explicit Row(const std::vector<LinkGeometry>& all) : all_(all), latest_(all.size(), kAnywhere) {}

  const LinkGeometry* front() const { return next_ < all_.size() ? &all_[next_] : nullptr; }
  const LinkGeometry* take() { return &all_[next_++]; }
  bool holds(const std::string& key) const {
    return std::any_of(all_.begin() + static_cast<std::ptrdiff_t>(next_), all_.end(),
                       [&](const LinkGeometry& g) { return g.key == key; });
  }
  /// The place that the front must have at the latest, so that those behind it come to theirs.
  std::size_t latest() const { return latest_[next_]; }
  /// Looks at where the shapes must be, what is in both rows in the other one as well. @return whether that is new
  bool hurry(const Row& other) {
    const std::vector<std::size_t> before = latest_;
    std::size_t next = kAnywhere;
    for (std::size_t i = all_.size(); i-- > 0;) {
      if (next != kAnywhere && next > 0) --next;
      next = std::min({next, placeOf(all_[i]).value_or(kAnywhere), other.latestOf(all_[i].key)});
      latest_[i] = next;
    }
    return latest_ != before;
  }

 private:
  static constexpr std::size_t kAnywhere = std::numeric_limits<std::size_t>::max();
  std::size_t latestOf(const std::string& key) const {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (all_[i].key == key) return latest_[i];
    return kAnywhere;
  }

  const std::vector<LinkGeometry>& all_;
  std::vector<std::size_t> latest_;
  std::size_t next_ = 0;
};

/// What stands at a place of the list; nothing where all that is left has its own further on.
Element elementAt(std::size_t place, Row& visuals, Row& collisions) {
  const LinkGeometry *visual = visuals.front(), *collision = collisions.front();
  const auto waits = [place](const LinkGeometry& g) { return placeOf(g).value_or(place) > place; };
  if (visual && collision && visual->key == collision->key)
    return waits(*visual) ? Element{} : Element{visuals.take(), collisions.take()};
  const bool isVisualLater = visual && collisions.holds(visual->key),
             isCollisionLater = collision && visuals.holds(collision->key);
  const bool canSee = visual && !isVisualLater && !waits(*visual),
             canFeel = collision && !isCollisionLater && !waits(*collision);
  const bool isCrossed = isVisualLater && isCollisionLater;  // of no list: they are two then
  if (canSee && (!canFeel || visuals.latest() <= collisions.latest())) return {visuals.take(), nullptr};
  return canFeel || isCrossed ? Element{nullptr, collisions.take()} : Element{};
}

/// Back to one list: both keep its order, and what has no name is known by its place in it. A shape that is neither seen nor
/// felt is in neither: it leaves an empty place.
std::vector<Element> elementsOf(const LinkSpec& link) {
  Row visuals(link.visuals), collisions(link.collisions);
  for (bool isNew = true; isNew;) {
    isNew = visuals.hurry(collisions);
    isNew = collisions.hurry(visuals) || isNew;
  }
  std::vector<Element> elements;
  while (visuals.front() || collisions.front())
    elements.push_back(elementAt(elements.size(), visuals, collisions));
  return elements;
}

/// What keeps the place of a shape that is neither seen nor felt.
YamlOut nothing() {
  YamlOut map;
  map.add("shape", YamlOut::text("sphere")).add("radius", YamlOut::number(1));
  map.add("visible", YamlOut::boolean(false)).add("collides", YamlOut::boolean(false));
  return map;
}

Result<YamlOut> elementOf(const Element& element, const std::filesystem::path& folder,
                          const std::string& where) {
  if (!element.visual && !element.collision) return nothing();
  const LinkGeometry& g = element.any();
  const LinkGeometry usual;
  YamlOut map;
  if (!g.name.empty()) map.add("name", YamlOut::text(g.name));
  if (Result<void> added = addShape(g.shape, g.source.get(), folder, where, map); !added)
    return added.error();
  addPose(g.X_BG, map);
  if (g.color != usual.color) map.add("color", colorOf(g.color));
  const bool hasFinish = g.source && g.source->hasFinish;
  const auto part = [](float x) {
    return YamlOut::number(*parseNumber(significant(static_cast<double>(x), 9)));
  };
  if (hasFinish || g.finish.roughness != usual.finish.roughness)
    map.add("roughness", part(g.finish.roughness));
  if (hasFinish || g.finish.metallic != usual.finish.metallic) map.add("metallic", part(g.finish.metallic));
  addIf(map, "contact", blockOf(g.contact, contactTable()));
  const MeshSource* split = (element.collision ? element.collision : element.visual)->source.get();
  if (split && split->convexParts > 0) map.add("convex_parts", YamlOut::integer(split->convexParts));
  if (!element.visual) map.add("visible", YamlOut::boolean(false));
  if (!element.collision) map.add("collides", YamlOut::boolean(false));
  return map;
}

bool gives(const LinkSpec& link, const MassProperties& unit, double scale) {
  return scale * unit.volume == link.mass && unit.com == link.com &&
         Mat3(scale * unit.inertiaPerDensity) == link.inertia;
}

/// 'density' or 'mass', whichever gives the link what it has.
Result<void> addMass(const RobotSpec& body, const LinkSpec& link, YamlOut& map) {
  if (link.mass == 0) return {};
  const Result<MassProperties> unit =
      massProperties(link.collisions.empty() ? link.visuals : link.collisions);
  if (!unit) return unit.error();
  const double density = link.mass / unit->volume;
  for (int digits = 1; digits <= 17; ++digits) {
    const double d = parseNumber(significant(density, digits)).value_or(density);
    const double m = parseNumber(significant(link.mass, digits)).value_or(link.mass);
    if (gives(link, *unit, d)) {
      if (body.path.empty() || d != 1000) map.add("density", YamlOut::number(d));
      return {};
    }
    if (gives(link, *unit, m / unit->volume)) {
      map.add("mass", YamlOut::number(m));
      return {};
    }
  }
  // The quotient may have been rounded away from the density that was multiplied.
  double below = density, above = density;
  for (int i = 0; i < 8; ++i) {
    below = std::nextafter(below, 0);
    above = std::nextafter(above, INFINITY);
    for (const double d : {below, above})
      if (gives(link, *unit, d)) {
        map.add("density", YamlOut::number(d));
        return {};
      }
  }
  return Error{ErrorCode::Unsupported, "its mass and inertia are not those of its shapes", body.name,
               "give it a robot file"};
}

void addPlacement(const RobotSpec& robot, YamlOut& map) {
  if (!robot.path.empty()) {
    map.add("path", YamlOut::text(robot.path));
  } else {
    if (robot.freeBase) map.add("base", YamlOut::text("free"));
    if (robot.attachTo != "world") map.add("attach_to", YamlOut::text(robot.attachTo));
    addPose(robot.X_PB, map);
    writeKeys(robot, movingTable<RobotSpec>(), map);
  }
}

Result<YamlOut> bodyOf(const RobotSpec& body, const std::filesystem::path& folder) {
  const LinkSpec& link = body.description.links.front();
  YamlOut map;
  addPlacement(body, map);
  if (Result<void> mass = addMass(body, link, map); !mass) return mass.error();
  addIf(map, "contact", blockOf(body.contact, contactTable()));
  writeKeys(body.look, lookTable(), map);
  YamlOut::List shapes;
  for (const Element& element : elementsOf(link)) {
    Result<YamlOut> written = elementOf(element, folder, body.name);
    if (!written) return written.error();
    shapes.push_back(std::move(*written));
  }
  if (shapes.empty()) shapes.push_back(nothing());
  map.add("shapes", YamlOut::list(std::move(shapes)));
  return map;
}

YamlOut numbersOf(const std::vector<std::pair<std::string, double>>& numbers) {
  YamlOut map;
  for (const auto& [name, number] : numbers) map.add(name, YamlOut::number(number));
  return map;
}

/// What is said of single links: those with a contact first, in their order, then the others.
YamlOut linksOf(const RobotSpec& robot) {
  std::vector<std::string> names;
  for (const auto& [link, contact] : robot.linkContact) names.push_back(link);
  std::set<std::string> others;
  for (const auto& [link, look] : robot.linkLooks) others.insert(link);
  for (const auto& [link, inertia] : robot.linkInertias) others.insert(link);
  for (const auto& [link, most] : robot.linkConvexParts) others.insert(link);
  for (const auto& [link, contact] : robot.linkContact) others.erase(link);
  names.insert(names.end(), others.begin(), others.end());
  YamlOut links;
  for (const std::string& name : names) {
    YamlOut map;
    for (const auto& [link, contact] : robot.linkContact)
      if (link == name) map.add("contact", blockOf(contact, contactTable()));
    if (const auto look = robot.linkLooks.find(name); look != robot.linkLooks.end())
      writeKeys(look->second, lookTable(), map);
    if (const auto said = robot.linkInertias.find(name); said != robot.linkInertias.end())
      writeKeys(said->second, linkTable(), map);
    if (const auto parts = robot.linkConvexParts.find(name); parts != robot.linkConvexParts.end())
      map.add("convex_parts", YamlOut::integer(parts->second));
    addIf(links, name, std::move(map));
  }
  return links;
}

/// Positions and poses that joints start with.
YamlOut startsOf(const RobotSpec& robot) {
  YamlOut map = numbersOf(robot.jointPositions);
  for (const JointPoseSpec& start : robot.jointPoses) {
    YamlOut pose;
    addPose(start.X_JC, pose);
    addIf(map, start.joint, std::move(pose));
  }
  return map;
}

YamlOut startVelocitiesOf(const RobotSpec& robot) {
  YamlOut map = numbersOf(robot.jointVelocities);
  for (const JointPoseSpec& start : robot.jointPoses) {
    addIf(map, start.joint, blockOf(start, movingTable<JointPoseSpec>()));
  }
  return map;
}

void addLimits(const RobotSpec& robot, YamlOut& map) {
  YamlOut limits, armature;
  for (const auto& [joint, said] : robot.jointLimits) {
    addIf(limits, joint, blockOf(said, limitsTable()));
    if (said.armature) armature.add(joint, YamlOut::number(*said.armature));
  }
  addIf(map, "limits", std::move(limits));
  addIf(map, "armature", std::move(armature));
}

}  // namespace

Result<void> addShape(const Shape& shape, const MeshSource* source, const std::filesystem::path& folder,
                      const std::string& where, YamlOut& map) {
  return std::visit(AddShape{source, folder, where, map}, shape);
}

}  // namespace writer

Result<YamlOut> writeRobot(const RobotSpec& robot, const std::filesystem::path& folder) {
  if (robot.description.file.empty()) return writer::bodyOf(robot, folder);
  const std::filesystem::path& file = robot.description.file;
  YamlOut map;
  map.add(std::string(robotFormatOf(file).key), YamlOut::text(writer::fileName(file, {}, folder)));
  if (!robot.srdf.empty()) map.add("srdf", YamlOut::text(writer::fileName(robot.srdf, {}, folder)));
  writer::addPlacement(robot, map);
  writer::addIf(map, "joints", writer::startsOf(robot));
  writer::addIf(map, "velocities", writer::startVelocitiesOf(robot));
  writer::addLimits(robot, map);
  for (const std::string& key : keysOf(ParameterBlock::Joint)) {
    YamlOut numbers;
    for (const JointNumberSpec& number : robot.jointNumbers)
      if (number.key == key) numbers.add(number.joint, YamlOut::number(number.value));
    writer::addIf(map, key, std::move(numbers));
  }
  writeKeys(robot, robotTable(), Turn::First, map);
  writeKeys(robot, robotTable(), Turn::Usual, map);
  writer::addIf(map, "contact", blockOf(robot.contact, contactTable()));
  writeKeys(robot.look, lookTable(), map);
  writer::addIf(map, "links", writer::linksOf(robot));
  return map;
}

}  // namespace slipstick::assets
