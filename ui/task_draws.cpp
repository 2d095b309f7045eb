#include "ui/task_draws.h"

#include <algorithm>
#include <utility>

#include "engine/compile/task_reset.h"

namespace slipstick::ui {

void TaskDraws::clear() {
  draws_.clear();
  authored_.reset();
  awaited_.reset();
  awaitedFrom_.reset();
  largest_ = 0;
}

std::shared_ptr<const Scene> TaskDraws::authored() const {
  const std::shared_ptr<const Scene> newest = run_.newestModel()->scene;
  const auto found =
      std::find_if(draws_.rbegin(), draws_.rend(), [&](const Draw& draw) { return draw.drawn == newest; });
  if (found != draws_.rend()) return found->authored;
  if (!newest || !newest->task || !newest->task->seed) return newest;
  // One that is none of these has come of an edit that nobody has told of yet.
  return authored_ ? authored_ : newest;
}

/// The next draw begins with it.
void TaskDraws::setAuthored(std::shared_ptr<const Scene> scene) {
  authored_ = std::move(scene);
  draws_.push_back({run_.newestModel()->scene, authored_});
}

std::uint64_t TaskDraws::nextSeed(std::uint64_t largest) {
  largest_ = std::max(largest_, largest);
  return largest_ = largest_ < kLargestSeed ? largest_ + 1 : 0;
}

void TaskDraws::draw(std::uint64_t seed, std::shared_ptr<RunSink> sink) {
  awaited_ = seed;
  awaitedFrom_ = authored();
  transport_.startOver(randomised(*awaitedFrom_, seed), tr("try, seed %1").arg(seed), std::move(sink));
}

std::optional<bool> TaskDraws::arrived() {
  if (!awaited_ || transport_.isGoingBack()) return std::nullopt;
  const std::uint64_t seed = *std::exchange(awaited_, std::nullopt);
  const std::shared_ptr<const Scene> from = std::exchange(awaitedFrom_, nullptr);
  const auto model = run_.newestModel();
  if (!model->task || model->task->seed != seed) return false;
  draws_.push_back({model->scene, from});
  authored_ = from;
  return true;
}

}  // namespace slipstick::ui
