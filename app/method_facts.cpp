#include "app/method_facts.h"

#include "engine/model/method_choice.h"

namespace slipstick::app {
namespace {

bool isChosen(const Model& model, const StepperOptions& asked) {
  return asked.method == kAutoMethod || (asked.method.empty() && isChosenFor(model));
}

}  // namespace

nlohmann::ordered_json methodReport(const Model& model, std::string_view method, const StepperOptions& asked,
                                    const std::vector<char>& assumed) {
  const FrozenMotion worst = worstFrozenMotion(model);
  const bool chosen = isChosen(model, asked);
  const std::optional<std::string> warning = frozenWarning(model, worst, method, assumed);
  const bool found = worst.body >= 0;
  const auto body = static_cast<std::size_t>(worst.body);
  nlohmann::ordered_json report;
  report["by"] = chosen ? "auto" : asked.method.empty() ? "scene" : "command line";
  report["why"] =
      chosen ? choiceInWords(model, worst, method, assumed) : std::string(method) + ", as asked for";
  report["body"] = found ? nlohmann::ordered_json(model.tree.bodies[body].name) : nullptr;
  report["mass_assumed"] = found && !assumed.empty() && assumed[body] != 0;
  report["share"] = worst.share;
  report["limit"] = kLargestFrozenShare;
  report["warning"] = warning ? nlohmann::ordered_json(*warning) : nullptr;
  return report;
}

std::optional<std::string> methodNews(const Model& model, std::string_view method,
                                      const StepperOptions& asked, const std::vector<char>& assumed) {
  const bool chosen = isChosen(model, asked);
  if (method != kFrozenMethod && !(chosen && method == kCoupledMethod)) return {};
  const FrozenMotion worst = worstFrozenMotion(model);
  if (std::optional<std::string> warning = frozenWarning(model, worst, method, assumed)) return warning;
  if (mayFreeze(worst) || !chosen) return {};
  return "stepped by " + choiceInWords(model, worst, method, assumed);
}

nlohmann::ordered_json assumedReport(const Model& model, const std::vector<char>& assumed) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (std::size_t b = 0; b < assumed.size(); ++b)
    if (assumed[b]) names.push_back(model.tree.bodies[b].name);
  return names;
}

}  // namespace slipstick::app
