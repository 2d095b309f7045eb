// Signals by which the system or a terminal ends the program, as calls on the window's thread.
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <memory>

namespace slipstick::ui {

/// From construction on SIGTERM, SIGHUP and SIGINT no longer end the program but are told of; the second one ends it at once.
/// At most one object at a time.
class EndSignals : public QObject {
  Q_OBJECT

 public:
  EndSignals();
  ~EndSignals() override;

 Q_SIGNALS:
  void came(int signal);

 private:
  int ends_[2] = {-1, -1};  ///< of a pipe: the handler writes, the event loop reads
  std::unique_ptr<QSocketNotifier> reader_;
};

}  // namespace slipstick::ui
