#include "tests/validation/reference_scene.h"

#include <gtest/gtest.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <map>

#include "assets/robot_io.h"
#include "tests/support/test_paths.h"

namespace slipstick::testing {
namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLElement;

bool isJoint(const XMLElement& element) {
  const std::string tag = element.Name();
  return (tag == "joint" || tag == "drake:joint") && element.FirstChildElement("parent");
}

std::string linkOf(const XMLElement& joint, const char* end) {
  return joint.FirstChildElement(end)->Attribute("link");
}

/// Root of each link's tree.
std::map<std::string, std::string> rootsOf(const XMLElement& robot) {
  std::map<std::string, std::string> parent, root;
  for (const XMLElement* e = robot.FirstChildElement(); e; e = e->NextSiblingElement())
    if (isJoint(*e)) parent[linkOf(*e, "child")] = linkOf(*e, "parent");
  for (const XMLElement* e = robot.FirstChildElement("link"); e; e = e->NextSiblingElement("link")) {
    std::string top = e->Attribute("name");
    while (parent.contains(top)) top = parent.at(top);
    root[e->Attribute("name")] = top;
  }
  return root;
}

/// The part of the file that belongs to one tree, as text.
std::string textOfTree(const XMLElement& robot, const std::map<std::string, std::string>& roots,
                       const std::string& root) {
  tinyxml2::XMLDocument part;
  XMLElement* copy = robot.ShallowClone(&part)->ToElement();
  part.InsertEndChild(copy);
  for (const XMLElement* e = robot.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const bool isLink = std::string(e->Name()) == "link";
    if (isLink && roots.at(e->Attribute("name")) != root) continue;
    if (isJoint(*e) && roots.at(linkOf(*e, "child")) != root) continue;
    copy->InsertEndChild(e->DeepClone(&part));
  }
  tinyxml2::XMLPrinter printer;
  part.Print(&printer);
  return printer.CStr();
}

RobotSpec robotOfTree(const std::string& text, const std::string& root) {
  static int count = 0;
  const fs::path file = fs::path(::testing::TempDir()) / ("slipstick_reference_" + std::to_string(getpid()) +
                                                          "_" + std::to_string(count++) + ".urdf");
  std::FILE* out = std::fopen(file.c_str(), "w");
  std::fputs(text.c_str(), out);
  std::fclose(out);
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(file);
  fs::remove(file);
  RobotSpec spec;
  spec.name = root == "world" ? "rig" : root;
  spec.freeBase = root != "world";
  if (loaded) {
    spec.description = loaded->robot;
  } else {
    ADD_FAILURE() << loaded.error().message();
  }
  return spec;
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

std::vector<RobotSpec> robotsOf(const fs::path& urdf) {
  std::vector<RobotSpec> robots;
  tinyxml2::XMLDocument document;
  if (document.LoadFile(urdf.c_str()) != tinyxml2::XML_SUCCESS) {
    ADD_FAILURE() << urdf << ": " << document.ErrorStr();
    return robots;
  }
  const XMLElement& robot = *document.RootElement();
  const std::map<std::string, std::string> roots = rootsOf(robot);
  for (const XMLElement* e = robot.FirstChildElement("link"); e; e = e->NextSiblingElement("link")) {
    const std::string name = e->Attribute("name");
    if (roots.at(name) != name) continue;
    robots.push_back(robotOfTree(textOfTree(robot, roots, name), name));
  }
  return robots;
}

Scene referenceScene(const std::string& folder, const nlohmann::json& entry, double dt) {
  Scene scene;
  scene.name = entry["urdf"];
  scene.gravity = vec3(entry["gravity"]);
  scene.time.dt = dt;
  scene.robots = robotsOf(dataDir() / folder / entry["urdf"].get<std::string>());
  for (RobotSpec& robot : scene.robots) {
    if (!robot.freeBase) continue;
    const nlohmann::json& base = entry["initial_state"]["floating_base"][robot.name];
    robot.X_PB = Pose::fromQuat(quat(base["quat"]), vec3(base["p"]));
    robot.velocity = vec3(base["v"]);
    robot.angularVelocity = vec3(base["w"]);
  }
  return scene;
}

void referenceState(const Model& model, const nlohmann::json& entry, VecX& q, VecX& v) {
  q = model.initialQ;
  v = model.initialV;
  for (const auto& [name, start] : entry["initial_state"]["joint"].items()) {
    const int index = jointNamed(model, name);
    ASSERT_GE(index, 0) << name;
    const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(index)];
    if (multibody::velocityCount(joint.type) == 1) {
      q[joint.qStart] = start["q"];
      v[joint.vStart] = start["v"];
    } else {
      q.segment(joint.qStart, multibody::positionCount(joint.type)) = vecX(start["q"]);
      v.segment(joint.vStart, multibody::velocityCount(joint.type)) = vecX(start["v"]);
    }
  }
}

int bodyOfLink(const Model& model, const std::string& link) {
  if (link == "world") return 0;
  for (const Robot& robot : model.robots)
    if (const int body = model.findBody(robot.name + "." + link); body >= 0) return body;
  return -1;
}

int jointNamed(const Model& model, const std::string& joint) {
  for (const Robot& robot : model.robots)
    if (const int index = model.findJoint(robot.name + "." + joint); index >= 0) return index;
  return -1;
}

}  // namespace slipstick::testing
