#include "ui/frame_worker.h"

#include <utility>

#include "engine/foundation/guarded.h"

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

std::optional<Error> FrameWorker::failure() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(failure_, std::nullopt);
}

void FrameWorker::run(const std::stop_token& stop) {
  using Built = Result<std::shared_ptr<const render::Frame>>;
  std::optional<render::FrameBuilder> builder;
  for (;;) {
    render::FrameInput input;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return wanted_.has_value(); })) return;
      input = *std::exchange(wanted_, std::nullopt);
    }
    if (!builder) builder.emplace();
    Built frame =
        guarded(ErrorCode::SimulationFailed, "viewport", [&] { return Built(builder->build(input)); });
    if (!frame) builder.reset();    // what it keeps from frame to frame may be half made
    std::optional<BuiltFrame> old;  // freed outside of the lock
    {
      const std::scoped_lock lock(mutex_);
      if (frame) old = std::exchange(built_, BuiltFrame{std::move(input), std::move(*frame)});
      if (!frame) failure_ = frame.error();
    }
    deliver_();
  }
}

}  // namespace slipstick::ui
