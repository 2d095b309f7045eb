// slipstick export: what a run was, as tables, arrays and geometry for other programs.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/exit_status.h"
#include "app/export_data.h"
#include "app/export_outputs.h"
#include "app/number_option.h"
#include "app/progress.h"
#include "app/verb.h"
#include "app/walk_of.h"
#include "app/word_option.h"
#include "assets/export/exporter.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

struct ExportOptions : DataOutputs {
  SceneOptions source;
};

bool needsParticles(const ExportOptions& options) {
  const std::vector<assets::Exporter> all = assets::exporters();
  return std::any_of(all.begin(), all.end(), [&](const assets::Exporter& each) {
    return each.kind.takesSamples() && options.files.contains(each.kind.name);
  });
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

/// "--csv, --gltf or --npz"
std::string optionsOf(const std::vector<ExportKind>& kinds, const std::string& last) {
  std::string options;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    options += (i == 0 ? "" : i + 1 < kinds.size() ? ", " : last) + ("--" + kinds[i].name);
  return options;
}

std::vector<ExportKind> kindsWhere(const std::function<bool(const ExportKind&)>& isOne) {
  std::vector<ExportKind> kinds;
  for (const assets::Exporter& exporter : assets::exporters())
    if (isOne(exporter.kind)) kinds.push_back(exporter.kind);
  return kinds;
}

std::vector<ExportKind> thoseWithObservables() {
  return kindsWhere([](const ExportKind& kind) { return kind.takesObservables; });
}

/// Which of its forms a kind of file has.
void addForms(CLI::App& verb, DataOutputs& outputs, const ExportKind& kind, CLI::Option* file) {
  std::vector<std::string> words;
  for (const ExportForm& form : kind.forms) words.push_back(form.word);
  const auto store = [&outputs, name = kind.name](const std::string& word) { outputs.forms[name] = word; };
  takesWords(verb.add_option_function<std::string>("--" + kind.formsOption, store, kind.formsDescription),
             words)
      ->check(CLI::IsMember(words).description(""))
      ->default_str(words.front())
      ->needs(file);
}

void addKind(CLI::App& verb, DataOutputs& outputs, const ExportKind& kind) {
  const auto store = [&outputs, name = kind.name](const std::string& file) {
    if (!file.empty()) outputs.files[name] = file;
  };
  CLI::Option* file = verb.add_option_function<std::string>("--" + kind.name, store, kind.description)
                          ->type_name(kind.isFolder ? kFolder : kFile);
  if (!kind.formsOption.empty()) addForms(verb, outputs, kind, file);
}

/// Tables, which observables they have, and the others.
void addKinds(CLI::App& verb, DataOutputs& outputs) {
  for (const ExportKind& kind : kindsWhere([](const ExportKind& each) { return !each.takesSamples(); }))
    addKind(verb, outputs, kind);
  verb.add_option("--observables", outputs.observables,
                  "which, for " + optionsOf(thoseWithObservables(), " and ") +
                      ": names with * and ?, as 'roller.*,total.*'; pairs as "
                      "'roller+dough.*', lengths of vectors as '|roller.contact.f|'; unset: all of the run")
      ->delimiter(',')
      ->allow_extra_args(false);
  for (const ExportKind& kind : kindsWhere(&ExportKind::takesSamples)) addKind(verb, outputs, kind);
}

void checkWords(const DataOutputs& outputs) {
  if (outputs.files.empty())
    throw UsageError("export: no output is named; write " +
                     optionsOf(kindsWhere([](const ExportKind&) { return true; }), " or "));
  const std::vector<ExportKind> takers = thoseWithObservables();
  const auto isWanted = [&](const ExportKind& kind) { return outputs.files.contains(kind.name); };
  if (!outputs.observables.empty() && std::none_of(takers.begin(), takers.end(), isWanted))
    throw UsageError("--observables: they go nowhere; write " + optionsOf(takers, " or ") + ", too");
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<ExportOptions>();
  addScene(verb, options->source, true, Takes::ScenesAndRecordings);
  addKinds(verb, *options);
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
