// What a person chooses about data of a run, and the export that it makes.
#pragma once

#include <QJsonObject>
#include <QString>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/runtime/data_outputs.h"
#include "ui/export_range.h"

namespace slipstick::ui {

struct DataChoice {
  QString folder, name;                   ///< what all files begin with: FOLDER/NAME_contacts.csv
  std::set<std::string> kinds = {"csv"};  ///< by their names
  QString patterns;                       ///< of observables, with commas or spaces between; empty: all
  std::set<std::string> secondForms;      ///< names of the kinds whose second form is chosen
  double fps = 30;                        ///< samples of geometry and particles per simulated second
  RangeChoice range;
  bool operator==(const DataChoice&) const = default;
};

/// "dough_contacts.csv"; of a folder with a "/" at its end
QString fileNameOf(const ExportKind& kind, const DataChoice& choice);
/// What is chosen of these kinds, with the folder.
QStringList filesOf(const std::vector<ExportKind>& kinds, const DataChoice& choice);
/// Whether one of these kinds is chosen for which `has` is true.
bool isChosen(const std::vector<ExportKind>& kinds, const DataChoice& choice,
              const std::function<bool(const ExportKind&)>& has);

/// Errors: what cannot be, in words for the dialog. @param model  of the observables   @return with its times
Result<DataOutputs> exportOf(const std::vector<ExportKind>& kinds, const DataChoice& choice,
                             const RunTimes& times, const std::shared_ptr<const Model>& model);

/// What is kept from one time to the next: all but the name and the times.
QJsonObject jsonOf(const std::vector<ExportKind>& kinds, const DataChoice& choice);
/// What is missing or makes no sense stays as in `choice`.
DataChoice choiceOf(const std::vector<ExportKind>& kinds, const QJsonObject& json, DataChoice choice);

}  // namespace slipstick::ui
