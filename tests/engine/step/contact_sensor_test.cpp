// A contact sensor reads what touches its body, whatever else touches.
#include <gtest/gtest.h>

#include "engine/step/sensors.h"

namespace slipstick {
namespace {

Contact between(const ContactSide& a, const ContactSide& b, double force) {
  Contact contact;
  contact.a = a;
  contact.b = b;
  contact.f_Bc_W = {0, 0, force};
  return contact;
}

ContactSide elementOf(int deformable, int element) {
  return {.deformable = deformable, .element = element};
}

/// Of a body 1 that touches everything, in a scene whose deformables touch each other and themselves, too [N].
double readBy(const Sensor& sensor) {
  Model model;
  model.sensors = {sensor};
  StepFacts before;
  before.X_WB.resize(3);
  before.V_WB.resize(3);
  Snapshot now;
  now.time = 0.01;
  now.X_WB = before.X_WB;
  now.V_WB = before.V_WB;
  const ContactSide body{.body = 1, .geometry = 0}, other{.body = 2, .geometry = 1};
  now.contacts = {between(body, elementOf(0, 3), 1), between(body, elementOf(1, 13), 10),
                  between(other, body, -100), between(elementOf(1, 12), elementOf(0, 4), 1000),
                  between(elementOf(0, 5), elementOf(0, 9), 10000)};
  readSensors(model, before, now);
  return now.sensors.at(0).linear.z();
}

TEST(ContactSensor, OfOneDeformableReadsOnlyWhatItDoesToTheBody) {
  Sensor sensor;
  sensor.kind = SensorSpec::Kind::Contact;
  sensor.body = 1;
  sensor.deformable = 0;
  EXPECT_EQ(readBy(sensor), 1);
  sensor.deformable = 1;
  EXPECT_EQ(readBy(sensor), 10);
}

TEST(ContactSensor, OfOtherBodiesReadsNoDeformables) {
  Sensor sensor;
  sensor.kind = SensorSpec::Kind::Contact;
  sensor.body = 1;
  sensor.other = {0, 0, 1};
  EXPECT_EQ(readBy(sensor), 100);
}

}  // namespace
}  // namespace slipstick
