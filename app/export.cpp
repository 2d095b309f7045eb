// slipstick export: what a run was, as tables, arrays and geometry for other programs.
#include <cstdio>
#include <memory>
#include <optional>

#include "app/exit_status.h"
#include "app/export_data.h"
#include "app/export_outputs.h"
#include "app/number_option.h"
#include "app/progress.h"
#include "app/verb.h"
#include "app/walk_of.h"
#include "app/word_option.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

struct ExportOptions : DataOutputs {
  SceneOptions source;
};

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

CLI::Option* addOutput(CLI::App& verb, const std::string& name, std::optional<std::string>& file,
                       const std::string& description) {
  return verb.add_option(name, file, description)->type_name(kFile);
}

void addTables(CLI::App& verb, ExportOptions& options) {
  addOutput(verb, "--contacts", options.contacts, "OUT.csv: a row per contact and step, forces in N");
  addOutput(verb, "--bodies", options.bodies,
            "OUT.csv: a row per body and step: pose, velocity, sum of its contacts");
  addOutput(verb, "--csv", options.csv, "OUT.csv: observables, a row per step");
  verb.add_option("--observables", options.observables,
                  "which, for --csv and --npz: names with * and ?, as 'roller.*,total.*'; pairs as "
                  "'roller+dough.*', lengths of vectors as '|roller.contact.f|'; unset: all of the run")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void addGeometry(CLI::App& verb, ExportOptions& options) {
  auto* geometry = addOutput(verb, "--geometry", options.geometry,
                             "a folder of numbered files: bodies as OBJ, particles and cloths as PLY")
                       ->type_name(kFolder);
  takesWords(verb.add_option("--format", options.format, "of particles and cloths there"), {"ply", "obj"})
      ->check(CLI::IsMember({"ply", "obj"}).description(""))
      ->capture_default_str()
      ->needs(geometry);
  addOutput(verb, "--gltf", options.gltf, "OUT.glb or OUT.gltf: one animated scene for Blender and viewers");
  addOutput(verb, "--npz", options.npz, "OUT.npz: NumPy arrays: observables, contacts, poses, particles");
}

void checkWords(const ExportOptions& e) {
  if (!e.contacts && !e.bodies && !e.csv && !e.geometry && !e.gltf && !e.npz)
    throw UsageError(
        "export: no output is named; write --contacts, --bodies, --csv, --geometry, --gltf or --npz");
  if (!e.observables.empty() && !e.csv && !e.npz)
    throw UsageError("--observables: they go nowhere; write --csv or --npz, too");
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<ExportOptions>();
  addScene(verb, options->source, true, Takes::ScenesAndRecordings);
  addTables(verb, *options);
  addGeometry(verb, *options);
  addNumber(verb, "--fps", options->fps, kRates,
            "samples of geometry and particles per simulated second; unset: 30, of what deforms in glTF 10");
  addNumber(verb, "--from", options->from, kTimes, "simulated time of the first step [s]");
  addNumber(verb, "--to", options->to, kTimes, "simulated time of the last step [s]");
  verb.callback([options] { checkWords(*options); });
  return [options] { return exportRun(*options); };
}

}  // namespace

Verb exportVerb() {
  return {"export", "Write a run as tables, arrays and geometry for other programs", offer};
}

}  // namespace slipstick::app
