// Contacts of a run as a table with a row per contact and step.
#pragma once

#include <memory>

#include "assets/export/output_file.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::assets {

class ContactsCsv {
 public:
  /// Writes the heads, see contactHeader().
  static Result<ContactsCsv> create(const std::filesystem::path& file, std::shared_ptr<const Model> model);
  Result<void> add(const Snapshot& snapshot);
  Result<void> finish() { return file_.commit(); }

 private:
  ContactsCsv(OutputFile file, std::shared_ptr<const Model> model)
      : file_(std::move(file)), model_(std::move(model)) {}
  OutputFile file_;
  std::shared_ptr<const Model> model_;
};

}  // namespace slipstick::assets
