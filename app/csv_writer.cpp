#include "app/csv_writer.h"

#include <string>

#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

Result<std::unique_ptr<CsvWriter>> CsvWriter::create(const std::filesystem::path& file, const Model& model) {
  std::unique_ptr<CsvWriter> writer(new CsvWriter);
  writer->path_ = file;
  writer->file_.open(file);
  writer->observables_ = observablesOf(model);
  std::erase_if(writer->observables_, [](const Observable& o) { return o.isWallTime; });
  std::string header;
  for (const Observable& observable : writer->observables_) {
    if (!header.empty()) header += ',';
    header += quoted(observable.column());
  }
  writer->file_ << header << '\n';
  if (!writer->file_.flush()) {
    return Error{ErrorCode::FileUnwritable, "cannot be written", file.string(),
                 "choose a path that you may write to"};
  }
  return writer;
}

void CsvWriter::add(const Snapshot& snapshot) {
  std::string row;
  for (std::size_t i = 0; i < observables_.size(); ++i) {
    if (i > 0) row += ',';
    row += shortest(observables_[i].value(snapshot));
  }
  file_ << row << '\n';
}

Result<void> CsvWriter::finish() {
  if (file_.flush()) return {};
  return Error{ErrorCode::FileUnwritable, "the rows could not all be written", path_.string(),
               "free some disk space"};
}

}  // namespace slipstick::app
