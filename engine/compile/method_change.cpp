#include "engine/compile/method_change.h"

#include <utility>

#include "engine/compile/compile.h"
#include "engine/model/method_choice.h"
#include "engine/model/method_rows.h"

namespace slipstick {

Result<std::shared_ptr<const Model>> withNodesOf(std::shared_ptr<const Model> model,
                                                 const std::string& method) {
  if (hasNodesOf(*model, method)) return model;
  if (!model->scene)
    return Error{ErrorCode::Unsupported, "its soft bodies are made for another method than " + method,
                 model->name, "open it from a scene file"};
  const Result<CompiledScene> compiled = compile(*model->scene, {.method = method});
  if (!compiled) return compiled.error();
  Model same = *compiled->model;
  same.solver.method = model->solver.method;
  same.scene = model->scene;
  return std::make_shared<const Model>(std::move(same));
}

Result<std::shared_ptr<const Model>> withMethod(std::shared_ptr<const Model> model,
                                                const std::string& method) {
  Result<std::shared_ptr<const Model>> made = withNodesOf(std::move(model), method);
  if (!made || method == (*made)->solver.method) return made;
  Model same = **made;
  same.solver.method = method;
  same.own = rowsOf(same, method);
  return std::make_shared<const Model>(std::move(same));
}

}  // namespace slipstick
