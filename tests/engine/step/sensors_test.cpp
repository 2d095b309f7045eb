// What inertial and force sensors read of two steps; contact sensors of one thing alone are in contact_sensor_test.cpp.
#include "engine/step/sensors.h"

#include <gtest/gtest.h>

#include <numbers>

namespace slipstick {
namespace {

constexpr double kDt = 0.01;
/// Whose x lies along W's y, and y against W's x.
const Pose kTurned = Pose::fromRpy({0, 0, std::numbers::pi / 2}, Vec3::Zero());

/// An arm of 2 kg on a hinge about z at W's origin, its centre of mass half a metre along x, with a tool of 1 kg welded on
/// at 1 m; at rest, weighed down along z.
struct Sensors : ::testing::Test {
  Sensors() {
    model.gravity = {0, 0, -10};
    multibody::Joint hinge;
    hinge.type = multibody::JointType::Revolute;
    model.tree.add({.name = "arm", .mass = 2, .com = Vec3(0.5, 0, 0), .inertia = Mat3::Identity()}, hinge);
    multibody::Joint weld;
    weld.parent = 1;
    weld.X_PJ = Pose::translation({1, 0, 0});
    model.tree.add({.name = "tool", .mass = 1, .inertia = Mat3::Identity()}, weld);
    before.X_WB = {Pose{}, Pose{}, Pose::translation({1, 0, 0})};
    before.V_WB.resize(3);
    now.time = kDt;
    now.X_WB = before.X_WB;
    now.V_WB = before.V_WB;
    now.contactWrench.resize(3);
  }
  StepFacts::SensorReading read(SensorSpec::Kind kind, int body, const Pose& X_BS = {}) {
    Sensor sensor;
    sensor.kind = kind;
    sensor.body = body;
    sensor.joint = body - 1;
    sensor.X_BS = X_BS;
    model.sensors = {sensor};
    readSensors(model, before, now);
    EXPECT_EQ(now.sensors.size(), 1u);
    return now.sensors.at(0);
  }
  static constexpr auto kImu = SensorSpec::Kind::Imu, kForce = SensorSpec::Kind::ForceTorque,
                        kContact = SensorSpec::Kind::Contact;

  Model model;
  StepFacts before;
  Snapshot now;
};

void expectNear(const Vec3& a, const Vec3& b) {
  EXPECT_LT((a - b).norm(), 1e-9) << "(" << a.transpose() << ") and (" << b.transpose() << ")";
}

TEST_F(Sensors, AreReadInTheirOrderAndAnew) {
  Sensor imu, force;
  imu.body = 1;
  force.kind = kForce;
  force.body = 1;
  force.joint = 0;
  model.sensors = {imu, force};
  for (int k = 0; k < 2; ++k) readSensors(model, before, now);
  ASSERT_EQ(now.sensors.size(), 2u);
  expectNear(now.sensors[0].linear, {0, 0, 10});
  expectNear(now.sensors[1].linear, {0, 0, 30});
  model.sensors.clear();
  readSensors(model, before, now);
  EXPECT_TRUE(now.sensors.empty());
}

// ---- inertial

TEST_F(Sensors, AnImuAtRestReadsWhatHoldsItUp) {
  expectNear(read(kImu, 1).linear, {0, 0, 10});
  expectNear(read(kImu, 1, Pose::fromRpy({std::numbers::pi / 2, 0, 0}, Vec3::Zero())).linear, {0, 10, 0});
  expectNear(read(kImu, 1).angular, Vec3::Zero());
}

TEST_F(Sensors, AnImuThatFallsReadsNothing) {
  now.V_WB[1].v = {0, 0, -10 * kDt};
  expectNear(read(kImu, 1).linear, Vec3::Zero());
}

TEST_F(Sensors, AnImuReadsTheAccelerationWhereItIs) {
  now.V_WB[1] = {{0, 0, 0.3}, {0.02, 0, 0}};
  // v + w × r with r = (0, 0.2, 0): (0.02 − 0.06, 0, 0) m/s gained in 10 ms.
  const StepFacts::SensorReading reading = read(kImu, 1, {kTurned.R, {0, 0.2, 0}});
  expectNear(reading.linear, kTurned.R.transpose() * Vec3(-4, 0, 10));
  expectNear(reading.angular, {0, 0, 0.3});
}

TEST_F(Sensors, AnImuReadsTheTurnInItsOwnFrameAtTheEnd) {
  before.V_WB[1].w = {9, 9, 9};
  now.V_WB[1].w = {1, 0, 0};
  now.X_WB[1] = kTurned;
  expectNear(read(kImu, 1).angular, {0, -1, 0});
}

// ---- force and torque

TEST_F(Sensors, AJointCarriesAllThatHangsFromIt) {
  const StepFacts::SensorReading root = read(kForce, 1);
  expectNear(root.linear, {0, 0, 30});
  // r × F of 20 N at 0.5 m and 10 N at 1 m along x.
  expectNear(root.angular, {0, -20, 0});
  const StepFacts::SensorReading wrist = read(kForce, 2);
  expectNear(wrist.linear, {0, 0, 10});
  expectNear(wrist.angular, Vec3::Zero());
}

TEST_F(Sensors, TorqueIsAboutTheSensorAndInItsFrame) {
  // All the weight is balanced about the point 2/3 m along the arm.
  expectNear(read(kForce, 1, Pose::translation({2.0 / 3, 0, 0})).angular, Vec3::Zero());
  const StepFacts::SensorReading turned = read(kForce, 1, kTurned);
  expectNear(turned.linear, {0, 0, 30});
  expectNear(turned.angular, {-20, 0, 0});
}

TEST_F(Sensors, WhatContactCarriesTheJointDoesNot) {
  now.contactWrench[2] = {{0, 0, 10}, Vec3::Zero()};  // at the tool
  expectNear(read(kForce, 2).linear, Vec3::Zero());
  const StepFacts::SensorReading root = read(kForce, 1);
  expectNear(root.linear, {0, 0, 20});
  expectNear(root.angular, {0, -10, 0});
}

TEST_F(Sensors, WhatSpeedsUpIsPushed) {
  now.V_WB[2].v = {0.05, 0, 0};  // of 1 kg in 10 ms
  expectNear(read(kForce, 2).linear, {5, 0, 10});
}

// ---- contact

TEST_F(Sensors, AContactSensorOfAllReadsTheWrenchOfItsBody) {
  now.contactWrench[2] = {{0, 0, 7}, {1, 0, 0}};
  const StepFacts::SensorReading reading = read(kContact, 2, {kTurned.R, {0, 0.5, 0}});
  expectNear(reading.linear, {0, 0, 7});
  // About the sensor: τ + (o − s) × F = (1, 0, 0) + (0, −0.5, 0) × (0, 0, 7) = (−2.5, 0, 0), in its own frame.
  expectNear(reading.angular, {0, 2.5, 0});
}

TEST_F(Sensors, AContactSensorStandsWhereContactIsTheStepsStart) {
  now.contactWrench[2] = {{0, 0, 7}, Vec3::Zero()};
  now.X_WB[2] = Pose::fromRpy({1, 2, 3}, {4, 5, 6});
  const StepFacts::SensorReading reading = read(kContact, 2);
  expectNear(reading.linear, {0, 0, 7});
  expectNear(reading.angular, Vec3::Zero());
}

TEST_F(Sensors, AContactSensorOfABodyThatNothingTouchesReadsNothing) {
  now.contactWrench[1] = {{1, 2, 3}, {4, 5, 6}};
  expectNear(read(kContact, 2).linear, Vec3::Zero());
  expectNear(read(kContact, 2).angular, Vec3::Zero());
}

}  // namespace
}  // namespace slipstick
