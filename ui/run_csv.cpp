#include "ui/run_csv.h"

#include <QSaveFile>
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/foundation/number_text.h"

namespace slipstick::ui {
namespace {

/// Steps that are turned from columns to rows at a time.
constexpr std::uint64_t kRows = 256;

/// Quoted where RFC 4180 asks for it.
QByteArray quoted(const std::string& text) {
  QByteArray out = QByteArray::fromStdString(text);
  if (text.find_first_of(",\"\n") == std::string::npos) return out;
  return '"' + out.replace("\"", "\"\"") + '"';
}

void append(QByteArray& row, double number) {
  if (!std::isnan(number)) row += QByteArray::fromStdString(shortest(number));
}

using Names = std::vector<RunColumns::Name>;

QByteArray header(const Names& names) {
  QByteArray row;
  for (const RunColumns::Name& name : names) {
    if (!row.isEmpty()) row += ',';
    row += quoted(name.column());
  }
  return row + '\n';
}

QByteArray rows(const RunColumns& columns, const Names& names, std::uint64_t from, std::uint64_t to) {
  std::vector<std::vector<double>> values;
  for (const RunColumns::Name& name : names) values.push_back(columns.values(name.name, from, to));
  QByteArray text;
  for (std::uint64_t step = from; step < to; ++step) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text += ',';
      append(text, values[i][step - from]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

Result<void> writeColumns(const RunColumns& columns, const Names& names, StepRange range,
                          const QString& file) {
  QSaveFile out(file);
  bool written = out.open(QIODevice::WriteOnly) && out.write(header(names)) >= 0;
  const std::uint64_t end = std::min(range.end, columns.endStep());
  for (std::uint64_t from = std::max(range.begin, columns.firstStep()); written && from < end; from += kRows)
    written = out.write(rows(columns, names, from, std::min(from + kRows, end))) >= 0;
  if (written && out.commit()) return {};
  return Error{ErrorCode::FileUnwritable, out.errorString().toStdString(), file.toStdString(),
               "choose a folder that you may write to, with enough space left"};
}

Result<void> writeObservables(const RunColumns& columns, const QString& file) {
  return writeColumns(columns, columns.names(), {}, file);
}

}  // namespace slipstick::ui
