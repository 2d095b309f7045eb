// Bodies of a run as a table with a row per body and step.
#pragma once

#include <memory>

#include "assets/export/output_file.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::assets {

/// Pose, velocity of the body's origin, and all contact forces on it about its origin, in W.
class BodiesCsv {
 public:
  static Result<BodiesCsv> create(const std::filesystem::path& file, std::shared_ptr<const Model> model);
  Result<void> add(const Snapshot& snapshot);
  Result<void> finish() { return file_.commit(); }

 private:
  BodiesCsv(OutputFile file, std::shared_ptr<const Model> model)
      : file_(std::move(file)), model_(std::move(model)) {}
  OutputFile file_;
  std::shared_ptr<const Model> model_;
};

}  // namespace slipstick::assets
