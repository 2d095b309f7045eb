// Masses and inertias of robot files as a solver can use them. Files have frames, sensors and antennas without mass, points
// and ideal rods, and matrices that no body has; only what leaves the motion undetermined is given a mass here.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "assets/robot_checks.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"
#include "engine/multibody/weightless.h"

namespace slipstick::assets {
namespace {

constexpr double kPlaceholderMass = 1e-3;    // [kg]
constexpr double kPlaceholderRadius = 1e-2;  // [m]
constexpr double kAssumedDensity = 1000;     // [kg/m³], of a ball in place of an inertia that no body has
constexpr double kInertiaTolerance = 1e-4;   // relative; files carry few digits

Mat3 inertiaOfBall(double mass, double radius) {
  return 0.4 * mass * radius * radius * Mat3::Identity();
}

Mat3 inertiaOfBall(double mass) {
  return inertiaOfBall(mass, std::cbrt(3 * mass / (4 * std::numbers::pi * kAssumedDensity)));
}

std::string listOf(const Mat3& I) {
  std::string text = "[";
  for (const double x : {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)})
    text += (text.size() > 1 ? ", " : "") + shortest(x);
  return text + "]";
}

/// The keys by which a scene says what the link now has: its inertia, and its mass where that was assumed, too.
std::vector<std::pair<std::string, std::string>> overridesOf(const LinkSpec& link, bool massAssumed = false) {
  const std::string path = "links." + pathKey(link.name) + ".";
  std::vector<std::pair<std::string, std::string>> overrides;
  if (massAssumed) overrides.emplace_back(path + "mass", shortest(link.mass));
  overrides.emplace_back(path + "inertia", listOf(link.inertia));
  return overrides;
}

struct Principal {
  Vec3 moments;  ///< ascending [kg m²]
  Mat3 axes;
  Mat3 matrix() const { return axes * moments.asDiagonal() * axes.transpose(); }
};

Principal principalOf(const Mat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

/// @return whether the link's inertia is none that a body has, so that it was replaced
bool replaceIndefinite(LinkSpec& link, const Principal& principal, const std::string& where,
                       std::vector<Notice>& notices) {
  if (principal.moments[0] >= -kInertiaTolerance * principal.moments.cwiseAbs().maxCoeff()) return false;
  const bool hasMass = link.mass > 0;
  link.inertia = hasMass ? inertiaOfBall(link.mass) : Mat3::Zero();
  notices.push_back(
      {Notice::Level::Warning, where,
       std::string("its inertia has a negative principal moment, which no body has: taken as ") +
           (hasMass ? "that of a ball of its mass and 1000 kg/m³" : "none, as it has no mass"),
       overridesOf(link)});
  return true;
}

void settleInertia(LinkSpec& link, const std::string& where, std::vector<Notice>& notices) {
  if (link.inertia.isZero(0)) return;
  Principal principal = principalOf(link.inertia);
  if (replaceIndefinite(link, principal, where, notices)) return;
  Vec3& moments = principal.moments;
  if (moments[0] < 0) {  // rounding in the file
    moments[0] = 0;
    link.inertia = principal.matrix();
  }
  if (moments[2] <= (moments[0] + moments[1]) * (1 + 1e-9)) return;
  const double excess = moments[2] / (moments[0] + moments[1]) - 1;
  const std::string how = excess < 1
                              ? "exceeds the sum of the other two by " + significant(100 * excess, 3) + " %"
                              : "is " + significant(1 + excess, 3) + " times the sum of the other two";
  moments[2] = moments[0] + moments[1];
  link.inertia = principal.matrix();
  notices.push_back(
      {excess > kInertiaTolerance ? Notice::Level::Warning : Notice::Level::Info, where,
       "its largest principal moment of inertia " + how + ", which no body has: lowered to the sum",
       overridesOf(link)});
}

/// The description as a tree at rest. Links are numbered as in `links`, in the order of the tree's bodies.
struct DescribedTree {
  multibody::Tree tree;
  std::vector<std::size_t> links;  ///< per body, from the first after the world
};

DescribedTree treeOf(const RobotDescription& robot, multibody::JointType base = multibody::JointType::Fixed) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < robot.links.size(); ++i) index.emplace(robot.links[i].name, i);
  std::vector<std::vector<const JointSpec*>> below(robot.links.size());
  std::vector<char> isChild(robot.links.size(), 0);
  for (const JointSpec& joint : robot.joints) {
    below[index.at(joint.parent)].push_back(&joint);
    isChild[index.at(joint.child)] = 1;
  }
  DescribedTree out;
  const auto add = [&](std::size_t link, multibody::Joint joint) {
    const LinkSpec& spec = robot.links[link];
    out.links.push_back(link);
    return out.tree.add({spec.name, spec.mass, spec.com, spec.inertia, -1}, std::move(joint));
  };
  std::vector<std::pair<std::size_t, int>> open;  // link, body
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (!isChild[i]) {
      multibody::Joint joint;
      joint.type = base;
      open.emplace_back(i, add(i, std::move(joint)));
    }
  while (!open.empty()) {
    const auto [link, body] = open.back();
    open.pop_back();
    for (const JointSpec* spec : below[link]) {
      multibody::Joint joint;
      joint.name = spec->name;
      joint.type = spec->type;
      joint.parent = body;
      joint.X_PJ = spec->X_PJ;
      joint.axis = spec->axis.norm() > 0 ? spec->axis.normalized() : Vec3(Vec3::UnitX());
      joint.armature = spec->armature;
      const std::size_t child = index.at(spec->child);
      open.emplace_back(child, add(child, std::move(joint)));
    }
  }
  return out;
}

/// A joint that works against nothing leaves the motion undetermined: its link gets what a body has at least.
void giveWeight(LinkSpec& link, const std::string& why, const std::string& where,
                std::vector<Notice>& notices) {
  if (link.mass > 0) {
    link.inertia += inertiaOfBall(link.mass);
    notices.push_back({Notice::Level::Warning, where,
                       why + "this link is given the inertia of a ball of its mass and 1000 kg/m³",
                       overridesOf(link)});
    return;
  }
  link.mass = kPlaceholderMass;
  link.com = Vec3::Zero();
  link.inertia += inertiaOfBall(kPlaceholderMass, kPlaceholderRadius);
  notices.push_back({Notice::Level::Warning, where, why + "this link is given 1 g, as a ball of 1 cm",
                     overridesOf(link, true)});
}

}  // namespace

void settleInertias(RobotDescription& robot, const PlaceOfLink& where, std::vector<Notice>& notices) {
  for (LinkSpec& link : robot.links) settleInertia(link, where(link.name), notices);
  std::set<std::size_t> given;
  for (bool again = true; again;) {
    again = false;
    const DescribedTree described = treeOf(robot);
    for (const int j : multibody::weightlessJoints(described.tree)) {
      const std::size_t link = described.links[static_cast<std::size_t>(j)];
      if (!given.insert(link).second) continue;
      LinkSpec& spec = robot.links[link];
      const std::string& joint = described.tree.joints[static_cast<std::size_t>(j)].name;
      giveWeight(spec, "nothing that the joint '" + joint + "' moves resists it: ", where(spec.name),
                 notices);
      again = true;
    }
  }
}

void settleFreeBase(RobotDescription& robot, const std::map<std::string, LinkInertiaSpec>& said,
                    const PlaceOfLink& where, std::vector<Notice>& notices) {
  DescribedTree described = treeOf(robot, multibody::JointType::Floating);
  for (std::size_t b = 0; b < described.links.size(); ++b) {
    multibody::Body& body = described.tree.bodies[b + 1];
    if (const auto found = said.find(body.name); found != said.end()) found->second.applyTo(body);
  }
  for (const int j : multibody::weightlessJoints(described.tree)) {
    if (described.tree.joints[static_cast<std::size_t>(j)].parent != 0) continue;
    LinkSpec& root = robot.links[described.links[static_cast<std::size_t>(j)]];
    if (root.mass > 0 && !said.contains(root.name))
      giveWeight(root, "its free base can turn about an axis without any inertia: ", where(root.name),
                 notices);
  }
}

void noteTrees(const RobotDescription& robot, const PlaceOfLink& where, std::vector<Notice>& notices) {
  std::set<std::string> children;
  for (const JointSpec& joint : robot.joints) children.insert(joint.child);
  std::vector<std::string> roots;
  for (const LinkSpec& link : robot.links)
    if (!children.contains(link.name)) roots.push_back(link.name);
  if (roots.size() < 2) return;
  notices.push_back(
      {Notice::Level::Warning, where(roots[1]),
       "the links form " + std::to_string(roots.size()) + " trees ('" + roots[0] + "', '" + roots[1] +
           (roots.size() > 2 ? "', …" : "'") +
           "): each stands by itself on the robot's base; join them by fixed joints if they belong "
           "together"});
}

}  // namespace slipstick::assets
