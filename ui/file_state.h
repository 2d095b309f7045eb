// What a file holds, as far as one must know to see that somebody else has written it.
#pragma once

#include <QByteArray>
#include <QString>

namespace slipstick::ui {

struct FileState {
  bool exists = false;
  QByteArray digest;  ///< of its bytes: a file that was only touched is the same
  bool operator==(const FileState&) const = default;

  /// As it is now; a file that cannot be read counts as none.
  static FileState of(const QString& file);
};

/// By its name: what the window saves to, small enough to be read whole.
bool isSceneFile(const QString& file);

}  // namespace slipstick::ui
