#include "ui/device_settings.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace slipstick::ui {
namespace {

QJsonObject jsonOf(const Control& control) {
  return {{"kind", static_cast<int>(control.kind)}, {"name", QString::fromStdString(control.name)}};
}

Control controlOf(const QJsonObject& json) {
  const int kind = std::clamp(json["kind"].toInt(), 0, static_cast<int>(Control::Kind::Button));
  return {static_cast<Control::Kind>(kind), json["name"].toString().toStdString()};
}

QJsonObject jsonOf(const MotionMap& motion) {
  return {{"increase", jsonOf(motion.increase)},  {"decrease", jsonOf(motion.decrease)},
          {"invert", motion.response.invert},     {"dead_zone", motion.response.deadZone},
          {"exponent", motion.response.exponent}, {"scale", motion.scale}};
}

MotionMap motionOf(const QJsonObject& json) {
  MotionMap motion;
  motion.increase = controlOf(json["increase"].toObject());
  motion.decrease = controlOf(json["decrease"].toObject());
  motion.response.invert = json["invert"].toBool();
  motion.response.deadZone = std::clamp(json["dead_zone"].toDouble(), 0.0, kLargestDeadZone);
  motion.response.exponent = std::clamp(json["exponent"].toDouble(1), 1.0, kLargestExponent);
  motion.scale = std::max(0.0, json["scale"].toDouble());
  return motion;
}

}  // namespace

QByteArray textOf(const DeviceUse& use) {
  QJsonArray motions, buttons;
  for (const MotionMap& motion : use.map.motions) motions.append(jsonOf(motion));
  for (const ButtonMap& button : use.map.buttons)
    buttons.append(QJsonObject{{"button", QString::fromStdString(button.button)},
                               {"action", static_cast<int>(button.action)}});
  const QJsonObject json{{"enabled", use.enabled},
                         {"effector", QString::fromStdString(use.effector)},
                         {"frame", static_cast<int>(use.frame)},
                         {"motions", motions},
                         {"buttons", buttons}};
  return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

std::optional<DeviceUse> deviceUseOf(const QByteArray& text) {
  const QJsonObject json = QJsonDocument::fromJson(text).object();
  const QJsonArray motions = json["motions"].toArray();
  if (motions.size() != static_cast<qsizetype>(kMotionCount)) return std::nullopt;
  DeviceUse use;
  use.enabled = json["enabled"].toBool(true);
  use.effector = json["effector"].toString().toStdString();
  use.frame = static_cast<MotionFrame>(
      std::clamp(json["frame"].toInt(), 0, static_cast<int>(kMotionFrameNames.size()) - 1));
  for (std::size_t i = 0; i < kMotionCount; ++i)
    use.map.motions[i] = motionOf(motions[static_cast<qsizetype>(i)].toObject());
  for (const QJsonValue& value : json["buttons"].toArray()) {
    const QJsonObject button = value.toObject();
    const int action =
        std::clamp(button["action"].toInt(), 0, static_cast<int>(kButtonActionNames.size()) - 1);
    use.map.buttons.push_back({button["button"].toString().toStdString(), static_cast<ButtonAction>(action)});
  }
  return use;
}

}  // namespace slipstick::ui
