// slipstick export: what a run was, as tables, arrays and geometry for other programs.
#include <cstdio>
#include <memory>
#include <optional>

#include "app/export_data.h"
#include "app/export_outputs.h"
#include "app/progress.h"
#include "app/verbs.h"
#include "app/walk_of.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

bool needsParticles(const ExportOptions& options) {
  return options.geometry || options.gltf || options.npz;
}

/// Names of whole files go to stdout. @return the exit status
int say(const DataReport& report, bool quiet) {
  int status = kSuccess;
  for (const std::string& name : report.written)
    if (!quiet) std::printf("%s\n", name.c_str());
  for (const std::string& notice : report.notices) std::fprintf(stderr, "slipstick: %s\n", notice.c_str());
  for (const Error& error : report.errors) status = fail(error);
  return status;
}

}  // namespace

int exportRun(const ExportOptions& options) {
  // Before the scene is loaded.
  if (const Result<void> writable = checkExports(options); !writable) return fail(writable.error());
  const InterruptWatch interrupt;
  std::stop_source stop;
  double reached = 0;
  std::optional<Progress> progress;
  const Result<std::unique_ptr<RunWalk>> run =
      walkOf(options.source, needsParticles(options) ? Detail::Particles : Detail::Facts,
             [&](const Snapshot& snapshot) {
               reached = snapshot.time;
               if (progress) progress->update(reached);
               if (InterruptWatch::requested()) stop.request_stop();
               return !stop.stop_requested();
             });
  if (!run) return fail(run.error());
  const double to = options.to.value_or((*run)->timeOf((*run)->lastStep()));
  progress.emplace(to, options.source.quiet);
  const Result<DataReport> report = exportData(**run, options, stop.get_token(), {});
  progress.reset();
  if (!report) return fail(report.error());
  const int status = say(*report, options.source.quiet);
  if (report->isWhole || status != kSuccess) return status;
  InterruptWatch::say(
      (*run)->model()->name + ": stopped early at " + fixed(reached, 3) + " s of " + significant(to) + " s",
      "what was reached until then is written");
  return InterruptWatch::status();
}

}  // namespace slipstick::app
