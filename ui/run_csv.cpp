#include "ui/run_csv.h"

#include <QSaveFile>
#include <algorithm>
#include <string>
#include <vector>

#include "engine/foundation/csv_text.h"

namespace slipstick::ui {
namespace {

/// Steps that are turned from columns to rows at a time.
constexpr std::uint64_t kRows = 256;

using Names = std::vector<RunColumns::Name>;

std::string header(const Names& names) {
  CsvRow row;
  for (const RunColumns::Name& name : names) row.add(name.column());
  return row.line();
}

std::string rows(const RunColumns& columns, const Names& names, std::uint64_t from, std::uint64_t to) {
  std::vector<std::vector<double>> values;
  for (const RunColumns::Name& name : names) values.push_back(columns.values(name.name, from, to));
  std::string text;
  for (std::uint64_t step = from; step < to; ++step) {
    CsvRow row;
    for (const std::vector<double>& column : values) row.add(column[step - from]);
    text += row.line();
  }
  return text;
}

}  // namespace

Result<void> writeColumns(const RunColumns& columns, const Names& names, StepRange range, const QString& file,
                          const std::stop_token& stop) {
  QSaveFile out(file);
  bool written = out.open(QIODevice::WriteOnly) && out.write(QByteArray::fromStdString(header(names))) >= 0;
  const std::uint64_t end = std::min(range.end, columns.endStep());
  for (std::uint64_t from = std::max(range.begin, columns.firstStep()); written && from < end;
       from += kRows) {
    if (stop.stop_requested())
      return Error{ErrorCode::Cancelled, "given up before all was written", file.toStdString(),
                   "export again"};
    written =
        out.write(QByteArray::fromStdString(rows(columns, names, from, std::min(from + kRows, end)))) >= 0;
  }
  if (written && out.commit()) return {};
  return Error{ErrorCode::FileUnwritable, out.errorString().toStdString(), file.toStdString(),
               "choose a folder that you may write to, with enough space left"};
}

Result<void> writeObservables(const RunColumns& columns, const QString& file, const std::stop_token& stop) {
  return writeColumns(columns, columns.names(), {}, file, stop);
}

}  // namespace slipstick::ui
