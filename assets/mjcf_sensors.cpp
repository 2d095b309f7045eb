#include "assets/mjcf_sensors.h"

#include <map>
#include <set>

#include "assets/xml_text.h"

namespace slipstick::assets {
namespace {

using Element = MjcfDocument::Element;
using Kind = SensorSpec::Kind;

const std::map<std::string, Kind> kKinds = {{"accelerometer", Kind::Imu},
                                            {"gyro", Kind::Imu},
                                            {"force", Kind::ForceTorque},
                                            {"torque", Kind::ForceTorque},
                                            {"touch", Kind::Contact}};

void listSection(MjcfDocument& document, const char* section, Notice::Level level, const std::string& what) {
  std::map<std::string, int> counts;
  const Element* first = nullptr;
  for (const Element* element : document.inSections(section)) {
    if (!first) first = element;
    ++counts[element->Name()];
  }
  if (!first) return;
  std::string text;
  for (const auto& [tag, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " <" + tag + ">";
  document.note(level, *first, what + text);
}

}  // namespace

void listMjcfSensors(MjcfDocument& document) {
  listSection(document, "sensor", Notice::Level::Info, "sensors of the file: ");
  listSection(document, "tendon", Notice::Level::Warning,
              "tendons are not simulated, nor what acts through them: ");
}

Result<std::vector<SensorSpec>> mjcfSensors(const MjcfDocument& document, const MjcfTree& tree,
                                            const std::string& robot, std::vector<Notice>& notices) {
  std::vector<SensorSpec> sensors;
  std::set<std::pair<Kind, std::string>> made;
  // Names that observables begin with.
  std::set<std::string> taken = {robot, "total", "solver", "time", "contacts"};
  const Element* first = nullptr;
  for (const Element* element : document.inSections("sensor")) {
    const auto kind = kKinds.find(element->Name());
    if (kind == kKinds.end()) continue;
    for (const std::string& name : tree.namesOf(attributeOr(*element, "site", ""))) {
      const auto site = tree.sites.find(name);
      if (site == tree.sites.end()) return document.unknown(*element, "site", name, tree.siteNames());
      if (site->second.body == 0 || !made.emplace(kind->second, name).second) continue;
      SensorSpec sensor;
      sensor.name = attributeOr(*element, "name", name.c_str());
      if (Result<void> ok = document.checkName(*element, sensor.name); !ok) return ok.error();
      while (!taken.insert(sensor.name).second) sensor.name += "_";
      sensor.kind = kind->second;
      sensor.link = robot + "." + tree.bodies[static_cast<std::size_t>(site->second.body)].name;
      sensor.X_LS = site->second.X_BP;
      sensors.push_back(std::move(sensor));
      if (!first) first = element;
    }
  }
  if (first)
    notices.push_back({Notice::Level::Info, document.where(*first),
                       std::to_string(sensors.size()) + " sensors at sites are sensors of the scene: force "
                                                        "and torque as in MuJoCo, what the parent exerts; "
                                                        "touch of the whole body"});
  return sensors;
}

}  // namespace slipstick::assets
