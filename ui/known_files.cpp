#include "ui/known_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>
#include <QSettings>
#include <QStandardPaths>
#include <algorithm>

namespace slipstick::ui {
namespace {

constexpr QSize kPicture(576, 324);  // a card at twice its size

/// The middle of a view, without what stands in its corners, in the shape of a card.
QImage cardOf(const QImage& view) {
  const QSize part = kPicture.scaled(view.size() * 0.8, Qt::KeepAspectRatio);
  const QPoint corner((view.width() - part.width()) / 2, (view.height() - part.height()) / 2);
  return view.copy(QRect(corner, part)).scaled(kPicture, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

}  // namespace

KnownFiles::KnownFiles(bool remembers, QObject* parent) : QObject(parent) {
  if (!remembers) return;
  listFile_ = QFileInfo(QSettings("slipstick", "studio").fileName()).dir().filePath("files.json");
  pictureFolder_ = QDir(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation))
                       .filePath("slipstick/views");
  read();
}

const KnownFile* KnownFiles::find(const QString& file) const {
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const auto& k) { return k.file == file; });
  return found == files_.end() ? nullptr : &*found;
}

void KnownFiles::open(const QString& file, const QString& title) {
  if (listFile_.isEmpty() || file.isEmpty()) return;
  read();
  KnownFile newest{file, title, {}};
  if (const KnownFile* known = find(file)) newest.look = known->look;
  std::erase_if(files_, [&](const auto& known) { return known.file == file; });
  files_.insert(files_.begin(), std::move(newest));
  while (files_.size() > kMax) {
    QFile::remove(pictureOf(files_.back().file));
    files_.pop_back();
  }
  write();
}

void KnownFiles::keepLook(const QString& file, const QJsonObject& look, const QImage& picture) {
  if (listFile_.isEmpty()) return;
  read();
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const auto& k) { return k.file == file; });
  if (found == files_.end()) return;  // it was forgotten while it was open
  found->look = look;
  if (!picture.isNull() && QDir().mkpath(pictureFolder_)) cardOf(picture).save(pictureOf(file), "PNG");
  write();
}

void KnownFiles::forget(const QString& file) {
  if (listFile_.isEmpty()) return;
  read();
  QFile::remove(pictureOf(file));
  std::erase_if(files_, [&](const auto& known) { return known.file == file; });
  write();
}

void KnownFiles::forgetAll() {
  for (const KnownFile& known : files_) QFile::remove(pictureOf(known.file));
  files_.clear();
  if (!listFile_.isEmpty()) write();
}

QString KnownFiles::pictureOf(const QString& file) const {
  const QByteArray name = QCryptographicHash::hash(file.toUtf8(), QCryptographicHash::Sha1).toHex();
  return pictureFolder_ + "/" + QString::fromLatin1(name) + ".png";
}

/// What is no list is as good as none: habits are not worth an error.
void KnownFiles::read() {
  QFile stored(listFile_);
  files_.clear();
  if (!stored.open(QIODevice::ReadOnly) || stored.size() > kLargestList) return;
  const QJsonArray list = QJsonDocument::fromJson(stored.readAll()).object()["files"].toArray();
  for (const auto& value : list) {
    const QJsonObject entry = value.toObject();
    const QString file = entry["file"].toString();
    if (!file.isEmpty() && !find(file))
      files_.push_back({file, entry["title"].toString(), entry["look"].toObject()});
    if (files_.size() == kMax) return;
  }
}

void KnownFiles::write() {
  QJsonArray list;
  for (const KnownFile& known : files_)
    list.append(QJsonObject{{"file", known.file}, {"title", known.title}, {"look", known.look}});
  QDir().mkpath(QFileInfo(listFile_).path());
  QSaveFile stored(listFile_);
  if (stored.open(QIODevice::WriteOnly)) {
    stored.write(QJsonDocument(QJsonObject{{"files", list}}).toJson(QJsonDocument::Compact));
    stored.commit();
  }
  Q_EMIT changed();
}

}  // namespace slipstick::ui
