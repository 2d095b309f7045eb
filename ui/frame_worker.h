// Builds frames beside the UI thread: surfaces of particles, colours, arrows. Of several requests the latest counts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "engine/foundation/latest_slot.h"
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
  void request(render::FrameInput input) { wanted_.put(std::move(input)); }
  /// The newest finished frame, once; none where nothing came since.
  std::optional<BuiltFrame> take() { return built_.take(); }
  /// Why the newest request has no frame, once.
  std::optional<Error> failure() { return failure_.take(); }

 private:
  void run(const std::stop_token& stop);

  std::function<void()> deliver_;
  LatestSlot<render::FrameInput> wanted_;
  LatestSlot<BuiltFrame> built_;
  LatestSlot<Error> failure_;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace slipstick::ui
