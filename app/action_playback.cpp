#include "app/action_playback.h"

#include <sstream>

#include "app/scene_run.h"
#include "assets/scene_writer.h"

namespace slipstick::app {
namespace {

/// "12: position: [0, 0, 1]" of both texts, where they differ first.
std::string firstDifference(const std::string& recorded, const std::string& now) {
  std::istringstream a(recorded), b(now);
  std::string left, right;
  for (int line = 1;; ++line) {
    const bool more = static_cast<bool>(std::getline(a, left)),
               others = static_cast<bool>(std::getline(b, right));
    if (!more && !others) return "";
    if (more && others && left == right) continue;
    const std::string was = more ? left : "(nothing)", is = others ? right : "(nothing)";
    return "line " + std::to_string(line) + " was '" + was + "' and is '" + is + "'";
  }
}

}  // namespace

Result<ActionPlayback> ActionPlayback::open(const std::string& place) {
  Result<assets::Demo> demo = assets::readDemo(place);
  if (!demo) return demo.error();
  return ActionPlayback(place, std::move(*demo));
}

Result<void> ActionPlayback::choose(SceneOptions& options) const {
  if (options.seed && options.seed != demo_.seed)
    return Error{ErrorCode::InvalidValue,
                 "the demonstration was of " +
                     (demo_.seed ? "the seed " + std::to_string(*demo_.seed) : "the scene as it is written"),
                 "--seed " + std::to_string(*options.seed), "leave the seed out"};
  options.seed = demo_.seed;
  if (options.stepper.method.empty()) options.stepper.method = demo_.method;
  if (options.stepper.backend == StepperOptions().backend && !demo_.backend.empty())
    options.stepper.backend = demo_.backend;
  if (options.stepper.threads == 0) options.stepper.threads = recordedThreads(demo_.runsOn);
  return {};
}

Result<void> ActionPlayback::check(const Model& model) const {
  const Scene& scene = *model.scene;
  const std::filesystem::path folder =
      scene.file.empty() ? std::filesystem::current_path()
                         : std::filesystem::absolute(scene.file).lexically_normal().parent_path();
  const Result<std::string> text = assets::writeScene(scene, folder);
  if (!text) return text.error();
  if (*text == demo_.sceneText && model.effectors.size() == demo_.samples.front().size()) return {};
  return Error{ErrorCode::InvalidValue,
               "the demonstration is of another scene, '" + demo_.scene +
                   "': " + firstDifference(demo_.sceneText, *text),
               model.name, "run the scene that it was recorded with, with the same --set"};
}

std::vector<Command> ActionPlayback::commandsAt(std::uint64_t step) {
  if (step % demo_.stepsPerSample != 0 || step >= demo_.steps) return {};
  const std::vector<assets::EffectorAction>& now = demo_.samples[step / demo_.stepsPerSample];
  std::vector<Command> commands = assets::commandsFor(before_, now);
  before_ = now;
  return commands;
}

void ActionPlayback::compare(const Snapshot& snapshot) {
  const std::uint64_t step = snapshot.step;
  std::uint64_t recorded = demo_.finalHash;
  if (step > demo_.steps) return;
  if (step < demo_.steps) {
    if (step % demo_.stepsPerSample != 0) return;
    recorded = demo_.hashes[step / demo_.stepsPerSample];
  }
  ++compared_;
  if (snapshot.stateHash != recorded && !difference_) difference_ = step;
}

nlohmann::ordered_json ActionPlayback::report() const {
  return {{"file", place_.substr(0, place_.rfind(':'))},
          {"demo", demo_.name},
          {"samples", demo_.samples.size()},
          {"compared", compared_},
          {"equal", !difference_.has_value()},
          {"first_difference_step",
           difference_ ? nlohmann::ordered_json(*difference_) : nlohmann::ordered_json(nullptr)}};
}

std::string ActionPlayback::text() const {
  const std::string name = demo_.name + ": ";
  if (!difference_) return name + "all " + std::to_string(compared_) + " states are equal, bit for bit";
  return name + "the states differ from step " + std::to_string(*difference_) + " on" +
         (demo_.replaysExactly ? "; it was recorded on " + demo_.runsOn
                               : "; its actions do not say all that was done");
}

}  // namespace slipstick::app
