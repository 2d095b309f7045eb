#include "assets/export/contacts_csv.h"

#include "assets/export/exporter.h"
#include "engine/facts/contact_columns.h"

namespace slipstick::assets {

Result<ContactsCsv> ContactsCsv::create(const std::filesystem::path& file,
                                        std::shared_ptr<const Model> model) {
  Result<OutputFile> made = OutputFile::create(file);
  if (!made) return made.error();
  ContactsCsv csv(std::move(*made), std::move(model));
  if (const Result<void> written = csv.file_.write(contactHeader(*csv.model_).line()); !written)
    return written.error();
  if (const Result<void> flushed = csv.file_.flush(); !flushed) return flushed.error();
  return csv;
}

Result<void> ContactsCsv::add(const Snapshot& snapshot) {
  for (const Contact& contact : snapshot.contacts) {
    const Result<void> written = file_.write(contactRow(*model_, snapshot, contact).line());
    if (!written) return written;
  }
  return {};
}

Exporter contactsExporter() {
  return {{.name = "contacts",
           .description = "OUT.csv: a row per contact and step, forces in N",
           .label = "Contacts",
           .explanation = "CSV: each contact of each step: what touches, where, its force, slip and depth",
           .forms = {{"csv", "CSV", "_contacts.csv"}}},
          [](const ExportSource& source) {
            return tableOutput(source, ContactsCsv::create(source.file, source.model),
                               ExportOutput::Reads::Contacts);
          }};
}

}  // namespace slipstick::assets
