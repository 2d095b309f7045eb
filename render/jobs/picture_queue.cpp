#include "render/jobs/picture_queue.h"

#include <chrono>
#include <utility>

#include "engine/foundation/guarded.h"

namespace slipstick::render {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

PictureQueue::PictureQueue(PictureSink& sink)
    : sink_(sink), thread_([this](const std::stop_token& stop) { work(stop); }) {}

PictureQueue::~PictureQueue() = default;

void PictureQueue::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, stop, [this] { return ended_ || !waiting_.empty(); });
    if (stop.stop_requested() || waiting_.empty()) return;
    Image image = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const Clock::time_point start = Clock::now();
    const Result<void> added =
        guarded(ErrorCode::FileUnwritable, "pictures", [&] { return sink_.add(std::move(image)); });
    lock.lock();
    seconds_ += since(start);
    if (!added && !error_) error_ = added.error();
    changed_.notify_all();
    if (error_) return;
  }
}

Result<void> PictureQueue::add(Image image) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || waiting_.size() < kMaxWaiting; });
  if (error_) return *error_;
  waiting_.push_back(std::move(image));
  changed_.notify_all();
  return {};
}

Result<void> PictureQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  thread_.join();
  if (error_) return *error_;
  const Clock::time_point start = Clock::now();
  const Result<void> finished = sink_.finish();
  seconds_ += since(start);
  return finished;
}

double PictureQueue::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

}  // namespace slipstick::render
