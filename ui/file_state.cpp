#include "ui/file_state.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

namespace slipstick::ui {

FileState FileState::of(const QString& name) {
  QFile file(name);
  if (name.isEmpty() || !file.open(QIODevice::ReadOnly)) return {};
  QCryptographicHash hash(QCryptographicHash::Sha1);
  if (!hash.addData(&file)) return {};
  return {true, hash.result()};
}

bool isSceneFile(const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  return suffix == "yaml" || suffix == "yml";
}

}  // namespace slipstick::ui
