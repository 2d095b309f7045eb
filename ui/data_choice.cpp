#include "ui/data_choice.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>
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

const ExportForm& formOf(const ExportKind& kind, const DataChoice& choice) {
  return choice.secondForms.contains(kind.name) ? kind.forms.at(1) : kind.forms.front();
}

QString fileOf(const ExportKind& kind, const DataChoice& choice) {
  return QDir(choice.folder.trimmed()).filePath(fileNameOf(kind, choice));
}

Result<void> checkObservables(const std::vector<std::string>& patterns,
                              const std::shared_ptr<const Model>& model) {
  if (patterns.empty()) return {};
  const Result<ObservableChoice> known = ObservableChoice::matching(model, patterns);
  if (known) return {};
  return Error{known.error().code, known.error().what, "observables", known.error().remedy};
}

/// By their places among all kinds.
std::set<std::string> kindsIn(const QJsonArray& places, const std::vector<ExportKind>& kinds) {
  std::set<std::string> chosen;
  for (const QJsonValue& place : places)
    if (const int i = place.toInt(-1); i >= 0 && i < static_cast<int>(kinds.size()))
      chosen.insert(kinds[static_cast<std::size_t>(i)].name);
  return chosen;
}

}  // namespace

QString fileNameOf(const ExportKind& kind, const DataChoice& choice) {
  return choice.name.trimmed() + QString::fromStdString(formOf(kind, choice).suffix);
}

QStringList filesOf(const std::vector<ExportKind>& kinds, const DataChoice& choice) {
  QStringList files;
  for (const ExportKind& kind : kinds)
    if (choice.kinds.contains(kind.name)) files << fileOf(kind, choice);
  return files;
}

bool isChosen(const std::vector<ExportKind>& kinds, const DataChoice& choice,
              const std::function<bool(const ExportKind&)>& has) {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const ExportKind& kind) { return has(kind) && choice.kinds.contains(kind.name); });
}

Result<DataOutputs> exportOf(const std::vector<ExportKind>& kinds, const DataChoice& choice,
                             const RunTimes& times, const std::shared_ptr<const Model>& model) {
  if (choice.kinds.empty()) return refused("nothing is chosen", "export", "choose at least one kind of file");
  if (const Result<void> place = checkPlace(choice); !place) return place.error();
  const Result<TimeRange> range = rangeOf(choice.range, times);
  if (!range) return range.error();
  if (!(choice.fps >= kLeastRate && choice.fps <= kMaxRate))
    return refused("such a rate cannot be", "samples per second", "choose from 0.01 to 1000");
  DataOutputs what;
  for (const ExportKind& kind : kinds) {
    if (!choice.kinds.contains(kind.name)) continue;
    what.files[kind.name] = fileOf(kind, choice).toStdString();
    what.forms[kind.name] = formOf(kind, choice).word;
  }
  what.fps = choice.fps;
  what.from = range->from;
  what.to = range->to;
  if (!isChosen(kinds, choice, [](const ExportKind& kind) { return kind.takesObservables; })) return what;
  what.observables = patternsOf(choice.patterns);
  if (const Result<void> known = checkObservables(what.observables, model); !known) return known.error();
  return what;
}

QJsonObject jsonOf(const std::vector<ExportKind>& kinds, const DataChoice& choice) {
  QJsonArray places;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (choice.kinds.contains(kinds[i].name)) places << static_cast<int>(i);
  QJsonObject json{{"folder", QFileInfo(choice.folder).absoluteFilePath()},
                   {"kinds", places},
                   {"patterns", choice.patterns},
                   {"fps", choice.fps}};
  for (const ExportKind& kind : kinds)
    if (!kind.formsKept.empty())
      json[QString::fromStdString(kind.formsKept)] = choice.secondForms.contains(kind.name);
  return json;
}

DataChoice choiceOf(const std::vector<ExportKind>& kinds, const QJsonObject& json, DataChoice choice) {
  const QString folder = json["folder"].toString();
  if (!folder.isEmpty() && QDir(folder).exists()) choice.folder = folder;
  if (json["kinds"].isArray()) choice.kinds = kindsIn(json["kinds"].toArray(), kinds);
  choice.patterns = json["patterns"].toString(choice.patterns);
  for (const ExportKind& kind : kinds) {
    const QJsonValue isSecond = json[QString::fromStdString(kind.formsKept)];
    if (!isSecond.isBool()) continue;
    choice.secondForms.erase(kind.name);
    if (isSecond.toBool()) choice.secondForms.insert(kind.name);
  }
  const double fps = json["fps"].toDouble();
  if (fps >= kLeastRate && fps <= kMaxRate) choice.fps = fps;
  return choice;
}

}  // namespace slipstick::ui
