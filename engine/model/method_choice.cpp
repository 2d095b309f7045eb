#include "engine/model/method_choice.h"

#include "engine/foundation/number_text.h"
#include "engine/model/assumed_mass.h"
#include "engine/model/method_rows.h"

namespace slipstick {
namespace {

std::string stepOf(const Model& model) {
  return significant(1e3 * model.time.dt, 3) + " ms";
}

std::string tooLight(const Model& model, const FrozenMotion& worst, const std::vector<char>& assumed) {
  return bodyWithMass(model, worst.body, assumed) + " is too light for " + std::string(kFrozenMethod) +
         " at " + stepOf(model);
}

}  // namespace

std::string choiceInWords(const Model& model, const FrozenMotion& worst, std::string_view method,
                          const std::vector<char>& assumed) {
  std::string text(method);
  if (worst.body < 0) return text;
  if (!mayFreeze(worst) && method != kFrozenMethod) return text + ", as " + tooLight(model, worst, assumed);
  if (mayFreeze(worst) && method == kFrozenMethod)
    text += ", as every body is heavy beside what presses it at " + stepOf(model);
  const double percent = 100 * worst.share / kLargestFrozenShare;
  return text + "; lightest: " + bodyWithMass(model, worst.body, assumed) + ", " +
         significant(percent, percent < 99.5 ? 2 : 3) + " % of what it may be";
}

std::optional<std::string> frozenWarning(const Model& model, const FrozenMotion& worst,
                                         std::string_view method, const std::vector<char>& assumed) {
  if (method != kFrozenMethod || !turnsRound(worst)) return {};
  return tooLight(model, worst, assumed) + ": forces may be wrong; use " + std::string(kCoupledMethod);
}

std::shared_ptr<const Model> withRowsOf(std::shared_ptr<const Model> model, const std::string& method) {
  std::shared_ptr<const MethodRows> own = rowsOf(*model, method);
  if (own == model->own) return model;
  Model same = *model;
  same.own = std::move(own);
  return std::make_shared<const Model>(std::move(same));
}

std::shared_ptr<const MethodRows> rowsOf(const Model& model, std::string_view method) {
  return model.methods ? model.methods->find(method) : nullptr;
}

bool hasNodesOf(const Model& model, std::string_view method) {
  const Discretize wanted = model.methods ? model.methods->discretizeOf(method) : nullptr;
  return model.deformables.empty() || model.discretize == wanted;
}

}  // namespace slipstick
