#include "ui/frame_worker.h"

#include <utility>

#include "engine/foundation/guarded.h"

namespace slipstick::ui {

FrameWorker::FrameWorker(std::function<void()> deliver)
    : deliver_(std::move(deliver)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

FrameWorker::~FrameWorker() = default;

void FrameWorker::run(const std::stop_token& stop) {
  using Built = Result<std::shared_ptr<const render::Frame>>;
  std::optional<render::FrameBuilder> builder;
  while (std::optional<render::FrameInput> input = wanted_.wait(stop)) {
    if (!builder) builder.emplace();
    Built frame =
        guarded(ErrorCode::SimulationFailed, "viewport", [&] { return Built(builder->build(*input)); });
    if (!frame) {
      builder.reset();  // what it keeps from frame to frame may be half made
      failure_.put(frame.error());
    } else {
      built_.put({std::move(*input), std::move(*frame)});
    }
    deliver_();
  }
}

}  // namespace slipstick::ui
