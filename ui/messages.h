// What a session tells the person: lines of the log, and what could not be done.
#pragma once

#include <QObject>
#include <QString>

#include "engine/foundation/result.h"

namespace slipstick::ui {

enum class LogLevel { Info, Warning, Error };

class Messages : public QObject {
  Q_OBJECT

 public:
  /// A line in the log.
  void tell(LogLevel level, const QString& text) { Q_EMIT told(level, text); }

 Q_SIGNALS:
  void failed(slipstick::Error error);
  void told(slipstick::ui::LogLevel level, QString text);
};

}  // namespace slipstick::ui
