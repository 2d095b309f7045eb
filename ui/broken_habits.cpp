#include "ui/broken_habits.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <cstdio>

#include "ui/known_files.h"

namespace slipstick::ui {
namespace {

bool isObject(const QByteArray& text) {
  return QJsonDocument::fromJson(text).isObject();
}

/// Of values that were cut off, each of which is one as any other to Qt.
QStringList brokenKeys(const QSettings& settings) {
  QStringList keys = settings.allKeys();
  keys.removeIf([&](const QString& key) {
    const QByteArray value = settings.value(key).toString().toUtf8();
    return !value.startsWith('{') || isObject(value);
  });
  return keys;
}

bool isWholeList(const QString& name) {
  QFile file(name);
  if (!file.exists()) return true;
  if (!file.open(QIODevice::ReadOnly) || file.size() > KnownFiles::kLargestList) return false;
  const QByteArray text = file.readAll();
  return isObject(text) && QJsonDocument::fromJson(text).object()["files"].isArray();
}

/// In place of one that was kept before, which stays until this one is whole: it may be the only one that is.
bool keep(const QString& file, const QString& kept) {
  const QString copy = kept + ".new";
  QFile::remove(copy);  // of a start that came to no end
  const bool isKept = QFile::copy(file, copy) && std::rename(QFile::encodeName(copy).constData(),
                                                             QFile::encodeName(kept).constData()) == 0;
  if (!isKept) QFile::remove(copy);
  return isKept;
}

/// @return whether it is kept; the Error says so
bool setAside(const QString& what, const QString& file, std::vector<Error>& errors) {
  const QString kept = file + ".broken";
  const bool isKept = keep(file, kept);
  const QString remedy =
      "what is missing there is as at first; the broken file " +
      (isKept ? "is kept as " + QFileInfo(kept).fileName() : "could not be copied; check its permissions");
  errors.push_back({ErrorCode::FileUnreadable, what.toStdString(), file.toStdString(), remedy.toStdString()});
  return isKept;
}

/// What is not whole goes from the settings once a copy has it, and the rest is written anew: otherwise each start would
/// find it again.
void lookAtSettings(QSettings& settings, std::vector<Error>& errors) {
  const QStringList broken = brokenKeys(settings);
  if (settings.status() == QSettings::NoError && broken.empty()) return;
  if (!setAside("the settings of the window cannot be read whole", settings.fileName(), errors)) return;
  for (const QString& key : settings.allKeys())
    broken.contains(key) ? settings.remove(key) : settings.setValue(key, settings.value(key));
}

void lookAtList(const QString& list, std::vector<Error>& errors) {
  if (isWholeList(list)) return;
  if (setAside("the list of files that were open cannot be read", list, errors)) QFile::remove(list);
}

}  // namespace

std::vector<Error> brokenHabits() {
  std::vector<Error> errors;
  QSettings settings("slipstick", "studio");
  lookAtSettings(settings, errors);
  lookAtList(QFileInfo(settings.fileName()).dir().filePath("files.json"), errors);
  return errors;
}

}  // namespace slipstick::ui
