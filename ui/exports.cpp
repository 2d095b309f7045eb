#include "ui/exports.h"

namespace slipstick::ui {

void Exports::begin(const QString& file, Write write) {
  ++pending_;
  thread_ = std::jthread([this, file, write = std::move(write), stop = stop_.get_token(),
                          before = std::move(thread_)]() mutable {
    if (before.joinable()) before.join();
    const Result<void> result = write(stop);
    QMetaObject::invokeMethod(
        this, [this, file, result] { finish(file, result); }, Qt::QueuedConnection);
  });
}

void Exports::finish(const QString& file, const Result<void>& result) {
  --pending_;
  if (result)
    Q_EMIT written(file);
  else
    Q_EMIT failed(result.error());
}

}  // namespace slipstick::ui
