// Stage of compile(): what the methods of the program add to the model's tables, and what the scene sets of it.
#include <algorithm>

#include "engine/compile/compilation.h"
#include "engine/model/method_rows.h"

namespace slipstick {
namespace {

std::vector<std::string> pathsOf(const Model& model) {
  std::vector<std::string> paths;
  for (const MethodNumber& number : model.tuning.own) paths.push_back(number.path);
  return paths;
}

Result<void> set(Compilation& c, const MethodSettingSpec& spec) {
  const std::string path = ownPath(spec.method, spec.key);
  std::vector<MethodNumber>& own = c.model.tuning.own;
  const auto found =
      std::find_if(own.begin(), own.end(), [&](const MethodNumber& number) { return number.path == path; });
  if (found == own.end()) return c.unknown({"", path}, "setting of a method", path, pathsOf(c.model));
  found->value = spec.value;
  const auto index = static_cast<std::size_t>(found - own.begin());
  const ParameterKind& kind = c.model.methods->settings()[index];
  if (isWithin(kind, c.model.tuning, index)) return {};
  return c.invalid({"", path}, std::string(kind.what), std::string(kind.remedy));
}

}  // namespace

Result<void> compileMethodSettings(Compilation& c) {
  c.model.methods = c.scene.methods;
  if (c.model.methods) {
    c.model.tuning.own = c.model.methods->usual();
    const std::string& method = c.options.method.empty() ? c.scene.solver.method : c.options.method;
    c.model.discretize = c.model.methods->discretizeOf(method);
  }
  for (const MethodSettingSpec& spec : c.scene.methodSettings)
    if (Result<void> ok = set(c, spec); !ok) return ok;
  return {};
}

}  // namespace slipstick
