// The files that were open in the window, newest first, and how each looked when it was left.
#pragma once

#include <QImage>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <vector>

namespace slipstick::ui {

struct KnownFile {
  QString file;      ///< absolute
  QString title;     ///< one line for people
  QJsonObject look;  ///< how it looked, see ui/scene_look.h; empty: it was only opened
};

/// Kept in files.json in the folder of the settings, the pictures in the folder for caches. Another window may write
/// there, too: every change reads the list again first.
class KnownFiles : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMax = 60;          ///< older ones are forgotten
  static constexpr qint64 kLargestList = 8 << 20;  ///< a longer list is none [bytes]

  /// @param remembers  false: it knows nothing, and keeps nothing
  explicit KnownFiles(bool remembers, QObject* parent = nullptr);

  const std::vector<KnownFile>& files() const { return files_; }
  /// Null where it is not known.
  const KnownFile* find(const QString& file) const;
  /// It becomes the newest.
  void open(const QString& file, const QString& title);
  /// @param picture  of it, for its card; may be null
  void keepLook(const QString& file, const QJsonObject& look, const QImage& picture);
  void forget(const QString& file);
  void forgetAll();
  /// Of the last view of it; such a file may be missing.
  QString pictureOf(const QString& file) const;

 Q_SIGNALS:
  void changed();

 private:
  void read();
  void write();

  QString listFile_, pictureFolder_;  ///< empty where nothing is kept
  std::vector<KnownFile> files_;
};

}  // namespace slipstick::ui
