// What the inspector says of sensors.
#include "ui/inspector.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

QString kindWord(SensorSpec::Kind kind) {
  switch (kind) {
    case SensorSpec::Kind::ForceTorque:
      return Inspector::tr("force and torque in a joint");
    case SensorSpec::Kind::Contact:
      return Inspector::tr("contact sensor");
    case SensorSpec::Kind::Imu:
      return Inspector::tr("inertial sensor");
  }
  return {};
}

}  // namespace

/// Of the sensors on bodies from `first` to before `end`.
void Inspector::showSensors(int first, int end) {
  const auto model = session_.model();
  for (std::size_t i = 0; i < model->sensors.size(); ++i) {
    const Sensor& sensor = model->sensors[i];
    if (sensor.body < first || sensor.body >= end) continue;
    const QString name = QString::fromStdString(sensor.name);
    const bool isImu = sensor.kind == SensorSpec::Kind::Imu;
    const QString frame = tr("x, y, z in the sensor's frame");
    heading(name, kindWord(sensor.kind));
    const auto read = [&](const QString& label, const std::string& suffix, const QString& unit,
                          Vec3 StepFacts::SensorReading::*value) {
      fact(
          label, unit, [i, value](const Snapshot& s) { return vectorText(s.sensors[i].*value, 2); }, frame);
      plottable({plotOfVector(sensor.name + suffix, name + " " + label, unit)});
    };
    using Reading = StepFacts::SensorReading;
    if (isImu) {
      read(tr("specific force"), ".a", "m/s²", &Reading::linear);
      read(tr("angular velocity"), ".w", "rad/s", &Reading::angular);
    } else {
      read(tr("force"), ".f", "N", &Reading::linear);
      read(tr("torque"), ".m", "N m", &Reading::angular);
    }
  }
}

}  // namespace slipstick::ui
