#include "ui/data_choice.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>
#include <array>
#include <cmath>

#include "engine/runtime/observable_choice.h"

namespace slipstick::ui {
namespace {

constexpr double kLeastRate = 0.01, kMaxRate = 1000;

Error refused(std::string what, std::string where, std::string remedy) {
  return {ErrorCode::InvalidValue, std::move(what), std::move(where), std::move(remedy)};
}

std::vector<std::string> patternsOf(const QString& typed) {
  std::vector<std::string> patterns;
  static const QRegularExpression between("[,\\s]+");
  for (const QString& pattern : typed.split(between, Qt::SkipEmptyParts))
    patterns.push_back(pattern.toStdString());
  return patterns;
}

Result<void> checkPlace(const DataChoice& choice) {
  const QFileInfo folder(choice.folder);
  if (choice.folder.trimmed().isEmpty()) return refused("there is no folder", "folder", "choose one");
  if (!folder.isDir())
    return Error{ErrorCode::FileUnwritable, "this is no folder", choice.folder.toStdString(),
                 "choose a folder that exists"};
  if (!folder.isWritable())
    return Error{ErrorCode::FileUnwritable, "it may not be written", choice.folder.toStdString(),
                 "choose a folder that you may write to"};
  if (choice.name.trimmed().isEmpty())
    return refused("there is no name", "name", "type what the files begin with");
  if (choice.name.contains('/'))
    return refused("a name has no / in it", choice.name.toStdString(), "choose another folder instead");
  return {};
}

}  // namespace

QString fileNameOf(DataKind kind, const DataChoice& choice) {
  const std::array<QString, kDataKinds> suffixes = {
      "_contacts.csv", "_bodies.csv", ".csv", "_geometry/", choice.asGltfText ? ".gltf" : ".glb", ".npz"};
  return choice.name.trimmed() + suffixes[static_cast<std::size_t>(kind)];
}

QStringList filesOf(const DataChoice& choice) {
  QStringList files;
  for (const DataKind kind : choice.kinds)
    files << QDir(choice.folder.trimmed()).filePath(fileNameOf(kind, choice));
  return files;
}

Result<StudioServices::DataExport> exportOf(const DataChoice& choice, const RunTimes& times,
                                            const std::shared_ptr<const Model>& model) {
  if (choice.kinds.empty()) return refused("nothing is chosen", "export", "choose at least one kind of file");
  if (const Result<void> place = checkPlace(choice); !place) return place.error();
  const Result<TimeRange> range = rangeOf(choice.range, times);
  if (!range) return range.error();
  if (!(choice.fps >= kLeastRate && choice.fps <= kMaxRate))
    return refused("such a rate cannot be", "samples per second", "choose from 0.01 to 1000");
  StudioServices::DataExport what;
  const auto file = [&](DataKind kind) -> std::optional<std::string> {
    if (!choice.kinds.contains(kind)) return std::nullopt;
    return QDir(choice.folder.trimmed()).filePath(fileNameOf(kind, choice)).toStdString();
  };
  what.contacts = file(DataKind::Contacts);
  what.bodies = file(DataKind::Bodies);
  what.observables = file(DataKind::Observables);
  what.geometry = file(DataKind::Geometry);
  what.gltf = file(DataKind::Gltf);
  what.arrays = file(DataKind::Arrays);
  what.asObj = choice.asObj;
  what.fps = choice.fps;
  what.from = range->from;
  what.to = range->to;
  if (!what.observables && !what.arrays) return what;
  what.patterns = patternsOf(choice.patterns);
  if (what.patterns.empty()) return what;
  const Result<ObservableChoice> known = ObservableChoice::matching(model, what.patterns);
  if (!known) return Error{known.error().code, known.error().what, "observables", known.error().remedy};
  return what;
}

QJsonObject jsonOf(const DataChoice& choice) {
  QJsonArray kinds;
  for (const DataKind kind : choice.kinds) kinds << static_cast<int>(kind);
  return {{"folder", QFileInfo(choice.folder).absoluteFilePath()},
          {"kinds", kinds},
          {"patterns", choice.patterns},
          {"obj", choice.asObj},
          {"gltfText", choice.asGltfText},
          {"fps", choice.fps}};
}

DataChoice choiceOf(const QJsonObject& json, DataChoice choice) {
  const QString folder = json["folder"].toString();
  if (!folder.isEmpty() && QDir(folder).exists()) choice.folder = folder;
  if (json["kinds"].isArray()) {
    choice.kinds.clear();
    for (const QJsonValue& kind : json["kinds"].toArray())
      if (const int index = kind.toInt(-1); index >= 0 && index < kDataKinds)
        choice.kinds.insert(static_cast<DataKind>(index));
  }
  choice.patterns = json["patterns"].toString(choice.patterns);
  choice.asObj = json["obj"].toBool(choice.asObj);
  choice.asGltfText = json["gltfText"].toBool(choice.asGltfText);
  const double fps = json["fps"].toDouble();
  if (fps >= kLeastRate && fps <= kMaxRate) choice.fps = fps;
  return choice;
}

}  // namespace slipstick::ui
