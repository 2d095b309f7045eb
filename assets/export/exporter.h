// What a run can be exported as: a row per kind of file. Command line, window and the walk through a run follow the table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assets/export/display_shapes.h"
#include "assets/export/export_schedule.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/data_outputs.h"
#include "engine/runtime/observable_choice.h"

namespace slipstick::assets {

/// What takes steps of a run; a file may have several of them.
struct ExportOutput {
  /// What it needs of a step.
  enum class Reads { Facts, Contacts, Particles };
  std::string name;                  ///< of the file or folder
  std::vector<std::uint64_t> steps;  ///< ascending
  Reads reads = Reads::Contacts;
  bool isSampled = false;  ///< it takes single moments, not every step
  std::function<Result<void>(const Snapshot&)> add;
  /// Makes the file whole; empty where another output of the same file does.
  std::function<Result<void>()> finish;
};

/// What an exporter makes a file of.
struct ExportSource {
  std::string file;  ///< or a folder, which exists
  std::string form;  ///< word of a form
  std::shared_ptr<const Model> model;
  const ExportSchedule& schedule;
  std::function<Result<ObservableChoice>()> observables;          ///< those that were chosen
  std::function<std::vector<DisplayShape>(const Model&)> shapes;  ///< bodies as people see them
};

struct Exporter {
  ExportKind kind;
  /// Begins the file.
  Result<std::vector<ExportOutput>> (*open)(const ExportSource& source);
  /// Of a name that it cannot have; null: it can have any.
  Result<void> (*check)(const std::string& file) = nullptr;
  /// Another file that it writes beside this one; null: it writes none.
  std::optional<std::filesystem::path> (*companion)(const std::filesystem::path& file) = nullptr;
};

/// In the order of the help. The window remembers them by their place: a new one is the last.
std::vector<Exporter> exporters();

/// The outputs of a table with a row for every step.
template <class Table>
Result<std::vector<ExportOutput>> tableOutput(const ExportSource& source, Result<Table> made,
                                              ExportOutput::Reads reads) {
  if (!made) return made.error();
  const auto table = std::make_shared<Table>(std::move(*made));
  return std::vector<ExportOutput>{{source.file, source.schedule.every(), reads, false,
                                    [table](const Snapshot& s) { return table->add(s); },
                                    [table] { return table->finish(); }}};
}

}  // namespace slipstick::assets
