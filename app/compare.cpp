// slipstick compare: several runs of one scene, side by side.
#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/method_figure.h"
#include "app/method_runs.h"
#include "app/method_tables.h"
#include "app/output_path.h"
#include "app/progress.h"
#include "app/verbs.h"
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

}  // namespace

int compare(const CompareOptions& options, const Registry& registry) {
  if (const Result<void> outputs = checkOutputs(options); !outputs) return fail(outputs.error());
  const InterruptWatch interrupt;
  Result<std::vector<MethodRun>> prepared = prepareMethods(options, registry);
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

}  // namespace slipstick::app
