#include "ui/open_run.h"

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>

#include "engine/foundation/process_memory.h"

namespace slipstick::ui {
namespace {

/// Snapshots are looked at no more often than this, however fast the solver publishes them.
constexpr int kPublishPeriod_ms = 8;

}  // namespace

std::function<void()> OpenRun::publisher() {
  return [this] {
    if (!publishPending_.exchange(true))
      QMetaObject::invokeMethod(this, &OpenRun::onPublished, Qt::QueuedConnection);
  };
}

void OpenRun::onPublished() {
  Q_EMIT published();
  // What showing one snapshot cost the window, it gets free before the next: input comes first on slow
  // machines.
  QElapsedTimer clock;
  clock.start();
  QTimer::singleShot(0, this, [this, clock] {
    const auto rest = std::max<qint64>(kPublishPeriod_ms, clock.elapsed());
    QTimer::singleShot(static_cast<int>(rest), this, [this] {
      publishPending_ = false;
      Q_EMIT published();  // what was published during the wait
    });
  });
}

void OpenRun::replace(std::unique_ptr<SimulationThread> simulation) {
  retire(std::move(simulation_));
  simulation_ = std::move(simulation);
}

void OpenRun::retire(std::unique_ptr<SimulationThread> simulation) {
  if (!simulation) return;
  retiring_ = std::jthread([previous = std::move(retiring_), old = std::move(simulation)]() mutable {
    old.reset();
    trimHeap();  // its history may have been most of what the program had
  });
}

}  // namespace slipstick::ui
