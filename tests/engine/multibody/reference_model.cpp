#include "tests/engine/multibody/reference_model.h"

#include <map>

#include "engine/model/require.h"

namespace slipstick::multibody::testing {

namespace {

JointType typeNamed(const std::string& name) {
  static const std::map<std::string, JointType> types = {
      {"fixed", JointType::Fixed}, {"revolute", JointType::Revolute}, {"continuous", JointType::Continuous},
      {"ball", JointType::Ball},   {"planar", JointType::Planar},     {"prismatic", JointType::Prismatic}};
  return types.at(name);
}

Body buildBody(const nlohmann::json& link) {
  const VecX i = vecX(link["inertia"]);
  Body body{.name = link["name"], .mass = link["mass"], .com = vec3(link["com"])};
  body.inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  return body;
}

Joint buildJoint(const Tree& tree, const nlohmann::json& source) {
  Joint joint;
  joint.name = source["name"];
  joint.type = typeNamed(source["type"]);
  joint.parent = source["parent"] == "world" ? 0 : bodyIndex(tree, source["parent"]);
  joint.X_PJ = Pose::fromRpy(vec3(source["rpy"]), vec3(source["xyz"]));
  joint.axis = vec3(source["axis"]).normalized();
  joint.lower = source.value("lower", joint.lower);
  joint.upper = source.value("upper", joint.upper);
  joint.effortLimit = source.value("effort", joint.effortLimit);
  joint.damping = source.value("damping", 0.0);
  joint.dryFriction = source.value("friction", 0.0);
  joint.armature = source.value("armature", 0.0);
  if (source.contains("mimic")) {
    joint.mimic = jointIndex(tree, source["mimic"]["joint"]);
    joint.mimicRatio = source["mimic"]["multiplier"];
    joint.mimicOffset = source["mimic"]["offset"];
  }
  return joint;
}

}  // namespace

Vec3 vec3(const nlohmann::json& values) {
  return vecX(values);
}

VecX vecX(const nlohmann::json& values) {
  VecX v(static_cast<int>(values.size()));
  for (int i = 0; i < v.size(); ++i) v[i] = values[static_cast<std::size_t>(i)].get<double>();
  return v;
}

Quat quat(const nlohmann::json& wxyz) {
  const VecX q = vecX(wxyz);
  return {q[0], q[1], q[2], q[3]};
}

int bodyIndex(const Tree& tree, const std::string& name) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (tree.bodies[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int jointIndex(const Tree& tree, const std::string& name) {
  for (std::size_t i = 0; i < tree.joints.size(); ++i) {
    if (tree.joints[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

Tree buildTree(const nlohmann::json& model) {
  Tree tree;
  std::map<std::string, nlohmann::json> links;
  for (const auto& link : model["links"]) links[link["name"]] = link;
  std::map<std::string, bool> hasJoint;
  for (const auto& joint : model["joints"]) hasJoint[joint["child"]] = true;
  for (const auto& link : model["links"]) {
    if (!hasJoint[link["name"]]) {
      tree.add(buildBody(link), {.name = "base", .type = JointType::Floating});
    }
  }
  for (const auto& joint : model["joints"]) {
    tree.add(buildBody(links.at(joint["child"])), buildJoint(tree, joint));
  }
  return tree;
}

std::shared_ptr<Model> modelOf(Tree tree) {
  auto model = std::make_shared<Model>();
  model->tree = std::move(tree);
  return model;
}

void initialState(const Tree& tree, const nlohmann::json& state, VecX& q, VecX& v) {
  q = tree.zeroPosition();
  v = VecX::Zero(tree.nv);
  for (const Joint& joint : tree.joints) {
    if (joint.type == JointType::Floating) {
      const auto& base = state["floating_base"][tree.bodies[static_cast<std::size_t>(joint.child)].name];
      q.segment<3>(joint.qStart) = vec3(base["p"]);
      q.segment<4>(joint.qStart + 3) = vecX(base["quat"]);
      v.segment<3>(joint.vStart) = vec3(base["w"]);
      v.segment<3>(joint.vStart + 3) = vec3(base["v"]);
      continue;
    }
    const auto& start = state["joint"][joint.name];
    if (velocityCount(joint.type) == 1) {
      q[joint.qStart] = start["q"];
      v[joint.vStart] = start["v"];
    } else {
      q.segment(joint.qStart, positionCount(joint.type)) = vecX(start["q"]);
      v.segment(joint.vStart, velocityCount(joint.type)) = vecX(start["v"]);
    }
  }
}

void jointCoordinates(const Tree& tree, const VecX& q, const VecX& v, VecX& jointQ, VecX& jointV) {
  std::vector<double> qs, vs;
  for (const Joint& joint : tree.joints) {
    if (joint.type == JointType::Floating || joint.type == JointType::Ball) continue;
    for (int k = 0; k < velocityCount(joint.type); ++k) {
      qs.push_back(q[joint.qStart + k]);
      vs.push_back(v[joint.vStart + k]);
    }
  }
  jointQ = Eigen::Map<VecX>(qs.data(), static_cast<int>(qs.size()));
  jointV = Eigen::Map<VecX>(vs.data(), static_cast<int>(vs.size()));
}

}  // namespace slipstick::multibody::testing
