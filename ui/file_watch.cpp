#include "ui/file_watch.h"

#include <QFileInfo>

namespace slipstick::ui {
namespace {

/// From the first sign of a change until the file is looked at: most are written in one go by then. In a folder in which much
/// comes and goes signs never rest.
constexpr int kPatience_ms = 150;

}  // namespace

FileWatch::FileWatch() {
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience_ms);
  for (const auto changed : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
    connect(&watcher_, changed, this, [this] {
      if (!patience_.isActive()) patience_.start();
    });
  connect(&patience_, &QTimer::timeout, this, &FileWatch::look);
}

/// The folder too: programs that write whole files put another one in its place, which the file's own watch does not see.
void FileWatch::watch(const QString& file) {
  const QStringList before = watcher_.files() + watcher_.directories();
  if (!before.empty()) watcher_.removePaths(before);
  patience_.stop();
  file_ = file;
  if (!file.isEmpty()) watcher_.addPaths({file, QFileInfo(file).absolutePath()});
}

void FileWatch::look() {
  if (!watcher_.files().contains(file_) && QFileInfo::exists(file_)) watcher_.addPath(file_);
  Q_EMIT touched();
}

}  // namespace slipstick::ui
