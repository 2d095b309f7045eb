// Files that are there whole or not at all, and take nobody's place.
#pragma once

#include <QByteArray>
#include <QString>

#include "engine/foundation/result.h"

namespace slipstick::ui {

/// Writes a file in place of one that may be there already, which stays where that fails.
Result<void> writeWhole(const QByteArray& bytes, const QString& file);

/// The file or folder itself where there is none of that name, otherwise "NAME-2.png", "NAME-3.png", …
QString freeFile(const QString& wanted);

}  // namespace slipstick::ui
