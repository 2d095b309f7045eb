#include "assets/export/observables_csv.h"

#include <algorithm>
#include <utility>

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

}  // namespace slipstick::assets
