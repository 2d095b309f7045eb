#include "assets/export/observables_csv.h"

#include <algorithm>
#include <utility>

#include "assets/export/exporter.h"
#include "engine/foundation/csv_text.h"

namespace slipstick::assets {

ObservablesCsv::ObservablesCsv(OutputFile file, ObservableChoice choice)
    : file_(std::move(file)),
      choice_(std::move(choice)),
      addsTime_(std::none_of(choice_.names().begin(), choice_.names().end(),
                             [](const RunColumns::Name& name) { return name.name == "time"; })) {}

Result<ObservablesCsv> ObservablesCsv::create(const std::filesystem::path& file, ObservableChoice choice,
                                              OutputFile::Named named) {
  Result<OutputFile> made = OutputFile::create(file, named);
  if (!made) return made.error();
  ObservablesCsv csv(std::move(*made), std::move(choice));
  CsvRow header;
  if (csv.addsTime_) header.add("time [s]");
  for (const RunColumns::Name& name : csv.choice_.names()) header.add(name.column());
  if (const Result<void> written = csv.file_.write(header.line()); !written) return written.error();
  if (const Result<void> flushed = csv.file_.flush(); !flushed) return flushed.error();
  return csv;
}

Result<void> ObservablesCsv::add(const Snapshot& snapshot) {
  CsvRow row;
  if (addsTime_) row.add(snapshot.time);
  for (const double value : choice_.values(snapshot)) row.add(value);
  return file_.write(row.line());
}

namespace {

Result<std::vector<ExportOutput>> openTable(const ExportSource& source) {
  Result<ObservableChoice> choice = source.observables();
  if (!choice) return choice.error();
  const auto reads = choice->readsPairs() ? ExportOutput::Reads::Contacts : ExportOutput::Reads::Facts;
  return tableOutput(source, ObservablesCsv::create(source.file, std::move(*choice)), reads);
}

}  // namespace

Exporter observablesExporter() {
  return {{.name = "csv",
           .description = "OUT.csv: observables, a row per step",
           .takesObservables = true,
           .label = "Observables",
           .explanation = "CSV: what the plots know, a column each",
           .forms = {{"csv", "CSV", ".csv"}}},
          openTable};
}

}  // namespace slipstick::assets
