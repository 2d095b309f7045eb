#include "app/walk_of.h"

#include <utility>

#include "app/headless_run.h"
#include "app/simulated_walk.h"

namespace slipstick::app {

Result<std::unique_ptr<RunWalk>> walkOf(const SceneOptions& source, Detail detail,
                                        std::function<bool(const Snapshot&)> onStep) {
  Result<std::unique_ptr<HeadlessRun>> run = HeadlessRun::create(source, detail);
  if (!run) return run.error();
  return std::unique_ptr<RunWalk>(std::make_unique<SimulatedWalk>(std::move(*run), std::move(onStep)));
}

}  // namespace slipstick::app
