#include "ui/whole_file.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace slipstick::ui {

Result<void> writeWhole(const QByteArray& bytes, const QString& file) {
  // In place of a device QSaveFile would put a file.
  if (const QFileInfo there(file); there.exists() && !there.isFile() && !there.isDir())
    return Error{ErrorCode::FileUnwritable, "it is a pipe or a device", file.toStdString(), "name a file"};
  QSaveFile out(file);
  const bool isOpen = out.open(QIODevice::WriteOnly | QIODevice::Unbuffered);
  const bool isWritten = isOpen && out.write(bytes) == bytes.size();
  if (isWritten && out.commit()) return {};
  // Of what was written in part only Qt has no reason.
  const QString why = isOpen && !isWritten ? "the disk is full" : out.errorString();
  return Error{ErrorCode::FileUnwritable, "it cannot be written: " + why.toStdString(), file.toStdString(),
               "choose a folder that exists, that you may write to, and that has space"};
}

QString freeFile(const QString& wanted) {
  const QFileInfo info(wanted);
  const QString suffix = info.suffix().isEmpty() ? QString() : "." + info.suffix();
  QString file = wanted;
  for (int i = 2; QFileInfo::exists(file); ++i)
    file = info.dir().filePath(QString("%1-%2%3").arg(info.completeBaseName()).arg(i).arg(suffix));
  return file;
}

}  // namespace slipstick::ui
