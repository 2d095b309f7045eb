#include "engine/runtime/companion.h"

#include <limits>
#include <utility>

#include "engine/foundation/guarded.h"
#include "engine/foundation/require.h"
#include "engine/runtime/companion_impl.h"

namespace slipstick {

Companion::Companion(std::shared_ptr<const RunRecord> live, CompanionSettings settings,
                     MakeStepper makeStepper) {
  SIM_REQUIRE(live != nullptr && makeStepper != nullptr);
  impl_ = std::make_unique<Impl>(std::move(live), std::move(settings), std::move(makeStepper));
  impl_->start();
}

Companion::~Companion() = default;

CompanionStatus Companion::status() const {
  const std::uint64_t newest = impl_->live->newest()->step;
  const std::scoped_lock lock(impl_->mutex);
  CompanionStatus status = impl_->facts;
  status.behind = newest > status.step ? newest - status.step : 0;
  return status;
}

std::shared_ptr<const RunSource> Companion::along(BranchId branch) const {
  constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();
  const Way way = impl_->live->wayTo(branch);
  const std::scoped_lock lock(impl_->mutex);
  const Impl::Track* longest = nullptr;
  for (const Impl::Track& track : impl_->tracks) {
    const bool isAlong = commonStep(track.way, track.last, way, kFar) == track.last;
    if (isAlong && (!longest || track.last >= longest->last)) longest = &track;
  }
  return longest ? longest->view : nullptr;
}

/// Of its newest step; while its thread rests.
Result<BesideState> Companion::Impl::state() const {
  if (tracks.empty())
    return Error{ErrorCode::SimulationFailed, "it has not begun", settings.name,
                 "wait until it has steps of its own"};
  if (modelsTaken > 0)
    return Error{ErrorCode::Unsupported, "the scene has just been edited", settings.name,
                 "simulate at least one step with it"};
  return BesideState{settings.name, run.keyframe(), tracks.back().way};
}

void Companion::stop() {
  impl_->thread.request_stop();
}

Result<BesideState> Companion::end() {
  stop();
  if (impl_->thread.joinable()) impl_->thread.join();
  Result<BesideState> ended =
      guarded(ErrorCode::SimulationFailed, impl_->settings.name, [this] { return impl_->state(); });
  if (!ended) {
    impl_->start();
    return ended;
  }
  const std::scoped_lock lock(impl_->mutex);
  impl_->facts.isOver = true;
  return ended;
}

}  // namespace slipstick
