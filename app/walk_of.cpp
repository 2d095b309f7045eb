#include "app/walk_of.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/progress.h"
#include "app/simulated_walk.h"
#include "assets/recording/recorded_run.h"

namespace slipstick::app {

bool isRecording(const std::string& source) {
  std::string suffix = std::filesystem::path(source).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix == ".h5" || suffix == ".hdf5";
}

Result<std::unique_ptr<RunWalk>> walkOf(const SceneOptions& source,
                                        std::function<bool(const Snapshot&)> onStep) {
  if (!isRecording(source.scene)) {
    Result<std::unique_ptr<HeadlessRun>> run = HeadlessRun::create(source, Detail::Particles);
    if (!run) return run.error();
    return std::unique_ptr<RunWalk>(new SimulatedWalk(std::move(*run), std::move(onStep)));
  }
  if (!source.overrides.empty())
    return Error{ErrorCode::InvalidValue, "what was recorded cannot be changed",
                 "--set " + source.overrides.front(), "simulate the scene again with it, or leave it out"};
  LoadProgress progress;
  Result<std::shared_ptr<const assets::RecordedRun>> run = [&] {
    const LoadWatch watch(progress, source.quiet);
    return assets::RecordedRun::open(source.scene, &progress);
  }();
  if (!run) return run.error();
  return std::unique_ptr<RunWalk>(new assets::RecordedWalk(std::move(*run)));
}

}  // namespace slipstick::app
