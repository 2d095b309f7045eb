// Tells when others write, replace or take back a file that the window has open.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace slipstick::ui {

class FileWatch : public QObject {
  Q_OBJECT

 public:
  FileWatch();
  /// From now on this one; empty: none.
  void watch(const QString& file);

 Q_SIGNALS:
  void touched();  ///< its bytes may be others

 private:
  void look();

  QString file_;
  QFileSystemWatcher watcher_;
  QTimer patience_;
};

}  // namespace slipstick::ui
