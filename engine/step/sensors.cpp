#include "engine/step/sensors.h"

#include "engine/foundation/require.h"
#include "engine/rigid/joint_wrench.h"

namespace slipstick {
namespace {

using Reading = StepFacts::SensorReading;

/// A wrench about a point of W, as a sensor at X_WS reads it.
Reading readAt(const Pose& X_WS, const Vec3& point, const Wrench& wrench) {
  const Vec3 torque = wrench.torque + (point - X_WS.p).cross(wrench.force);
  return {X_WS.R.transpose() * wrench.force, X_WS.R.transpose() * torque};
}

Reading readForceTorque(const Model& model, const Sensor& sensor, const StepFacts& before,
                        const Snapshot& now) {
  const Pose& X_WB = now.X_WB[static_cast<std::size_t>(sensor.body)];
  return readAt(X_WB * sensor.X_BS, X_WB.p, jointWrench(model, model.gravity, before, now, sensor.joint));
}

/// Whether a side of a contact is one of those whose touch counts.
bool counts(const Sensor& sensor, const ContactSide& side) {
  if (side.isSoft()) return side.deformable == sensor.deformable;
  return !sensor.other.empty() && sensor.other[static_cast<std::size_t>(side.body)] != 0;
}

Wrench touchOf(const Sensor& sensor, const Vec3& point, const std::vector<Contact>& contacts) {
  Wrench sum;
  for (const Contact& c : contacts) {
    const bool isFirst = c.a.body == sensor.body && counts(sensor, c.b);
    const bool isOther = c.b.body == sensor.body && counts(sensor, c.a);
    if (!isFirst && !isOther) continue;
    const Vec3 force = isFirst ? c.f_Bc_W : Vec3(-c.f_Bc_W);
    sum += Wrench{.force = force, .torque = (c.p_WC - point).cross(force)};
  }
  return sum;
}

Reading readContact(const Sensor& sensor, const StepFacts& before, const Snapshot& now) {
  const auto body = static_cast<std::size_t>(sensor.body);
  const Vec3& point = before.X_WB[body].p;
  const bool all = sensor.other.empty() && sensor.deformable < 0;
  const Wrench wrench = all ? now.contactWrench[body] : touchOf(sensor, point, now.contacts);
  return readAt(before.X_WB[body] * sensor.X_BS, point, wrench);
}

Reading readImu(const Model& model, const Sensor& sensor, const StepFacts& before, const Snapshot& now) {
  const auto body = static_cast<std::size_t>(sensor.body);
  const auto velocity = [&](const StepFacts& step) {
    return step.V_WB[body].at(step.X_WB[body].R * sensor.X_BS.p);
  };
  const Mat3 R_SW = (now.X_WB[body].R * sensor.X_BS.R).transpose();
  const Vec3 acceleration = (velocity(now) - velocity(before)) / (now.time - before.time);
  return {R_SW * (acceleration - model.gravity), R_SW * now.V_WB[body].w};
}

}  // namespace

void readSensors(const Model& model, const StepFacts& before, Snapshot& snapshot) {
  SIM_REQUIRE(snapshot.time > before.time, before.time, snapshot.time);
  snapshot.sensors.clear();
  for (const Sensor& sensor : model.sensors) {
    switch (sensor.kind) {
      case SensorSpec::Kind::ForceTorque:
        snapshot.sensors.push_back(readForceTorque(model, sensor, before, snapshot));
        break;
      case SensorSpec::Kind::Contact:
        snapshot.sensors.push_back(readContact(sensor, before, snapshot));
        break;
      case SensorSpec::Kind::Imu:
        snapshot.sensors.push_back(readImu(model, sensor, before, snapshot));
        break;
    }
  }
}

}  // namespace slipstick
