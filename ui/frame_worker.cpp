#include "ui/frame_worker.h"

#include <utility>

namespace slipstick::ui {

FrameWorker::FrameWorker(std::function<void()> deliver)
    : deliver_(std::move(deliver)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

FrameWorker::~FrameWorker() = default;

void FrameWorker::request(render::FrameInput input) {
  {
    const std::scoped_lock lock(mutex_);
    wanted_ = std::move(input);
  }
  wake_.notify_one();
}

std::optional<BuiltFrame> FrameWorker::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(built_, std::nullopt);
}

void FrameWorker::run(const std::stop_token& stop) {
  render::FrameBuilder builder;
  for (;;) {
    render::FrameInput input;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return wanted_.has_value(); })) return;
      input = *std::exchange(wanted_, std::nullopt);
    }
    std::shared_ptr<const render::Frame> frame = builder.build(input);
    std::optional<BuiltFrame> old;  // freed outside of the lock
    {
      const std::scoped_lock lock(mutex_);
      old = std::exchange(built_, BuiltFrame{std::move(input), std::move(frame)});
    }
    deliver_();
  }
}

}  // namespace slipstick::ui
