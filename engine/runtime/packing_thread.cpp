#include "engine/runtime/packing_thread.h"

#include <optional>
#include <utility>

namespace slipstick {

PackingThread::PackingThread() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

void PackingThread::add(std::shared_ptr<const PackedSnapshot> step) {
  if (last_) last_->finish();
  last_.reset();
  if (!step->isWaiting()) return;
  last_ = step;
  next_.put(std::move(step));
}

void PackingThread::run(const std::stop_token& stop) {
  while (const std::optional<std::shared_ptr<const PackedSnapshot>> step = next_.wait(stop))
    (*step)->finish();
}

}  // namespace slipstick
