// Encodes and writes pictures on a thread of its own, while the next ones are drawn.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "render/jobs/picture_sink.h"

namespace slipstick::render {

class PictureQueue {
 public:
  explicit PictureQueue(PictureSink& sink);
  ~PictureQueue();  ///< gives up what still waits
  PictureQueue(const PictureQueue&) = delete;
  PictureQueue& operator=(const PictureQueue&) = delete;

  /// Waits while as many as it holds are waiting. Fails where an earlier picture could not be written.
  Result<void> add(Image image);
  /// Writes all that waits and finishes the sink; once, after the last add().
  Result<void> finish();
  /// What encoding and writing took so far [s].
  double seconds() const;

 private:
  static constexpr std::size_t kMaxWaiting = 3;
  void work(const std::stop_token& stop);

  PictureSink& sink_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Image> waiting_;
  bool ended_ = false;  ///< no more come
  double seconds_ = 0;
  std::optional<Error> error_;
  std::jthread thread_;
};

}  // namespace slipstick::render
