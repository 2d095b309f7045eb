// slipstick replay: simulates a recording again, on this machine, and says where it differs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include "app/exit_status.h"
#include "app/number_option.h"
#include "app/progress.h"
#include "app/run_statistics.h"
#include "app/scene_run.h"
#include "app/verb.h"
#include "app/word_option.h"
#include "assets/recording/recorded_numbers.h"
#include "assets/recording/recording_reader.h"
#include "engine/foundation/number_text.h"
#include "engine/runtime/columns.h"
#include "engine/runtime/live_run.h"

namespace slipstick::app {
namespace {

struct ReplayOptions {
  std::string recording;
  bool check = false;              ///< ends at the first step that differs, with status 3
  std::optional<double> duration;  ///< [s]; unset: all of it
  StepperOptions stepper;          ///< its method and backend are the recording's
  bool quiet = false;
};

/// Of a column's largest number so far: what other instruction sets may be off [-].
constexpr double kTolerance = 1e-3;
/// Steps of the recording that are read at a time.
constexpr std::uint64_t kRows = 64;

/// The first step that is not as it was recorded.
struct Difference {
  std::uint64_t step = 0;
  double time = 0;
  std::string field;  ///< the observable that is farthest off; empty: only the state's bits are others
  double recorded = 0, replayed = 0;
  std::optional<std::uint64_t> bitsDifferFrom = {};  ///< an earlier step, where the state's bits already did
};

class Replay {
 public:
  Replay(const assets::RecordingReader& recording, HeadlessRun& run)
      : recording_(recording),
        run_(run),
        observables_(observablesOf(*run.model())),
        isExact_(recording.reproduces() && recording.runsOn() == run.stepper().runsOn()),
        largest_(recording.columns().size(), 0) {}

  bool isExact() const { return isExact_; }

  /// Compares the step that the run is at. @return a difference, if there is one
  Result<std::optional<Difference>> compare() {
    const Snapshot& now = run_.snapshot();
    if (Result<void> read = fetch(now.step); !read) return read.error();
    const std::size_t row = now.step - from_;
    const double* recorded = values_.data() + row * recording_.columns().size();
    for (std::size_t i = 0; i < largest_.size(); ++i)
      if (std::isfinite(recorded[i])) largest_[i] = std::max(largest_[i], std::abs(recorded[i]));
    if (isExact_ && hashes_[row] == now.stateHash) return std::optional<Difference>();
    Difference farthest;
    farthest.step = now.step, farthest.time = now.time;
    double most = isExact_ ? 0 : kTolerance;
    for (std::size_t i = 0; i < observables_.size(); ++i) {
      if (observables_[i].isWallTime) continue;
      const double value = assets::recording::rounded(observables_[i].value(now));
      const double off = std::abs(value - recorded[i]) / std::max(largest_[i], 1e-12);
      if (!(off > most)) continue;
      most = off;
      farthest.field = observables_[i].column();
      farthest.recorded = recorded[i], farthest.replayed = value;
    }
    const bool differs = isExact_ || !farthest.field.empty();
    return differs ? std::optional(farthest) : std::optional<Difference>();
  }

 private:
  Result<void> fetch(std::uint64_t step) {
    if (step >= from_ && step < from_ + hashes_.size()) return {};
    const std::uint64_t to = std::min(step + kRows, recording_.lastStep() + 1);
    Result<std::vector<double>> values = recording_.values(step, to);
    Result<std::vector<std::uint64_t>> hashes = recording_.hashes(step, to);
    if (!values) return values.error();
    if (!hashes) return hashes.error();
    from_ = step, values_ = std::move(*values), hashes_ = std::move(*hashes);
    return {};
  }

  const assets::RecordingReader& recording_;
  HeadlessRun& run_;
  Observables observables_;
  bool isExact_;
  std::vector<double> largest_;  ///< per column, so far
  std::uint64_t from_ = 0;
  std::vector<double> values_;
  std::vector<std::uint64_t> hashes_;
};

std::string wordsOf(const Difference& difference) {
  const std::string where = "differs at " + stepName(difference.step, difference.time);
  if (difference.field.empty()) return where + ": the state has other bits, and no observable differs";
  std::string words = where + ": " + difference.field + " was " + shortest(difference.recorded) + " and is " +
                      shortest(difference.replayed);
  if (difference.bitsDifferFrom)
    words += "; bits of the state differ from step " + std::to_string(*difference.bitsDifferFrom) + " on";
  return words;
}

std::vector<Command> commandsAt(const assets::RecordingReader& recording, std::uint64_t step) {
  std::vector<Command> commands;
  for (const StampedCommand& stamped : recording.commands())
    if (stamped.step == step) commands.push_back(stamped.command);
  return commands;
}

int replay(const ReplayOptions& options) {
  const InterruptWatch interrupt;
  const Result<std::unique_ptr<assets::RecordingReader>> opened =
      assets::RecordingReader::open(options.recording, nullptr, stepping().table());
  if (!opened) return fail(opened.error());
  const assets::RecordingReader& recording = **opened;
  StepperOptions stepper = options.stepper;
  stepper.method = recording.method();
  if (recording.model()->nodeCount() > 0) stepper.backend = recording.backend();
  if (stepper.threads == 0) stepper.threads = recordedThreads(recording.runsOn());
  const Result<std::unique_ptr<HeadlessRun>> created = runOf(recording.model(), stepper);
  if (!created) return fail(created.error());
  HeadlessRun& run = **created;
  const std::uint64_t begin = recording.firstStep(), last = recording.lastStep();
  if (begin > 0) {
    const Result<State> state = recording.keyframeBefore(begin);
    if (!state) return fail(state.error());
    if (Result<void> restored = run.restore(*state); !restored) return fail(restored.error());
  }
  const std::uint64_t end =
      options.duration ? std::clamp(begin + run.stepsTo(*options.duration), begin, last) : last;

  Replay replayed(recording, run);
  RunStatistics statistics;
  std::optional<Difference> first;
  {
    Progress progress(static_cast<double>(end) * run.model()->time.dt, options.quiet);
    // A state that was taken from it is equal, and its contacts are not computed again.
    bool compares = begin == 0;
    while (!InterruptWatch::requested()) {
      Result<std::optional<Difference>> difference =
          std::exchange(compares, true) ? replayed.compare() : std::optional<Difference>();
      if (!difference) return fail(difference.error());
      // Bits may differ long before a number does that has a name.
      if (*difference && !first) first = *difference;
      if (*difference && first->field.empty() && !(*difference)->field.empty()) {
        (*difference)->bitsDifferFrom = first->step;
        first = *difference;
      }
      const bool isNamed = first && !first->field.empty();
      if ((isNamed && options.check) || run.snapshot().step >= end) break;
      if (Result<void> stepped = run.step(commandsAt(recording, run.snapshot().step), Detail::Facts);
          !stepped)
        return fail(stepped.error());
      statistics.add(run.snapshot(), 0, run.model()->time.dt);
      progress.update(run.snapshot().time);
    }
  }
  if (!options.quiet) statistics.sayHealth(*run.model());
  sayDropped(*run.model(), recording.dropped());
  sayDropped(*run.model(), run.dropped());
  const std::string name = run.model()->name + ": ";
  if (first) {
    std::cerr << "slipstick: " << name << wordsOf(*first) << '\n';
    return options.check ? kSimulationFailed : kSuccess;
  }
  if (InterruptWatch::requested()) return InterruptWatch::status();
  if (!options.quiet)
    std::printf("%sall %llu steps are equal%s\n", name.c_str(),
                static_cast<unsigned long long>(run.snapshot().step - begin),
                replayed.isExact()
                    ? ", bit for bit"
                    : (" within " + significant(100 * kTolerance) +
                       " % of each observable's largest number: it was recorded on " + recording.runsOn())
                          .c_str());
  return kSuccess;
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<ReplayOptions>();
  verb.add_option("recording", options->recording, "a file that run --record has written")
      ->required()
      ->type_name(kRecording);
  verb.add_flag("--check", options->check, "end at the first step that differs, with status 3");
  addNumber(verb, "--duration", options->duration, kDurations, "simulated time [s]; unset: all of it");
  addThreads(verb, options->stepper);
  verb.add_flag("--quiet", options->quiet, "errors only");
  return [options] { return replay(*options); };
}

}  // namespace

Verb replayVerb() {
  return {"replay", "Simulate a recording again and say where it differs", offer};
}

}  // namespace slipstick::app
