#include "app/export_outputs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/display_shapes.h"
#include "app/output_path.h"

namespace slipstick::app {

namespace fs = std::filesystem;

namespace {

using assets::Exporter;

/// Those that were asked for, in the order of the table.
std::vector<Exporter> wantedOf(const DataOutputs& options) {
  std::vector<Exporter> wanted = assets::exporters();
  std::erase_if(wanted, [&](const Exporter& each) { return !options.files.contains(each.kind.name); });
  return wanted;
}

/// What is beside the files stands after them.
std::vector<fs::path> filesOf(const DataOutputs& options) {
  std::vector<fs::path> files, companions;
  for (const Exporter& exporter : wantedOf(options)) {
    if (exporter.kind.isFolder) continue;
    files.emplace_back(options.files.at(exporter.kind.name));
    if (!exporter.companion) continue;
    if (const auto companion = exporter.companion(files.back())) companions.push_back(*companion);
  }
  files.insert(files.end(), companions.begin(), companions.end());
  return files;
}

Result<ObservableChoice> choiceOf(const DataOutputs& options, const RunWalk& run) {
  if (options.observables.empty()) return ObservableChoice::everything(run.model());
  return ObservableChoice::matching(run.model(), options.observables);
}

std::string formOf(const DataOutputs& options, const ExportKind& kind) {
  const auto form = options.forms.find(kind.name);
  return form != options.forms.end() ? form->second : kind.forms.front().word;
}

}  // namespace

Result<void> checkExports(const DataOutputs& options) {
  const std::vector<Exporter> wanted = wantedOf(options);
  for (const Exporter& exporter : wanted)
    if (exporter.check)
      if (Result<void> name = exporter.check(options.files.at(exporter.kind.name)); !name) return name;
  std::set<fs::path> known;
  for (const fs::path& file : filesOf(options)) {
    if (!known.insert(fs::absolute(file).lexically_normal()).second)
      return Error{ErrorCode::InvalidValue, "two outputs have this name", file.string(),
                   "give each a name of its own"};
    if (const Result<void> writable = checkWritableFile(file); !writable) return writable;
  }
  for (const Exporter& exporter : wanted)
    if (exporter.kind.isFolder)
      if (Result<void> made = makeWritableFolder(options.files.at(exporter.kind.name)); !made) return made;
  return {};
}

Result<std::vector<assets::ExportOutput>> openExports(const DataOutputs& options, const RunWalk& run) {
  const assets::ExportSchedule schedule(options, run);
  std::vector<Exporter> wanted = wantedOf(options);
  std::stable_partition(wanted.begin(), wanted.end(),
                        [](const Exporter& each) { return each.kind.takesEveryStep(); });
  std::vector<assets::ExportOutput> outputs;
  for (const Exporter& exporter : wanted) {
    Result<std::vector<assets::ExportOutput>> opened =
        exporter.open({options.files.at(exporter.kind.name), formOf(options, exporter.kind), run.model(),
                       schedule, [&] { return choiceOf(options, run); }, displayShapesOf});
    if (!opened) return opened.error();
    std::move(opened->begin(), opened->end(), std::back_inserter(outputs));
  }
  return outputs;
}

}  // namespace slipstick::app
