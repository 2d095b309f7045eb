// What a person chooses about data of a run, and the export that it makes.
#pragma once

#include <QJsonObject>
#include <QString>
#include <memory>
#include <set>
#include <vector>

#include "engine/model/model.h"
#include "ui/export_range.h"
#include "ui/studio.h"

namespace slipstick::ui {

enum class DataKind { Contacts, Bodies, Observables, Geometry, Gltf, Arrays };
inline constexpr int kDataKinds = 6;

struct DataChoice {
  QString folder, name;  ///< what all files begin with: FOLDER/NAME_contacts.csv
  std::set<DataKind> kinds = {DataKind::Observables};
  QString patterns;  ///< of observables, with commas or spaces between; empty: all
  bool asObj = false, asGltfText = false;
  double fps = 30;  ///< samples of geometry and particles per simulated second
  RangeChoice range;
  bool operator==(const DataChoice&) const = default;
};

/// "dough_contacts.csv"; of a folder with a "/" at its end
QString fileNameOf(DataKind kind, const DataChoice& choice);
/// What is chosen, with the folder.
QStringList filesOf(const DataChoice& choice);
/// Whether it takes samples in time, not every step.
inline bool isSampled(DataKind kind) {
  return kind == DataKind::Geometry || kind == DataKind::Gltf || kind == DataKind::Arrays;
}

/// Errors: what cannot be, in words for the dialog. @param model  of the observables
Result<StudioServices::DataExport> exportOf(const DataChoice& choice, const RunTimes& times,
                                            const std::shared_ptr<const Model>& model);

/// What is kept from one time to the next: all but the name and the times.
QJsonObject jsonOf(const DataChoice& choice);
/// What is missing or makes no sense stays as in `choice`.
DataChoice choiceOf(const QJsonObject& json, DataChoice choice);

}  // namespace slipstick::ui
