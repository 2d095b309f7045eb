#include "engine/model/method_rows.h"

#include <algorithm>

#include "engine/foundation/number_text.h"
#include "engine/foundation/require.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

bool areInTheirPlaces(const std::vector<HealthInfo>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const bool refuses = flags[i].severity == Severity::Refusal;
    if (flags[i].flag != (refuses ? ownRefusal(i) : ownFlag(i))) return false;
  }
  return true;
}

ParameterSlot slotOfOwn(Tuning& tuning, std::size_t index) {
  return &tuning.own[index].value;
}

}  // namespace

bool MethodRows::isSound() const {
  return phases.size() <= kOwnPhases && flags.size() <= kOwnFlags && areInTheirPlaces(flags) &&
         std::all_of(settings.begin(), settings.end(),
                     [](const MethodSetting& setting) { return setting.range.contains(setting.usual); });
}

AllMethodRows::AllMethodRows(std::vector<MethodRows> methods) {
  for (MethodRows& rows : methods) {
    SIM_REQUIRE(rows.isSound(), rows.name);
    if (rows.discretize) discretize_[rows.name] = rows.discretize;
    if (rows.isEmpty()) continue;
    methods_.push_back(std::make_shared<const MethodRows>(std::move(rows)));
    for (const MethodSetting& setting : methods_.back()->settings) addSetting(methods_.back()->name, setting);
  }
}

void AllMethodRows::addSetting(const std::string& method, const MethodSetting& setting) {
  const std::string path = ownPath(method, setting.key);
  const Words& words = words_.emplace_back(
      Words{path, path + " is out of its range",
            "write " + std::string(setting.key) + " such as " + significant(setting.usual, 6)});
  kinds_.push_back({.block = ParameterBlock::Method,
                    .key = words.path,
                    .unit = setting.unit,
                    .range = setting.range,
                    .what = words.what,
                    .remedy = words.remedy,
                    .slot = slotOfOwn,
                    .isWhole = setting.isWhole,
                    .about = setting.description});
  usual_.push_back({path, setting.usual, setting.usual});
}

std::shared_ptr<const MethodRows> AllMethodRows::find(std::string_view method) const {
  const auto found =
      std::find_if(methods_.begin(), methods_.end(), [&](const auto& rows) { return rows->name == method; });
  return found == methods_.end() ? nullptr : *found;
}

Discretize AllMethodRows::discretizeOf(std::string_view method) const {
  const auto found = discretize_.find(method);
  return found == discretize_.end() ? nullptr : found->second;
}

double settingOf(const Model& model, std::string_view method, const MethodSetting& setting) {
  const std::string path = ownPath(method, setting.key);
  for (const MethodNumber& number : model.tuning.own)
    if (number.path == path) return number.value;
  return setting.usual;
}

bool tellsSoftContacts(const Model& model) {
  return model.own != nullptr && model.own->softContacts;
}

bool tellsForceLaws(const Model& model) {
  return model.own != nullptr && model.own->forceLaws;
}

std::string ownPath(std::string_view method, std::string_view key) {
  return "solver." + std::string(method) + "." + std::string(key);
}

}  // namespace slipstick
