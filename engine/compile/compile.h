// From a scene, as people write it, to the model that is stepped.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick {

struct CompiledScene {
  std::shared_ptr<const Model> model;
  std::vector<Notice> notices;
};

/// What compile() is told beside the scene.
struct CompileOptions {
  /// Where a key of the scene is written, "dough.yaml:12", by its path: "deformables.ball.material"; "" is the whole
  /// scene. Of a key that is not written: where that is written which it lies in. Unset: places have no lines.
  std::function<std::string(const std::string& key)> placeOf = {};
  LoadProgress* progress =
      nullptr;              ///< told how far it is; once cancelled, the result is an error of that code
  std::string method = {};  ///< whose nodes soft bodies become; empty: the scene's
};

/// Checks everything and builds the indexed arrays. The first fault found is returned with its place and
/// remedy.
Result<CompiledScene> compile(const Scene& scene, const CompileOptions& options = {});

}  // namespace slipstick
