// Builds frames beside the UI thread: surfaces of particles, colours, arrows. Of several requests the latest counts.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "engine/foundation/result.h"
#include "render/frame_builder.h"

namespace slipstick::ui {

struct BuiltFrame {
  render::FrameInput input;
  std::shared_ptr<const render::Frame> frame;
};

class FrameWorker {
 public:
  /// @param deliver  called on the worker's thread when take() or failure() have something new (post an event from it,
  /// no more)
  explicit FrameWorker(std::function<void()> deliver);
  ~FrameWorker();  ///< waits for the frame in work

  /// Replaces a request that is still waiting.
  void request(render::FrameInput input);
  /// The newest finished frame, once; none where nothing came since.
  std::optional<BuiltFrame> take();
  /// Why the newest request has no frame, once.
  std::optional<Error> failure();

 private:
  void run(const std::stop_token& stop);

  std::function<void()> deliver_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<render::FrameInput> wanted_;
  std::optional<BuiltFrame> built_;
  std::optional<Error> failure_;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace slipstick::ui
