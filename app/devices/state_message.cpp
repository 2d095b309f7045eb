#include "app/devices/state_message.h"

#include <nlohmann/json.hpp>

#include "engine/teleop/felt_force.h"

namespace slipstick::app {
namespace {

using Json = nlohmann::json;

Json listOf(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Json jointsOf(const Model& model, const StepFacts& facts) {
  Json names = Json::array(), positions = Json::array(), velocities = Json::array(), torques = Json::array();
  for (const multibody::Joint& joint : model.tree.joints) {
    if (multibody::positionCount(joint.type) != 1) continue;
    names.push_back(joint.name);
    positions.push_back(facts.q[joint.qStart]);
    velocities.push_back(facts.v[joint.vStart]);
    torques.push_back(joint.vStart < facts.tau.size() ? facts.tau[joint.vStart] : 0);
  }
  return {{"names", names}, {"positions", positions}, {"velocities", velocities}, {"torques", torques}};
}

Json effectorOf(const Model& model, const StepFacts& facts, const Effector& effector) {
  const Pose X_WE = toolPose(effector, facts);
  const Quat q(X_WE.R);
  const FeltForce felt = feltForce(model, facts, effector);
  Json bodies = Json::array();
  for (const int body : feltBodies(model, effector)) {
    const Wrench& wrench = facts.contactWrench[static_cast<std::size_t>(body)];
    bodies.push_back({{"name", model.tree.bodies[static_cast<std::size_t>(body)].name},
                      {"force", listOf(wrench.force)},
                      {"moment", listOf(wrench.torque)}});
  }
  return {{"name", effector.name},
          {"position", listOf(X_WE.p)},
          {"quaternion_wxyz", {q.w(), q.x(), q.y(), q.z()}},
          {"force", listOf(felt.net.force)},
          {"moment", listOf(felt.net.torque)},
          {"pressing", felt.pressing},
          {"bodies", bodies}};
}

}  // namespace

std::string stateMessage(const Model& model, const StepFacts& facts) {
  Json effectors = Json::array();
  for (const Effector& effector : model.effectors) effectors.push_back(effectorOf(model, facts, effector));
  const Json message = {{"scene", model.name},
                        {"step", facts.step},
                        {"time", facts.time},
                        {"joints", jointsOf(model, facts)},
                        {"effectors", effectors}};
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace slipstick::app
