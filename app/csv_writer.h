// Every observable of a run as one row per step.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/observables.h"

namespace slipstick::app {

class CsvWriter {
 public:
  /// Opens the file and writes the header: "name [unit]" per column (quoted where RFC 4180 asks for it).
  static Result<std::unique_ptr<CsvWriter>> create(const std::filesystem::path& file, const Model& model);
  void add(const Snapshot& snapshot);
  /// Flushes; fails when any of it could not be written (disk full).
  Result<void> finish();

 private:
  CsvWriter() = default;
  std::filesystem::path path_;
  std::ofstream file_;
  std::vector<Observable> observables_;
};

}  // namespace slipstick::app
