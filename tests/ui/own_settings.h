// A settings and a cache folder of a test's own: windows that remember then do not touch those of the person.
#pragma once

#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace slipstick::testing {

class OwnSettings {
 public:
  OwnSettings() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
    // The OpenGL driver keeps its own where it was.
    if (!qEnvironmentVariableIsSet("MESA_SHADER_CACHE_DIR"))
      qputenv("MESA_SHADER_CACHE_DIR",
              QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation).toLocal8Bit());
    qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toLocal8Bit());
  }
  ~OwnSettings() { qputenv("XDG_CACHE_HOME", cacheBefore_); }
  OwnSettings(const OwnSettings&) = delete;
  OwnSettings& operator=(const OwnSettings&) = delete;
  QString filePath(const QString& name) const { return folder_.filePath(name); }

 private:
  QTemporaryDir folder_;
  QByteArray cacheBefore_ = qgetenv("XDG_CACHE_HOME");
};

}  // namespace slipstick::testing
