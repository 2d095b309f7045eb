#include "engine/facts/health_note.h"

#include <cmath>

#include "engine/foundation/number_text.h"

namespace slipstick {

namespace {

/// A plain body is called what the scene calls it.
std::string bodyName(const Model& model, int body) {
  for (const Robot& robot : model.robots)
    if (robot.endBody - robot.firstBody == 1 && robot.firstBody == body) return robot.name;
  return model.tree.bodies[static_cast<std::size_t>(body)].name;
}

std::string millimetres(double length) {
  return significant(1e3 * length, 3) + " mm";
}

/// Two digits, not rounded up.
std::string atMost(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return significant(std::floor(value / unit * (1 + 1e-9)) * unit, 2);
}

}  // namespace

std::pair<std::string, std::string> namesOf(const Model& model, const HealthNote& note) {
  std::string other;
  if (note.deformable >= 0) other = model.deformables[static_cast<std::size_t>(note.deformable)].name;
  if (note.other >= 0) other = bodyName(model, note.other);
  return {note.body >= 0 ? bodyName(model, note.body) : "", other};
}

std::string noteText(const Model& model, const HealthNote& note) {
  const auto [name, other] = namesOf(model, note);
  switch (note.flag) {
    case Health::EnergyGained:
      return "contact gave " + name + " and " + other + " " + significant(note.value, 3) + " J, at most " +
             significant(note.limit, 3) + " J is plausible";
    case Health::FastBody:
      return name + " moves " + millimetres(note.value) + " towards " + other + " in one step, at most " +
             millimetres(note.limit) + " is safe: use time.dt_ms of " +
             atMost(1e3 * model.time.dt * note.limit / note.value) + " or less";
    case Health::TooThin:
      return "particles of " + other + " are " + millimetres(note.value) + " deep in " + name +
             ", half of whose thickness is " + millimetres(note.limit);
    default:
      return std::string(infoOf(note.flag, model.own.get()).what) + (name.empty() ? "" : ": " + name);
  }
}

bool isSamePair(const HealthNote& a, const HealthNote& b) {
  return a.flag == b.flag && a.body == b.body && a.other == b.other && a.deformable == b.deformable;
}

}  // namespace slipstick
