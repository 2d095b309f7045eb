// Observables of a run as a table with a row per step.
#pragma once

#include "assets/export/output_file.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/observable_choice.h"

namespace slipstick::assets {

class ObservablesCsv {
 public:
  /// Writes the heads: "name [unit]" per column, the time first whether it was chosen or not.
  static Result<ObservablesCsv> create(const std::filesystem::path& file, ObservableChoice choice,
                                       OutputFile::Named named = OutputFile::Named::WhenWhole);
  /// Numbers are the shortest that read back as the same.
  Result<void> add(const Snapshot& snapshot);
  Result<void> finish() { return file_.commit(); }

 private:
  ObservablesCsv(OutputFile file, ObservableChoice choice);
  OutputFile file_;
  ObservableChoice choice_;
  bool addsTime_;
};

}  // namespace slipstick::assets
