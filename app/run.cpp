// slipstick run: simulate without a window.
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/action_playback.h"
#include "app/exit_status.h"
#include "app/method_facts.h"
#include "app/number_option.h"
#include "app/output_path.h"
#include "app/progress.h"
#include "app/recorder.h"
#include "app/report_file.h"
#include "app/run.h"
#include "app/run_statistics.h"
#include "app/scene_run.h"
#include "app/task_report.h"
#include "app/verb.h"
#include "app/word_option.h"
#include "assets/export/observables_csv.h"
#include "assets/recording/episode.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

Result<void> checkOutputs(const RunOptions& options) {
  for (const auto& path : {options.report, options.csv, options.record}) {
    if (!path) continue;
    if (Result<void> writable = checkWritableFile(*path); !writable) return writable;
  }
  return {};
}

/// What follows the steps of a run.
struct Followers {
  assets::ObservablesCsv* csv = nullptr;
  Recorder* recorder = nullptr;
  TaskWatch* task = nullptr;
  ActionPlayback* actions = nullptr;
  Result<void> recorded = {};  ///< why the recording ended early

  /// A recording that fails is told at once, and ends there: the simulation goes on.
  void add(const HeadlessRun& run, std::span<const Command> applied) {
    if (csv != nullptr) (void)csv->add(run.snapshot());  // finish() tells
    if (task != nullptr) task->add(run.snapshot());
    if (actions != nullptr) actions->compare(run.snapshot());
    if (recorder == nullptr) return;
    const Result<void> kept = recorder->add(run, applied);
    if (kept) return;
    recorded = kept;
    recorder = nullptr;
    fail(kept.error());
  }
};

/// Steps to the end, to the first failure or to Ctrl+C. @return the failure, if there was one
Result<void> simulate(HeadlessRun& run, std::uint64_t steps, Followers& followers, RunStatistics& statistics,
                      Progress& progress) {
  using Clock = std::chrono::steady_clock;
  followers.add(run, {});
  while (run.snapshot().step < steps && !InterruptWatch::requested()) {
    const Clock::time_point start = Clock::now();
    const Detail detail =
        followers.recorder != nullptr ? followers.recorder->detailOf(run.snapshot().step + 1) : Detail::Facts;
    std::vector<Command> commands;
    if (followers.actions != nullptr) commands = followers.actions->commandsAt(run.snapshot().step);
    const Result<void> stepped = run.step(commands, detail);
    if (!stepped) return stepped;
    const double wall = std::chrono::duration<double>(Clock::now() - start).count();
    statistics.add(run.snapshot(), wall, run.model()->time.dt);
    followers.add(run, run.applied());
    progress.update(run.snapshot().time);
  }
  return {};
}

void printSummary(const HeadlessRun& run, std::uint64_t steps, const RunStatistics& statistics, double wall) {
  const double simulated = run.snapshot().time;
  std::printf(
      "%s: %zu steps, %s s simulated in %s s (%sx real time), %s ms/step, contacts %s mean, %d max%s\n",
      run.model()->name.c_str(), statistics.steps(), fixed(simulated, 2).c_str(), fixed(wall, 2).c_str(),
      fixed(wall > 0 ? simulated / wall : 0, 2).c_str(), fixed(statistics.meanStep_ms(), 2).c_str(),
      fixed(statistics.meanContacts(), 0).c_str(), statistics.maxContacts(),
      run.snapshot().step < steps ? ", stopped early" : "");
  std::fflush(stdout);
  statistics.sayHealth(*run.model());
  sayDropped(*run.model(), run.dropped());
}

void printTask(const TaskWatch& task) {
  const std::string why = task.why().empty() ? "" : ": " + task.why();
  std::printf("task: %s after %s s%s\n", std::string(nameOf(task.outcome())).c_str(),
              fixed(task.time(), 2).c_str(), why.c_str());
  std::fflush(stdout);
}

}  // namespace

int run(const RunOptions& options, const Registry& registry) {
  if (const Result<void> outputs = checkOutputs(options); !outputs) return fail(outputs.error());
  const InterruptWatch interrupt;
  SceneOptions source = options.scene;
  std::optional<ActionPlayback> actions;
  if (options.actions) {
    Result<ActionPlayback> opened = ActionPlayback::open(*options.actions);
    if (!opened) return fail(opened.error());
    actions.emplace(std::move(*opened));
    if (const Result<void> chosen = actions->choose(source); !chosen) return fail(chosen.error());
  }
  std::vector<char> assumed;
  Result<std::unique_ptr<HeadlessRun>> created = openRun(source, Detail::Facts, registry, &assumed);
  if (!created) return fail(created.error());
  HeadlessRun& run = **created;
  if (actions)
    if (const Result<void> same = actions->check(*run.model()); !same) return fail(same.error());
  std::optional<assets::ObservablesCsv> csv;
  if (options.csv) {
    Result<assets::ObservablesCsv> writer = assets::ObservablesCsv::create(
        *options.csv, ObservableChoice::everything(run.model()), assets::OutputFile::Named::AtOnce);
    if (!writer) return fail(writer.error());
    csv.emplace(std::move(*writer));
  }

  std::unique_ptr<Recorder> recorder;
  if (options.record) {
    Result<std::unique_ptr<Recorder>> begun =
        Recorder::begin(*options.record, run, options.recordFps,
                        {options.scene.packagePaths.begin(), options.scene.packagePaths.end()});
    if (!begun) return fail(begun.error());
    recorder = std::move(*begun);
  }

  const double whole =
      actions ? static_cast<double>(actions->steps()) * run.model()->time.dt : run.model()->time.duration;
  const double duration = options.duration.value_or(whole);
  const std::uint64_t steps = run.stepsTo(duration);
  RunStatistics statistics;
  double wall = 0;
  std::optional<TaskWatch> task;
  if (run.model()->task) task.emplace(run.model());
  Followers followers{csv ? &*csv : nullptr, recorder.get(), task ? &*task : nullptr,
                      actions ? &*actions : nullptr};
  Result<void> outcome;
  {
    Progress progress(duration, options.scene.quiet);
    outcome = simulate(run, steps, followers, statistics, progress);
    wall = progress.wall();
  }
  Result<void>& recorded = followers.recorded;
  const bool stopped = run.snapshot().step < steps;
  // What was simulated is written also when the run failed: it shows how it came about.
  int status = outcome ? static_cast<int>(kSuccess) : fail(outcome.error());
  if (recorder && recorded) {
    recorded = recorder->finish();
    if (recorded && task) recorded = assets::setOutcome(*options.record, episodeOutcome(task->outcome()));
    if (!recorded) fail(recorded.error());
  }
  if (!recorded) status = kBadInput;
  if (csv) {
    if (const Result<void> written = csv->finish(); !written) status = fail(written.error());
  }
  if (options.report) {
    nlohmann::ordered_json report = statistics.report(run, source.stepper, wall);
    report["method_choice"] = methodReport(*run.model(), run.stepper().method(), source.stepper, assumed);
    report["assumed_masses"] = assumedReport(*run.model(), assumed);
    addStop(report, stopped, run.snapshot().time);
    if (actions) report["actions"] = actions->report();
    if (task) report["task"] = taskOutcomeReport(*run.model(), *task);
    const Result<void> written = writeReport(*options.report, report);
    if (!written) status = fail(written.error());
  }
  if (!options.scene.quiet) printSummary(run, steps, statistics, wall);
  if (!options.scene.quiet && task) printTask(*task);
  if (!options.scene.quiet && actions) std::printf("%s\n", actions->text().c_str());
  if (!InterruptWatch::requested() || !stopped) return status;
  InterruptWatch::say(run.model()->name + ": stopped early at " + fixed(run.snapshot().time, 3) + " s of " +
                          significant(duration) + " s",
                      "what was simulated until then is written");
  return status == kSuccess ? InterruptWatch::status() : status;
}

namespace {

void addSeed(CLI::App& verb, const std::shared_ptr<RunOptions>& options) {
  const auto seed = std::make_shared<std::optional<double>>();
  addNumber(verb, "--seed", *seed, {{0, static_cast<double>(kLargestSeed), false}, ""},
            "of the random reset of the scene's task; unset: the scene as it is written");
  verb.callback([seed, options] {
    if (!*seed) return;
    if (**seed != std::floor(**seed)) throw UsageError("--seed: a seed is a whole number; write one from 0");
    options->scene.seed = static_cast<std::uint64_t>(**seed);
  });
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<RunOptions>();
  addScene(verb, options->scene, true, Takes::Scenes);
  addSeed(verb, options);
  addNumber(verb, "--duration", options->duration, kDurations, "simulated time [s]");
  verb.add_option("--report", options->report, "write a summary as JSON")->type_name(kFile);
  verb.add_option("--csv", options->csv, "write every observable, one row per step")->type_name(kFile);
  verb.add_option("--actions", options->actions,
                  "FILE.hdf5:demo_3: drives the robots as a demonstration did, from its own start")
      ->type_name(kFile);
  auto* record = verb.add_option("--record", options->record,
                                 "write a recording (HDF5) that opens anywhere and can be replayed")
                     ->type_name(kFile);
  addNumber(verb, "--record-fps", options->recordFps, kRates, "particles in it, per simulated second")
      ->needs(record);
  return [options] { return run(*options); };
}

}  // namespace

Verb runVerb() {
  return {"run", "Simulate without a window", offer};
}

}  // namespace slipstick::app
