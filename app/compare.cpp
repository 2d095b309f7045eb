// slipstick compare: several runs of one scene, side by side.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/exit_status.h"
#include "app/method_figure.h"
#include "app/method_runs.h"
#include "app/method_tables.h"
#include "app/number_option.h"
#include "app/output_path.h"
#include "app/progress.h"
#include "app/stepping.h"
#include "app/verb.h"
#include "app/word_option.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

Result<void> checkOutputs(const CompareOptions& options) {
  for (const auto& path : {options.report, options.csv}) {
    if (!path) continue;
    if (Result<void> writable = checkWritableFile(*path); !writable) return writable;
  }
  return options.out ? checkMethodFigure(*options.out) : Result<void>();
}

Result<void> checkMoments(const CompareOptions& options, double duration, double from, double to) {
  if (from > to)
    return Error{ErrorCode::InvalidValue, "the window ends before it begins",
                 "--from " + significant(from) + " --to " + significant(to), "write --to after --from"};
  for (const double time : options.at)
    if (time > duration + 1e-9)
      return Error{ErrorCode::InvalidValue, "the runs end at " + significant(duration) + " s",
                   "--at " + significant(time), "choose moments in them, or lengthen them by --duration"};
  return {};
}

int compare(const CompareOptions& options) {
  if (const Result<void> outputs = checkOutputs(options); !outputs) return fail(outputs.error());
  const InterruptWatch interrupt;
  Result<std::vector<MethodRun>> prepared = prepareMethods(options, stepping());
  if (!prepared) return fail(prepared.error());
  std::vector<MethodRun>& runs = *prepared;
  const Model& model = *runs.front().run->model();
  const std::string name = model.name;
  const double duration = options.duration.value_or(model.time.duration);
  const double to = options.to.value_or(duration), from = options.from.value_or(0.5 * to);
  std::vector<double> moments = options.at;
  if (moments.empty()) moments = {duration};
  std::sort(moments.begin(), moments.end());
  if (const Result<void> checked = checkMoments(options, duration, from, to); !checked)
    return fail(checked.error());
  std::optional<MethodFigure> figure;
  if (options.out) {
    Result<MethodFigure> aimed = MethodFigure::create(options, runs.front().run->model());
    if (!aimed) return fail(aimed.error());
    figure.emplace(std::move(*aimed));
  }

  int status = kSuccess;
  {
    Progress progress(duration * static_cast<double>(runs.size()), options.scene.quiet);
    for (std::size_t i = 0; i < runs.size(); ++i)
      runMethod(runs[i], duration, moments, [&] {
        progress.update(duration * static_cast<double>(i) + runs[i].run->snapshot().time);
        return !InterruptWatch::requested();
      });
  }
  for (const MethodRun& run : runs)
    if (!run.outcome) status = fail(run.outcome.error());
  std::printf("%s\n%s", name.c_str(), methodTable(runs, from, to).c_str());
  std::fflush(stdout);
  if (options.report)
    if (const Result<void> written = writeMethodReport(runs, from, to, *options.report); !written)
      status = fail(written.error());
  if (options.csv)
    if (const Result<void> written = writeMethodCsv(runs, *options.csv); !written)
      status = fail(written.error());
  if (figure)
    if (const Result<void> written = figure->write(runs); !written) status = fail(written.error());
  if (!InterruptWatch::requested()) return status;
  InterruptWatch::say(name + ": stopped early", "what was simulated until then is compared");
  return status == kSuccess ? InterruptWatch::status() : status;
}

void addRuns(CLI::App& verb, CompareOptions& options) {
  takesWords(verb.add_option("--methods", options.methods,
                             "with commas between; unset: all that can step the scene"),
             methodWords())
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--runs", options.runs, "NAME=METHOD with commas between: a=async,b=async,c=strong")
      ->type_name("NAME=METHOD")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->excludes("--methods");
}

void addTimes(CLI::App& verb, CompareOptions& options) {
  addNumber(verb, "--duration", options.duration, kDurations, "simulated time [s]; unset: the scene's");
  addNumber(verb, "--from", options.from, kTimes,
            "of means of forces, penetration and slip [s]; unset: the last half");
  addNumber(verb, "--to", options.to, kTimes, "their end [s]; unset: of the run");
}

void addFigure(CLI::App& verb, CompareOptions& options) {
  auto* out = verb.add_option("--out", options.out,
                              "FIG.png, .pdf or .svg: the runs side by side and as ghosts, force and energy "
                              "below")
                  ->type_name(kFile);
  addNumbers(verb, "--at", options.at, kTimes, "moments of the pictures [s]: 0,0.5,1; unset: the end")
      ->needs(out);
  addNumber(verb, "--width", options.width, {{20, 1000}, "mm"}, "of the figure [mm]")->needs(out);
  addNumber(verb, "--dpi", options.dpi, {{36, 1200}, "dots per inch"}, "of pictures, and of a PNG")
      ->needs(out);
  addPictureView(verb, options.view);
  addSoftLook(verb, options.view.look);
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<CompareOptions>();
  SceneOptions& scene = options->scene;
  verb.add_option("scene", scene.scene, "a scene file, or the name of a shipped scene")
      ->required()
      ->type_name(kScene);
  addRuns(verb, *options);
  addOverrides(verb, scene.overrides, scene.packagePaths, scene.mayRunXacro);
  verb.get_option("--set")->description(
      "path=value of the scene; of one run alone, by its name or method: strong:time.dt_ms=10");
  addBackend(verb, scene.stepper);
  verb.add_flag("--quiet", scene.quiet, "errors and the table only");
  addTimes(verb, *options);
  verb.add_option("--report", options->report, "write the table as JSON")->type_name(kFile);
  verb.add_option("--csv", options->csv, "write a row per run and step")->type_name(kFile);
  addFigure(verb, *options);
  return [options] { return compare(*options); };
}

}  // namespace

Verb compareVerb() {
  return {"compare",
          "Several runs of one scene, with other methods or numbers: forces, energy, penetration, slip and "
          "cost side by side",
          offer};
}

}  // namespace slipstick::app
