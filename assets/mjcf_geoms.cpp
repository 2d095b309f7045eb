// Geoms of an MJCF file: shapes that are seen, that touch, and that weigh.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "assets/mjcf_pose.h"
#include "assets/mjcf_tree.h"
#include "assets/xml_repairs.h"
#include "assets/xml_text.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace {

using Element = MjcfDocument::Element;

constexpr int kLastSeenGroup = 2;  // MuJoCo shows groups 0 to 2 unless it is told otherwise
constexpr double kDensity = 1000;  // [kg/m³]
constexpr double kFriction = 1;    // of geoms that say nothing

std::uint32_t maskOf(const MjcfItem& item, const char* attribute) {
  return static_cast<std::uint32_t>(
      static_cast<std::int64_t>(std::clamp(item.number(attribute, 1), -2147483648.0, 4294967295.0)));
}

bool isSeen(const MjcfItem& geom) {
  const double group = geom.number("group", 0);
  return group >= 0 && group <= kLastSeenGroup;
}

/// How many sizes a type needs; with a segment the length is given.
int sizesOf(const std::string& type, bool hasSegment) {
  if (type == "sphere" || hasSegment) return 1;
  return type == "capsule" || type == "cylinder" ? 2 : 3;
}

/// Whether a size that its type needs is written, and 0: nothing is there to be seen, touched or weighed.
bool hasNoExtent(const MjcfItem& geom, const std::string& type) {
  if (type == "plane" || geom.has("mesh")) return false;
  const std::vector<double> size = geom.numbers("size");
  const auto needed = std::min(size.size(), static_cast<std::size_t>(sizesOf(type, geom.has("fromto"))));
  const auto end = size.begin() + static_cast<std::ptrdiff_t>(needed);
  return std::find(size.begin(), end, 0.0) != end;
}

}  // namespace

/// <pair> makes geoms meet that their masks keep apart.
void MjcfTree::findPairedGeoms() {
  for (const Element* pair : document_.inSections("contact"))
    if (std::string_view(pair->Name()) == "pair")
      for (const char* geom : {"geom1", "geom2"}) pairedGeoms_.insert(attributeOr(*pair, geom, ""));
}

Result<void> MjcfTree::readGeom(const Element& element, const Place& place) {
  const MjcfItem item = document_.item(element, place.childClass);
  const std::string type = item.text("type", "sphere"), mesh = item.text("mesh");
  if (type == "hfield" || type == "sdf") {
    document_.note(Notice::Level::Warning, element,
                   std::string(type == "hfield" ? "height fields are" : "signed distance fields are") +
                       " not read: this geom is left out; write it as a mesh");
    return {};
  }
  if (hasNoExtent(item, type) || assets_.hasNoExtent(mesh)) {
    document_.note(Notice::Level::Warning, element, noExtent("geom", type));
    return {};
  }
  const Result<std::string> name = nameFor(element, place, "geom" + std::to_string(geoms.size()), geomNames_);
  if (!name) return name.error();
  const std::optional<MjcfSegment> segment =
      type == "capsule" || type == "cylinder" || type == "ellipsoid" || type == "box" ? segmentOf(item)
                                                                                      : std::nullopt;
  Pose X_BG = place.X_BF * (segment ? segment->X : poseOf(item, document_.compiler(element)));
  if (segment && segment->halfLength < 1e-10)
    return document_.invalid(element, "the two points of 'fromto' are the same", "write two places");
  const bool isMesh = type == "mesh";
  if (isMesh && mesh.empty())
    return document_.error(ErrorCode::SyntaxError, element, "it names no mesh", "add mesh=\"…\"");
  Result<Shape> shape = isMesh ? Result<Shape>(Shape(shape::Mesh{}))
                               : shapeOf(item, type, segment ? segment->halfLength : 0, X_BG);
  if (!shape) return shape.error();
  if (Result<void> ok = weighGeom(item, *shape, isMesh ? mesh : "", X_BG, place.body); !ok) return ok;
  LinkGeometry geometry;
  geometry.name = std::string(attributeOr(element, "name", "")).empty() ? "" : *name;
  geometry.shape = *shape;
  geometry.X_BG = X_BG;
  if (Result<void> ok = drawGeom(item, geometry, mesh, place.body); !ok) return ok;
  MjcfGeom geom{*name, place.body, maskOf(item, "contype"), maskOf(item, "conaffinity"), false};
  if (Result<void> ok = collideGeom(item, std::move(geometry), isMesh ? mesh : "", geom); !ok) return ok;
  geoms.push_back(std::move(geom));
  return {};
}

/// Sizes are half lengths; with a segment its half length stands in the place of the last.
Result<Shape> MjcfTree::shapeOf(const MjcfItem& item, const std::string& type, double halfLength,
                                Pose& X_BG) {
  if (type == "plane") return Shape(shape::Plane{});
  if (item.has("mesh")) return fittedShape(item, type, X_BG);
  std::vector<double> size = item.numbers("size", {0, 0, 0});
  const int needed = sizesOf(type, halfLength > 0);
  for (int i = 0; i < needed; ++i)
    if (!(size[static_cast<std::size_t>(i)] > 0))
      return document_.invalid(
          item.element(), "size " + std::to_string(i + 1) + " of the " + type + " is missing or not positive",
          "write " + std::to_string(needed) + " sizes above 0, in metres");
  if (halfLength > 0)
    size = {size[0], type == "capsule" || type == "cylinder" ? halfLength : size[0], halfLength};
  const Vec3 all(size[0], size[1], size[2]);
  if (type == "sphere") return Shape(shape::Sphere{size[0]});
  if (type == "capsule") return Shape(shape::Capsule{size[0], 2 * size[1]});
  if (type == "cylinder") return Shape(shape::Cylinder{size[0], 2 * size[1]});
  if (type == "ellipsoid") return Shape(shape::Ellipsoid{all});
  return Shape(shape::Box{all});
}

/// A shape around a mesh: as large as the box of its inertia, or as the box around it along its principal axes.
Result<Shape> MjcfTree::fittedShape(const MjcfItem& item, const std::string& type, Pose& X_BG) {
  const std::string name = item.text("mesh");
  const Result<std::shared_ptr<const TriangleMesh>> mesh = assets_.mesh(name, item.element());
  if (!mesh) return mesh.error();
  const Result<MassProperties> mass = assets_.mass(name, item.element());
  if (!mass) return mass.error();
  InertiaBox box = inertiaBox(*mass);
  const bool isAround = document_.compiler(item.element()).fitsBoxes;
  if (isAround) {
    TriangleMesh turned = **mesh;
    for (Vec3& v : turned.vertices) v = box.X.inverse() * v;
    const Aabb bounds = boundsOf(turned);
    box.halfExtents = (bounds.upper - bounds.lower) / 2;
    box.X.p = box.X * Vec3((bounds.upper + bounds.lower) / 2);
  }
  X_BG = X_BG * box.X;
  const Vec3 h = box.halfExtents * item.number("fitscale", 1);
  const double radius = isAround ? std::max(h.x(), h.y()) : (h.x() + h.y()) / 2;
  if (type == "sphere") return Shape(shape::Sphere{isAround ? h.maxCoeff() : h.mean()});
  if (type == "cylinder") return Shape(shape::Cylinder{radius, 2 * h.z()});
  if (type == "ellipsoid") return Shape(shape::Ellipsoid{h});
  if (type == "box") return Shape(shape::Box{h});
  const double straight = h.z() - (isAround ? radius : radius / 2);
  if (!(straight > 0))
    return document_.invalid(item.element(), "no capsule fits the mesh: it is not long enough",
                             "use a sphere or an ellipsoid");
  return Shape(shape::Capsule{radius, 2 * straight});
}

/// Adds a geom to the mass of its body; planes and what stands in the world weigh nothing.
Result<void> MjcfTree::weighGeom(const MjcfItem& item, const Shape& shape, const std::string& mesh,
                                 const Pose& X_BG, int body) {
  const MjcfCompiler& compiler = document_.compiler(*elements_[static_cast<std::size_t>(body)]);
  const double group = item.number("group", 0);
  const bool counts = group >= compiler.firstInertiaGroup && group <= compiler.lastInertiaGroup;
  if (body == 0 || !counts || compiler.inertiaFromGeom == "false" ||
      std::holds_alternative<shape::Plane>(shape))
    return {};
  const bool isGiven = compiler.inertiaFromGeom == "auto" && inertials_[static_cast<std::size_t>(body)];
  if (isGiven) return {};
  for (const char* attribute : {"mass", "density"})
    if (item.number(attribute, 0) < 0)
      return document_.invalid(item.element(), "its " + std::string(attribute) + " is negative",
                               "write a number of at least 0");
  const bool isShell = item.flag("shellinertia", false);
  const Result<MassProperties> unit = !mesh.empty() ? assets_.mass(mesh, item.element())
                                      : isShell     ? shellProperties(shape)
                                                    : massProperties(shape);
  if (!unit) return document_.placed(unit.error(), item.element());
  const double scale =
      item.has("mass") ? item.number("mass", 0) / unit->volume : item.number("density", kDensity);
  masses_[static_cast<std::size_t>(body)].add(*unit, scale, X_BG);
  return {};
}

Result<void> MjcfTree::drawGeom(const MjcfItem& item, const LinkGeometry& geometry, const std::string& mesh,
                                int body) {
  const Result<MjcfLook> look = assets_.look(item, mesh);
  if (!look) return look.error();
  if (!isSeen(item) || look->color.w() <= 0) return {};
  LinkGeometry visual = geometry;
  visual.color = look->color;
  visual.finish = look->finish;
  LinkSpec& link = robot.links[bodies[static_cast<std::size_t>(body)].link];
  Result<Shape> shape = visual.shape;
  if (std::holds_alternative<shape::Mesh>(visual.shape)) {
    const Result<std::shared_ptr<const TriangleMesh>> drawn = assets_.mesh(mesh, item.element());
    shape = drawn ? Result<Shape>(Shape(shape::Mesh{*drawn})) : Result<Shape>(drawn.error());
  }
  addVisual(link, std::move(visual), shape, look->given, document_.where(item.element()), document_.notices);
  return {};
}

Result<void> MjcfTree::collideGeom(const MjcfItem& item, LinkGeometry geometry, const std::string& mesh,
                                   MjcfGeom& geom) {
  const bool isPaired = !geom.name.empty() && pairedGeoms_.contains(geom.name);
  if (!flags.contact || ((geom.contype | geom.conaffinity) == 0 && !isPaired)) return {};
  const std::vector<double> friction = item.numbers("friction", {kFriction});
  if (friction.front() < 0)
    return document_.invalid(item.element(), "its friction is negative", "write a number of at least 0");
  geometry.contact.friction = item.number("condim", 3) == 1 ? 0 : friction.front();
  Result<Shape> shape = geometry.shape;
  if (!mesh.empty()) {
    const Result<std::shared_ptr<const TriangleMesh>> hull = assets_.hull(mesh, item.element());
    shape = hull ? Result<Shape>(Shape(shape::Mesh{*hull})) : Result<Shape>(hull.error());
  }
  LinkSpec& link = robot.links[bodies[static_cast<std::size_t>(geom.body)].link];
  const std::size_t before = link.collisions.size();
  addCollision(link, std::move(geometry), shape, document_.where(item.element()), document_.notices);
  geom.collides = link.collisions.size() > before;
  return {};
}

Result<void> MjcfTree::readInertial(const Element& element, const Place& place) {
  const MjcfItem item({&element});
  if (!item.has("mass") || !item.has("pos"))
    return document_.invalid(element, "<inertial> has no mass or no pos",
                             "add mass=\"…\" in kg and pos=\"0 0 0\"");
  LinkSpec link;
  link.mass = item.number("mass", 0);
  if (link.mass < 0) return document_.invalid(element, "the mass is negative", "write a mass of at least 0");
  const Pose X = place.X_BF * poseOf(item, document_.compiler(element));
  const std::vector<double> d = item.numbers("diaginertia", {0, 0, 0}), f = item.numbers("fullinertia");
  Mat3 I = Vec3(d[0], d[1], d[2]).asDiagonal();
  if (!f.empty()) I << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
  link.com = X.p;
  link.inertia = X.R * I * X.R.transpose();
  inertials_[static_cast<std::size_t>(place.body)] = std::move(link);
  return {};
}

/// <compiler> bounds masses and principal moments from below, then evens out moments that no body has.
void MjcfTree::boundMass(LinkSpec& link, const MjcfCompiler& compiler) {
  link.mass = std::max(link.mass, compiler.leastMass);
  if (compiler.leastInertia <= 0 && !compiler.balancesInertia) return;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(link.inertia);
  Vec3 moments = eigen.eigenvalues().cwiseMax(compiler.leastInertia);
  if (compiler.balancesInertia && 2 * moments.maxCoeff() > moments.sum()) moments.setConstant(moments.mean());
  link.inertia = eigen.eigenvectors() * moments.asDiagonal() * eigen.eigenvectors().transpose();
}

Result<void> MjcfTree::settleMasses() {
  double total = 0;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const MjcfCompiler& compiler = document_.compiler(*elements_[b]);
    LinkSpec& link = robot.links[bodies[b].link];
    const std::optional<LinkSpec>& given = inertials_[b];
    const bool fromGeoms = compiler.inertiaFromGeom == "true" ? !masses_[b].isEmpty() || !given : !given;
    if (fromGeoms) {
      masses_[b].store(link);
      // MuJoCo puts what a bound gives to an empty body at the body's own place, read in the body's frame.
      if (masses_[b].isEmpty() && compiler.leastMass > 0)
        link.com = (bodies[static_cast<std::size_t>(bodies[b].parent)].X_WB.inverse() * bodies[b].X_WB).p;
    } else {
      link.mass = given->mass;
      link.com = given->com;
      link.inertia = given->inertia;
    }
    boundMass(link, compiler);
    total += link.mass;
  }
  const double wanted = document_.compiler().totalMass;
  if (wanted <= 0 || total <= 0) return {};
  for (LinkSpec& link : robot.links) {
    link.mass *= wanted / total;
    link.inertia *= wanted / total;
  }
  return {};
}

}  // namespace slipstick::assets
