#include "app/walk_of.h"

#include <algorithm>
#include <filesystem>

#include "app/progress.h"
#include "app/simulated_walk.h"
#include "app/stepping.h"
#include "assets/recording/recorded_run.h"
#include "engine/foundation/lower_case.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

bool isRecording(const std::string& source) {
  const std::string suffix = lowerSuffix(source);
  return std::any_of(kRecordingSuffixes.begin(), kRecordingSuffixes.end(),
                     [&](const char* known) { return suffix == std::string(".") + known; });
}

Result<std::unique_ptr<RunWalk>> walkOf(const SceneOptions& source, Detail detail,
                                        std::function<bool(const Snapshot&)> onStep) {
  if (!isRecording(source.scene)) {
    Result<std::unique_ptr<HeadlessRun>> run = openRun(source, detail);
    if (!run) return run.error();
    return std::unique_ptr<RunWalk>(new SimulatedWalk(std::move(*run), std::move(onStep)));
  }
  if (!source.overrides.empty())
    return Error{ErrorCode::InvalidValue, "what was recorded cannot be changed",
                 "--set " + source.overrides.front(), "simulate the scene again with it, or leave it out"};
  LoadProgress progress;
  Result<std::shared_ptr<const assets::RecordedRun>> run = [&] {
    const LoadWatch watch(progress, source.quiet);
    return assets::RecordedRun::open(source.scene, &progress, stepping().table());
  }();
  if (!run) return run.error();
  return std::unique_ptr<RunWalk>(new assets::RecordedWalk(std::move(*run), std::move(onStep)));
}

Result<void> checkTimes(const RunWalk& walk, const std::string& option, double from, double to) {
  if (to < from)
    return Error{ErrorCode::InvalidValue, "the end lies before the start",
                 "--from " + significant(from) + " " + option + " " + significant(to),
                 "write --to after --from"};
  const double first = walk.timeOf(walk.firstStep()), last = walk.timeOf(walk.lastStep());
  const double half = 0.5 * walk.model()->time.dt;
  if (!walk.endsThere() || (from > first - half && to < last + half)) return {};
  const bool isLate = to >= last + half;
  return Error{ErrorCode::InvalidValue,
               "the recording is of " + significant(first) + " s to " + significant(last) + " s",
               (isLate ? option + " " + significant(to) : "--from " + significant(from)),
               "choose times in it"};
}

}  // namespace slipstick::app
