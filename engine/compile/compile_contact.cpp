// Stage of compile(): surfaces of rigid contact, which pairs of them meet, and pair rules of all kinds.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "engine/compile/compilation.h"
#include "engine/foundation/nearest_name.h"
#include "engine/geometry/collision.h"
#include "engine/model/tuned_model.h"
#include "engine/model/world_link.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

/// Geometries of one robot that overlap deeper than this at the start were never meant to meet [m].
constexpr double kSelfOverlap = 1e-4;
constexpr double kOverlap = 1e-3;  // [m], of other pairs a deeper one is worth a notice

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

Result<void> buildContactShapes(Compilation& c) {
  const Laws laws = lawsOf(c.model, c.model.tuning);
  const std::size_t count = c.model.geometries.size();
  for (std::size_t g = 0; g < count; ++g) {
    Geometry& geometry = c.model.geometries[g];
    if (!c.contactOf(g).rigid.enabled.value_or(true)) continue;
    if (!c.goesOn("preparing surfaces for contact", static_cast<double>(g) / static_cast<double>(count)))
      return c.cancelled();
    Result<std::shared_ptr<const ContactShape>> shape = buildContactShape(geometry.shape, laws.surfaces[g]);
    if (shape) {
      geometry.contactShape = *shape;
    } else if (c.geometryIsAuthored[g]) {
      return c.invalid(shapeElement(c, geometry), shape.error().what, shape.error().remedy);
    } else {
      c.notice(shapeElement(c, geometry), "no contact with rigid things: " + shape.error().what);
    }
  }
  return {};
}

/// Says which robots from files have meshes without a pressure field, and how they get one.
void noteSurfaces(Compilation& c) {
  constexpr std::size_t kMax = 5;
  for (const Robot& robot : c.model.robots) {
    std::vector<std::string> names;
    for (const Geometry& geometry : c.model.geometries)
      if (!robot.file.empty() && geometry.body >= robot.firstBody && geometry.body < robot.endBody &&
          geometry.contactShape && geometry.contactShape->isSurface())
        names.push_back(geometry.name.substr(robot.name.size() + 1));
    if (names.empty()) continue;
    std::string listed;
    for (std::size_t i = 0; i < std::min(names.size(), kMax); ++i) listed += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kMax) listed += ", …";
    const std::string are =
        names.size() == 1
            ? "1 collision mesh is not convex (" + listed + "): it touches"
            : std::to_string(names.size()) + " collision meshes are not convex (" + listed + "): they touch";
    c.notices.push_back(
        {Notice::Level::Info, c.where(elementOf("robot", "robots", robot.name)),
         are + " rigid things as hard surfaces without a pressure field; 'convex_parts: 12' in the "
               "robot's block of a scene has up to 12 convex parts of each do so"});
  }
}

/// Bodies joined by fixed joints move as one: per body, the first body of its group.
std::vector<int> composites(const multibody::Tree& tree) {
  std::vector<int> composite(tree.bodies.size(), 0);
  for (const multibody::Joint& joint : tree.joints)
    composite[at(joint.child)] =
        joint.type == multibody::JointType::Fixed ? composite[at(joint.parent)] : joint.child;
  return composite;
}

/// Pairs of composites that a joint, a weld or a ball loop holds together.
std::set<std::pair<int, int>> adjacentComposites(const Model& model) {
  std::set<std::pair<int, int>> adjacent;
  const auto add = [&](int bodyA, int bodyB) {
    adjacent.insert(std::minmax(model.compositeOf[at(bodyA)], model.compositeOf[at(bodyB)]));
  };
  for (const multibody::Joint& joint : model.tree.joints)
    if (joint.type != multibody::JointType::Floating) add(joint.parent, joint.child);
  for (const Loop& loop : model.loops)
    if (loop.kind != LoopKind::Distance) add(loop.bodyA, loop.bodyB);
  return adjacent;
}

int robotOf(const Model& model, int body) {
  for (std::size_t r = 0; r < model.robots.size(); ++r)
    if (body >= model.robots[r].firstBody && body < model.robots[r].endBody) return static_cast<int>(r);
  return -1;
}

/// What is made to move together: a robot; of a robot that brings a world, each thing that hangs from it, and −1 for the
/// world and what is fixed to it.
int mechanismOf(const Model& model, int body) {
  const int index = robotOf(model, body);
  if (index < 0) return -1;
  const Robot& robot = model.robots[at(index)];
  if (!bringsWorld(model, robot)) return robot.firstBody;
  if (isOfItsWorld(model, robot, body)) return -1;
  int root = body;
  while (!isOfItsWorld(model, robot, model.tree.parentOf(root))) root = model.tree.parentOf(root);
  return root;
}

using Exceptions = std::map<std::pair<int, int>, Model::PairException>;

Model::PairException& exceptionOf(Exceptions& exceptions, int a, int b) {
  const std::pair<int, int> key = std::minmax(a, b);
  return exceptions.try_emplace(key, Model::PairException{key.first, key.second, true}).first->second;
}

void keepApart(Exceptions& exceptions, int a, int b, Model::ApartBy by) {
  Model::PairException& exception = exceptionOf(exceptions, a, b);
  exception.enabled = false;
  exception.apartBy = by;
}

/// Neighbours in a mechanism overlap by design. What hangs from the world keeps meeting the rest of the
/// world, also of one that a file brings.
void excludeNeighbours(const Model& model, Exceptions& exceptions) {
  const std::set<std::pair<int, int>> adjacent = adjacentComposites(model);
  const int count = static_cast<int>(model.geometries.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const int bodyA = model.geometries[at(a)].body, bodyB = model.geometries[at(b)].body;
      const std::pair<int, int> pair =
          std::minmax(model.compositeOf[at(bodyA)], model.compositeOf[at(bodyB)]);
      if (!adjacent.contains(pair)) continue;
      const int robot = robotOf(model, bodyA);
      const bool isOfOneRobot = robot >= 0 && robot == robotOf(model, bodyB);
      if (pair.first == 0 && (!isOfOneRobot || bringsWorld(model, model.robots[at(robot)]))) continue;
      keepApart(exceptions, a, b, Model::ApartBy::Joint);
    }
  }
}

/// Links that a robot's own file keeps apart.
void excludeByFile(const Compilation& c, Exceptions& exceptions) {
  std::map<std::string, std::vector<int>> geometriesOf;  // by the name of the body
  for (std::size_t g = 0; g < c.model.geometries.size(); ++g)
    geometriesOf[c.model.tree.bodies[at(c.model.geometries[g].body)].name].push_back(static_cast<int>(g));
  for (const RobotSpec& robot : c.scene.robots)
    for (const auto& [linkA, linkB] : robot.description.excludedLinks)
      for (const int a : geometriesOf[robot.name + "." + linkA])
        for (const int b : geometriesOf[robot.name + "." + linkB])
          if (a != b) keepApart(exceptions, a, b, Model::ApartBy::RobotFile);
}

/// Index of the deformable that a name of a pair rule means, or −1.
int deformableNamed(const Model& model, const std::string& name) {
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    if (model.deformables[d].name == name) return static_cast<int>(d);
  return -1;
}

bool namesDeformable(const Model& model, const PairRuleSpec& rule) {
  return deformableNamed(model, rule.a) >= 0 || deformableNamed(model, rule.b) >= 0;
}

/// Geometries that a name of a pair rule means.
Result<std::vector<char>> geometriesNamed(const Compilation& c, const Element& element,
                                          const std::string& name) {
  const Model& model = c.model;
  std::vector<char> chosen(model.geometries.size(), 0);
  bool found = name == "*";
  std::vector<std::string> candidates = {"*"};
  for (std::size_t g = 0; g < chosen.size(); ++g) {
    const Geometry& geometry = model.geometries[g];
    const int robot = robotOf(model, geometry.body);
    const std::string& body = model.tree.bodies[at(geometry.body)].name;
    const std::string owner = robot >= 0 ? model.robots[at(robot)].name : body;
    chosen[g] = name == "*" || name == geometry.name || name == body || name == owner;
    found |= chosen[g] != 0;
    candidates.insert(candidates.end(), {owner, body, geometry.name});
  }
  for (const Deformable& deformable : model.deformables) candidates.push_back(deformable.name);
  std::sort(candidates.begin(), candidates.end());  // a body and its only shape may share a name
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  if (!found) return c.unknown(element, "robot, body, link, collision shape or deformable", name, candidates);
  return chosen;
}

/// One rule of a deformable and the geometries that the other name means.
Result<void> applyDeformableRule(Compilation& c, const Element& element, std::size_t index) {
  Model& model = c.model;
  const PairRuleSpec& rule = c.scene.pairRules[index];
  const int ofA = deformableNamed(model, rule.a), ofB = deformableNamed(model, rule.b);
  if (ofA >= 0 && ofB >= 0)
    return c.invalid(element, "deformables meet each other on the grid, without a law of their own",
                     "name one deformable and one body, robot, link or collision shape");
  if (rule.restitution)
    return c.invalid(element.at("restitution"), "a pair with a deformable has no restitution",
                     "remove it: how far a deformable bounces follows from its material");
  const std::size_t deformable = at(std::max(ofA, ofB));
  const std::string &soft = ofA >= 0 ? rule.a : rule.b, &rigid = ofA >= 0 ? rule.b : rule.a;
  if (geometriesNamed(c, element, soft))
    return c.invalid(element, "a deformable and something rigid are both called '" + soft + "'",
                     "rename one of them");
  const Result<std::vector<char>> chosen = geometriesNamed(c, element.at(ofA >= 0 ? "b" : "a"), rigid);
  if (!chosen) return chosen.error();
  for (std::size_t g = 0; g < chosen->size(); ++g) {
    if ((*chosen)[g] == 0) continue;
    Model::SoftPair& pair = model.softPairs[deformable * model.geometries.size() + g];
    if (rule.enabled) pair.enabled = *rule.enabled;
    if (rule.friction) pair.frictionRule = static_cast<int>(index);
  }
  return {};
}

Result<void> applyPairRules(const Compilation& c, Exceptions& exceptions) {
  for (std::size_t i = 0; i < c.scene.pairRules.size(); ++i) {
    const PairRuleSpec& rule = c.scene.pairRules[i];
    const Element element = elementOf("pair rule", "pair_rules", i);
    if (namesDeformable(c.model, rule)) continue;
    const Result<std::vector<char>> a = geometriesNamed(c, element.at("a"), rule.a);
    if (!a) return a.error();
    const Result<std::vector<char>> b = geometriesNamed(c, element.at("b"), rule.b);
    if (!b) return b.error();
    const int count = static_cast<int>(a->size());
    for (int g = 0; g < count; ++g) {
      for (int k = g + 1; k < count; ++k) {
        const bool fits = ((*a)[at(g)] && (*b)[at(k)]) || ((*a)[at(k)] && (*b)[at(g)]);
        if (!fits) continue;
        Model::PairException& exception = exceptionOf(exceptions, g, k);
        if (rule.enabled) {
          exception.enabled = *rule.enabled;
          exception.apartBy = Model::ApartBy::PairRule;
        }
        if (rule.friction) exception.frictionRule = static_cast<int>(i);
        if (rule.restitution) exception.restitutionRule = static_cast<int>(i);
      }
    }
  }
  return {};
}

/// Switches off pairs of one mechanism that overlap from the start, for real collision models often touch
/// themselves; says of other pairs that they do.
void inspectOverlaps(Compilation& c, Exceptions& exceptions) {
  Model& model = c.model;
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  RigidContactSet contacts;
  makeCollision(model).find(X_WB, contacts);
  std::map<int, int> excluded;  // per robot
  for (const RigidContactSet::Pair& pair : contacts.pairs) {
    const Geometry &a = model.geometries[at(pair.geometryA)], &b = model.geometries[at(pair.geometryB)];
    double deepest = 0;
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p)
      deepest = std::max(deepest, contacts.points[at(p)].penetration());
    if (deepest < kSelfOverlap) continue;
    const int robot = robotOf(model, a.body), mechanism = mechanismOf(model, a.body);
    if (mechanism < 0 || mechanism != mechanismOf(model, b.body)) {
      if (deepest < kOverlap) continue;
      c.notice({"'" + a.name + "' and '" + b.name + "'", shapeElement(c, a).key},
               "they start " + millimetres(deepest) +
                   " inside each other: the contact will push them apart; move one of the two, or let them "
                   "pass with a pair rule");
      continue;
    }
    keepApart(exceptions, pair.geometryA, pair.geometryB, Model::ApartBy::Overlap);
    ++excluded[robot];
  }
  for (const auto& [robot, count] : excluded)
    c.notice(elementOf("robot", "robots", model.robots[at(robot)].name),
             std::to_string(count) + (count == 1 ? " pair" : " pairs") +
                 " of its collision shapes overlap at the start and will not meet");
}

}  // namespace

Result<void> applyDeformableRules(Compilation& c) {
  for (std::size_t i = 0; i < c.scene.pairRules.size(); ++i) {
    const PairRuleSpec& rule = c.scene.pairRules[i];
    const Element element = elementOf("pair rule", "pair_rules", i);
    c.model.tuning.pairFriction.push_back(rule.friction);
    c.model.tuning.pairRestitution.push_back(rule.restitution);
    if (Result<void> ok = c.checkNumbers(element, ParameterBlock::PairRule, i); !ok) return ok;
    if (!namesDeformable(c.model, rule)) continue;
    if (Result<void> applied = applyDeformableRule(c, element, i); !applied) return applied;
  }
  return {};
}

/// The last stage that fills the model: all that follows from its tuning is set at its end.
Result<void> compileRigidContact(Compilation& c) {
  if (Result<void> built = buildContactShapes(c); !built) return built;
  noteSurfaces(c);
  Model& model = c.model;
  model.compositeOf = composites(model.tree);
  Exceptions exceptions;
  excludeNeighbours(model, exceptions);
  excludeByFile(c, exceptions);
  if (Result<void> applied = applyPairRules(c, exceptions); !applied) return applied;
  const auto store = [&] {
    model.pairExceptions.clear();
    for (const auto& [key, exception] : exceptions) model.pairExceptions.push_back(exception);
  };
  store();
  inspectOverlaps(c, exceptions);
  store();
  applyTuning(c.model);
  return {};
}

}  // namespace slipstick
