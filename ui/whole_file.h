// Files that are there whole or not at all.
#pragma once

#include <QByteArray>
#include <QString>

#include "engine/foundation/result.h"

namespace slipstick::ui {

/// Writes a file in place of one that may be there already, which stays where that fails.
Result<void> writeWhole(const QByteArray& bytes, const QString& file);

}  // namespace slipstick::ui
