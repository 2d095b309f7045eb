// Files that are written while the window goes on: the numbers of a run.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <stop_token>
#include <thread>

#include "engine/foundation/result.h"

namespace slipstick::ui {

class Exports : public QObject {
  Q_OBJECT

 public:
  /// Runs on a thread of its own. Once `stop` says so nobody wants the file any more.
  using Write = std::function<Result<void>(const std::stop_token& stop)>;

  using QObject::QObject;
  ~Exports() override { giveUp(); }

  /// Files are written one after the other; written() or failed() follows for each.
  void begin(const QString& file, Write write);
  bool isWriting() const { return pending_ > 0; }
  void giveUp() { stop_.request_stop(); }  ///< all of them, for good

 Q_SIGNALS:
  void written(const QString& file);
  void failed(const slipstick::Error& error);

 private:
  void finish(const QString& file, const Result<void>& result);

  int pending_ = 0;
  std::stop_source stop_;
  std::jthread thread_;  ///< of the last one, which ends after those before it
};

}  // namespace slipstick::ui
